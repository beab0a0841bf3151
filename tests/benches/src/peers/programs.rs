//! Programs in other languages, in the folder `peers`. One takes the name of a tree and a number of ticks, and prints the trace of the
//! agent and the nanoseconds of all ticks. It is installed by hand.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use super::{CASES, ours};
use crate::count::{INSTRUCTIONS, slope_of};

/// A program: the library, its command, and what installs it. Paths are relative to the repository.
struct Program {
    name: &'static str,
    command: &'static [&'static str],
    install: &'static str,
}

const PROGRAMS: [Program; 2] = [
    Program {
        name: "py_trees 2.6",
        command: &["target/benches/py_trees/bin/python", "tests/benches/peers/py_trees_ticks.py"],
        install: "python3 -m venv target/benches/py_trees && target/benches/py_trees/bin/pip install py_trees==2.6.0",
    },
    Program {
        name: "BehaviorTree.CPP 4.10",
        command: &["target/benches/behaviortree_cpp"],
        install: "c++ -O2 -DNDEBUG -std=c++17 tests/benches/peers/behaviortree_cpp.cpp -lbehaviortree_cpp -o target/benches/behaviortree_cpp",
    },
];

/// Returns the rows of all programs. A program that is not installed has a row that says how to install it.
pub(super) fn rows() -> Result<String, String> {
    PROGRAMS.iter().map(Program::row).collect()
}

impl Program {
    fn row(&self) -> Result<String, String> {
        const COUNTED: u32 = 300;
        let Self { name, install, .. } = self;
        if !root().join(self.command[0]).is_file() {
            return Ok(format!("| {name} | not installed: `{install}` | – | – | – | – |\n"));
        }
        let ours = ours::peer();
        let count = |case| slope_of(INSTRUCTIONS, &self.command(case), COUNTED);
        let none = count("none");
        let (mut times, mut counts) = (Vec::new(), Vec::new());
        for (case, ticks) in CASES.into_iter().zip([ours.flips, ours.stays, ours.falls]) {
            times.push(format!("{:.0}", self.time(case, ticks(TIMED))?));
            let count = count(case).zip(none);
            counts.push(count.map_or("–".to_owned(), |(count, none)| format!("{:.0}", count - none)));
        }
        Ok(format!("| {name} | {} | {} | – | – | – |\n", counts.join(", "), times.join(", ")))
    }

    /// Returns the nanoseconds per tick in the best of several runs, or an error if a run does not have that trace.
    fn time(&self, case: &str, trace: u64) -> Result<f64, String> {
        const ROUNDS: u32 = 5;
        let command = self.command(case);
        let mut best = f64::INFINITY;
        for _ in 0..ROUNDS {
            let output = Command::new(&command[0]).args(&command[1..]).arg(TIMED.to_string()).output();
            let output = output.map_err(|error| format!("{}: {error}", self.name))?;
            let (printed, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            let time = printed.trim().strip_prefix(&format!("{trace} ")).and_then(|time| time.parse::<f64>().ok());
            let time =
                time.ok_or(format!("{}, `{case}`: trace {trace} expected, found {printed}{error}", self.name))?;
            best = best.min(time / f64::from(TIMED));
        }
        Ok(best)
    }

    fn command(&self, case: &str) -> Vec<OsString> {
        let paths = self.command.iter().map(|path| root().join(path).into());
        paths.chain([case.into()]).collect()
    }
}

/// The number of ticks whose time is measured.
const TIMED: u32 = 2000;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
