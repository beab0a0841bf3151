//! Why a node was halted.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::answer::Answer;
use super::past::Place;
use super::visits::Visits;
use crate::describe::Kind;
use crate::id::NodeId;
use crate::recording::EventKind;
use crate::status::Status;

impl Answer<'_> {
    /// States what has halted a node. `before` is the text between the halt and its cause.
    pub(super) fn halt(&mut self, place: Place, visits: &Visits<'_>, before: &str) {
        if self.past.is_translated(place.tick) {
            return;
        }
        if visits.last_visit(NodeId::ROOT).is_none() {
            self.text(" from outside");
            return;
        }
        let Some((parent, halt)) = halting(place.event, visits) else { return };
        let node = visits.node(parent);
        let Some(described) = self.tree.node(node) else { return };
        let status = visits.status(parent);
        let at = |event| Place { event, ..place };
        match described.kind {
            Kind::Machine => {
                let entered = visits.states(parent).find(|(event, _)| *event > halt);
                let Some((event, state)) = entered else {
                    self.text(before);
                    self.outcome(at(parent), visits);
                    return;
                };
                self.text(before);
                let state = self.state(node, state);
                let name = self.state_name(node, state);
                self.happened(state.unwrap_or(node), place.tick, &format!("{name} was entered"));
                if let Some(guard) = visits.guard_before(parent, event) {
                    self.text(", because ");
                    self.brief(at(guard), visits);
                }
            }
            Kind::Composite => {
                let of_halted = |visit: usize| {
                    let above = self.tree.visitors(visits.node(halt));
                    above.chain([visits.node(halt)]).any(|node| node == visits.node(visit))
                };
                // A child takes over before the other is halted; in a `match`, after that.
                let others: Vec<_> = visits.below(parent).into_iter().filter(|visit| !of_halted(*visit)).collect();
                let other = others.iter().rfind(|visit| **visit < halt).or(others.first()).copied();
                self.text(before);
                match other.filter(|_| status == Some(Status::Running)) {
                    Some(other) if visits.status(other) == Some(Status::Running) => {
                        let leaf = if let [leaf] = *visits.running_leaves(other) { leaf } else { other };
                        let name = self.name(visits.node(leaf));
                        self.happened(visits.node(leaf), place.tick, &format!("{name} took over"));
                        if let Some(decision) = visits.decisions(leaf, Some(parent)).next() {
                            self.text(", because ");
                            self.brief(at(decision), visits);
                        }
                    }
                    Some(other) => self.outcome(at(other), visits),
                    None if status == Some(Status::Running) => self.returned(at(parent), visits),
                    None => self.outcome(at(parent), visits),
                }
            }
            _ => {
                self.text(before);
                self.returned(at(parent), visits);
            }
        }
    }

    /// Returns the node of a machine's state.
    pub(super) fn state(&self, machine: NodeId, state: u16) -> Option<NodeId> {
        self.tree.children(machine).nth(usize::from(state)).map(|node| node.id)
    }

    pub(super) fn state_name(&self, machine: NodeId, state: Option<NodeId>) -> String {
        match state {
            Some(state) => format!("state {}", self.name(state)),
            None => format!("a state of {}", self.name(machine)),
        }
    }
}

/// Returns the visit of the node that has halted a node, and the halt of the node directly below it. Nodes are halted before
/// those above them.
fn halting(halt: usize, visits: &Visits<'_>) -> Option<(usize, usize)> {
    let mut halt = halt;
    loop {
        let parent = visits.within(halt)?;
        let after = visits
            .events
            .iter()
            .skip(halt)
            .position(|event| event.node == visits.node(parent) && matches!(event.what, EventKind::Halted(_)));
        match after {
            Some(after) => halt += after,
            None => return Some((parent, halt)),
        }
    }
}
