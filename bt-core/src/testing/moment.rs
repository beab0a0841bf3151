//! The state of a test between two ticks.

use alloc::vec::Vec;

use crate::describe::Description;
use crate::id::NodeId;
use crate::machine::MachineHandle;
use crate::memory::Memory;
use crate::observe::{Last, Statuses};
use crate::status::Status;
use crate::tree::Tree;

/// The state of a [`TreeTest`](super::TreeTest) before one of its ticks, returned by [`TreeTest::at`](super::TreeTest::at).
#[derive(Clone, Copy)]
pub struct Moment<'a, N: Tree, C> {
    /// The context of the agent.
    pub ctx: &'a C,
    /// The memory of the agent.
    pub memory: &'a Memory<N>,
    pub(super) statuses: &'a Statuses,
    pub(super) tree: &'a N,
    pub(super) description: &'a Description,
}

impl<'a, N: Tree, C> Moment<'a, N, C> {
    /// Returns the status of the first node with this path in the tick before; `None` if that tick did not visit the node, or
    /// halted it.
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub fn status(&self, path: &str) -> Option<Status> {
        let node = self.named(path)[0];
        match self.statuses.last(node)? {
            Last::Returned(status) => self.statuses.is_fresh(node).then_some(status),
            Last::Halted => None,
        }
    }

    /// Returns `true` if a node with this path is running. The empty path is the root.
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub fn is_running(&self, path: &str) -> bool {
        let is_running =
            |node| if node == NodeId::ROOT { self.memory.is_running() } else { self.statuses.is_running(node) };
        let tree_runs = self.memory.is_running() || self.tree.is_cleaning_up(self.memory);
        self.named(path).into_iter().any(is_running) && tree_runs
    }

    /// Returns the name of the state of a machine; `None` if the machine is not running. See [`Description::machine`].
    ///
    /// # Panics
    ///
    /// Panics if no machine has this path.
    #[track_caller]
    pub fn state(&self, machine: &str) -> Option<&'a str> {
        let machine = self.machine(machine);
        let state = machine.state_index(self.tree, self.memory)?;
        self.description.children(machine.id()).nth(state).map(|state| state.name.as_str())
    }

    #[track_caller]
    pub(super) fn machine(&self, path: &str) -> MachineHandle {
        match self.description.machine(path) {
            Some(machine) => machine,
            None => panic!("no machine is named `{path}` in this tree:\n{}", self.description),
        }
    }

    /// Returns the nodes with this path, of which there is at least one.
    #[track_caller]
    pub(super) fn named(&self, path: &str) -> Vec<NodeId> {
        let nodes: Vec<_> = self.description.find_all(path).map(|node| node.id).collect();
        assert!(!nodes.is_empty(), "no node is named `{path}` in this tree:\n{}", self.description);
        nodes
    }
}
