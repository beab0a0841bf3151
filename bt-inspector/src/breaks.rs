//! Breakpoints: at which nodes of a tree to stop, and on what.

use bt_core::{End, NodeId, Status};
use serde::{Deserialize, Serialize};

/// What a breakpoint waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum On {
    /// The node is about to be visited.
    Visit,
    Success,
    Failure,
    Running,
    Error,
    Halted,
}

impl From<Status> for On {
    fn from(status: Status) -> Self {
        match status {
            Status::Success => On::Success,
            Status::Failure => On::Failure,
            Status::Running => On::Running,
            Status::Error => On::Error,
        }
    }
}

impl On {
    const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// What closes a node otherwise was told as its status.
    pub(crate) fn halted(end: End) -> Option<Self> {
        (end == End::Halted).then_some(On::Halted)
    }
}

/// The breakpoints of one tree: a set for each node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Breaks(Vec<u8>);

impl Breaks {
    pub(crate) fn none(nodes: usize) -> Self {
        Self(vec![0; nodes])
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|set| *set == 0)
    }

    /// Whether to stop at a node.
    pub(crate) fn has(&self, node: NodeId, on: On) -> bool {
        self.0.get(node.index()).is_some_and(|set| set & on.bit() != 0)
    }

    /// Sets what to stop at a node on. Returns whether there is such a node.
    pub(crate) fn set(&mut self, node: u32, on: &[On]) -> bool {
        let node = usize::try_from(node).ok().and_then(|node| self.0.get_mut(node));
        node.map(|set| *set = on.iter().fold(0, |set, on| set | on.bit())).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{Breaks, On};
    use bt_core::NodeId;

    #[test]
    fn a_breakpoint_is_a_node_and_what_happens_there() {
        let mut breaks = Breaks::none(3);
        assert!(breaks.is_empty());
        assert!(breaks.set(1, &[On::Failure, On::Halted]));
        assert!(!breaks.set(3, &[On::Failure]));
        let one = NodeId::new(1);
        assert!(breaks.has(one, On::Failure) && breaks.has(one, On::Halted) && !breaks.has(one, On::Success));
        assert!(!breaks.has(NodeId::new(7), On::Failure));
        assert!(breaks.set(1, &[]) && breaks.is_empty());
    }
}
