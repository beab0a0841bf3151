//! Why a node has returned its outcome.

use alloc::format;

use super::answer::Answer;
use super::past::{Found, Place};
use super::visits::{Behind, Visits, verb};
use crate::id::NodeId;
use crate::recording::EventKind;
use crate::status::Status;

impl Answer<'_> {
    /// States the outcome of a visit, by the node that has decided it, and when that node last had the other outcome.
    pub(super) fn outcome(&mut self, place: Place, visits: &Visits<'_>) {
        let (at, behind) = visits.behind(place.event);
        let place = Place { event: at, ..place };
        self.returned(place, visits);
        self.rest(place, visits, &behind, " after ");
    }

    /// States what is behind the outcome of a visit, which is already stated.
    pub(super) fn reason(&mut self, place: Place, visits: &Visits<'_>, before: &str) {
        let (at, behind) = if self.past.is_translated(place.tick) {
            (place.event, Behind::Itself)
        } else {
            visits.behind(place.event)
        };
        if at == place.event {
            self.stated(place, visits);
            self.rest(place, visits, &behind, before);
            return;
        }
        self.text(before);
        self.outcome(place, visits);
    }

    fn rest(&mut self, place: Place, visits: &Visits<'_>, behind: &Behind, before: &str) {
        match behind {
            Behind::Itself if visits.is_leaf(place.event) => self.last_other(place, visits),
            Behind::Itself => {}
            Behind::Childless => self.text(", without ticking a child"),
            Behind::All => self.text(", as did all children that it visited"),
            Behind::Earlier(child) => {
                let status = visits.status(place.event).unwrap_or(Status::Running);
                if let Found::At(earlier) = self.past.last_with(place, *child, status)
                    && !self.past.is_translated(earlier.tick)
                {
                    self.text(before);
                    self.outcome(earlier, &self.visits(earlier.tick));
                }
            }
            Behind::Other(child) => {
                self.text(before);
                let (at, behind) = visits.behind(*child);
                // Further reversals are left to the next question.
                let is_told = matches!(behind, Behind::Itself | Behind::Childless);
                let place = Place { event: if is_told { at } else { *child }, ..place };
                self.returned(place, visits);
                if is_told && visits.is_leaf(at) {
                    self.last_other(place, visits);
                }
            }
        }
    }

    /// States what a visit has returned.
    pub(super) fn returned(&mut self, place: Place, visits: &Visits<'_>) {
        let node = visits.node(place.event);
        self.happened(node, place.tick, &format!("{} {}", self.name(node), visits.did(place.event)));
        self.stated(place, visits);
    }

    /// Adds the reason that a node has stated for its error or failure.
    fn stated(&mut self, place: Place, visits: &Visits<'_>) {
        if !matches!(visits.status(place.event), Some(Status::Error | Status::Failure)) {
            return;
        }
        let node = visits.node(place.event);
        let reasons = &self.past.0[place.tick].reasons;
        if let Some((_, reason)) = reasons.iter().rev().find(|(at, _)| *at == node) {
            self.text(&format!(" ({reason})"));
        }
    }

    /// States when a node last had the outcome opposite to that of a visit.
    fn last_other(&mut self, place: Place, visits: &Visits<'_>) {
        let other = match visits.status(place.event) {
            Some(Status::Success) => Status::Failure,
            Some(Status::Failure) => Status::Success,
            _ => return,
        };
        let node = visits.node(place.event);
        let found = self.past.last_with(place, node, other);
        match found {
            Found::At(Place { tick, .. }) => {
                self.text("; ");
                self.happened(node, tick, &format!("it last {}", verb(other)));
            }
            Found::Never if other == Status::Success => {
                self.never(place.tick, "it has not succeeded");
            }
            Found::Never | Found::Unknown => {}
        }
    }

    /// States that a node is running, by the leaves that are.
    pub(super) fn still(&mut self, place: Place, visits: &Visits<'_>) {
        let leaves = visits.running_leaves(place.event);
        let shown = if let [leaf] = *leaves { leaf } else { place.event };
        let node = visits.node(shown);
        self.since(Place { event: shown, ..place }, node, &format!("{} has run", self.name(node)));
    }

    /// States what a visit did: that it is running, or its outcome.
    pub(super) fn decision(&mut self, place: Place, visits: &Visits<'_>) {
        match visits.status(place.event) {
            Some(Status::Running) => self.still(place, visits),
            Some(_) => self.outcome(place, visits),
            None => self.returned(place, visits),
        }
    }

    /// States the outcome of a visit in a few words.
    pub(super) fn brief(&mut self, place: Place, visits: &Visits<'_>) {
        let (at, behind) = visits.behind(place.event);
        let event = if let Behind::Itself | Behind::Childless = behind { at } else { place.event };
        self.returned(Place { event, ..place }, visits);
    }

    /// States the last event of a node before a tick.
    pub(super) fn last_seen(&mut self, tick: usize, node: NodeId) {
        let name = self.name(node);
        let found = self.past.last(Place { tick, event: 0 }, |event| {
            event.node == node && matches!(event.what, EventKind::Visited { .. } | EventKind::Halted(_))
        });
        let place = match found {
            Found::At(place) => place,
            Found::Never => {
                return self.never(tick, &format!("{name} has not been visited"));
            }
            Found::Unknown => return,
        };
        let visits = self.visits(place.tick);
        self.text("; ");
        self.last = None;
        match visits.events[place.event].what {
            EventKind::Visited { .. } => {
                let did = match visits.status(place.event) {
                    Some(Status::Running) => "was last running",
                    Some(Status::Success) => "last succeeded",
                    Some(Status::Failure) => "last failed",
                    Some(Status::Error) => "last returned an error",
                    None => "was last visited",
                };
                self.happened(node, place.tick, &format!("{name} {did}"));
            }
            _ => {
                self.happened(node, place.tick, &format!("{name} was halted"));
                self.halt(place, &visits, ", when ");
            }
        }
    }
}
