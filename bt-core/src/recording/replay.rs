//! Replay of recorded ticks.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::describe::{Description, Role};
use crate::id::NodeId;
use crate::observer::{Observer, Tick};
use crate::recording::{Event, EventKind, TickRecord};
use crate::status::{End, Status, Step};
use crate::visit;

impl TickRecord {
    /// Reports all events of this tick to an observer, in their original order.
    ///
    /// `tree` is the description of the recorded tree. It determines the nesting of the visits.
    pub fn replay(&self, tree: &Description, observer: &mut impl Observer) {
        let tick = Tick { agent: self.agent, now: self.now };
        let mut visits = Visits { tree, observer, reasons: self.reasons.iter().map(Some).collect(), open: Vec::new() };
        visits.observer.begin(tick);
        for (index, event) in self.events.iter().enumerate() {
            visits.event(*event, &self.events[index + 1..]);
        }
        visits.leave_all_but(|_| false);
        visits.observer.end(tick, self.status);
    }
}

/// The visits that are not over.
struct Visits<'a, O> {
    tree: &'a Description,
    observer: &'a mut O,
    /// The reasons that no visit has stated yet.
    reasons: Vec<Option<&'a (NodeId, String)>>,
    open: Vec<(NodeId, Option<Status>)>,
}

impl<'a, O: Observer> Visits<'a, O> {
    /// Reports an event. `rest` are those after it.
    fn event(&mut self, Event { node, what }: Event, rest: &[Event]) {
        match what {
            EventKind::Visited { opened, status } => {
                self.leave_down_to(if self.is_on_exit(node) { self.halted_with(node, rest) } else { node });
                self.observer.enter(node);
                if opened {
                    self.observer.open(node);
                }
                match status {
                    Some(Status::Failure) => {
                        if let Some(reason) = self.next_reason(node) {
                            self.observer.failure(node, reason);
                        }
                    }
                    Some(Status::Error) => {
                        if let Some(reason) = self.next_reason(node) {
                            self.observer.error(node, reason);
                        }
                    }
                    Some(Status::Success | Status::Running) | None => {}
                }
                self.open.push((node, status));
            }
            EventKind::Halted(cause) => {
                self.leave_down_to(self.halted_with(node, rest));
                self.observer.close(node, End::Halted(cause));
            }
            EventKind::Score(score) => {
                self.leave_down_to(node);
                // The digits that are stored.
                self.observer.score(node, score.to_string().parse().unwrap_or_else(|_| score.into()));
            }
            EventKind::State(state) => {
                self.leave_all_but(|open| open == node);
                self.observer.state(node, usize::from(state));
            }
        }
    }

    /// Returns the first reason of a node that no visit has stated yet.
    fn next_reason(&mut self, node: NodeId) -> Option<&'a String> {
        let next = self.reasons.iter_mut().find(|reason| reason.is_some_and(|(at, _)| *at == node))?;
        next.take().map(|(_, reason)| reason)
    }

    /// Returns the highest node that is halted together with this one, deepest first: its visit was over before.
    fn halted_with(&self, node: NodeId, rest: &[Event]) -> NodeId {
        let together = rest.iter().take_while(|event| match event.what {
            EventKind::Halted(_) => true,
            // An `exit:` action of a machine that is halted.
            EventKind::Visited { .. } => self.is_on_exit(event.node),
            EventKind::Score(_) | EventKind::State(_) => false,
        });
        let mut top = node;
        for event in together {
            if self.tree.visitors(top).next() == Some(event.node) {
                top = event.node;
            } else if event.node < top {
                // Siblings are halted in order, so this one is halted for another reason.
                break;
            }
        }
        top
    }

    /// Returns `true` if a node is the `exit:` action of a state, or below it.
    fn is_on_exit(&self, node: NodeId) -> bool {
        let nodes = core::iter::successors(self.tree.node(node), |node| self.tree.node(node.parent?));
        nodes.into_iter().any(|node| node.role == Role::Exit)
    }

    /// An event of a node belongs to the visits of its ancestors. All other visits are over.
    fn leave_down_to(&mut self, node: NodeId) {
        let tree = self.tree;
        self.leave_all_but(|open| tree.visitors(node).any(|above| above == open));
    }

    fn leave_all_but(&mut self, stays: impl Fn(NodeId) -> bool) {
        while let Some((node, status)) = self.open.pop_if(|(node, _)| !stays(*node)) {
            // The visit was cut off in the middle of a tick, so it did not end.
            let Some(status) = status else { continue };
            visit::leave(&Step::<()>::from(status), node, self.observer);
        }
    }
}
