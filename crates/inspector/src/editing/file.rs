//! The file of a document. It is never accessed through a link, also if one takes its place or that of a folder.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bt_files::{Before, RealFolder, WriteError};

use super::limits::MAX_DOCUMENT;

/// A file that was changed so recently can change again without another time.
const UNCERTAIN: Duration = Duration::from_secs(3);

pub(super) struct DocumentFile {
    /// Without links.
    path: PathBuf,
    /// What the file was like when it was read last; `None` to read it again.
    stamp: Option<Stamp>,
}

/// What is in a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// What it was when it was read last.
    Same,
    Missing,
    Text(Arc<str>),
}

#[derive(PartialEq, Eq, Debug)]
enum Stamp {
    Missing,
    There { length: u64, modified: SystemTime, identity: (u64, u64) },
}

impl DocumentFile {
    /// Finds a file. It need not be there, but its folder.
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        Ok(Self { path: bt_files::real_path(path)?, stamp: None })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether it is in one of these folders, which are without links.
    pub(super) fn is_in(&self, folders: &[PathBuf]) -> bool {
        folders.iter().any(|folder| self.path.starts_with(folder))
    }

    /// Reads the file if it may have changed since it was read.
    pub(super) fn poll(&mut self) -> io::Result<Found> {
        let now = match fs::symlink_metadata(&self.path) {
            Ok(about) => Some(stamp(&about)?),
            Err(error) if error.kind() == ErrorKind::NotFound => Some(Stamp::Missing),
            Err(error) => return Err(error),
        };
        if self.stamp.is_some() && self.stamp == now {
            return Ok(Found::Same);
        }
        Ok(self.read()?.map_or(Found::Missing, Found::Text))
    }

    /// Reads the file. Returns `None` if it is missing.
    pub(super) fn read(&mut self) -> io::Result<Option<Arc<str>>> {
        self.stamp = None;
        let (Some(folder), Some(name)) = (self.path.parent(), self.path.file_name()) else {
            return Err(io::Error::other("not a file"));
        };
        let about = RealFolder::open(folder).and_then(|folder| {
            let path = folder.file(name);
            Ok((fs::symlink_metadata(&path)?, folder, path))
        });
        let (about, folder, path) = match about {
            Ok(about) => about,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.stamp = Some(Stamp::Missing);
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let before = stamp(&about)?;
        let file = bt_files::open(&path)?;
        let opened = stamp(&file.metadata()?)?;
        // If it was opened through a link, it is another file than the one in this place.
        if opened != before {
            return Err(io::Error::other("a link leads elsewhere, or the file was replaced at the same time"));
        }
        folder.check(&path)?;
        let text = bt_files::read_text(file, MAX_DOCUMENT as u64)?;
        self.stamp = certain(opened);
        Ok(Some(text.into()))
    }

    /// Replaces the content of the file, which has to be what was read, or creates it if it was missing.
    pub(super) fn write(&mut self, read: Option<&str>, text: &str) -> Result<(), WriteError> {
        self.stamp = None;
        bt_files::write_real(&self.path, read.map_or(Before::Nothing, Before::Text), text)
    }
}

fn stamp(about: &Metadata) -> io::Result<Stamp> {
    if !about.is_file() {
        return Err(io::Error::other("not a file, or a link to one"));
    }
    #[cfg(unix)]
    let identity = {
        use std::os::unix::fs::MetadataExt as _;
        (about.dev(), about.ino())
    };
    #[cfg(not(unix))]
    let identity = (0, 0);
    Ok(Stamp::There { length: about.len(), modified: about.modified()?, identity })
}

/// Returns a stamp that a later change of the file alters.
fn certain(stamp: Stamp) -> Option<Stamp> {
    match &stamp {
        Stamp::There { modified, .. } if modified.elapsed().is_ok_and(|age| age > UNCERTAIN) => Some(stamp),
        Stamp::There { .. } => None,
        Stamp::Missing => Some(stamp),
    }
}
