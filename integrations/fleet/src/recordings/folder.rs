//! A folder of recordings, of bounded size: the oldest are deleted.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bt_inspector::{CollectedTick, CollectedTree};

use super::segment::Segment;
use crate::keys::MemberId;

/// The number of files that a full folder has at least, and the maximum size of a file, in bytes.
const FILES: u64 = 16;
const MAX_FILE: u64 = 16 << 20;
/// The maximum number of files.
const MAX_FILES: usize = 10_000;
/// How a recording begins.
const HEADER: &[u8] = b"{\"format\":\"bt-recording\"";
/// The maximum length of a name in the name of a file, in bytes.
const MAX_NAME: usize = 60;

/// A folder of recordings.
pub(crate) struct Folder {
    path: PathBuf,
    limit: u64,
    /// The number of the next file.
    next: u64,
    /// All files and their bytes, by their numbers: the oldest first.
    files: BTreeMap<u64, (PathBuf, u64)>,
    /// The bytes of all files.
    bytes: u64,
    /// The files that are written, by member.
    open: BTreeMap<MemberId, Vec<Open>>,
}

/// A file that is written.
struct Open {
    number: u64,
    tree: Arc<CollectedTree>,
    segment: Segment,
}

impl Folder {
    /// Opens a folder, which may have recordings of an earlier run, or creates it. Files of other programs stay.
    pub(crate) fn open(path: PathBuf, limit: u64) -> io::Result<Self> {
        fs::create_dir_all(&path)?;
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(&path)? {
            let entry = entry?;
            let number = entry.file_name().to_str().and_then(number);
            if let Some(number) = number.filter(|_| is_recording(&entry.path())) {
                files.insert(number, (entry.path(), entry.metadata()?.len()));
            }
        }
        let next = files.last_key_value().map_or(1, |(last, _)| last + 1);
        let bytes = files.values().map(|(_, bytes)| bytes).sum();
        let mut folder = Self { path, limit, next, files, bytes, open: BTreeMap::new() };
        folder.trim()?;
        Ok(folder)
    }

    /// Writes a tick of a member.
    pub(crate) fn write(&mut self, member: &MemberId, tick: &CollectedTick) -> io::Result<()> {
        let is_of = |open: &Open| Arc::ptr_eq(&open.tree, tick.tree());
        if !self.open.get(member).is_some_and(|open| open.iter().any(is_of)) {
            self.create(member, tick)?;
        }
        let files = self.open.get_mut(member).into_iter().flatten();
        let Some(Open { number, segment, .. }) = files.into_iter().find(|open| is_of(open)) else { return Ok(()) };
        let (number, mut result) = (*number, segment.write(tick));
        let bytes = segment.bytes();
        let is_full = bytes >= (self.limit / FILES).min(MAX_FILE);
        if is_full {
            result = result.and_then(|()| segment.flush());
        }
        if is_full || result.is_err() {
            // The next tick begins another file.
            self.close(number);
        }
        if let Some((_, before)) = self.files.get_mut(&number) {
            self.bytes += bytes - std::mem::replace(before, bytes);
        }
        result.and(self.trim())
    }

    /// Writes all that is not written yet. A file that cannot be written is closed.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.open.values_mut().map(flush).fold(Ok(()), io::Result::and)
    }

    /// Writes what is not written yet of a member that has gone, and may come back.
    pub(crate) fn left(&mut self, member: &MemberId) -> io::Result<()> {
        self.open.get_mut(member).map_or(Ok(()), flush)
    }

    /// Closes the files of a member.
    pub(crate) fn forget(&mut self, member: &MemberId) -> io::Result<()> {
        self.open.remove(member).map_or(Ok(()), |mut open| flush(&mut open))
    }

    fn close(&mut self, number: u64) {
        self.open.values_mut().for_each(|open| open.retain(|open| open.number != number));
    }

    /// Creates a file.
    fn create(&mut self, member: &MemberId, tick: &CollectedTick) -> io::Result<()> {
        let (machine, tree) = (plain(&member.machine), plain(tick.tree().name()));
        // It may have been deleted meanwhile.
        fs::create_dir_all(&self.path)?;
        loop {
            let number = self.next;
            self.next += 1;
            let path = self.path.join(format!("{number:06}-{machine}-{tree}.jsonl"));
            let segment = match Segment::create(&path, &member.machine, tick) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                result => result?,
            };
            self.bytes += segment.bytes();
            self.files.insert(number, (path, segment.bytes()));
            let open = Open { number, tree: Arc::clone(tick.tree()), segment };
            self.open.entry(member.clone()).or_default().push(open);
            return Ok(());
        }
    }

    /// Deletes the oldest files beyond the limits.
    fn trim(&mut self) -> io::Result<()> {
        while self.bytes > self.limit && self.files.len() > 1 || self.files.len() > MAX_FILES {
            let Some((number, (path, bytes))) = self.files.pop_first() else { break };
            self.bytes -= bytes;
            self.close(number);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Writes what is not written yet, and closes files that cannot be written.
fn flush(files: &mut Vec<Open>) -> io::Result<()> {
    let mut result = Ok(());
    files.retain_mut(|open| {
        let flushed = open.segment.flush();
        let is_retained = flushed.is_ok();
        if !is_retained {
            result = flushed;
        }
        is_retained
    });
    result
}

/// Returns the number of a file of a recording.
fn number(name: &str) -> Option<u64> {
    let (digits, rest) = name.split_once('-')?;
    let is_number = (6..=12).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number && rest.strip_suffix(".jsonl").is_some())
}

/// Returns whether a file begins like a recording.
fn is_recording(path: &Path) -> bool {
    let mut start = [0; HEADER.len()];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == *HEADER
}

/// Returns a name that every file system allows.
fn plain(name: &str) -> String {
    let allowed = |c: char| if c.is_alphanumeric() || c == '_' { c } else { '-' };
    let mut plain = String::new();
    for c in name.chars().map(allowed) {
        if plain.len() + c.len_utf8() > MAX_NAME {
            break;
        }
        plain.push(c);
    }
    plain
}
