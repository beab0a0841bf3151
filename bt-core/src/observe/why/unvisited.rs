//! Why a node was not visited.

use alloc::format;

use super::answer::Answer;
use super::past::{Found, Place};
use super::rule::Rule;
use super::visits::Visits;
use crate::describe::{Kind, Role};
use crate::id::NodeId;
use crate::recording::{Event, EventKind};
use crate::status::Status;

impl Answer<'_> {
    /// The node was not visited in a tick.
    pub(super) fn unvisited(&mut self, tick: usize, node: NodeId, visits: &Visits<'_>) {
        self.text("not visited: ");
        if self.past.0[tick].cut > 0 {
            self.text("only a part of the tick is recorded");
            self.last_seen(tick, node);
            return;
        }
        // The nearest ancestor that was visited, and the node below it that was not.
        let mut below = node;
        let above = self.tree.visitors(node).find_map(|above| {
            let visit = visits.last_visit(above);
            if visit.is_none() {
                below = above;
            }
            visit
        });
        match above {
            None => {
                let is_halted =
                    |event: &Event| event.node == NodeId::ROOT && matches!(event.what, EventKind::Halted(_));
                let did = if visits.events.iter().any(is_halted) { "halted from outside" } else { "not ticked" };
                self.happened(NodeId::ROOT, tick, &format!("the tree was {did}"));
            }
            Some(above) => {
                let place = Place { tick, event: above };
                match self.tree.node(visits.node(above)).map(|node| node.kind) {
                    _ if visits.status(above).is_none() => {
                        let name = self.name(visits.node(above));
                        self.happened(visits.node(above), tick, &format!("{name} was visited"));
                        self.text(", and its visit is not over");
                    }
                    Some(Kind::Machine) => self.in_other_state(place, below, visits),
                    _ => self.passed_over(place, below, visits),
                }
            }
        }
        self.last_seen(tick, node);
    }

    /// States why a visited node that is no machine did not visit a node below it.
    fn passed_over(&mut self, place: Place, node: NodeId, visits: &Visits<'_>) {
        let above = visits.node(place.event);
        let at = |event| Place { event, ..place };
        let name = self.name(above);
        if let Some(cleanup) = visits.awaited(place.event) {
            self.text(&format!("{name} waits for a cleanup: "));
            return self.still(at(cleanup), visits);
        }
        let below = visits.below(place.event);
        let is_child = self.tree.node(node).is_none_or(|node| node.role == Role::Child);
        let (Some(first), Some(last)) = (below.first().copied(), below.last().copied()) else {
            self.returned(place, visits);
            self.text(", without ticking a child");
            return;
        };
        if !is_child {
            self.returned(place, visits);
            self.text(&format!(", without ticking {}", self.name(node)));
            return;
        }
        if let Some(score) = visits.score(place.event, visits.node(last)) {
            let taken = visits.node(last);
            self.happened(taken, place.tick, &format!("{name} ticked {} with the score {score}", self.name(taken)));
            if let Some(score) = visits.score(place.event, node) {
                self.text("; ");
                self.happened(node, place.tick, &format!("{} had the score {score}", self.name(node)));
            }
            return;
        }
        let rule = self.tree.node(above).map_or(Rule::InOrder, Rule::of);
        let decides =
            |visit: usize| self.tree.children(above).next().is_some_and(|first| first.id == visits.node(visit));
        match rule {
            Rule::ByValue => {
                let taken = visits.node(last);
                self.happened(taken, place.tick, &format!("{name} ticked {}", self.name(taken)));
            }
            Rule::ByFirst if decides(first) => self.decision(at(first), visits),
            Rule::All if visits.status(place.event) == Some(Status::Running) => self.ended_before(place, node, visits),
            _ if node < visits.node(first) => {
                let did = if visits.is_opened(first) { "started" } else { "continued" };
                let taken = visits.node(first);
                self.happened(taken, place.tick, &format!("{name} {did} with {}", self.name(taken)));
                self.text("; ");
                if visits.is_opened(first) {
                    self.decision(at(last), visits);
                } else {
                    let has = if visits.status(first) == Some(Status::Running) { "has" } else { "had" };
                    self.since(at(first), taken, &format!("{} {has} run", self.name(taken)));
                }
            }
            _ => self.decision(at(last), visits),
        }
    }

    /// States that a child has ended in the run of its parent that is still running.
    fn ended_before(&mut self, place: Place, node: NodeId, visits: &Visits<'_>) {
        let above = visits.node(place.event);
        let found = self.past.last(Place { event: 0, ..place }, |event| {
            event.node == node && matches!(event.what, EventKind::Visited { .. })
        });
        if let Found::At(ended) = found
            && node != self.asked
            && !self.past.is_translated(ended.tick)
        {
            let then = self.visits(ended.tick);
            self.returned(ended, &then);
            self.text("; ");
        }
        self.since(place, above, &format!("{} has run", self.name(above)));
    }

    /// States which state a machine is in.
    fn in_other_state(&mut self, place: Place, node: NodeId, visits: &Visits<'_>) {
        let machine = visits.node(place.event);
        let name = self.name(machine);
        let Some(described) = self.tree.node(node) else { return };
        let guard = visits.guard_before(place.event, usize::MAX);
        let has_ended = visits.status(place.event) != Some(Status::Running);
        if described.role == Role::Child && has_ended {
            self.outcome(place, visits);
            return;
        }
        if let (Role::Guard, Some(guard)) = (described.role, guard)
            && guards_with(self, node, visits.node(guard))
        {
            self.brief(Place { event: guard, ..place }, visits);
            return;
        }
        let end = Place { event: usize::MAX, ..place };
        let is_state = |event: &Event| event.node == machine && matches!(event.what, EventKind::State(_));
        let state = |visit: &usize| visits.described(*visit).filter(|node| node.kind == Kind::State);
        let visited = visits.below(place.event).iter().rev().find_map(state).map(|state| state.id);
        let entered = match self.past.last(end, is_state) {
            Found::At(entered)
                if !self.past.is_translated(entered.tick)
                    && (visited.is_none() || !self.past.is_missing(entered.tick, place.tick)) =>
            {
                entered
            }
            _ => {
                let state = self.state_name(machine, visited);
                self.happened(visited.unwrap_or(machine), place.tick, &format!("{name} was in {state}"));
                return;
            }
        };
        let then = self.visits(entered.tick);
        let state = match then.events[entered.event].what {
            EventKind::State(state) => self.state(machine, state),
            _ => None,
        };
        let since = self.past.number(entered.tick);
        let shown = self.state_name(machine, state);
        if state == Some(node) {
            self.happened(node, entered.tick, &format!("{name} entered {shown}"));
            match visits.awaited(place.event) {
                Some(cleanup) => {
                    self.text(", and waits for a cleanup: ");
                    self.still(Place { event: cleanup, ..place }, visits);
                }
                None => self.text(", after its last visit"),
            }
            return;
        }
        self.fact(state.unwrap_or(machine), entered.tick, &format!("{name} has been in {shown} since tick {since}"));
        if let Some(guard) = then.within(entered.event).and_then(|visit| then.guard_before(visit, entered.event)) {
            self.text(", because ");
            self.brief(Place { event: guard, ..entered }, &then);
        }
    }
}

/// Returns `true` if a machine evaluates one guard in the states in which it evaluates the other.
fn guards_with(answer: &Answer<'_>, node: NodeId, other: NodeId) -> bool {
    let parent = |node| answer.tree.node(node).and_then(|node| node.parent);
    let is_machine = |node: Option<NodeId>| {
        node.and_then(|node| answer.tree.node(node)).is_some_and(|node| node.kind == Kind::Machine)
    };
    parent(node) == parent(other) || is_machine(parent(node))
}
