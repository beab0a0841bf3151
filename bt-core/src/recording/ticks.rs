//! The last ticks of one agent.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;

use crate::describe::{Description, Matching};
use crate::id::NodeId;
use crate::observer::{Observer, Tick};
use crate::recording::{Event, EventKind};
use crate::status::{End, Status};

/// The last ticks of one agent in memory, within a maximum number of events. Once a recording has room for 1.5 times this number of
/// events, it does not allocate for further events.
///
/// A recording is also an observer, for one agent. A [`Recorder`](crate::observe::Recorder) has one for each agent. What was read from a file, of all agents, is a
/// [`Recorded`](crate::observe::Recorded).
#[derive(Clone, Debug)]
pub struct Recording {
    /// The ticks, of which the first ones may be [hidden](Self::hidden): they are removed when there is no room for more.
    ticks: Vec<Head>,
    /// The events of all ticks.
    events: Vec<Event>,
    /// The reasons of errors and failures, each with the number of its tick.
    reasons: Vec<(u64, NodeId, String)>,
    most: usize,
    /// The number of ticks so far, including the current one.
    count: u64,
    /// For each time that the tree was replaced: the number of the tick after it.
    replaced: Vec<u64>,
    /// The indices of the events that are visits in progress, outermost first.
    open: Vec<usize>,
    in_tick: bool,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    tick: Tick,
    status: Option<Status>,
    /// The index of the first event.
    first: usize,
    cut: u32,
}

/// One tick of one agent, in a [`Recording`] in memory or in a file that was read ([`Recorded`](crate::observe::Recorded)).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TickRecord {
    /// The agent.
    pub agent: u64,
    /// The number of earlier ticks of the agent.
    pub number: u64,
    /// The time of the tick.
    pub now: Duration,
    /// The status of the tree; `None` if the tree was halted from outside, or if the tick is not over.
    pub status: Option<Status>,
    /// The events of the tick.
    pub events: Vec<Event>,
    /// The number of further events that were not stored, because the recording was full.
    pub cut: u32,
    /// The reasons of errors and failures: see [`Observer::error`] and [`Observer::failure`].
    pub reasons: Vec<(NodeId, String)>,
    /// The number of times that the tree was replaced from this tick to the version whose ids the events have: 0 unless the tick
    /// was [translated](Self::translated), negative if that version is an earlier one.
    pub replaced: i32,
}

/// One tick of a recording, without copies.
pub(super) struct TickView<'a> {
    number: u64,
    pub(super) tick: Tick,
    pub(super) status: Option<Status>,
    pub(super) events: &'a [Event],
    pub(super) cut: u32,
    pub(super) reasons: &'a [(u64, NodeId, String)],
    replaced: i32,
}

impl TickView<'_> {
    pub(super) fn reasons(&self) -> Vec<(NodeId, String)> {
        self.reasons.iter().map(|(_, node, reason)| (*node, reason.clone())).collect()
    }
}

impl From<TickView<'_>> for TickRecord {
    fn from(view: TickView<'_>) -> Self {
        let (events, reasons) = (view.events.to_vec(), view.reasons());
        let TickView { number, tick, status, cut, replaced, .. } = view;
        Self { agent: tick.agent, number, now: tick.now, status, events, cut, reasons, replaced }
    }
}

/// The maximum number of reasons that are stored per tick, and the maximum number of characters of each.
const MAX_REASONS: usize = 16;
const MAX_REASON: usize = 300;

/// Returns the stored part of a reason.
pub(crate) fn shortened(reason: &dyn fmt::Display) -> String {
    reason.to_string().chars().take(MAX_REASON).collect()
}

impl Recording {
    /// Creates a recording that stores the last `events` events. Each visit, halt, score and change of a machine's
    /// state is one event.
    pub const fn new(events: usize) -> Self {
        Self {
            ticks: Vec::new(),
            events: Vec::new(),
            reasons: Vec::new(),
            most: events,
            count: 0,
            replaced: Vec::new(),
            open: Vec::new(),
            in_tick: false,
        }
    }

    /// Returns the number of finished ticks so far, including ticks that are no longer stored.
    pub const fn count(&self) -> u64 {
        self.count - self.in_tick as u64
    }

    /// Returns the finished ticks that are stored, oldest first.
    pub fn ticks(&self) -> impl DoubleEndedIterator<Item = TickRecord> {
        self.since(0)
    }

    /// Returns the finished ticks that are stored, from this [number](TickRecord::number) on, oldest first.
    pub fn since(&self, number: u64) -> impl DoubleEndedIterator<Item = TickRecord> {
        let from = usize::try_from(number.saturating_sub(self.first_number())).unwrap_or(usize::MAX);
        self.finished(from).map(|index| self.view(index).into())
    }

