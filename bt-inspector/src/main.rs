//! `bt-inspector recording.jsonl`: shows recorded ticks in the browser.

#![forbid(unsafe_code)]

use std::fs::File;
use std::io::BufReader;
use std::process::ExitCode;

use bt_core::observe::Recorded;
use bt_inspector::Inspector;

const USAGE: &str = "usage: bt-inspector [--address 127.0.0.1:0] recording.jsonl…\n\n\
    Serves a page that shows recorded ticks: the files that `bt_core::observe::RecordFile` writes.";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let mut address = "127.0.0.1:0".to_owned();
    let mut recordings = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--address" => address = arguments.next().ok_or(USAGE)?,
            "--help" | "-h" => return Err(USAGE.to_owned()),
            option if option.starts_with('-') => return Err(format!("unknown option `{option}`\n{USAGE}")),
            path => recordings.push(read(path)?),
        }
    }
    if recordings.is_empty() {
        return Err(USAGE.to_owned());
    }
    let inspector = Inspector::open(&address, recordings).map_err(|error| format!("{address}: {error}"))?;
    println!("{}", inspector.url());
    loop {
        std::thread::park();
    }
}

fn read(path: &str) -> Result<Recorded, String> {
    let file = File::open(path).map_err(|error| format!("{path}: {error}"))?;
    let recorded = Recorded::read(BufReader::new(file)).map_err(|error| format!("{path}: {error}"))?;
    if let Some(line) = recorded.broken_off {
        eprintln!("{path}: line {line} is broken off; the {} ticks before it are shown", recorded.ticks.len());
    }
    Ok(recorded)
}
