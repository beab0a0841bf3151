//! Breakpoints: the nodes at which agents stop, and the events that trigger them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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

/// A breakpoint of a node: what a page sets.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Breakpoint {
    pub(crate) node: u32,
    /// The events at which agents stop. Without any, the breakpoint is removed.
    pub(crate) on: Vec<Trigger>,
    /// The only agent that stops; `None` for all agents of the tree.
    #[serde(default)]
    pub(crate) agent: Option<usize>,
    #[serde(default)]
    pub(crate) disabled: bool,
    /// The number of hits at which no agent stops.
    #[serde(default)]
    pub(crate) skip: u64,
}

/// The breakpoints of one tree, at most one per node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Breakpoints {
    /// The enabled triggers per node, as bits.
    armed: Vec<u8>,
    list: Vec<(Breakpoint, Arc<AtomicU64>)>,
}

impl Breakpoints {
    pub(crate) fn none(nodes: usize) -> Self {
        Self { armed: vec![0; nodes], list: Vec::new() }
    }

    /// Returns whether no breakpoint is enabled.
    pub(crate) fn is_disarmed(&self) -> bool {
        self.armed.iter().all(|set| *set == 0)
    }

    /// Returns the breakpoints in the order of their nodes, with their numbers of hits.
    pub(crate) fn list(&self) -> impl Iterator<Item = (&Breakpoint, u64)> {
        self.list.iter().map(|(breakpoint, hits)| (breakpoint, hits.load(Ordering::Relaxed)))
    }

    /// Counts a hit if an event is one of those of the breakpoint of a node. Returns whether the agent stops.
    pub(crate) fn hit(&self, node: NodeId, on: Trigger, agent: usize) -> bool {
        if self.armed.get(node.index()).is_none_or(|set| set & on.bit() == 0) {
            return false;
        }
        let of = self.list.iter().find(|(breakpoint, _)| breakpoint.node as usize == node.index());
        let Some((breakpoint, hits)) = of.filter(|(of, _)| of.agent.is_none_or(|only| only == agent)) else {
            return false;
        };
        hits.fetch_add(1, Ordering::Relaxed) >= breakpoint.skip
    }

    /// Replaces the breakpoint of a node. Its hits are counted from 0 unless only `disabled` has changed. Returns whether the node exists.
    pub(crate) fn set(&mut self, breakpoint: Breakpoint) -> bool {
        let Some(armed) = usize::try_from(breakpoint.node).ok().and_then(|node| self.armed.get_mut(node)) else {
            return false;
        };
        let bits = breakpoint.on.iter().fold(0, |set, on| set | on.bit());
        *armed = if breakpoint.disabled { 0 } else { bits };
        let index = self.list.partition_point(|(other, _)| other.node < breakpoint.node);
        let before = self.list.get(index).filter(|(other, _)| other.node == breakpoint.node).cloned();
        if before.is_some() {
            self.list.remove(index);
        }
        if bits != 0 {
            let same = |(other, _): &(Breakpoint, _)| {
                Breakpoint { disabled: breakpoint.disabled, ..other.clone() } == breakpoint
            };
            let hits = before.filter(same).map(|(_, hits)| hits).unwrap_or_default();
            self.list.insert(index, (breakpoint, hits));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Breakpoint, Breakpoints, Trigger};
    use bt_core::NodeId;

    fn on(node: u32, on: &[Trigger]) -> Breakpoint {
        Breakpoint { node, on: on.to_vec(), agent: None, disabled: false, skip: 0 }
    }

    #[test]
    fn breakpoints_are_set_per_node_and_trigger() {
        let mut breakpoints = Breakpoints::none(3);
        assert!(breakpoints.is_disarmed());
        assert!(breakpoints.set(on(1, &[Trigger::Failure, Trigger::Halted])));
        assert!(!breakpoints.set(on(3, &[Trigger::Failure])));
        let one = NodeId::new(1);
        assert!(
            breakpoints.hit(one, Trigger::Failure, 0)
                && breakpoints.hit(one, Trigger::Halted, 7)
                && !breakpoints.hit(one, Trigger::Success, 0)
        );
        assert!(!breakpoints.hit(NodeId::new(7), Trigger::Failure, 0));
        assert!(breakpoints.set(on(1, &[])) && breakpoints.is_disarmed() && breakpoints.list().count() == 0);
    }

    #[test]
    fn a_breakpoint_can_be_disabled_skip_hits_and_stop_one_agent() {
        let mut breakpoints = Breakpoints::none(3);
        let two = Breakpoint { skip: 2, agent: Some(5), ..on(2, &[Trigger::Visit]) };
        assert!(breakpoints.set(two.clone()) && breakpoints.set(on(0, &[Trigger::Error])));
        let hit = |breakpoints: &Breakpoints, agent| breakpoints.hit(NodeId::new(2), Trigger::Visit, agent);
        assert_eq!([5, 4, 5, 5].map(|agent| hit(&breakpoints, agent)), [false, false, false, true]);
        let listed =
            |breakpoints: &Breakpoints| breakpoints.list().map(|(of, hits)| (of.node, hits)).collect::<Vec<_>>();
        assert_eq!(listed(&breakpoints), [(0, 0), (2, 3)]);
        breakpoints.set(Breakpoint { disabled: true, ..two.clone() });
        assert!(!hit(&breakpoints, 5));
        assert_eq!(listed(&breakpoints), [(0, 0), (2, 3)], "disabled, but not forgotten");
        breakpoints.set(two.clone());
        assert!(hit(&breakpoints, 5));
        breakpoints.set(Breakpoint { skip: 0, ..two });
        assert_eq!(listed(&breakpoints), [(0, 0), (2, 0)], "another breakpoint counts from 0");
    }
}
