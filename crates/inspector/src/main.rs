//! The command `bt-inspector recording.jsonl`, which shows recorded ticks in the browser.

#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Cursor, IsTerminal as _, Read as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bt_core::observe::{ReadError, Recorded};
use bt_files::{Before, write};
use bt_inspector::{Inspector, Progress};

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
            _ => paths.push(argument),
        }
    }
    if paths.is_empty() {
        return Err(USAGE.to_owned());
    }
    if let Some(html) = html {
        let [path] = paths.as_slice() else { return Err(format!("expected one file with `--html`\n{USAGE}")) };
        return write_page(&html, path);
    }
    let files: Vec<_> = paths.iter().map(|path| Recording::open(path.as_ref())).collect::<Result<_, _>>()?;
    let open = if token { Inspector::open_with_token } else { Inspector::open };
    let inspector = open(&address, []).map_err(|error| format!("{address}: {error}"))?;
    println!("{}", inspector.url());
    files.into_iter().try_for_each(|file| file.show(&inspector))?;
    loop {
        std::thread::park();
    }
}

/// Writes a page that contains the recording at a path.
fn write_page(html: &OsString, path: &OsString) -> Result<(), String> {
    let of_file = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| of_file(&error))?;
    let recorded = Recorded::read(text.as_bytes()).map_err(|error| of_file(&error))?;
    report(path.as_ref(), &recorded.dropped);
    write(html, Before::Anything, bt_inspector::html(&text)).map_err(|error| format!("{}: {error}", html.display()))
}

/// A file whose first line is the header of a recording.
struct Recording<'a> {
    path: &'a Path,
    header: Vec<u8>,
    rest: BufReader<File>,
    /// The size, if it is that of a file.
    bytes: Option<u64>,
}

impl<'a> Recording<'a> {
    /// Opens a file and checks its header, before a page is served.
    fn open(path: &'a Path) -> Result<Self, String> {
        let of_file = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let file = File::open(path).map_err(|error| of_file(&error))?;
        let bytes = file.metadata().ok().filter(std::fs::Metadata::is_file).map(|data| data.len());
        let (mut rest, mut header) = (BufReader::new(file), Vec::new());
        rest.read_until(b'\n', &mut header).map_err(|error| of_file(&error))?;
        Recorded::read(header.as_slice()).map_err(|error| of_file(&error))?;
        Ok(Self { path, header, rest, bytes })
    }

    /// Reads the file and shows it, and its progress meanwhile.
    fn show(self, inspector: &Inspector) -> Result<(), String> {
        let Self { path, header, rest, bytes } = self;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let mut line = ProgressLine::new();
        let input = Cursor::new(header).chain(rest);
        let result = inspector.read(name, input, bytes, |progress| line.write(progress));
        line.clear();
        report(path, &result.map_err(|error| format!("{}: {error}", path.display()))?);
        Ok(())
    }
}

/// Prints the lines of a file that were dropped.
fn report(path: &Path, dropped: &[ReadError]) {
    for dropped in dropped {
        eprintln!("{}: dropped {dropped}", path.display());
    }
}

/// A line of the terminal that shows the progress of a long read.
struct ProgressLine {
    since: Instant,
    is_written: bool,
}

impl ProgressLine {
    /// A shorter read needs no progress.
    const AFTER: Duration = Duration::from_millis(500);

    fn new() -> Self {
        Self { since: Instant::now(), is_written: false }
    }

    fn write(&mut self, progress: &Progress) {
        if self.since.elapsed() >= Self::AFTER && std::io::stderr().is_terminal() {
            eprint!("\r{progress}");
            self.is_written = true;
        }
    }

    fn clear(&self) {
        if self.is_written {
            eprint!("\r\x1b[K");
        }
    }
}