    /// Returns the current tick, with the events so far; `None` between ticks.
    pub fn current(&self) -> Option<TickRecord> {
        self.in_tick.then(|| self.view(self.ticks.len() - 1).into())
    }

    /// Returns the node that is being visited.
    #[doc(hidden)]
    pub fn executing(&self) -> Option<NodeId> {
        self.events.get(*self.open.last()?).map(|event| event.node)
    }

    /// Continues with another tree, and translates the stored events to its ids: see [`TickRecord::translated`]. Call this method
    /// between two ticks.
    pub fn replace(&mut self, old: &Description, new: &Description, matching: &Matching) {
        let ticks: Vec<_> = self.ticks().map(|tick| tick.translated(old, new, matching)).collect();
        let first = self.count - ticks.len() as u64;
        self.ticks.drain(..self.ticks.len() - ticks.len());
        self.events.clear();
        self.reasons.clear();
        for (head, tick) in self.ticks.iter_mut().zip(ticks) {
            (head.first, head.cut) = (self.events.len(), tick.cut);
            self.events.extend(tick.events);
            self.reasons.extend(tick.reasons.into_iter().map(|(node, reason)| (tick.number, node, reason)));
        }
        self.replaced.retain(|tick| *tick > first);
        self.replaced.push(self.count);
    }

    /// Removes all ticks. The number of ticks continues.
    pub fn clear(&mut self) {
        self.events.clear();
        self.reasons.clear();
        self.ticks.clear();
        self.open.clear();
        self.in_tick = false;
    }

    /// Returns the number of the first tick, which may be hidden.
    fn first_number(&self) -> u64 {
        self.count - self.ticks.len() as u64
    }

    /// Returns the number of ticks that are too old to be shown, if there were `more` events.
    fn hidden(&self, more: usize) -> usize {
        let too_many_ticks = self.ticks.len().saturating_sub(self.most.max(1));
        let events = self.events.len() + more;
        let too_many_events = self.ticks.partition_point(|head| events - head.first > self.most);
        too_many_events.min(self.ticks.len().saturating_sub(1)).max(too_many_ticks)
    }

    /// Returns the indices of the finished ticks that are not hidden, from an index on.
    fn finished(&self, from: usize) -> core::ops::Range<usize> {
        let over = self.ticks.len() - usize::from(self.in_tick);
        from.max(self.hidden(0)).min(over)..over
    }

    /// Returns the finished ticks that are stored, oldest first.
    #[cfg(feature = "record")]
    pub(super) fn views(&self) -> impl Iterator<Item = TickView<'_>> {
        self.finished(0).map(|index| self.view(index))
    }

    fn view(&self, index: usize) -> TickView<'_> {
        let Head { tick, status, first, cut } = self.ticks[index];
        let number = self.first_number() + index as u64;
        let end = self.ticks.get(index + 1).map_or(self.events.len(), |next| next.first);
        let stored = end.min(first.saturating_add(self.most));
        let cut = cut.saturating_add(u32::try_from(end - stored).unwrap_or(u32::MAX));
        let reasons = self.reasons.partition_point(|(tick, ..)| *tick < number)
            ..self.reasons.partition_point(|(tick, ..)| *tick <= number);
        let later = self.replaced.iter().rev().take_while(|after| **after > number).count();
        let replaced = i32::try_from(later).unwrap_or(i32::MAX);
        let (events, reasons) = (&self.events[first..stored], &self.reasons[reasons]);
        TickView { number, tick, status, events, cut, reasons, replaced }
    }

    /// Adds an event to the current tick.
    #[inline]
    fn push(&mut self, node: NodeId, what: EventKind) {
        if self.events.len() < self.events.capacity() || self.make_room() {
            self.events.push(Event { node, what });
        }
    }

    /// Makes room for another event. Returns `false`, and counts the event, if the current tick has too many.
    #[cold]
    fn make_room(&mut self) -> bool {
        let has_room = grow(&mut self.events, self.most) || self.remove(self.hidden(1)) > 0;
        if !has_room && let Some(head) = self.ticks.last_mut() {
            head.cut = head.cut.saturating_add(1);
        }
        has_room
    }

    /// Makes room for another tick.
    #[cold]
    fn make_room_for_tick(&mut self) {
        if !grow(&mut self.ticks, self.most) {
            self.remove(self.hidden(0).max(1));
        }
    }

    /// Stores the reason of an error or of a failure in the current tick.
    fn store_reason(&mut self, at: NodeId, reason: &dyn fmt::Display) {
        if self.ticks.is_empty() {
            return;
        }
        let tick = self.count - 1;
        if self.reasons.iter().rev().take_while(|(number, ..)| *number == tick).count() < MAX_REASONS {
            self.reasons.push((tick, at, shortened(reason)));
        }
    }

    /// Removes the first ticks, with their reasons and events. Returns the number of events.
    fn remove(&mut self, ticks: usize) -> usize {
        let number = self.first_number() + ticks as u64;
        let events = self.ticks.get(ticks).map_or(self.events.len(), |head| head.first);
        self.ticks.drain(..ticks);
        self.events.drain(..events);
        self.reasons.drain(..self.reasons.partition_point(|(tick, ..)| *tick < number));
        self.ticks.iter_mut().for_each(|head| head.first -= events);
        self.open.iter_mut().for_each(|index| *index = index.saturating_sub(events));
        events
    }
}

