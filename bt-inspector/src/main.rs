//! The command `bt-inspector recording.jsonl`, which shows recorded ticks in the browser.

#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::ExitCode;

use bt_core::engine::replace_file;
use bt_core::observe::Recorded;
use bt_inspector::Inspector;

const USAGE: &str = "usage: bt-inspector [--address ADDRESS] [--token] FILE…\n       bt-inspector --html PAGE FILE\n\n\
    Serves a page that shows recordings written by `bt_core::observe::RecordFile`.\n\n\
    --address ADDRESS   address and port to bind (default: 127.0.0.1:0, any free port)\n\
    --token             require the token in the printed URL on a loopback address, too\n\
    --html PAGE         write a file that contains the page and the recording, which any browser opens";

fn main() -> ExitCode {
    match run(std::env::args_os().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: impl Iterator<Item = OsString>) -> Result<(), String> {
    let mut address = "127.0.0.1:0".to_owned();
    let mut recordings = Vec::new();
    let mut token = false;
    let (mut html, mut paths) = (None::<OsString>, Vec::new());
    while let Some(argument) = arguments.next() {
        // A path may not be valid UTF-8.
        match argument.to_str() {
            Some("--address") => {
                let given = arguments.next().ok_or(USAGE)?;
                address = given.into_string().map_err(|given| format!("invalid address `{}`", given.display()))?;
            }
            Some("--token") => token = true,
            Some("--html") => html = Some(arguments.next().ok_or(USAGE)?),
            Some("--help" | "-h") => {
                println!("{USAGE}");
                return Ok(());
            }
            Some(option) if option.starts_with('-') => return Err(format!("unknown option `{option}`\n{USAGE}")),
            _ => {
                recordings.push(read(argument.as_ref())?);
                paths.push(argument);
            }
        }
    }
    if recordings.is_empty() {
        return Err(USAGE.to_owned());
    }
    if let Some(html) = html {
        let [path] = paths.as_slice() else { return Err(format!("expected one file with `--html`\n{USAGE}")) };
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        return replace_file(&html, bt_inspector::html(&text)).map_err(|error| format!("{}: {error}", html.display()));
    }
    let open = if token { Inspector::open_with_token } else { Inspector::open };
    let inspector = open(&address, recordings).map_err(|error| format!("{address}: {error}"))?;
    println!("{}", inspector.url());
    loop {
        std::thread::park();
    }
}

fn read(path: &Path) -> Result<Recorded, String> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let path = path.display();
    let recorded = Recorded::read(BufReader::new(file)).map_err(|error| format!("{path}: {error}"))?;
    for dropped in &recorded.dropped {
        eprintln!("{path}: dropped {dropped}");
    }
    Ok(recorded)
}
