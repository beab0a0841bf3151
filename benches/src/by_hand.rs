//! The comparison with hand-written code.

use std::fmt::Write;

use crate::cases::{self, Case, LOOKS};
use crate::clock::side_by_side;
use crate::count::{self, Which};

/// Returns the table of trees and their hand-written equivalents.
pub fn table() -> String {
    let mut table = String::from(
        "| tree | nodes | bytes per agent | instructions, hand-written | instructions, bt-core | ratio | ns, hand-written | ns, bt-core |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for (index, case) in cases::all().iter().enumerate() {
        let ticks = if case.nodes > 500 { 100_000 } else { 1_000_000 };
        let [hand, tree, looks] = side_by_side(
            [&|ticks| run(case.by_hand, ticks), &|ticks| run(case.tree, ticks), &|ticks| run(LOOKS, ticks)],
            ticks,
        );
        let counts = count::per_tick(index, Which::ByHand).zip(count::per_tick(index, Which::Tree));
        let counts = counts
            .map_or("– | – | –".to_owned(), |(hand, tree)| format!("{hand:.1} | {tree:.1} | {:.2}", tree / hand));
        let Case { name, nodes, bytes, .. } = case;
        let _ =
            writeln!(table, "| {name} | {nodes} | {bytes} | {counts} | {:.1} | {:.1} |", hand - looks, tree - looks);
    }
    table
}

fn run(function: fn(u32) -> u64, ticks: u32) {
    std::hint::black_box(function(ticks));
}
