//! Instruction counts, measured with valgrind. They are reproducible, regardless of the load of the machine.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Mutex;

/// The number of ticks of a case.
pub const TICKS: u32 = 20_000;

/// The version of a case.
#[derive(Clone, Copy)]
pub enum Which {
    Tree,
    ByHand,
    WithLess,
}

/// Returns the instructions per tick of a case, minus the baseline, or `None` without valgrind.
pub fn per_tick(index: usize, which: Which) -> Option<f64> {
    let word = match which {
        Which::Tree => "tree",
        Which::ByHand => "hand",
        Which::WithLess => "less",
    };
    Some(slope(&format!("{word}{index}"), TICKS)? - slope("looks", TICKS)?)
}

/// Returns the instructions per tick. A second run has twice as many ticks: the difference excludes the setup. The baselines are
/// counted once.
pub fn slope(what: &str, ticks: u32) -> Option<f64> {
    static COUNTED: Mutex<BTreeMap<(String, u32), f64>> = Mutex::new(BTreeMap::new());
    let key = (what.to_owned(), ticks);
    let before = COUNTED.lock().ok()?.get(&key).copied();
    if before.is_some() {
        return before;
    }
    let slope = difference(ticks, |ticks| {
        let tool = ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"];
        instructions(&tool, "refs:", what, ticks)
    })?;
    COUNTED.lock().ok()?.insert(key, slope);
    Some(slope)
}

/// Returns the instructions per tick of a function and of what it calls, by its name: those of other threads are not counted.
pub fn slope_in(function: &str, what: &str, ticks: u32) -> Option<f64> {
    let only = format!("--toggle-collect=*{function}*");
    difference(ticks, |ticks| {
        instructions(&["--tool=callgrind", "--callgrind-out-file=/dev/null", &only], "Collected :", what, ticks)
    })
}

/// Returns what a tick adds.
fn difference(ticks: u32, count: impl Fn(u32) -> Option<u64>) -> Option<f64> {
    let (once, twice) = (count(ticks)?, count(2 * ticks)?);
    #[allow(clippy::cast_precision_loss)]
    Some((twice - once) as f64 / f64::from(ticks))
}

/// Runs valgrind, and returns the number at the end of a line of its output.
fn instructions(tool: &[&str], line: &str, what: &str, ticks: u32) -> Option<u64> {
    let this = std::env::current_exe().ok()?;
    let output = Command::new("valgrind").args(tool).arg(this).args(["run", what, &ticks.to_string()]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.lines().find(|found| found.contains(line))?;
    line.rsplit(' ').next()?.replace(',', "").parse().ok()
}
