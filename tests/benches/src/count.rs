//! Instruction counts, measured with valgrind. They are reproducible, regardless of the load of the machine.

use std::collections::BTreeMap;
use std::ffi::OsString;
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

/// A number that valgrind reports: the options of its tool, and the words in front of the number.
#[derive(Clone, Copy)]
pub struct Counter<'a> {
    options: &'a [&'a str],
    words: &'a str,
}

/// The instructions of all threads.
pub const INSTRUCTIONS: Counter =
    Counter { options: &["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"], words: "refs:" };

/// The misses of the last cache, of 32 MiB: virtual machines may report another size. The simulated cache does not load ahead.
pub const MISSES: Counter = Counter {
    options: &["--tool=cachegrind", "--cache-sim=yes", "--LL=33554432,16,64", "--cachegrind-out-file=/dev/null"],
    words: "LLd misses:",
};

/// Returns the instructions per tick of what `run` runs. The baselines are counted once.
pub fn slope(what: &str, ticks: u32) -> Option<f64> {
    static COUNTED: Mutex<BTreeMap<(String, u32), f64>> = Mutex::new(BTreeMap::new());
    let key = (what.to_owned(), ticks);
    let before = COUNTED.lock().ok()?.get(&key).copied();
    if before.is_some() {
        return before;
    }
    let slope = slope_of(INSTRUCTIONS, &this(what)?, ticks)?;
    COUNTED.lock().ok()?.insert(key, slope);
    Some(slope)
}

/// Returns the instructions per tick of a function and of what it calls, by its name: those of other threads are not counted.
pub fn slope_in(function: &str, what: &str, ticks: u32) -> Option<f64> {
    let only = format!("--toggle-collect=*{function}*");
    let options = ["--tool=callgrind", "--callgrind-out-file=/dev/null", &only];
    slope_of(Counter { options: &options, words: "Collected :" }, &this(what)?, ticks)
}

/// Returns the command of this program for what `run` runs, without the number of ticks.
pub fn this(what: &str) -> Option<Vec<OsString>> {
    Some(vec![std::env::current_exe().ok()?.into(), "run".into(), what.into()])
}

/// Returns the count per tick of a command whose last argument is the number of ticks. A second run has twice as many ticks: the
/// difference excludes the start.
pub fn slope_of(counter: Counter, command: &[OsString], ticks: u32) -> Option<f64> {
    let (once, twice) = (count(counter, command, ticks)?, count(counter, command, 2 * ticks)?);
    #[allow(clippy::cast_precision_loss)]
    Some(twice.checked_sub(once)? as f64 / f64::from(ticks))
}

/// Runs valgrind, and returns the number after some words of its output.
fn count(counter: Counter, command: &[OsString], ticks: u32) -> Option<u64> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(counter.options).args(command).arg(ticks.to_string());
    // Otherwise, no two runs of a Python program are the same.
    let output = valgrind.env("PYTHONHASHSEED", "0").output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let (_, number) = text.lines().find_map(|line| line.split_once(counter.words))?;
    number.split_whitespace().next()?.replace(',', "").parse().ok()
}
