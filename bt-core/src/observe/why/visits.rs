//! The nesting of the visits of one tick.

use alloc::vec::Vec;

use super::rule::Rule;
use crate::describe::{Described, Description, Kind, Role};
use crate::id::NodeId;
use crate::recording::{Event, EventKind};
use crate::status::Status;

/// The events of a tick, each with the visit that it belongs to. Events and visits are named by their index.
pub(super) struct Visits<'a> {
    tree: &'a Description,
    pub(super) events: &'a [Event],
    /// The visit of an ancestor in which each event occurred.
    within: Vec<Option<usize>>,
}

/// Why a node has returned its status.
pub(super) enum Behind {
    /// The node itself: it is a leaf, or its events do not say more.
    Itself,
    /// The node itself, which has not ticked a child.
    Childless,
    /// All children that it has visited have returned the same.
    All,
    /// This visit of a child has returned another outcome.
    Other(usize),
    /// This child has returned the same in an earlier tick.
    Earlier(NodeId),
}

impl<'a> Visits<'a> {
    pub(super) fn of(tree: &'a Description, events: &'a [Event]) -> Self {
        let mut within = Vec::with_capacity(events.len());
        let mut open: Vec<usize> = Vec::new();
        for (index, event) in events.iter().enumerate() {
            let holds = |visit: usize| match event.what {
                EventKind::State(_) => events[visit].node == event.node,
                _ => tree.visitors(event.node).any(|above| above == events[visit].node),
            };
            while open.pop_if(|visit| !holds(*visit)).is_some() {}
            within.push(open.last().copied());
            if let EventKind::Visited { .. } = event.what {
                open.push(index);
            }
        }
        Self { tree, events, within }
    }

    pub(super) fn node(&self, event: usize) -> NodeId {
        self.events[event].node
    }

