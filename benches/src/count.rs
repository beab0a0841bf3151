//! Instruction counts, measured with valgrind. They are reproducible, regardless of the load of the machine.

use std::process::Command;

use crate::cases::{self, LOOKS};
use crate::herd::WAYS;

/// The number of ticks of a case.
const TICKS: u32 = 20_000;

/// The version of a case.
#[derive(Clone, Copy)]
pub enum Which {
    Tree,
    ByHand,
}

/// Returns the instructions per tick of a case, minus the baseline, or `None` without valgrind.
pub fn per_tick(index: usize, which: Which) -> Option<f64> {
    let word = match which {
        Which::Tree => "tree",
        Which::ByHand => "hand",
    };
    Some(slope(&format!("{word}{index}"), TICKS)? - slope("looks", TICKS)?)
}

/// Returns the instructions per tick. A second run has twice as many ticks: the difference excludes the setup.
pub fn slope(what: &str, ticks: u32) -> Option<f64> {
    let (once, twice) = (instructions(what, ticks)?, instructions(what, 2 * ticks)?);
    #[allow(clippy::cast_precision_loss)]
    Some((twice - once) as f64 / f64::from(ticks))
}

fn instructions(what: &str, ticks: u32) -> Option<u64> {
    let this = std::env::current_exe().ok()?;
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(this)
        .args(["run", what, &ticks.to_string()])
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.lines().find(|line| line.contains("refs:"))?;
    line.rsplit(' ').next()?.replace(',', "").parse().ok()
}

/// Runs one function. Called in a process under valgrind.
pub fn run(what: &str, ticks: u32) {
    let cases = cases::all();
    let index = |prefix: &str| what.strip_prefix(prefix).and_then(|index| index.parse::<usize>().ok());
    let function = match (index("tree"), index("hand"), index("herd")) {
        (Some(index), ..) => cases[index].tree,
        (_, Some(index), _) => cases[index].by_hand,
        (.., Some(index)) => WAYS[index].run,
        _ => LOOKS,
    };
    std::hint::black_box(function(ticks));
}
