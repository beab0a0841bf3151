//! Looking back through the ticks before an event.

use crate::id::NodeId;
use crate::recording::{Event, EventKind, TickRecord};
use crate::status::Status;

/// The maximum number of events that a question looks at in one direction of its past.
const MOST_EVENTS: usize = 1 << 21;

/// The index of a tick, and of an event in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) tick: usize,
    pub(super) event: usize,
}

/// The recorded ticks of an agent, oldest first.
#[derive(Clone, Copy)]
pub(super) struct Past<'a>(pub(super) &'a [&'a TickRecord]);

/// An event that was searched for.
pub(super) enum Found {
    At(Place),
    /// It is not among the recorded events.
    Never,
    /// It is not among the events that were looked at.
    Unknown,
}

/// When a run began.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Since {
    /// In the tick with this index.
    At(Place),
    /// Before the tick with this index.
    Before(usize),
}

impl Past<'_> {
    pub(super) fn number(self, tick: usize) -> u64 {
        self.0[tick].number
    }

    /// Returns the last event before a place for which a condition holds.
    pub(super) fn last(self, before: Place, holds: impl Fn(&Event) -> bool) -> Found {
        let (mut seen, mut end) = (0, before.event);
        for tick in (0..=before.tick).rev() {
            let events = &self.0[tick].events;
            let events = &events[..end.min(events.len())];
            if let Some(event) = events.iter().rposition(&holds) {
                return Found::At(Place { tick, event });
            }
            seen += events.len();
            if seen > MOST_EVENTS {
                return Found::Unknown;
            }
            end = usize::MAX;
        }
        Found::Never
    }

    /// Returns the last visit of a node before a place that returned this status.
    pub(super) fn last_with(self, before: Place, node: NodeId, wanted: Status) -> Found {
        self.last(before, |event| {
            event.node == node && matches!(event.what, EventKind::Visited { status, .. } if status == Some(wanted))
        })
    }

    /// Returns when the run of a node began that a visit belongs to.
    pub(super) fn since(self, visit: Place, node: NodeId) -> Since {
        let (mut seen, mut end) = (0, visit.event + 1);
        for tick in (0..=visit.tick).rev() {
            let events = &self.0[tick].events;
            let events = &events[..end.min(events.len())];
            let opened =
                |event: &Event| event.node == node && matches!(event.what, EventKind::Visited { opened: true, .. });
            if let Some(event) = events.iter().rposition(opened) {
                return Since::At(Place { tick, event });
            }
            seen += events.len();
            let is_end = tick == 0 || self.is_missing_before(tick) || self.0[tick - 1].cut > 0;
            if is_end || seen > MOST_EVENTS || (self.is_replaced_before(tick) && !self.is_running(tick - 1, node)) {
                return Since::Before(tick);
            }
            end = usize::MAX;
        }
        Since::Before(visit.tick)
    }

    /// Returns `true` if the last event of a node in a tick is a visit in which it was running.
    fn is_running(self, tick: usize, node: NodeId) -> bool {
        let own = |event: &&Event| {
            event.node == node && matches!(event.what, EventKind::Visited { .. } | EventKind::Halted(_))
        };
        let last = self.0[tick].events.iter().rfind(own).map(|event| event.what);
        matches!(last, Some(EventKind::Visited { status: Some(Status::Running), .. }))
    }

    /// Returns `true` if the tree was another one at this tick: how its nodes were nested is not known.
    pub(super) fn is_translated(self, tick: usize) -> bool {
        self.0[tick].replaced != 0
    }

    /// Returns `true` if the tree was replaced between this tick and the one before.
    pub(super) fn is_replaced_before(self, tick: usize) -> bool {
        tick > 0 && self.0[tick].replaced != self.0[tick - 1].replaced
    }

    /// Returns `true` if ticks are missing before this one.
    pub(super) fn is_missing_before(self, tick: usize) -> bool {
        tick > 0 && self.number(tick) != self.number(tick - 1).saturating_add(1)
    }

    /// Returns `true` if ticks are missing after one tick and before another.
    pub(super) fn is_missing(self, from: usize, to: usize) -> bool {
        (from + 1..=to).any(|tick| self.is_missing_before(tick))
    }
}
