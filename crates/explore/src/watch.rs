//! The observer of an exploration: it lets free leaves and random composites choose, and collects what happens in a tick.

use std::collections::BTreeSet;

use bt_core::describe::{Description, Kind};
use bt_core::{End, NodeId, Observer, Status};

use crate::bits::Nodes;
use crate::choices::choose_labeled;
use crate::free::FreeNodes;

/// An event of a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moment {
    Opened(NodeId),
    Ticked(NodeId, Status),
    Closed(NodeId, End),
}

/// The states of the machines of a tree, in pre-order of the machines; `NO_STATE` while a machine is not running.
pub(crate) type States = Vec<u16>;
pub(crate) const NO_STATE: u16 = u16::MAX;

/// Where a transition leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum To {
    State(u16),
    Success,
    Failure,
}

/// What is observed of one tick, and of all ticks so far.
pub(crate) struct Watch {
    /// The events of the tick.
    pub(crate) events: Vec<Moment>,
    /// The nodes that are running.
    pub(crate) open: Nodes,
    /// The states of all machines.
    pub(crate) states: States,
    /// The leaves that may return any status.
    pub(crate) free: FreeNodes,
    /// The index of each node among the machines.
    machines: Vec<Option<u16>>,
    /// The children that random composites have chosen in the tick: indices among those that were left.
    pub(crate) chosen: Vec<(NodeId, usize)>,
    pub(crate) seen: Seen,
}

/// What was seen in all ticks.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// A bit for each status that a node has returned.
    nodes: Vec<u8>,
    /// The transitions of machines: the machine, the state, the target.
    pub(crate) transitions: BTreeSet<(NodeId, u16, To)>,
}

const fn bit(status: Status) -> u8 {
    1 << status as u8
}

impl Seen {
    /// Returns `true` if a node has returned this status.
    pub(crate) fn returned(&self, node: NodeId, status: Status) -> bool {
        self.nodes[node.index()] & bit(status) != 0
    }

    /// Returns `true` if a node was visited.
    pub(crate) fn visited(&self, node: NodeId) -> bool {
        self.nodes[node.index()] != 0
    }
}

impl Watch {
    pub(crate) fn new(description: &Description) -> Self {
        let nodes = description.nodes();
        let mut count = 0;
        let machines = nodes.iter().map(|node| {
            (node.kind == Kind::Machine).then(|| {
                count += 1;
                count - 1
            })
        });
        let machines: Vec<_> = machines.collect();
        Self {
            events: Vec::new(),
            open: Nodes::new(nodes.len()),
            states: vec![NO_STATE; usize::from(count)],
            free: FreeNodes::none(description),
            machines,
            chosen: Vec::new(),
            seen: Seen { nodes: vec![0; nodes.len()], transitions: BTreeSet::new() },
        }
    }

    /// Returns the running nodes and the states of machines of an agent that was not ticked yet.
    pub(crate) fn at_rest(&self) -> (Nodes, States) {
        (Nodes::new(self.machines.len()), vec![NO_STATE; self.states.len()])
    }

    /// Begins a tick of an agent in which these nodes run, and these are the states of its machines.
    pub(crate) fn begin_tick(&mut self, open: &Nodes, states: &States) {
        self.events.clear();
        self.chosen.clear();
        self.open.copy_from(open);
        self.states.clone_from(states);
    }

    /// Returns the present state of a machine.
    pub(crate) fn state_of(&self, machine: NodeId) -> Option<u16> {
        let state = self.states[usize::from(self.machines[machine.index()]?)];
        (state != NO_STATE).then_some(state)
    }

    fn set_state(&mut self, machine: NodeId, to: To) {
        let Some(index) = self.machines[machine.index()] else { return };
        let next = if let To::State(state) = to { state } else { NO_STATE };
        let before = std::mem::replace(&mut self.states[usize::from(index)], next);
        if before != NO_STATE {
            self.seen.transitions.insert((machine, before, to));
        }
    }
}

impl Observer for Watch {
    fn open(&mut self, at: NodeId) {
        self.open.insert(at);
        self.events.push(Moment::Opened(at));
    }

    fn tick(&mut self, at: NodeId, status: Status) {
        self.seen.nodes[at.index()] |= bit(status);
        self.events.push(Moment::Ticked(at, status));
    }

    fn close(&mut self, at: NodeId, end: End) {
        self.open.remove(at);
        self.events.push(Moment::Closed(at, end));
        if let Some(index) = self.machines[at.index()] {
            match end {
                End::Success => self.set_state(at, To::Success),
                End::Failure => self.set_state(at, To::Failure),
                End::Error | End::Halted(_) => self.states[usize::from(index)] = NO_STATE,
            }
        }
    }

    fn state(&mut self, at: NodeId, state: usize) {
        self.set_state(at, To::State(u16::try_from(state).unwrap_or(NO_STATE)));
    }

    fn replacement(&mut self, at: NodeId) -> Option<Status> {
        self.free.status(at)
    }

    fn choose(&mut self, at: NodeId, left: usize) -> Option<usize> {
        let child = choose_labeled("a child", left);
        self.chosen.push((at, child));
        Some(child)
    }
}
