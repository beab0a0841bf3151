//! Creating, replacing and continuing recorded files.

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write as _};
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::read::{ReadError, Recorded, fingerprint};
use super::write::RecordFile;
use crate::node::NodeShape;
use crate::tree::Tree;

/// Files on disk. The output is buffered; [`flush`](Self::flush) writes it to disk.
impl RecordFile<BufWriter<File>> {
    /// Creates a file for the ticks of a tree.
    ///
    /// # Errors
    ///
    /// Returns an error if the file exists, or if it cannot be created or written. To replace a file, use
    /// [`overwrite`](Self::overwrite); to continue its recording, [`append`](Self::append).
    pub fn create<N: NodeShape>(path: impl AsRef<Path>, name: &str, tree: &N) -> io::Result<Self> {
        let path = path.as_ref();
        let file = File::create_new(path).map_err(|error| match error.kind() {
            kind @ io::ErrorKind::AlreadyExists => {
                let path = path.display();
                let help =
                    "use `RecordFile::append` to continue the recording, or `RecordFile::overwrite` to replace it";
                io::Error::new(kind, format!("{path}: the file exists; help: {help}"))
            }
            _ => error,
        })?;
        Self::new(BufWriter::new(file), name, tree)
    }

    /// Creates a file for the ticks of a tree, or replaces the file at this path.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be created or written.
    pub fn overwrite<N: NodeShape>(path: impl AsRef<Path>, name: &str, tree: &N) -> io::Result<Self> {
        Self::new(BufWriter::new(File::create(path)?), name, tree)
    }

    /// Continues the recording of a tree in a file, for example after a restart of the program, or creates the file.
    /// The ticks of each agent are numbered from its last recorded one.
    ///
    /// ```
    /// use bt_core::observe::{RecordFile, Recorded};
    /// use bt_core::prelude::*;
    ///
    /// # let path = std::env::temp_dir().join(format!("bt-append-{}.jsonl", std::process::id()));
    /// let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    /// for run in 0..2 {
    ///     let mut file = RecordFile::append(&path, "guard", &tree)?;
    ///     tree.tick_with(&mut 0, &mut tree.memory(), &mut file.for_agent(7, secs(run)));
    ///     file.finish()?;
    /// }
    /// let recorded = Recorded::read(std::io::BufReader::new(std::fs::File::open(&path)?))?;
    /// assert_eq!(recorded.ticks.iter().map(|tick| tick.number).collect::<Vec<_>>(), [0, 1]);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the file is not a recording of a tree with this [`fingerprint`](Tree::fingerprint), or if it
    /// cannot be created, read or written.
    pub fn append<N: NodeShape>(path: impl AsRef<Path>, name: &str, tree: &N) -> io::Result<Self> {
        let path = path.as_ref();
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        if file.metadata()?.len() == 0 {
            return Self::new(BufWriter::new(file), name, tree);
        }
        let wrong =
            |reason: String| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {reason}", path.display()));
        let mut input = BufReader::new(&file);
        let mut text = Vec::new();
        input.read_until(b'\n', &mut text)?;
        let header = Recorded::header(&text).map_err(|reason| wrong(ReadError { line: 1, reason }.to_string()))?;
        let seen = Seen::read(&mut input)?.ok_or_else(|| wrong("a change of the tree cannot be read".to_owned()))?;
        let found =
            seen.fingerprint.as_deref().map(fingerprint).transpose().map_err(wrong)?.unwrap_or(header.fingerprint);
        let expected = tree.fingerprint();
        if found != expected {
            let fingerprints = format!("expected fingerprint {expected:#018x}, found {found:#018x}");
            return Err(wrong(format!("a recording of a tree with another structure: {fingerprints}")));
        }
        if !seen.text.is_empty() {
            text = seen.text;
        }
        if !text.ends_with(b"\n") {
            // The program has ended while it wrote the last line.
            file.write_all(b"\n")?;
        }
        Ok(Self::after(BufWriter::new(file), seen.counts, seen.version, tree.description()))
    }
}

/// The content of the lines after the header of a recording.
#[derive(Default)]
struct Seen {
    /// The number of ticks of each agent.
    counts: BTreeMap<u64, u64>,
    /// The number of changes of the tree.
    version: u32,
    /// The fingerprint of the last tree, unless it is that of the header.
    fingerprint: Option<String>,
    /// The last line.
    text: Vec<u8>,
}

impl Seen {
    /// Returns `None` if a change of the tree cannot be read.
    fn read(input: &mut impl BufRead) -> io::Result<Option<Self>> {
        #[derive(Deserialize)]
        struct OfTick {
            agent: u64,
            tick: u64,
            #[serde(default)]
            version: u32,
        }
        #[derive(Deserialize)]
        struct Version {
            fingerprint: String,
            #[serde(rename = "matching")]
            _matching: IgnoredAny,
        }
        let mut seen = Self::default();
        loop {
            let mut line = Vec::new();
            if input.read_until(b'\n', &mut line)? == 0 {
                return Ok(Some(seen));
            }
            if let Ok(OfTick { agent, tick, version }) = serde_json::from_slice(&line) {
                if version != seen.version {
                    return Ok(None);
                }
                let count: &mut u64 = seen.counts.entry(agent).or_default();
                *count = tick.saturating_add(1).max(*count);
            } else if let Ok(Version { fingerprint, .. }) = serde_json::from_slice(&line) {
                seen.version += 1;
                seen.fingerprint = Some(fingerprint);
            }
            seen.text = line;
        }
    }
}
