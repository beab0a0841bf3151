//! One file of a folder of recordings.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bt_core::observe::RecordFile;
use bt_inspector::CollectedTick;

/// The number of bytes that are written at once.
const BUFFER: usize = 64 * 1024;

/// A recording of one version of a tree at one machine.
pub(super) struct Segment {
    file: RecordFile<Appended>,
    machine: String,
    named: BTreeSet<u64>,
}

impl Segment {
    /// Creates a file.
    pub(super) fn create(path: &Path, machine: &str, tick: &CollectedTick) -> io::Result<Self> {
        OpenOptions::new().write(true).create_new(true).open(path)?;
        let file = tick.tree().record(Appended { path: path.to_owned(), buffer: Vec::new(), bytes: 0 });
        let begun = file.and_then(|mut file| file.flush().map(|()| file));
        let file = begun.inspect_err(|_| _ = fs::remove_file(path))?;
        Ok(Self { file, machine: machine.to_owned(), named: BTreeSet::new() })
    }

    /// Returns the number of bytes of the file, with those that are not written yet.
    pub(super) const fn bytes(&self) -> u64 {
        self.file.get_ref().bytes
    }

    pub(super) fn write(&mut self, tick: &CollectedTick) -> io::Result<()> {
        let is_new = !self.named.contains(&tick.agent());
        if is_new && tick.is_repeated() {
            // The file before has the tick.
            return Ok(());
        }
        if is_new {
            self.named.insert(tick.agent());
            self.file.name(tick.agent(), &format!("{}/{}", self.machine, tick.name()))?;
        }
        match tick.write(&mut self.file) {
            // No program sends a tick with nodes that its tree does not have.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            result => result,
        }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes at the end of a file, which is open only meanwhile: a fleet has more recordings than a process can have open files.
struct Appended {
    path: PathBuf,
    buffer: Vec<u8>,
    bytes: u64,
}

impl Write for Appended {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        self.bytes += bytes.len() as u64;
        if self.buffer.len() >= BUFFER {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.buffer.is_empty() {
            OpenOptions::new().append(true).open(&self.path)?.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }
}
