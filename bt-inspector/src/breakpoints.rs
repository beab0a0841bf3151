//! Breakpoints: the nodes at which agents stop, and the events that trigger them.

use bt_core::{End, NodeId, Status};
use serde::{Deserialize, Serialize};

/// An event that triggers a breakpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Trigger {
    /// Before the node is visited.
    Visit,
    Success,
    Failure,
    Running,
    Error,
    Halted,
}

impl From<Status> for Trigger {
    fn from(status: Status) -> Self {
        match status {
            Status::Success => Trigger::Success,
            Status::Failure => Trigger::Failure,
            Status::Running => Trigger::Running,
            Status::Error => Trigger::Error,
        }
    }
}

impl Trigger {
    const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// Returns the trigger for a halt. Other ends are already reported as a status.
    pub(crate) fn halted(end: End) -> Option<Self> {
        (end == End::Halted).then_some(Trigger::Halted)
    }
}

/// The breakpoints of one tree: a set of triggers per node, as bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Breakpoints(Vec<u8>);

impl Breakpoints {
    pub(crate) fn none(nodes: usize) -> Self {
        Self(vec![0; nodes])
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|set| *set == 0)
    }

    /// Returns whether the breakpoints of `node` include `on`.
    pub(crate) fn contains(&self, node: NodeId, on: Trigger) -> bool {
        self.0.get(node.index()).is_some_and(|set| set & on.bit() != 0)
    }

    /// Replaces the triggers of a node. Returns whether the node exists.
    pub(crate) fn set(&mut self, node: u32, on: &[Trigger]) -> bool {
        let node = usize::try_from(node).ok().and_then(|node| self.0.get_mut(node));
        node.map(|set| *set = on.iter().fold(0, |set, on| set | on.bit())).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{Breakpoints, Trigger};
    use bt_core::NodeId;

    #[test]
    fn breakpoints_are_set_per_node_and_trigger() {
        let mut breakpoints = Breakpoints::none(3);
        assert!(breakpoints.is_empty());
        assert!(breakpoints.set(1, &[Trigger::Failure, Trigger::Halted]));
        assert!(!breakpoints.set(3, &[Trigger::Failure]));
        let one = NodeId::new(1);
        assert!(
            breakpoints.contains(one, Trigger::Failure)
                && breakpoints.contains(one, Trigger::Halted)
                && !breakpoints.contains(one, Trigger::Success)
        );
        assert!(!breakpoints.contains(NodeId::new(7), Trigger::Failure));
        assert!(breakpoints.set(1, &[]) && breakpoints.is_empty());
    }
}
