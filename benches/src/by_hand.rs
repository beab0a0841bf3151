//! The comparison with hand-written code, and the guard that compares instruction counts with the stored counts.

use std::fmt::Write;
use std::path::Path;

use crate::cases::{self, Case, LOOKS};
use crate::clock::side_by_side;
use crate::count::{self, Which};

/// The maximum ratio between a count and the stored count.
const TOLERANCE: f64 = 1.03;

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

/// Compares the counts with the stored counts, or stores them. Returns the counts, or an error with a line per regression.
pub fn guard(keep: bool) -> Result<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("counts.txt");
    let mut counts = String::new();
    let mut worse = String::new();
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    for (index, case) in cases::all().iter().enumerate() {
        let Some(count) = count::per_tick(index, Which::Tree) else {
            return Err("valgrind not found\nhelp: apt-get install valgrind".to_owned());
        };
        let name = format!("{} of {} nodes", case.name, case.nodes);
        let before = stored.lines().find_map(|line| line.strip_prefix(&format!("{name}: "))?.parse::<f64>().ok());
        let _ = writeln!(counts, "{name}: {count:.1}");
        match before {
            Some(before) if count > before * TOLERANCE => {
                let _ = writeln!(
                    worse,
                    "{name}: {count:.1} instructions per tick, {before:.1} expected by benches/counts.txt (+{:.0} %)",
                    (count / before - 1.0) * 100.0
                );
            }
            Some(_) => {}
            None if keep => {}
            None => {
                let _ = writeln!(
                    worse,
                    "{name}: {count:.1} instructions per tick, no count in benches/counts.txt\nhelp: run `guard --keep`"
                );
            }
        }
    }
    if keep {
        std::fs::write(&path, &counts).map_err(|error| error.to_string())?;
        return Ok(counts);
    }
    if worse.is_empty() { Ok(counts) } else { Err(worse) }
}
