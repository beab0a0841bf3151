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
    let (once, twice) = (instructions(what, ticks)?, instructions(what, 2 * ticks)?);
    #[allow(clippy::cast_precision_loss)]
    let slope = (twice - once) as f64 / f64::from(ticks);
    COUNTED.lock().ok()?.insert(key, slope);
    Some(slope)
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
