//! Compares instruction counts with the stored counts and with bounds.

use std::fmt::Write;
use std::path::Path;

use crate::cases;
use crate::count::{self, Which};
use crate::engines::{self, LOADED};
use crate::herd;
use crate::observers::{self, COUNTED};
use crate::rewind;

/// The maximum ratio between a count and the stored count.
const TOLERANCE: f64 = 1.03;

/// A count: its name, the instructions, and the maximum.
struct Count {
    name: String,
    count: f64,
    at_most: f64,
}

/// Counts all cases.
fn counts() -> Option<Vec<Count>> {
    let mut counts = Vec::new();
    for (index, case) in cases::all().iter().enumerate() {
        let name = format!("{} of {} nodes", case.name, case.nodes);
        let (hand, count) = (count::per_tick(index, Which::ByHand)?, count::per_tick(index, Which::Tree)?);
        counts.push(Count { name, count, at_most: hand * case.bound });
    }
    for (index, (name, _, _, bound)) in LOADED.iter().enumerate() {
        let [count, written] = engines::per_tick(index)?;
        counts.push(Count { name: format!("loaded {name} of 9 nodes"), count, at_most: written * bound });
    }
    let plain = herd::per_agent(0)?;
    for (index, way) in herd::WAYS.iter().enumerate() {
        let name = format!("herd by {}", way.name);
        counts.push(Count { name, count: herd::per_agent(index)?, at_most: plain * way.bound });
    }
    for (index, (name, _, _, at_most)) in rewind::COUNTED.iter().enumerate() {
        counts.push(Count { name: (*name).to_owned(), count: rewind::per_snapshot(index)?, at_most: *at_most });
    }
    for (index, (name, _, at_most)) in COUNTED.iter().enumerate().skip(1) {
        let name = format!("observer {name}, per visited node");
        counts.push(Count { name, count: observers::per_visit(index)?, at_most: *at_most });
    }
    Some(counts)
}

/// Compares the counts, or stores them. Returns the counts, or an error with a line per regression.
pub fn guard(keep: bool) -> Result<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("counts.txt");
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    let counts = counts().ok_or("valgrind not found\nhelp: apt-get install valgrind")?;
    let (mut lines, mut worse) = (String::new(), String::new());
    for Count { name, count, at_most } in counts {
        let _ = writeln!(lines, "{name}: {count:.1}");
        if count > at_most * TOLERANCE {
            let _ = writeln!(worse, "{name}: {count:.1} instructions per tick, the bound is {at_most:.1}");
        }
        let before = stored.lines().find_map(|line| line.strip_prefix(&format!("{name}: "))?.parse::<f64>().ok());
        match before {
            Some(before) if count > before * TOLERANCE && !keep => {
                let _ = writeln!(
                    worse,
                    "{name}: {count:.1} instructions per tick, {before:.1} expected by benches/counts.txt (+{:.0} %)",
                    (count / before - 1.0) * 100.0
                );
            }
            None if !keep => {
                let _ = writeln!(
                    worse,
                    "{name}: {count:.1} instructions per tick, no count in benches/counts.txt\nhelp: run `guard --keep`"
                );
            }
            Some(_) | None => {}
        }
    }
    if !worse.is_empty() {
        return Err(worse);
    }
    if keep {
        std::fs::write(&path, &lines).map_err(|error| error.to_string())?;
    }
    Ok(lines)
}
