//! A running program whose sources are copied, and edited as editors do.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// No test waits that long, unless it fails.
const LONG: Duration = Duration::from_secs(90);
/// A running program.
pub(crate) struct Program {
    child: Child,
    folder: PathBuf,
    /// The folder of the sources, without links.
    sources: PathBuf,
    lines: Receiver<Line>,
    /// What each agent says.
    said: HashMap<String, String>,
    /// What was reported.
    reports: Vec<String>,
    /// How many files were written.
    written: u32,
}

enum Line {
    Said(String),
    Reported(String),
}

impl Program {
    /// Starts the program.
    pub(crate) fn start() -> Self {
        Self::start_with(|_, text| text)
    }

    /// Starts the program after its sources were edited: `edit` gets the name and the text of each file.
    pub(crate) fn start_with(edit: impl Fn(&str, String) -> String) -> Self {
        Self::run(env!("CARGO_BIN_EXE_live_program"), &["program"], |_| Vec::new(), edit)
    }

    /// Starts a program whose sources are in these folders, the first of which is that of its files. `arguments` gets the folder of the sources.
    pub(crate) fn run(
        program: &str,
        folders: &[&str],
        arguments: impl Fn(&Path) -> Vec<String>,
        edit: impl Fn(&str, String) -> String,
    ) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        // As the compiler names them.
        let of = |name: &str| folder.join("tests/live").join(name);
        for name in folders {
            let sources = of(name);
            fs::create_dir_all(&sources).expect("it can be created");
            for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("it is there") {
                let file = file.expect("it can be read");
                let name = file.file_name().into_string().expect("it is ASCII");
                let text = fs::read_to_string(file.path()).expect("it can be read");
                fs::write(sources.join(&name), edit(&name, text)).expect("it can be written");
            }
        }
        let sources = of(folders[0]).canonicalize().expect("it is there");
        let mut child = Command::new(program)
            .args(arguments(&sources))
            .current_dir(&folder)
            .env("BT_LIVE_SOURCES", &folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it can be started");
        let (sender, lines) = channel();
        read(child.stdout.take(), sender.clone(), Line::Said);
        read(child.stderr.take(), sender, Line::Reported);
        Self { child, folder, sources, lines, said: HashMap::new(), reports: Vec::new(), written: 0 }
    }

    fn path(&self, file: &str) -> PathBuf {
        self.sources.join(file)
    }

    /// Replaces text in a file, which is written in one of the ways of editors.
    pub(crate) fn edit(&mut self, file: &str, from: &str, to: &str) {
        let text = self.text(file);
        assert!(text.contains(from), "`{from}` is not in {file}:\n{text}");
        self.write(file, &text.replacen(from, to, 1));
    }

    /// Returns the text of a file.
    pub(crate) fn text(&self, file: &str) -> String {
        let text = fs::read_to_string(self.path(file)).expect("it can be read");
        text.trim_start_matches('\u{feff}').replace("\r\n", "\n")
    }

    /// Writes a file in one of the ways of editors.
    pub(crate) fn write(&mut self, file: &str, text: &str) {
        const FINE: &str = "it can be written";
        let path = self.path(file);
        let other = path.with_extension("rs~");
        self.written += 1;
        match self.written % 6 {
            0 => fs::write(path, text).expect(FINE),
            1 => {
                fs::write(&other, text).expect(FINE);
                fs::rename(other, path).expect(FINE);
            }
            2 => {
                let mut file = OpenOptions::new().write(true).truncate(true).open(path).expect(FINE);
                for piece in text.as_bytes().chunks(text.len() / 3 + 1) {
                    file.write_all(piece).expect(FINE);
                    thread::sleep(Duration::from_millis(20));
                }
            }
            3 => fs::write(path, text.replace('\n', "\r\n")).expect(FINE),
            4 => {
                fs::rename(&path, other).expect(FINE);
                fs::write(path, format!("\u{feff}{text}")).expect(FINE);
            }
            _ => {
                fs::remove_file(&path).expect(FINE);
                thread::sleep(Duration::from_millis(20));
                fs::write(path, text.replace("    ", "\t")).expect(FINE);
            }
        }
    }

