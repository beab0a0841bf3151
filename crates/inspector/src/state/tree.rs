//! A registered tree: its current version, and what lasts when that is replaced.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Weak};

use bt_core::describe::{Description, LastingNumbers, Matching};
use bt_core::observe::TickRecord;
use bt_core::{NodeId, NodeShape, Tree as _, engine, protocol::StateBytes};

use super::breakpoints::Breakpoints;
use super::lock;
use super::overview::{Counts, Overview};

/// A version of a tree that agents share. What outlasts a version names nodes by their lasting numbers.
pub(crate) struct Tree {
    pub(crate) key: usize,
    /// The key of the first version.
    pub(crate) first: usize,
    pub(crate) name: String,
    pub(crate) fingerprint: u64,
    pub(crate) description: Description,
    /// The size of each node's state; empty if it is not known, as of a recording.
    pub(crate) bytes: Vec<StateBytes>,
    /// The folder that the locations of nodes are relative to, if it is known.
    pub(crate) folder: Option<String>,
    pub(crate) numbers: LastingNumbers,
    by_number: BTreeMap<u32, NodeId>,
    /// The names of the nodes that were removed with their breakpoints when this version replaced the one before.
    pub(crate) dropped: Vec<String>,
    pub(super) breakpoints: Mutex<Arc<Breakpoints>>,
    pub(super) versions: Weak<Versions>,
}

/// What is known of a tree that is registered.
pub(crate) struct About {
    pub(crate) fingerprint: u64,
    pub(crate) description: Description,
    pub(crate) bytes: Vec<StateBytes>,
}

impl About {
    pub(crate) fn of<N: NodeShape>(tree: &N) -> Self {
        Self { fingerprint: tree.fingerprint(), description: tree.description(), bytes: tree.bytes_by_node() }
    }
}

impl Tree {
    /// Creates the first version of a tree.
    fn new(key: usize, name: String, about: About, versions: Weak<Versions>) -> Self {
        let numbers = LastingNumbers::new(count(&about.description));
        Self::of(key, (key, name), about, numbers, versions)
    }

    /// Creates the version that replaces this one.
    fn next(&self, key: usize, about: About, matching: &Matching) -> Self {
        let numbers = self.numbers.next(matching, count(&about.description));
        let mut next = Self::of(key, (self.first, self.name.clone()), about, numbers, self.versions.clone());
        let (breakpoints, dropped) = self.breakpoints().moved(&self.matching(&next), next.description.nodes().len());
        let title = |node| self.description.node(node).map(|node| node.label.as_ref().unwrap_or(&node.name).clone());
        next.dropped = dropped.into_iter().filter_map(title).collect();
        next.breakpoints = Mutex::new(Arc::new(breakpoints));
        next
    }

    fn of(
        key: usize,
        (first, name): (usize, String),
        About { fingerprint, description, bytes }: About,
        numbers: LastingNumbers,
        versions: Weak<Versions>,
    ) -> Self {
        let by_number = numbers.all().iter().copied().zip((0..).map(NodeId::new)).collect();
        let breakpoints = Mutex::new(Arc::new(Breakpoints::none(description.nodes().len())));
        let folder = source_folder(&description);
        let dropped = Vec::new();
        Self {
            key,
            first,
            name,
            fingerprint,
            description,
            bytes,
            folder,
            numbers,
            by_number,
            dropped,
            breakpoints,
            versions,
        }
    }

    /// Returns which nodes of this version are which nodes of another one.
    pub(super) fn matching(&self, other: &Self) -> Matching {
        self.numbers.matching(&other.numbers)
    }

    /// Returns the node with a lasting number, if this version has it.
    pub(crate) fn node(&self, number: u32) -> Option<NodeId> {
        self.by_number.get(&number).copied()
    }

    /// Returns a node of this version as a node of another one, if that has it.
    pub(crate) fn node_in(&self, other: &Self, node: NodeId) -> Option<NodeId> {
        other.node(self.numbers.get(node)?)
    }

    pub(crate) fn breakpoints(&self) -> Arc<Breakpoints> {
        Arc::clone(&lock(&self.breakpoints))
    }
}

/// A registered tree. The versions before the current one are stored as long as a tick refers to them.
pub(crate) struct Versions {
    current: Mutex<Arc<Tree>>,
    pub(crate) overview: Overview,
    /// The number of edits of trees that this one follows.
    edits: AtomicU32,
}

impl Versions {
    pub(super) fn new(key: usize, name: String, about: About) -> Arc<Self> {
        Arc::new_cyclic(|this| {
            let tree = Tree::new(key, name, about, this.clone());
            Self {
                current: Mutex::new(Arc::new(tree)),
                overview: Overview::default(),
                edits: AtomicU32::new(engine::versions()),
            }
        })
    }

    /// Returns `true` for the first agent that is ticked after an edit.
    pub(crate) fn follows(&self, edits: u32) -> bool {
        self.edits.load(Ordering::Relaxed) != edits && self.edits.swap(edits, Ordering::Relaxed) != edits
    }

    pub(crate) fn current(&self) -> Arc<Tree> {
        Arc::clone(&lock(&self.current))
    }

    /// Replaces the current version. All agents are in the new one from now on.
    pub(super) fn replace(&self, key: usize, about: About, matching: &Matching) -> Arc<Tree> {
        let mut current = lock(&self.current);
        let next = current.next(key, about, matching);
        self.overview.replace(&current.matching(&next));
        *current = Arc::new(next);
        Arc::clone(&current)
    }

    /// Returns the current version, and what its agents have done.
    pub(crate) fn counts(&self) -> (Arc<Tree>, Counts) {
        let current = lock(&self.current);
        (Arc::clone(&current), self.overview.counts())
    }

    /// Counts the events of a tick of a version.
    pub(crate) fn count(&self, tick: &TickRecord, tree: &Tree) {
        // Under the lock: the counts are those of the nodes of the current version.
        let current = lock(&self.current);
        if current.key == tree.key {
            self.overview.count(tick);
        } else {
            self.overview.count(&tick.translated(&tree.description, &current.description, &tree.matching(&current)));
        }
    }
}

fn count(description: &Description) -> u32 {
    u32::try_from(description.nodes().len()).unwrap_or(u32::MAX)
}

/// Returns the folder that the locations of nodes are relative to: the first that contains the file of a location, of the current folder, that of the
/// package if cargo runs the program, that of the program, and those above them.
fn source_folder(description: &Description) -> Option<String> {
    let file = &description.nodes().iter().find_map(|node| node.location.as_ref())?.file;
    let file = Path::new(file);
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let starts = [std::env::current_dir().ok(), package, std::env::current_exe().ok()];
    let folder =
        starts.iter().flatten().flat_map(|start| start.ancestors()).find(|folder| folder.join(file).is_file())?;
    folder.to_str().filter(|_| file.is_relative()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use bt_core::prelude::*;

    #[test]
    fn the_folder_of_the_sources_is_found_above_the_current_one() {
        let tree = tree! { for u32: |n: &mut u32| *n += 1 };
        let description = tree.description();
        let folder = super::source_folder(&description).expect("the sources of this test are here");
        let location = description.nodes()[0].location.clone().expect("a node of `tree!` has a location");
        let path = std::path::Path::new(&folder).join(location.file);
        assert!(path.is_file(), "{}", path.display());
    }
}
