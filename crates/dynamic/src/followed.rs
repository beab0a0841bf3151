//! A file that a tree follows while editors replace the tree: which texts need no replacement.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bt_core::engine::Fnv;

/// A file that a tree follows while editors replace the tree.
pub(crate) struct Followed {
    path: PathBuf,
    known: Mutex<Known>,
}

/// The texts that are known, as hashes.
struct Known {
    /// What the file contained when it was taken, or when an editor replaced the tree; `None` after an error.
    of_file: Option<u64>,
    /// What an editor has applied since.
    applied: Option<u64>,
}

impl Followed {
    pub(crate) fn new(path: &Path, text: &str) -> Self {
        let known = Known { of_file: Some(hash(text.as_bytes())), applied: None };
        Self { path: path.to_owned(), known: Mutex::new(known) }
    }

    /// Returns the folder of the file.
    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the tree by that of a text, which is in place of what the file contains now.
    pub(crate) fn apply<T>(&self, text: &str, replace: impl FnOnce() -> T) -> T {
        let mut known = self.known();
        let of_file = fs::read(&self.path).ok().map(|text| hash(&text));
        known.of_file = of_file.or(known.of_file);
        known.applied = Some(hash(text.as_bytes()));
        replace()
    }

    /// Reads the file and takes its text, unless that is known.
    pub(crate) fn take<T, E>(
        &self,
        read: impl FnOnce() -> Result<String, E>,
        take: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        let mut known = self.known();
        let text = read()?;
        let new = Some(hash(text.as_bytes()));
        let is_known = new == known.of_file || new == known.applied;
        let taken = if is_known { None } else { Some(take(&text)?) };
        known.of_file = new;
        if !is_known {
            known.applied = None;
        }
        Ok(taken)
    }

    /// After an error, a text is new also if it is that of before.
    pub(crate) fn forget(&self) {
        *self.known() = Known { of_file: None, applied: None };
    }
}

pub(crate) fn hash(text: &[u8]) -> u64 {
    let mut hash = Fnv::new();
    hash.write(text);
    hash.finish()
}