    /// Lets the program follow a text in place of a file, which stays as it is.
    pub(crate) fn apply(&mut self, file: &str, from: &str, to: &str) {
        let text = self.text(file);
        assert!(text.contains(from), "`{from}` is not in {file}:\n{text}");
        let other = self.folder.join("applied.rs");
        fs::write(&other, text.replacen(from, to, 1)).expect("it can be written");
        self.said.remove("editor");
        self.tell(&format!("program/{file} {}", other.display()));
        self.until("the editor has an answer", |program| program.said.contains_key("editor"));
    }

    /// Sends a line.
    pub(crate) fn tell(&mut self, line: &str) {
        let input = self.child.stdin.as_mut().expect("it is piped");
        writeln!(input, "{line}").expect("it reads");
    }

    /// Waits until an agent says this.
    pub(crate) fn says(&mut self, agent: &str, expected: &str) {
        self.until(&format!("{agent} says `{expected}`"), |program| {
            program.said.get(agent).is_some_and(|said| said == expected)
        });
    }

    /// Waits until an agent says a number. Returns it.
    pub(crate) fn counts(&mut self, agent: &str) -> u32 {
        self.said.remove(agent);
        self.until(&format!("{agent} counts"), |program| program.count(agent).is_some());
        self.count(agent).unwrap_or_default()
    }

    fn count(&self, agent: &str) -> Option<u32> {
        self.said.get(agent)?.split(' ').find_map(|word| word.parse().ok())
    }

    /// Waits until lines with these texts were reported, and forgets those before.
    pub(crate) fn reports(&mut self, expected: &str) {
        let mut found = None;
        self.until(&format!("`{expected}` is reported"), |program| {
            found = program.reports.iter().position(|report| report.contains(expected));
            found.is_some()
        });
        self.reports.drain(..=found.unwrap_or_default());
    }

    /// Returns the URL of the page.
    pub(crate) fn url(&mut self) -> String {
        self.until("it prints the URL", |program| program.said.contains_key("page"));
        self.said["page"].clone()
    }

    /// Returns how many lines with this text were reported, and forgets all.
    pub(crate) fn reported(&mut self, text: &str) -> usize {
        while let Ok(line) = self.lines.try_recv() {
            self.take(line);
        }
        std::mem::take(&mut self.reports).iter().filter(|report| report.contains(text)).count()
    }

    /// Asserts that nothing like this has been reported since.
    pub(crate) fn does_not_report(&self, unexpected: &str) {
        assert!(!self.reports.iter().any(|report| report.contains(unexpected)), "{:#?}", self.reports);
    }

    /// Returns what an agent says at present.
    pub(crate) fn said(&mut self, agent: &str) -> &str {
        while let Ok(line) = self.lines.try_recv() {
            self.take(line);
        }
        self.said.get(agent).map_or("", |said| said)
    }

    fn until(&mut self, what: &str, mut is: impl FnMut(&Self) -> bool) {
        let end = Instant::now() + LONG;
        while !is(self) {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => self.take(line),
                Err(RecvTimeoutError::Timeout) => panic!("not: {what}\n{:#?}\n{:#?}", self.said, self.reports),
                Err(RecvTimeoutError::Disconnected) => panic!("it has ended; not: {what}\n{:#?}", self.reports),
            }
        }
    }

    fn take(&mut self, line: Line) {
        match line {
            Line::Said(line) => {
                let (agent, said) = line.split_once(": ").unwrap_or((line.trim_end_matches(':'), ""));
                self.said.insert(agent.to_owned(), said.to_owned());
            }
            Line::Reported(line) => self.reports.push(line),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Its input ends, and so does it.
        drop(self.child.stdin.take());
        _ = self.child.wait();
        _ = fs::remove_dir_all(&self.folder);
    }
}

fn read(from: Option<impl Read + Send + 'static>, to: std::sync::mpsc::Sender<Line>, line: fn(String) -> Line) {
    let from = BufReader::new(from.expect("it is piped"));
    thread::spawn(move || {
        for text in from.lines().map_while(Result::ok) {
            if to.send(line(text)).is_err() {
                return;
            }
        }
    });
}
