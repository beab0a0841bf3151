//! The comparison with hand-written code.

use std::fmt::Write;

use crate::cases::{self, Case, LOOKS};
use crate::clock::side_by_side;
use crate::count::{self, Which};

/// Returns the table of trees and their hand-written equivalents.
pub fn table() -> String {
    let mut table = String::from(
        "| tree | nodes | bytes per agent | instructions, bt-core | by hand, does the same | ratio | by hand, does less | ratio | ns, does the same | ns, bt-core |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for (index, case) in cases::all().iter().enumerate() {
        let ticks = if case.nodes > 500 { 100_000 } else { 1_000_000 };
        let [hand, tree, looks] = side_by_side(
            [&|ticks| run(case.by_hand, ticks), &|ticks| run(case.tree, ticks), &|ticks| run(LOOKS, ticks)],
            ticks,
        );
        let tree_count = count::per_tick(index, Which::Tree);
        let counts = tree_count.map_or("–".to_owned(), |count| format!("{count:.1}"));
        let same = beside(tree_count, count::per_tick(index, Which::ByHand));
        let less = beside(tree_count, case.less.and_then(|_| count::per_tick(index, Which::WithLess)));
        let Case { name, nodes, bytes, .. } = case;
        let _ = writeln!(
            table,
            "| {name} | {nodes} | {bytes} | {counts} | {same} | {less} | {:.1} | {:.1} |",
            hand - looks,
            tree - looks
        );
    }
    table
}

/// Returns the instructions of a hand-written equivalent, and the ratio of a tree to it.
fn beside(tree: Option<f64>, by_hand: Option<f64>) -> String {
    tree.zip(by_hand).map_or("– | –".to_owned(), |(tree, hand)| format!("{hand:.1} | {:.2}", tree / hand))
}

fn run(function: fn(u32) -> u64, ticks: u32) {
    std::hint::black_box(function(ticks));
}
