//! A file whose tree is replaced when the file changes.

use std::collections::VecDeque;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use bt_core::Memory;

use crate::registry::{LoadError, Registry};
use crate::tree::DynTree;

/// So many trees that are not in use any more are kept by a [`FileTree`].
const MOST_BEFORE: usize = 8;

/// A file whose tree is exchanged whenever the file changes.
///
/// An agent for which [`Change::apply`] is not called goes over to the new tree with its next tick. That works over the last eight changes: an agent that was not ticked for
/// longer starts afresh, and what it had open is not closed.
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
///     match file.poll() {                                         // asks the file system: now and then is enough
///         Some(Ok(change)) => change.apply(&mut memory, &mut npc),    // for each agent
///         Some(Err(error)) => eprintln!("{error}"),               // the old tree goes on
///         None => {}
///     }
///     file.tree().tick(&mut npc, &mut memory);
/// }
/// # }
/// ```
pub struct FileTree<C: ?Sized> {
    path: PathBuf,
    registry: Registry<C>,
    tree: Arc<DynTree<C>>,
    /// The trees before it, the last first: for agents that still have a memory of theirs.
    before: VecDeque<Arc<DynTree<C>>>,
    /// The file as it was read last.
    seen: Option<Stamp>,
}

/// The old tree and the new one.
pub struct Change<C: ?Sized> {
    /// The tree that agents have run so far.
    pub old: Arc<DynTree<C>>,
    /// The tree that they run from now on.
    pub new: Arc<DynTree<C>>,
}

/// Why a file could not be loaded, and which it was.
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What is wrong with a file.
#[derive(Debug)]
pub enum Reason {
    /// It cannot be read.
    Io(std::io::Error),
    /// It is wrong.
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

impl<C: ?Sized> Change<C> {
    /// Arity an agent over: see [`DynTree::reload`].
    pub fn apply(&self, memory: &mut Memory<DynTree<C>>, ctx: &mut C) {
        self.old.reload(&self.new, memory, ctx);
    }
}

impl<C: ?Sized> FileTree<C> {
    /// Loads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or anything in it is wrong.
    pub fn open(path: impl Into<PathBuf>, registry: Registry<C>) -> Result<Self, FileError> {
        let path = path.into();
        let seen = stamp(&path);
        let tree = Arc::new(load(&path, &registry)?);
        Ok(Self { path, registry, tree, before: VecDeque::new(), seen })
    }

    /// The tree as it is now.
    pub fn tree(&self) -> &DynTree<C> {
        &self.tree
    }

    /// The same, to be held on to.
    pub fn shared(&self) -> Arc<DynTree<C>> {
        Arc::clone(&self.tree)
    }

    /// Looks whether the file has changed since it was read: then loads it. Where that fails the old tree stays, and why it did is told, once.
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open).
    pub fn poll(&mut self) -> Option<Result<Change<C>, FileError>> {
        let now = stamp(&self.path);
        // While an editor writes a file anew it may be away for a moment.
        if now.is_none() || now == self.seen {
            return None;
        }
        self.seen = now;
        Some(load(&self.path, &self.registry).map(|mut tree| {
            self.before.push_front(Arc::clone(&self.tree));
            self.before.truncate(MOST_BEFORE);
            tree.before = self.before.iter().map(Arc::downgrade).collect();
            let new = Arc::new(tree);
            let old = std::mem::replace(&mut self.tree, Arc::clone(&new));
            Change { old, new }
        }))
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
    /// Elsewhere: what is in it.
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

fn load<C: ?Sized>(path: &Path, registry: &Registry<C>) -> Result<DynTree<C>, FileError> {
    let wrong = |reason| FileError { path: path.into(), reason };
    // A pipe would be waited for.
    if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        return Err(wrong(Reason::Io(std::io::Error::other("it is no file"))));
    }
    let text = fs::read_to_string(path).map_err(|error| wrong(Reason::Io(error)))?;
    registry.load(&text).map_err(|error| wrong(Reason::Load(error)))
}