    /// Returns the node of an event.
    pub(super) fn described(&self, event: usize) -> Option<&'a Described> {
        self.tree.node(self.node(event))
    }

    pub(super) fn within(&self, event: usize) -> Option<usize> {
        self.within[event]
    }

    /// Returns the status of a visit; `None` if it is not over.
    pub(super) fn status(&self, visit: usize) -> Option<Status> {
        match self.events[visit].what {
            EventKind::Visited { status, .. } => status,
            _ => None,
        }
    }

    /// Returns what a visited node did, in the past tense.
    pub(super) fn did(&self, visit: usize) -> &'static str {
        self.status(visit).map_or("was visited", verb)
    }

    pub(super) fn is_opened(&self, visit: usize) -> bool {
        matches!(self.events[visit].what, EventKind::Visited { opened: true, .. })
    }

    /// Returns the last visit of a node.
    pub(super) fn last_visit(&self, node: NodeId) -> Option<usize> {
        self.events.iter().rposition(|event| event.node == node && matches!(event.what, EventKind::Visited { .. }))
    }

    /// Returns the events within a visit, without those of visits below it.
    fn directly_in(&self, visit: usize) -> impl DoubleEndedIterator<Item = usize> {
        (visit + 1..self.events.len()).filter(move |event| self.within[*event] == Some(visit))
    }

    /// Returns the visits of the nodes directly below a visited node, in order.
    pub(super) fn below(&self, visit: usize) -> Vec<usize> {
        // A cleanup is also visited while its `finally` is not.
        let is_child = |event: &usize| {
            let is_visit = matches!(self.events[*event].what, EventKind::Visited { .. });
            is_visit && self.tree.visitors(self.node(*event)).next() == Some(self.node(visit))
        };
        self.directly_in(visit).filter(is_child).collect()
    }

    /// Returns the changes of a machine's state within its visit: the event and the index of the state.
    pub(super) fn states(&self, visit: usize) -> impl DoubleEndedIterator<Item = (usize, u16)> {
        self.directly_in(visit).filter_map(|event| match self.events[event].what {
            EventKind::State(state) => Some((event, state)),
            _ => None,
        })
    }

    /// Returns the score of a child, as its parent has computed it within its visit.
    pub(super) fn score(&self, visit: usize, child: NodeId) -> Option<crate::observe::ShortFloat> {
        self.directly_in(visit).rev().find_map(|event| match self.events[event] {
            Event { node, what: EventKind::Score(score) } if node == child => Some(score),
            _ => None,
        })
    }

    /// Returns the guard that succeeded last before an event within the visit of a machine.
    pub(super) fn guard_before(&self, visit: usize, event: usize) -> Option<usize> {
        let is_guard = |at: &usize| {
            let role = self.described(*at).map(|node| node.role);
            role == Some(Role::Guard) && self.status(*at) == Some(Status::Success)
        };
        self.below(visit).into_iter().rev().find(|at| *at < event && is_guard(at))
    }

    pub(super) fn is_leaf(&self, visit: usize) -> bool {
        self.described(visit).is_none_or(|node| matches!(node.kind, Kind::Action | Kind::Condition))
    }

    /// Returns the visits without a running visit below among the running visits from this one on down, in order.
    pub(super) fn running_leaves(&self, visit: usize) -> Vec<usize> {
        let is_halted = |at: usize| {
            let is_halt = |event: &Event| event.node == self.node(at) && matches!(event.what, EventKind::Halted(_));
            self.events[at..].iter().any(is_halt)
        };
        let running = |at: usize| self.status(at) == Some(Status::Running) && !is_halted(at);
        let mut leaves: Vec<usize> = Vec::new();
        for at in visit..self.events.len() {
            let is_below =
                at == visit || core::iter::successors(self.within[at], |up| self.within[*up]).any(|up| up == visit);
            if !is_below || !running(at) {
                continue;
            }
            if let Some(above) = self.within[at] {
                leaves.retain(|leaf| *leaf != above);
            }
            leaves.push(at);
        }
        leaves
    }

    /// Returns the body of a `finally` whose visit has ended its run.
    fn body_of_ended(&self, visit: usize) -> Option<NodeId> {
        let is_cleaning = self.described(visit).is_some_and(|node| Rule::of(node) == Rule::ThenCleanup);
        let has_ended = self.status(visit).is_some_and(Status::is_done);
        (is_cleaning && has_ended).then(|| self.node(visit).first_child())
    }

    /// Returns the visit of a cleanup that a running node waits for: a halt has left the cleanup running, so its `finally` was not visited.
    pub(super) fn awaited(&self, visit: usize) -> Option<usize> {
        let is_running = |visit: usize| self.status(visit) == Some(Status::Running);
        let kind = self.described(visit).map(|node| node.kind);
        let can_wait = matches!(kind, Some(Kind::Composite | Kind::Machine));
        if !can_wait || !is_running(visit) || self.below(visit).into_iter().any(is_running) {
            return None;
        }
        (0..self.events.len()).find(|event| {
            let mut above = self.tree.visitors(self.node(*event));
            let finally = above.next();
            let is_cleanup = finally.and_then(|finally| self.tree.node(finally)).is_some_and(|finally| {
                Rule::of(finally) == Rule::ThenCleanup && self.node(*event) != finally.id.first_child()
            });
            is_cleanup && is_running(*event) && finally.into_iter().chain(above).any(|above| above == self.node(visit))
        })
    }

    /// Returns the visit that has decided the outcome of a visit, as far as the events show.
    pub(super) fn behind(&self, visit: usize) -> (usize, Behind) {
        let mut at = visit;
        loop {
            if self.is_leaf(at) {
                return (at, Behind::Itself);
            }
            let mut below = self.below(at);
            if below.is_empty() {
                return (at, Behind::Childless);
            }
            // What a machine does when it enters or leaves a state decides nothing, unless it is an error.
            below.retain(|child| {
                let role = self.described(*child).map(|node| node.role);
                !matches!(role, Some(Role::Enter | Role::Exit | Role::Service))
                    || self.status(*child) == Some(Status::Error)
            });
            if let Some(body) = self.body_of_ended(at) {
                below.retain(|child| self.node(*child) == body || self.status(*child) == Some(Status::Error));
                if below.is_empty() {
                    return (at, Behind::Earlier(body));
                }
            }
            let Some(last) = below.last().copied() else { return (at, Behind::Itself) };
            let (status, of_last) = (self.status(at), self.status(last));
            let kind = self.described(at).map(|node| node.kind);
            if status != of_last {
                let has_ended = matches!(of_last, Some(Status::Success | Status::Failure));
                return (at, if has_ended { Behind::Other(last) } else { Behind::Itself });
            }
            let is_all = below.len() > 1 && below.iter().all(|child| self.status(*child) == status);
            let is_chosen = self.described(at).is_some_and(|node| Rule::of(node) == Rule::ByFirst);
            if kind == Some(Kind::Composite) && is_all && !is_chosen {
                return (at, Behind::All);
            }
            at = last;
        }
    }
}

/// Returns what a node did, in the past tense.
pub(super) const fn verb(status: Status) -> &'static str {
    match status {
        Status::Success => "succeeded",
        Status::Failure => "failed",
        Status::Running => "was running",
        Status::Error => "returned an error",
    }
}
