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
    /// The files that are written, with the member and the version of the tree that they are of.
    open: BTreeMap<u64, (MemberId, Arc<CollectedTree>, Segment)>,
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
        let mut folder = Self { path, limit, next, files, open: BTreeMap::new() };
        folder.trim()?;
        Ok(folder)
    }

    /// Writes a tick of a member.
    pub(crate) fn write(&mut self, member: &MemberId, tick: &CollectedTick) -> io::Result<()> {
        let is_of = |(of, tree, _): &(MemberId, _, Segment)| of == member && Arc::ptr_eq(tree, tick.tree());
        let number = match self.open.iter().find(|(_, open)| is_of(open)) {
            Some((number, _)) => *number,
            None => self.create(member, tick)?,
        };
        let Some((_, _, segment)) = self.open.get_mut(&number) else { return Ok(()) };
        let result = segment.write(tick);
        let bytes = segment.bytes();
        if let Some(file) = self.files.get_mut(&number) {
            file.1 = bytes;
        }
        if result.is_err() {
            // The next tick begins another file.
            self.open.remove(&number);
        } else if bytes >= (self.limit / FILES).min(MAX_FILE) {
            let is_this = |of, _: &MemberId| of == number;
            self.flush_and_close(is_this, is_this)?;
        }
        self.trim()?;
        result
    }

    /// Writes all that is not written yet. A file that cannot be written is closed.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.flush_and_close(|_, _| true, |_, _| false)
    }

    /// Writes what is not written yet of a member that has gone, and may come back.
    pub(crate) fn left(&mut self, member: &MemberId) -> io::Result<()> {
        self.flush_and_close(|_, of| of == member, |_, _| false)
    }

    /// Closes the files of a member.
    pub(crate) fn forget(&mut self, member: &MemberId) -> io::Result<()> {
        let is_of = |_, of: &MemberId| of == member;
        self.flush_and_close(is_of, is_of)
    }

    fn flush_and_close(
        &mut self,
        is_flushed: impl Fn(u64, &MemberId) -> bool,
        is_closed: impl Fn(u64, &MemberId) -> bool,
    ) -> io::Result<()> {
        let mut result = Ok(());
        self.open.retain(|number, (member, _, segment)| {
            let flushed = if is_flushed(*number, member) { segment.flush() } else { Ok(()) };
            let is_retained = flushed.is_ok() && !is_closed(*number, member);
            if flushed.is_err() {
                result = flushed;
            }
            is_retained
        });
        result
    }

    /// Creates a file, and returns its number.
    fn create(&mut self, member: &MemberId, tick: &CollectedTick) -> io::Result<u64> {
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
            self.files.insert(number, (path, segment.bytes()));
            self.open.insert(number, (member.clone(), Arc::clone(tick.tree()), segment));
            return Ok(number);
        }
    }

    /// Deletes the oldest files beyond the limit.
    fn trim(&mut self) -> io::Result<()> {
        while self.files.values().map(|(_, bytes)| bytes).sum::<u64>() > self.limit && self.files.len() > 1 {
            let Some((number, (path, _))) = self.files.pop_first() else { break };
            self.open.remove(&number);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Returns the number of a file of a recording.
fn number(name: &str) -> Option<u64> {
    let (digits, rest) = name.split_once('-')?;
    let is_recording =
        rest.strip_suffix(".jsonl").is_some() && digits.len() >= 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_recording)
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
