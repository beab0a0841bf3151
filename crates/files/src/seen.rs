//! What is in the place of a file.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use crate::read::open;

/// What was in the place of a file at a time, to be compared with another time.
#[derive(PartialEq, Eq)]
pub(crate) struct Seen {
    /// The device and the number of the file on it, where the system has these.
    identity: (u64, u64),
    /// `None` for what is no regular file, or cannot be read.
    content: Option<Vec<u8>>,
}

impl Seen {
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        let about = fs::symlink_metadata(path)?;
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt as _;
            (about.dev(), about.ino())
        };
        #[cfg(not(unix))]
        let identity = (0, 0);
        let mut content = Vec::new();
        let is_read = about.is_file() && open(path).and_then(|mut file| file.read_to_end(&mut content)).is_ok();
        Ok(Self { identity, content: is_read.then_some(content) })
    }

    pub(crate) fn contains(&self, text: &[u8]) -> bool {
        self.content.as_deref() == Some(text)
    }
}
