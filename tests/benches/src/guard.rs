//! Compares instruction counts with the stored counts and with bounds.

use std::fmt::Write;
use std::path::Path;

use crate::cases;
use crate::count::{self, Which};
use crate::editing;
use crate::herd;
use crate::loaded::{self, LOADED};
use crate::observers::{self, COUNTED};
use crate::rewind;

/// The maximum ratio between a count and the stored count.
const TOLERANCE: f64 = 1.03;

/// A bound may be this many times what is measured. A count is the same in each run of one program, and the compared count is of the
/// same program, so what remains is the compiler: another version changes most ratios by less than 5 %.
const LOOSE: f64 = 1.1;

/// What `guard --keep` makes of a bound that is too loose, and of a new one.
const TIGHT: f64 = 1.05;

/// What it makes of a new bound of a count in which texts are copied.
const COPIED: f64 = 1.3;

pub const NO_VALGRIND: &str = "valgrind not found\nhelp: apt-get install valgrind";

/// A count: its name, the instructions, and what they are compared with.
struct Count {
    name: String,
    count: f64,
    /// The instructions of the twin, and what that is; 1 for a count that has none.
    twin: (f64, &'static str),
    /// Whether the processor decides how long texts are copied, so that only the bound holds everywhere.
    copies_texts: bool,
}

/// A stored count, and how many times its twin it may be. A bound is raised only by hand, in the file.
struct Stored {
    count: f64,
    bound: f64,
}

impl Count {
    fn alone(name: String, count: f64) -> Self {
        Self { name, count, twin: (1.0, "instruction"), copies_texts: false }
    }

    fn ratio(&self) -> f64 {
        self.count / self.twin.0
    }

    /// Returns the bound to store: the present one unless it is too loose.
    fn tightened(&self, stored: Option<&Stored>) -> f64 {
        let tight = (self.ratio() * if self.copies_texts { COPIED } else { TIGHT } * 100.0).ceil() / 100.0;
        stored.map_or(tight, |stored| if self.is_loose(stored.bound) { tight } else { stored.bound })
    }

    fn is_loose(&self, bound: f64) -> bool {
        !self.copies_texts && bound > self.ratio() * LOOSE
    }
}

/// Counts all cases.
fn counts() -> Option<Vec<Count>> {
    let mut counts = Vec::new();
    for (index, case) in cases::all().iter().enumerate() {
        let name = format!("{} of {} nodes", case.name, case.nodes);
        let (hand, count) = (count::per_tick(index, Which::ByHand)?, count::per_tick(index, Which::Tree)?);
        if case.less.is_some() {
            let twin = (count::per_tick(index, Which::WithLess)?, "by hand that does less");
            counts.push(Count { twin, ..Count::alone(format!("{name} (less)"), count) });
        }
        counts.push(Count { twin: (hand, "by hand"), ..Count::alone(name, count) });
    }
    for (index, case) in LOADED.iter().enumerate() {
        let [count, written] = loaded::per_tick(index)?;
        counts.push(Count { twin: (written, "in Rust"), ..Count::alone(format!("loaded {}", case.name), count) });
    }
    counts.push(Count::alone("loaded, per visited condition".to_owned(), loaded::per_leaf()?));
    for (index, way) in herd::WAYS.iter().enumerate() {
        let name = format!("herd by {}", way.name);
        let twin = (herd::per_agent(way.plain)?, "by loop");
        counts.push(Count { twin, ..Count::alone(name, herd::per_agent(index)?) });
    }
    for (index, (name, ..)) in rewind::COUNTED.iter().enumerate() {
        counts.push(Count::alone((*name).to_owned(), rewind::per_snapshot(index)?));
    }
    for (index, (name, _)) in COUNTED.iter().enumerate().skip(1) {
        counts.push(Count::alone(format!("observer {name}, per visited node"), observers::per_visit(index)?));
    }
    for (name, count) in editing::per_edit() {
        counts.push(Count { copies_texts: true, ..Count::alone(name, count?) });
    }
    Some(counts)
}

/// Reads a count from the lines `name: count, at most bound x twin`.
fn stored(lines: &str, name: &str) -> Option<Stored> {
    let line = lines.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))?;
    let (count, bound) = line.split_once(", at most ")?;
    let finite = |number: &str| number.parse().ok().filter(|number: &f64| number.is_finite());
    Some(Stored { count: finite(count)?, bound: finite(bound.split_once(" x ")?.0)? })
}

/// Returns the names of counts that are in the lines of `before` and not in those of `now`.
fn gone<'a>(before: &'a str, now: &'a str) -> impl Iterator<Item = &'a str> {
    let name = |line: &'a str| line.split_once(": ").map_or(line, |(name, _)| name);
    before.lines().map(name).filter(move |before| now.lines().map(name).all(|now| now != *before))
}

/// Compares the counts, or stores them. Returns the counts, or an error with a line per regression.
pub fn guard(keep: bool) -> Result<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("counts.txt");
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    let counts = counts().ok_or(NO_VALGRIND)?;
    let (mut lines, mut worse) = (String::new(), String::new());
    for count in counts {
        let stored = stored(&before, &count.name);
        let (Count { name, count: now, twin: (_, twin), copies_texts }, ratio) = (&count, count.ratio());
        let _ = writeln!(lines, "{name}: {now:.1}, at most {:.2} x {twin}", count.tightened(stored.as_ref()));
        match stored {
            Some(Stored { bound, .. }) if ratio > bound => {
                let _ = writeln!(worse, "{name}: {now:.1} instructions, {ratio:.2} x {twin}, the bound is {bound:.2}");
            }
            Some(Stored { bound, .. }) if count.is_loose(bound) && !keep => {
                let _ = writeln!(
                    worse,
                    "{name}: {now:.1} instructions, {ratio:.2} x {twin}, the bound of {bound:.2} is too loose\nhelp: run `guard --keep`"
                );
            }
            Some(Stored { count: before, .. }) if *now > before * TOLERANCE && !keep && !copies_texts => {
                let _ = writeln!(
                    worse,
                    "{name}: {now:.1} instructions, {before:.1} expected by tests/benches/counts.txt (+{:.0} %)",
                    (now / before - 1.0) * 100.0
                );
            }
            // A stored count that is too high would hide a regression.
            Some(Stored { count: before, .. }) if now * TOLERANCE < before && !keep && !copies_texts => {
                let _ = writeln!(
                    worse,
                    "{name}: {now:.1} instructions, {before:.1} expected by tests/benches/counts.txt\nhelp: run `guard --keep`"
                );
            }
            None if !keep => {
                let _ = writeln!(
                    worse,
                    "{name}: {now:.1} instructions, no count in tests/benches/counts.txt\nhelp: run `guard --keep`"
                );
            }
            Some(_) | None => {}
        }
    }
    if !keep {
        for name in gone(&before, &lines) {
            let _ = writeln!(worse, "{name}: only in tests/benches/counts.txt\nhelp: run `guard --keep`");
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
