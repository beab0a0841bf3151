//! A file whose tree is reloaded when the file changes.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::registry::{LoadError, RegistryOf};
use crate::tree::DynTreeOf;
use crate::versions::{ChangeOf, Versions};
use bt_core::{Contexts, Single};

/// A file whose tree is reloaded when the file changes. Its methods are those of [`FileTreeOf`].
pub type FileTree<C> = FileTreeOf<Single<C>>;

/// A file whose tree is reloaded when the file changes.
///
/// If [`ChangeOf::apply`](crate::ChangeOf::apply) is not called for an agent, the agent migrates to the new tree in its next tick. Migration works across the last 8 changes. After more changes
/// without a tick, the agent starts a new run, and its running nodes are not halted.
///
/// ```no_run
/// use bt_dynamic::{FileTree, Registry};
/// use bt_core::prelude::*;
///
/// struct Npc;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut registry = Registry::<Npc>::new();
/// registry.add_leaf("Walk", |_: &mut Npc| Status::Running);
/// let mut file = FileTree::open("npc.b3.json", registry)?;
/// let (mut npc, mut memory) = (Npc, file.tree().memory());
/// loop {
///     match file.poll() {                                         // queries the file system; call it occasionally
///         Some(Ok(change)) => change.apply(&mut memory, &mut npc),    // for each agent
///         Some(Err(error)) => eprintln!("{error}"),               // the old tree stays
///         None => {}
///     }
///     file.tree().tick(&mut npc, &mut memory);
/// }
/// # }
/// ```
pub struct FileTreeOf<F: Contexts> {
    path: PathBuf,
    registry: RegistryOf<F>,
    versions: Versions<F>,
    /// The version of the file that was read last.
    seen: Option<Stamp>,
}

/// The error for a file that cannot be loaded.
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The reason.
    pub reason: Reason,
}

/// The reason why a file cannot be loaded.
#[derive(Debug)]
pub enum Reason {
    /// The file cannot be read.
    Io(std::io::Error),
    /// The content is invalid.
    Load(LoadError),
}

impl fmt::Display for FileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.reason {
            Reason::Io(error) => write!(out, "{path}: {error}"),
            Reason::Load(error) => write!(out, "{path}: {error}"),
        }
    }
}

impl std::error::Error for FileError {}

impl<F: Contexts> FileTreeOf<F> {
    /// Loads a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or is invalid.
    pub fn open(path: impl Into<PathBuf>, registry: RegistryOf<F>) -> Result<Self, FileError> {
        let path = path.into();
        let seen = stamp(&path);
        let versions = Versions::new(load(&path, &registry)?);
        Ok(Self { path, registry, versions, seen })
    }

    /// Returns the current tree.
    pub fn tree(&self) -> &DynTreeOf<F> {
        &self.versions.current
    }

    /// Returns the current tree as a shared pointer.
    pub fn shared(&self) -> Arc<DynTreeOf<F>> {
        Arc::clone(&self.versions.current)
    }

    /// Loads the file if it has changed since the last call. If that fails, returns the error once and keeps the old tree.
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open).
    pub fn poll(&mut self) -> Option<Result<ChangeOf<F>, FileError>> {
        let now = stamp(&self.path);
        // The file may be missing briefly while an editor replaces it.
        if now.is_none() || now == self.seen {
            return None;
        }
        self.seen = now;
        Some(load(&self.path, &self.registry).map(|tree| self.versions.replace(tree)))
    }
}

/// Identifies one version of a file, without reading it where the system allows that.
#[derive(PartialEq)]
struct Stamp {
    modified: Option<SystemTime>,
    len: u64,
    /// The inode and the time of its last change, which programs cannot set.
    #[cfg(unix)]
    inode: [i64; 3],
    /// On other systems, a hash of the content.
    #[cfg(not(unix))]
    content: u64,
}

#[cfg(unix)]
fn stamp(path: &Path) -> Option<Stamp> {
    use std::os::unix::fs::MetadataExt;
    let about = fs::metadata(path).ok()?;
    let inode = [about.ino().cast_signed(), about.ctime(), about.ctime_nsec()];
    Some(Stamp { modified: about.modified().ok(), len: about.len(), inode })
}

#[cfg(not(unix))]
fn stamp(path: &Path) -> Option<Stamp> {
    let about = fs::metadata(path).ok()?;
    let mut content = bt_core::engine::Fnv::new();
    if about.is_file() {
        content.write(&fs::read(path).ok()?);
    }
    Some(Stamp { modified: about.modified().ok(), len: about.len(), content: content.finish() })
}

fn load<F: Contexts>(path: &Path, registry: &RegistryOf<F>) -> Result<DynTreeOf<F>, FileError> {
    let wrong = |reason| FileError { path: path.into(), reason };
    // Reading a pipe would block.
    if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        return Err(wrong(Reason::Io(std::io::Error::other("not a regular file"))));
    }
    let text = fs::read_to_string(path).map_err(|error| wrong(Reason::Io(error)))?;
    registry.load(&text).map_err(|error| wrong(Reason::Load(error)))
}
