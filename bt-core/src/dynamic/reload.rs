//! Exchanging a loaded tree under running agents.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::sync::{Arc, Weak};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::dynamic::memory::{DynMemory, Slot};
use crate::dynamic::registry::{LoadError, Registry};
use crate::dynamic::run::Run;
use crate::dynamic::tree::{DynNode, DynTree, NodeOp};
use crate::memory::{Memory, Ticking};

/// Which tree a memory is of.
pub(super) enum MemoryOwner<C: ?Sized> {
    /// The one that was asked.
    Own,
    /// One that was in its place before.
    Before(Arc<DynTree<C>>),
    /// None that is known.
    Nobodys,
}

impl<C: ?Sized> DynTree<C> {
    /// Goes over from this tree to another: what is the same in both goes on running, the rest is halted first, deepest first, by this tree.
    ///
    /// A node is the same if it has the same id, name and properties in the file, and the node that it hangs under is the same. (Children may come, go and change sources; but not
    /// those of a random composite or a `mem_parallel`, which remember them by their sources.) Where a composite's running child is gone, it begins again at the first. What is kept across runs, such as the count of a `limit`, is kept.
    ///
    /// ```
    /// use bt_core::dynamic::Registry;
    /// use bt_core::prelude::*;
    ///
    /// let mut registry = Registry::<Vec<&'static str>>::new();
    /// registry.add_leaf("Walk", |log: &mut Vec<_>| { log.push("walk"); Status::Success });
    /// registry.add_leaf("Sing", |log: &mut Vec<_>| { log.push("sing"); Status::Success });
    /// let file = |last| format!(r#"{{ "root": "1", "nodes": {{
    ///     "1": {{ "name": "MemSequence", "children": ["2", "3", "4"] }},
    ///     "2": {{ "name": "Walk" }}, "3": {{ "name": "wait_until", "child": "5" }}, "5": {{ "name": "Failer" }}, "4": {{ "name": "{last}" }}
    /// }} }}"#);
    /// let old = registry.load(&file("Walk"))?;
    /// let (mut log, mut memory) = (vec![], old.memory());
    /// old.tick(&mut log, &mut memory);
    ///
    /// let new = registry.load(&file("Sing").replace("Failer", "Succeeder"))?;
    /// old.reload(&new, &mut memory, &mut log);
    /// new.tick(&mut log, &mut memory);            // goes on waiting; then the new end
    /// assert_eq!(log, ["walk", "sing"]);
    /// # Ok::<(), bt_core::dynamic::LoadError>(())
    /// ```
    pub fn reload(&self, new: &Self, memory: &mut Memory<Self>, ctx: &mut C) {
        let Memory { open, kept } = memory;
        // It has gone over already, or is of a tree before this one: then it goes over in its next tick.
        if matches!(self.owner_of(kept), MemoryOwner::Own) && kept.version != new.version {
            let ticking = Ticking::new(open, true);
            if !self.take_over(new, ticking.open.is_some(), kept, ctx) {
                *ticking.open = None;
            }
            ticking.done();
        }
    }

    /// Which tree a memory is of.
    pub(super) fn owner_of(&self, kept: &DynMemory) -> MemoryOwner<C> {
        let fits = kept.words.len() == self.words && kept.slots.len() == self.slots;
        if fits && kept.version == self.version {
            return MemoryOwner::Own;
        }
        let before = self.before.iter().filter_map(Weak::upgrade).find(|before| before.version == kept.version);
        match before {
            Some(before) => MemoryOwner::Before(before),
            // A save from before the program was started.
            None if kept.loaded && fits && kept.structure == self.structure => MemoryOwner::Own,
            None => MemoryOwner::Nobodys,
        }
    }

    /// Makes a memory of this tree one of another. Returns whether the root goes on running.
    pub(super) fn take_over(&self, new: &Self, open: bool, kept: &mut DynMemory, ctx: &mut C) -> bool {
        if kept.words.len() != self.words || kept.slots.len() != self.slots {
            // It never ticked.
            *kept = new.new_memory();
            return false;
        }
        let sources: BTreeMap<&str, usize> =
            new.nodes.iter().enumerate().map(|(index, node)| (node.id.as_str(), index)).collect();
        let (old_parents, new_parents) = (parents(self), parents(new));
        // In pre-order, so that parents come first.
        let mut same: Vec<Option<usize>> = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let there = sources.get(node.id.as_str()).copied().filter(|there| {
                let parent_is_same = match (old_parents[index], new_parents[*there]) {
                    (None, None) => true,
                    (Some(old), Some(new)) => same[old] == Some(new),
                    _ => false,
                };
                parent_is_same && self.is_same(node, new, &new.nodes[*there])
            });
            same.push(there);
        }
        let goes_on = open && same[0].is_some();
        if open {
            let nobody = &mut ();
            let mut run = Run::of(self, kept, ctx, nobody);
            if goes_on {
                // The uppermost of those that are not there any more; they halt what is below.
                let gone = |index: &usize| {
                    same[*index].is_none() && old_parents[*index].is_some_and(|parent| same[parent].is_some())
                };
                (0..self.nodes.len()).filter(gone).for_each(|index| run.halt(index));
            } else {
                run.interrupt();
            }
        }
        let mut next = new.new_memory();
        for (index, there) in same.iter().enumerate() {
            let Some(there) = *there else { continue };
            next.words[there / 64] |= (kept.words[index / 64] >> (index % 64) & 1) << (there % 64);
            let (from, to) = (&self.nodes[index], &new.nodes[there]);
            for word in 0..from.what.words(self.children_of(from).len()) {
                next.words[to.word as usize + word] = kept.words[from.word as usize + word];
            }
            for (from, to) in from.slots().zip(to.slots()) {
                core::mem::swap(&mut next.slots[to as usize], &mut kept.slots[from as usize]);
            }
        }
        *kept = next;
        goes_on
    }

    /// What an agent remembers that has not ticked yet.
    pub(super) fn new_memory(&self) -> DynMemory {
        DynMemory {
            words: vec![0; self.words],
            slots: vec![Slot::Empty; self.slots],
            version: self.version,
            structure: self.structure,
            loaded: false,
            error: None,
        }
    }

    fn is_same(&self, node: &DynNode<C>, new: &Self, other: &DynNode<C>) -> bool {
        let by_place = matches!(
            node.what,
            NodeOp::Random { .. } | NodeOp::Parallel { remembers: true, .. } | NodeOp::Machine { .. }
        );
        let children = |tree: &Self, node: &DynNode<C>| -> Vec<_> {
            tree.children_of(node).iter().map(|child| tree.nodes[*child as usize].id.clone()).collect()
        };
        node.spec == other.spec && (!by_place || children(self, node) == children(new, other))
    }
}

fn parents<C: ?Sized>(tree: &DynTree<C>) -> Vec<Option<usize>> {
    let mut parents = vec![None; tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate() {
        for child in tree.children_of(node) {
            parents[*child as usize] = Some(index);
        }
    }
    parents
}

/// So many trees that are not in use any more are kept by a [`FileTree`].
const MOST_BEFORE: usize = 8;

/// A file owner_of tree is exchanged whenever the file changes.
///
/// An agent for which [`Change::apply`] is not called goes over to the new tree with its next tick. That works over the last eight changes: an agent that was not ticked for
/// longer starts afresh, and what it had open is not closed.
///
/// ```no_run
/// use bt_core::dynamic::{FileTree, Registry};
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

impl core::error::Error for FileError {}

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
            let old = core::mem::replace(&mut self.tree, Arc::clone(&new));
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
    let mut content = crate::hash::Fnv::new();
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
