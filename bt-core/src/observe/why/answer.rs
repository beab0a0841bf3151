//! The parts of an answer, and which form it has.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::part::{WhyLink, WhyPart};
use super::past::{Past, Place, Since};
use super::visits::{Visits, verb};
use crate::describe::{Description, Kind};
use crate::id::NodeId;
use crate::recording::{EventKind, TickRecord};
use crate::status::Status;

/// A question while it is answered.
pub(super) struct Answer<'a> {
    pub(super) tree: &'a Description,
    pub(super) past: Past<'a>,
    parts: Vec<WhyPart>,
    /// The first tick that the answer is about.
    first: usize,
    /// The tick of the last statement.
    pub(super) last: Option<usize>,
    pub(super) asked: NodeId,
}

impl<'a> Answer<'a> {
    pub(super) fn new(tree: &'a Description, ticks: &'a [&'a TickRecord]) -> Self {
        Self { tree, past: Past(ticks), parts: Vec::new(), first: usize::MAX, last: None, asked: NodeId::ROOT }
    }

    /// Answers for a node at the last tick, which must have this number.
    pub(super) fn of(mut self, number: u64, node: NodeId) -> Vec<WhyPart> {
        self.asked = node;
        if self.tree.node(node).is_none() {
            self.text(&format!("there is no node {node} in this tree"));
            return self.parts;
        }
        let Some(tick) = self.past.0.len().checked_sub(1) else {
            self.text(&format!("tick {number} is not recorded"));
            return self.parts;
        };
        if self.past.number(tick) != number {
            self.text(&format!("tick {number} is not recorded; "));
            self.fact(node, tick, &format!("the last recorded tick before it is {}", self.past.number(tick)));
            return self.parts;
        }
        let record = self.past.0[tick];
        let visits = Visits::of(self.tree, &record.events);
        let own = record.events.iter().rposition(|event| {
            event.node == node && matches!(event.what, EventKind::Visited { .. } | EventKind::Halted(_))
        });
        let is_translated = self.past.is_translated(tick);
        match own.map(|event| (Place { tick, event }, record.events[event].what)) {
            None if is_translated => {
                self.text(&format!("not visited: the tree was another one at tick {number}"));
                self.last_seen(tick, node);
            }
            None => self.unvisited(tick, node, &visits),
            Some((place, EventKind::Visited { status: Some(Status::Running), .. })) => {
                self.running(place, node, &visits);
            }
            Some((place, EventKind::Visited { status: Some(status), .. })) => {
                self.ended(place, node, status, &visits);
            }
            Some((_, EventKind::Visited { status: None, .. })) => {
                self.happened(node, tick, "visited");
                self.text("; the visit is not over");
            }
            Some((place, _)) => {
                self.happened(node, tick, "halted");
                self.halt(place, &visits, ": ");
            }
        }
        if is_translated && own.is_some() {
            self.text("; the tree was another one then");
        }
        self.missing(tick);
        self.parts
    }

    pub(super) fn visits(&self, tick: usize) -> Visits<'a> {
        Visits::of(self.tree, &self.past.0[tick].events)
    }

    /// Adds text.
    pub(super) fn text(&mut self, text: &str) {
        match self.parts.last_mut() {
            Some(WhyPart { text: before, link: None }) => before.push_str(text),
            _ => self.parts.push(WhyPart { text: text.into(), link: None }),
        }
    }

    /// Adds a statement about a node at a tick.
    pub(super) fn fact(&mut self, node: NodeId, tick: usize, text: &str) {
        self.first = self.first.min(tick);
        self.last = Some(tick);
        let link = Some(WhyLink { node, tick: self.past.number(tick) });
        self.parts.push(WhyPart { text: text.into(), link });
    }

    /// Adds a statement about a node at a tick. The tick is named if it is not that of the statement before.
    pub(super) fn happened(&mut self, node: NodeId, tick: usize, text: &str) {
        if self.last == Some(tick) {
            self.fact(node, tick, text);
        } else {
            self.fact(node, tick, &format!("{text} at tick {}", self.past.number(tick)));
        }
    }

    /// Returns the label of a node, or its name, with the parameters of leaves and decorators.
    pub(super) fn name(&self, node: NodeId) -> String {
        match self.tree.node(node) {
            Some(node) => {
                // The parameters of a composite are long, and few of them have the same name.
                let name = || if node.kind == Kind::Composite { node.name.clone() } else { node.call() };
                format!("`{}`", node.label.clone().unwrap_or_else(name))
            }
            None => format!("{node}"),
        }
    }

    /// States when a run began: `{subject} since tick 7`.
    pub(super) fn since(&mut self, visit: Place, node: NodeId, subject: &str) {
        match self.past.since(visit, node) {
            Since::At(Place { tick, .. }) => {
                self.fact(node, tick, &format!("{subject} since tick {}", self.past.number(tick)));
            }
            Since::Before(tick) => {
                let is_replaced = self.past.is_replaced_before(tick);
                let first = if is_replaced { ", the first after the tree was replaced" } else { "" };
                self.fact(node, tick, &format!("{subject} since before tick {}{first}", self.past.number(tick)));
            }
        }
    }

    /// States that something has not happened before a tick. Nodes that the tree of another tick did not have cannot be
    /// distinguished from nodes that were not visited.
    pub(super) fn never(&mut self, tick: usize, what: &str) {
        if self.past.is_translated(tick) {
            return;
        }
        let is_replaced = (1..=tick).any(|tick| self.past.is_replaced_before(tick));
        let since = if is_replaced { " since the tree was replaced" } else { "" };
        self.text(&format!("; {what} before in the recorded ticks{since}"));
    }

    /// The node has returned a status that ends its run.
    fn ended(&mut self, place: Place, node: NodeId, status: Status, visits: &Visits<'_>) {
        self.happened(node, place.tick, verb(status));
        if !visits.is_opened(place.event) {
            self.since(place, node, ", after it had run");
        }
        self.reason(place, visits, ": ");
    }

    /// States which ticks are missing between the first and the last one that the answer is about.
    fn missing(&mut self, last: usize) {
        let past = self.past;
        if let Some(tick) = (self.first.saturating_add(1)..=last).rev().find(|tick| past.is_missing_before(*tick)) {
            let (from, to) = (past.number(tick - 1).saturating_add(1), past.number(tick).saturating_sub(1));
            if from == to {
                self.text(&format!("; tick {from} is not recorded"));
            } else {
                self.text(&format!("; ticks {from} to {to} are not recorded"));
            }
        }
        if let Some(tick) = (self.first..=last).rev().find(|tick| past.0[*tick].cut > 0) {
            self.text(&format!("; tick {} is not recorded in full", past.number(tick)));
        }
    }
}