/// Allocates more, unless the list has half as much again as `most`: what is beyond is removed many at a time, because the
/// rest has to move.
fn grow<T>(list: &mut Vec<T>, most: usize) -> bool {
    let more = limit(most).saturating_sub(list.len());
    list.reserve_exact(more.min(list.len().max(8)));
    more > 0
}

/// At least one more than `most`, so that an event that is cut is not shown.
const fn limit(most: usize) -> usize {
    most.saturating_add(most / 2 + 1)
}

impl Observer for Recording {
    #[inline]
    fn begin(&mut self, tick: Tick) {
        // A panic may have ended the tick before.
        self.open.clear();
        if self.ticks.len() == self.ticks.capacity() {
            self.make_room_for_tick();
        }
        self.ticks.push(Head { tick, status: None, first: self.events.len(), cut: 0 });
        self.count += 1;
        self.in_tick = true;
    }

    #[inline]
    fn end(&mut self, _: Tick, status: Option<Status>) {
        if let Some(head) = self.ticks.last_mut() {
            head.status = status;
        }
        self.in_tick = false;
    }

    #[inline]
    fn enter(&mut self, at: NodeId) {
        // The index of an event that is cut is that of none: the other events of the tick are cut, too.
        self.open.push(self.events.len());
        self.push(at, EventKind::Visited { opened: false, status: None });
    }

    #[inline]
    fn open(&mut self, _: NodeId) {
        // The visit has just begun. If its event is cut, the last event is one that is not shown.
        if let Some(Event { what: EventKind::Visited { opened, .. }, .. }) = self.events.last_mut() {
            *opened = true;
        }
    }

    #[inline]
    fn close(&mut self, at: NodeId, end: End) {
        if let End::Halted(cause) = end {
            self.push(at, EventKind::Halted(cause));
        }
    }

    fn state(&mut self, at: NodeId, state: usize) {
        self.push(at, EventKind::State(u16::try_from(state).unwrap_or(u16::MAX)));
    }

    fn score(&mut self, at: NodeId, score: f32) {
        self.push(at, EventKind::Score(score.into()));
    }

    fn error(&mut self, at: NodeId, error: &dyn fmt::Display) {
        self.store_reason(at, error);
    }

    fn failure(&mut self, at: NodeId, reason: &dyn fmt::Display) {
        self.store_reason(at, reason);
    }

    #[inline]
    fn exit(&mut self, _: NodeId, given: Status) {
        let Some(index) = self.open.pop() else { return };
        if let Some(Event { what: EventKind::Visited { status, .. }, .. }) = self.events.get_mut(index) {
            *status = Some(given);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_stores_no_more_events_than_its_maximum() {
        for most in 0..12 {
            let mut recording = Recording::new(most);
            for number in 0..50_usize {
                let tick = Tick { agent: 7, now: Duration::ZERO };
                recording.begin(tick);
                for node in 0..number % 4 {
                    recording.enter(NodeId::ROOT.skip(u32::try_from(node).unwrap_or(0)));
                    recording.exit(NodeId::ROOT, Status::Success);
                }
                recording.end(tick, Some(Status::Success));
                let events: usize = recording.ticks().map(|tick| tick.events.len()).sum();
                assert!(events <= most, "{events} events of {most}");
                assert!(recording.events.capacity().max(recording.ticks.capacity()) <= limit(most));
                let last = recording.ticks().next_back().map(|tick| tick.events.len());
                assert_eq!(last, Some(most.min(number % 4)), "the last tick is stored");
                // So are those before it that fit.
                let mut room = most;
                let fits = |number: &usize| {
                    let left = room.checked_sub(number % 4);
                    room = left.unwrap_or(0);
                    left.is_some()
                };
                let fitting = (0..=number).rev().take(most.max(1)).take_while(fits).count().max(1);
                let numbers: Vec<_> = recording.ticks().map(|tick| tick.number).collect();
                let first = recording.count() - fitting as u64;
                assert_eq!(numbers, (first..recording.count()).collect::<Vec<_>>(), "{most}");
            }
        }
    }
}
