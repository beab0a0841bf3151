//! Instruction counts, measured with valgrind. They are reproducible, regardless of the load of the machine.

use std::process::Command;

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
