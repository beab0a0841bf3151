//! The last status of every node, for drawings.

use alloc::vec::Vec;
use core::fmt;

use crate::describe::Matching;
use crate::id::NodeId;
use crate::observer::{Observer, Tick};
use crate::status::{End, Status};

/// An observer that stores the last status of every node of one agent's tree.
///
/// [`Drawing::with`](crate::draw::Drawing::with) draws these statuses.
#[derive(Clone, Debug, Default)]
pub struct Statuses {
    nodes: Vec<Option<Mark>>,
    ticks: u64,
    /// `true` between the begin and the end of a tick.
    ticking: bool,
}

/// The last event of a node, returned by [`Statuses::last`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Last {
    /// The node returned this status.
    Returned(Status),
    /// The node was halted while it was running.
    Halted,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    last: Last,
    tick: u64,
}

impl Statuses {
    /// Returns the last event of a node; `None` if the node was never visited.
    pub fn last(&self, id: NodeId) -> Option<Last> {
        self.get(id).map(|mark| mark.last)
    }

    /// Returns `true` if the last event of a node occurred in the last tick.
    pub fn is_fresh(&self, id: NodeId) -> bool {
        self.get(id).is_some_and(|mark| mark.tick == self.ticks)
    }

    /// Returns `true` if the node is running.
    pub fn is_running(&self, id: NodeId) -> bool {
        self.last(id) == Some(Last::Returned(Status::Running))
    }

    /// Continues with another tree. A node that matches a node of the previous tree takes over its status.
    pub fn replace(&mut self, matching: &Matching) {
        let old = core::mem::take(&mut self.nodes);
        for (from, to) in matching.pairs() {
            if let Some(mark) = old.get(from.index()).copied().flatten() {
                self.set(to, mark);
            }
        }
    }

    fn get(&self, id: NodeId) -> Option<Mark> {
        self.nodes.get(id.index()).copied().flatten()
    }

    /// Returns the bytes on the heap.
    pub(crate) const fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Option<Mark>>()
    }

    #[inline]
    fn mark(&mut self, at: NodeId, last: Last) {
        self.set(at, Mark { last, tick: self.ticks });
    }

    #[inline]
    fn set(&mut self, at: NodeId, mark: Mark) {
        if self.nodes.len() <= at.index() {
            self.grow(at.index());
        }
        self.nodes[at.index()] = Some(mark);
    }

    #[cold]
    fn grow(&mut self, index: usize) {
        self.nodes.resize(index + 1, None);
    }
}

impl Observer for Statuses {
    #[inline]
    fn begin(&mut self, _: Tick) {
        if self.ticking {
            // A panic has ended the last tick, so no node is running.
            for mark in self.nodes.iter_mut().flatten().filter(|mark| mark.last == Last::Returned(Status::Running)) {
                mark.last = Last::Halted;
            }
        }
        self.ticking = true;
    }

    #[inline]
    fn end(&mut self, _: Tick, _: Option<Status>) {
        self.ticking = false;
    }

    #[inline]
    fn enter(&mut self, at: NodeId) {
        if at == NodeId::ROOT {
            self.ticks += 1;
        }
    }

    #[inline]
    fn tick(&mut self, at: NodeId, status: Status) {
        self.mark(at, Last::Returned(status));
    }

    #[inline]
    fn close(&mut self, at: NodeId, end: End) {
        if let End::Halted(_) = end {
            self.mark(at, Last::Halted);
        }
    }
}

impl fmt::Display for Last {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Last::Returned(Status::Success) => "Success",
            Last::Returned(Status::Failure) => "Failure",
            Last::Returned(Status::Running) => "Running",
            Last::Returned(Status::Error) => "Error",
            Last::Halted => "Halted",
        })
    }
}
