//! What a property sees of a tick.

use bt_core::describe::{Described, Kind};
use bt_core::{End, NodeId, Status};

use crate::bits::Nodes;
use crate::free::is_leaf;
use crate::names::Names;
use crate::watch::{Moment, Watch};

/// A tick, as [properties](crate::Explorer::always) receive it: the context before and after it, its status, and what happened to the
/// nodes.
///
/// Nodes are named by a path, as in [`Description::find`](bt_core::describe::Description::find): a label, a name, or several of them separated by `/`. If
/// several nodes have the path, a method applies to all of them. A method panics if no node has the path.
pub struct Ticked<'a, C> {
    /// The context before the tick, and before the environment acted.
    pub before: &'a C,
    /// The context after the tick.
    pub ctx: &'a C,
    /// The status of the tree.
    pub status: Status,
    pub(crate) open_before: &'a Nodes,
    pub(crate) watch: &'a Watch,
    pub(crate) names: &'a Names,
}

impl<C> Ticked<'_, C> {
    /// Returns `true` if the node is running after the tick.
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub fn is_running(&self, path: &str) -> bool {
        self.names.of(path).iter().any(|node| self.watch.open.has(*node))
    }

    /// Returns `true` if the node was running before the tick.
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub fn was_running(&self, path: &str) -> bool {
        self.names.of(path).iter().any(|node| self.open_before.has(*node))
    }

    /// Returns `true` if a run of the node began in the tick.
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub fn opened(&self, path: &str) -> bool {
        let nodes = self.names.of(path);
        self.watch.events.iter().any(|event| matches!(event, Moment::Opened(node) if nodes.contains(node)))
    }

    /// Returns how the last run of the node ended in the tick; `None` if none ended.
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub fn closed(&self, path: &str) -> Option<End> {
        let nodes = self.names.of(path);
        self.watch.events.iter().rev().find_map(|event| match event {
            Moment::Closed(node, end) if nodes.contains(node) => Some(*end),
            _ => None,
        })
    }

    /// Returns `true` if the node was halted in the tick.
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub fn halted(&self, path: &str) -> bool {
        let nodes = self.names.of(path);
        self.watch
            .events
            .iter()
            .any(|event| matches!(event, Moment::Closed(node, End::Halted(_)) if nodes.contains(node)))
    }

    /// Returns `true` if the node returned this status in the tick.
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub fn returned(&self, path: &str, status: Status) -> bool {
        let nodes = self.names.of(path);
        self.watch
            .events
            .iter()
            .any(|event| matches!(event, Moment::Ticked(node, is) if *is == status && nodes.contains(node)))
    }

    /// Returns how often the nodes with this path were ticked in the tick. A bounded loop can tick its child several times.
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub fn visits(&self, path: &str) -> usize {
        let nodes = self.names.of(path);
        self.watch
            .events
            .iter()
            .filter(|event| matches!(event, Moment::Ticked(node, _) if nodes.contains(node)))
            .count()
    }

    /// Returns `true` if a node with the first path and a node with the second path were running at the same time, at any moment of the tick.
    ///
    /// A composite ticks the child that takes over before it halts the other one. So two children of a `selector` can be open at the same time within a tick, although
    /// only one of them is running after it.
    ///
    /// # Panics
    ///
    /// Panics if no node has one of the paths.
    #[track_caller]
    pub fn overlapped(&self, one: &str, other: &str) -> bool {
        let (one, other) = (self.names.of(one), self.names.of(other));
        let mut open = self.open_before.clone();
        let both = |open: &Nodes| {
            one.iter().any(|one| open.has(*one) && other.iter().any(|other| other != one && open.has(*other)))
        };
        if both(&open) {
            return true;
        }
        self.watch.events.iter().any(|event| match event {
            Moment::Opened(node) => {
                open.insert(*node);
                both(&open)
            }
            Moment::Closed(node, _) => {
                open.remove(*node);
                false
            }
            Moment::Ticked(..) => false,
        })
    }

    /// Returns the state of a machine after the tick; `None` if it is not running.
    ///
    /// # Panics
    ///
    /// Panics if no machine has this path.
    #[track_caller]
    pub fn state(&self, machine: &str) -> Option<&str> {
        let description = &self.names.description;
        let found = self.names.of(machine).iter().find_map(|node| self.machine(*node));
        let Some(machine) = found else { panic!("no machine is named `{machine}` in this tree:\n{description}") };
        let state = self.watch.state_of(machine)?;
        description.children(machine).nth(state.into()).map(|state| &*state.name)
    }

    /// Returns `true` if a machine is in this state after the tick.
    ///
    /// # Panics
    ///
    /// Panics if no machine has this path, and if it has no state of this name.
    #[track_caller]
    pub fn is_in(&self, machine: &str, state: &str) -> bool {
        let description = &self.names.description;
        let found = self.names.of(machine).iter().find_map(|node| self.machine(*node));
        let names = found.map(|machine| description.children(machine).map(|state| &*state.name).collect::<Vec<_>>());
        let is_known = names.is_none_or(|names| names.contains(&state));
        assert!(is_known, "the machine `{machine}` has no state `{state}`:\n{description}");
        self.state(machine) == Some(state)
    }

    /// Returns the machine that a node is, or that it contains directly below subtrees.
    fn machine(&self, node: NodeId) -> Option<NodeId> {
        let description = &self.names.description;
        match description.node(node)?.kind {
            Kind::Machine => Some(node),
            Kind::Subtree => self.machine(description.children(node).next()?.id),
            _ => None,
        }
    }

    /// Returns a leaf that was ticked more than once in the tick, if there is one.
    pub fn ticked_twice(&self) -> Option<&Described> {
        let leaf = |node: NodeId| self.names.description.node(node).filter(|node| is_leaf(node));
        let mut ticked = Nodes::new(self.names.description.nodes().len());
        self.watch.events.iter().find_map(|event| match event {
            Moment::Ticked(node, _) if ticked.has(*node) => leaf(*node),
            Moment::Ticked(node, _) => {
                ticked.insert(*node);
                None
            }
            Moment::Opened(_) | Moment::Closed(..) => None,
        })
    }
}
