//! The last status of every node, for drawings.

use alloc::vec::Vec;
use core::fmt;

use crate::id::NodeId;
use crate::observe::{Observer, Tick};
use crate::status::{End, Status};

/// An observer that remembers the last status of every node of one agent's tree.
///
/// See [`Drawing::with`](crate::draw::Drawing::with) for a drawing of it.
#[derive(Clone, Debug, Default)]
pub struct Statuses {
    nodes: Vec<Option<Mark>>,
    ticks: u64,
    /// Whether a tick has begun and not ended.
    ticking: bool,
}

/// What was last seen of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Its last status, or that it was halted.
    pub last: Last,
    /// Whether that was in the last tick.
    pub fresh: bool,
}

/// The last thing that happened to a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Last {
    /// It gave this status.
    Gave(Status),
    /// It was halted while running.
    Halted,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    last: Last,
    tick: u64,
}

impl Statuses {
    /// What was last seen of a node; `None` if it was never visited.
    pub fn last(&self, id: NodeId) -> Option<Seen> {
        let mark = self.nodes.get(id.index()).copied().flatten()?;
        Some(Seen { last: mark.last, fresh: mark.tick == self.ticks })
    }

    /// Whether the node is running.
    pub fn is_running(&self, id: NodeId) -> bool {
        self.last(id).is_some_and(|seen| seen.last == Last::Gave(Status::Running))
    }

    fn mark(&mut self, at: NodeId, last: Last) {
        if self.nodes.len() <= at.index() {
            self.nodes.resize(at.index() + 1, None);
        }
        self.nodes[at.index()] = Some(Mark { last, tick: self.ticks });
    }
}

impl Observer for Statuses {
    fn begin(&mut self, _: Tick) {
        if self.ticking {
            // A panic has ended the last tick: nothing is running any more.
            for mark in self.nodes.iter_mut().flatten().filter(|mark| mark.last == Last::Gave(Status::Running)) {
                mark.last = Last::Halted;
            }
        }
        self.ticking = true;
    }

    fn end(&mut self, _: Tick, _: Option<Status>) {
        self.ticking = false;
    }

    fn enter(&mut self, at: NodeId) {
        if at == NodeId::ROOT {
            self.ticks += 1;
        }
    }

    fn tick(&mut self, at: NodeId, status: Status) {
        self.mark(at, Last::Gave(status));
    }

    fn close(&mut self, at: NodeId, end: End) {
        if end == End::Halted {
            self.mark(at, Last::Halted);
        }
    }
}

impl fmt::Display for Last {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Last::Gave(status) => write!(out, "{status:?}"),
            Last::Halted => out.write_str("Halted"),
        }
    }
}
