//! The last ticks of one agent.

use alloc::collections::{VecDeque, vec_deque};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;

use crate::describe::{Description, Matching};
use crate::id::NodeId;
use crate::observer::{Observer, Tick};
use crate::recording::{Event, EventKind};
use crate::status::{End, Status};

/// The last ticks of one agent, within a maximum number of events. Recording does not allocate once the maximum is
/// reached.
///
/// It is also an observer, for one agent. A [`Recorder`](crate::observe::Recorder) has one for each agent.
#[derive(Clone, Debug)]
pub struct Recording {
    ticks: VecDeque<Head>,
    /// The events of finished ticks.
    events: VecDeque<Event>,
    /// The events of the current tick.
    current: Vec<Event>,
    /// The errors of leaves, each with the number of its tick.
    errors: VecDeque<(u64, NodeId, String)>,
    /// The number of events that were dropped before the first stored one.
    dropped: u64,
    most: usize,
    /// The number of ticks so far, including the current one.
    count: u64,
    /// For each time that the tree was replaced: the number of the tick after it.
    replaced: Vec<u64>,
    /// The indices of the events of the current tick that are visits in progress, outermost first.
    open: Vec<usize>,
    in_tick: bool,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    number: u64,
    tick: Tick,
    status: Option<Status>,
    /// The number of the first event, counted from the first event ever.
    first: u64,
    cut: u32,
}

/// One tick of a recording.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TickRecord {
    /// The agent.
    pub agent: u64,
    /// The number of earlier ticks of the agent.
    pub number: u64,
    /// The time of the tick.
    pub now: Duration,
    /// The status of the tree; `None` if it was halted from outside, or if the tick is not over.
    pub status: Option<Status>,
    /// The events of the tick.
    pub events: Vec<Event>,
    /// The number of further events that were not stored, because the recording was full.
    pub cut: u32,
    /// The errors of leaves: see [`Observer::error`].
    pub errors: Vec<(NodeId, String)>,
    /// How many times the tree was replaced from this tick to the version whose ids the events have: 0 unless the tick was
    /// [translated](Self::translated), and negative if that version is an earlier one.
    pub replaced: i32,
}

/// One tick of a recording, without copies.
pub(super) struct TickView<'a> {
    number: u64,
    pub(super) tick: Tick,
    pub(super) status: Option<Status>,
    /// The parts of the ring that contain the events.
    events: [&'a [Event]; 2],
    pub(super) cut: u32,
    errors: vec_deque::Iter<'a, (u64, NodeId, String)>,
    replaced: i32,
}

impl TickView<'_> {
    #[cfg(feature = "record")]
    pub(super) fn events(&self) -> impl Iterator<Item = Event> {
        self.events.into_iter().flatten().copied()
    }

    pub(super) fn errors(&self) -> Vec<(NodeId, String)> {
        self.errors.clone().map(|(_, node, error)| (*node, error.clone())).collect()
    }
}

impl From<TickView<'_>> for TickRecord {
    fn from(view: TickView<'_>) -> Self {
        let (events, errors) = (view.events.concat(), view.errors());
        let TickView { number, tick, status, cut, replaced, .. } = view;
        Self { agent: tick.agent, number, now: tick.now, status, events, cut, errors, replaced }
    }
}

/// The maximum number of errors that are stored per tick, and the maximum number of characters of each.
const MAX_ERRORS: usize = 16;
const MAX_ERROR: usize = 300;

impl Recording {
    /// Creates a recording that stores the last `events` events. Each visit, halt and change of a machine's state is
    /// one event.
    pub const fn new(events: usize) -> Self {
        Self {
            ticks: VecDeque::new(),
            events: VecDeque::new(),
            current: Vec::new(),
            errors: VecDeque::new(),
            dropped: 0,
            most: events,
            count: 0,
            replaced: Vec::new(),
            open: Vec::new(),
            in_tick: false,
        }
    }

    /// Returns the number of finished ticks so far, including those that are no longer stored.
    pub const fn count(&self) -> u64 {
        self.count - self.in_tick as u64
    }

    /// Returns the finished ticks that are stored, oldest first.
    pub fn ticks(&self) -> impl DoubleEndedIterator<Item = TickRecord> {
        self.since(0)
    }

    /// Returns the stored ticks from this [number](TickRecord::number) on, oldest first.
    pub fn since(&self, number: u64) -> impl DoubleEndedIterator<Item = TickRecord> {
        let over = self.ticks.len() - usize::from(self.in_tick);
        let from = self.ticks.partition_point(|head| head.number < number).min(over);
        (from..over).map(|index| self.tick_at(index))
    }

    /// Returns the current tick, with the events so far.
    pub fn current(&self) -> Option<TickRecord> {
        self.in_tick.then(|| self.tick_at(self.ticks.len() - 1))
    }

    /// Returns the node that is being visited.
    #[doc(hidden)]
    pub fn executing(&self) -> Option<NodeId> {
        self.current.get(*self.open.last()?).map(|event| event.node)
    }

    /// Goes on with another tree, and gives the stored events its ids: see [`TickRecord::translated`]. Call it between two
    /// ticks.
    pub fn replace(&mut self, old: &Description, new: &Description, matching: &Matching) {
        let ticks: Vec<_> = self.ticks().map(|tick| tick.translated(old, new, matching)).collect();
        let mut heads = core::mem::take(&mut self.ticks);
        self.events.clear();
        self.errors.clear();
        for (head, tick) in heads.iter_mut().zip(ticks) {
            head.first = self.dropped + self.events.len() as u64;
            self.events.extend(tick.events);
            self.errors.extend(tick.errors.into_iter().map(|(node, error)| (head.number, node, error)));
        }
        self.ticks = heads;
        let oldest = self.ticks.front().map_or(self.count, |head| head.number);
        self.replaced.retain(|tick| *tick > oldest);
        self.replaced.push(self.count);
    }

    /// Removes all ticks. The number of ticks continues.
    pub fn clear(&mut self) {
        self.dropped += self.events.len() as u64;
        self.events.clear();
        self.current.clear();
        self.errors.clear();
        self.ticks.clear();
        self.open.clear();
        self.in_tick = false;
    }

    fn tick_at(&self, index: usize) -> TickRecord {
        let mut view = self.view(index);
        if self.in_tick && index + 1 == self.ticks.len() {
            view.events = [self.current.as_slice(), &[]];
        }
        TickRecord::from(view)
    }

    /// Returns the finished ticks that are stored, oldest first.
    #[cfg(feature = "record")]
    pub(super) fn views(&self) -> impl Iterator<Item = TickView<'_>> {
        let over = self.ticks.len() - usize::from(self.in_tick);
        (0..over).map(|index| self.view(index))
    }

    fn view(&self, index: usize) -> TickView<'_> {
        let Head { number, tick, status, first, cut } = self.ticks[index];
        let place = |event: u64| usize::try_from(event - self.dropped).unwrap_or(usize::MAX);
        let end = self.ticks.get(index + 1).map_or(self.events.len(), |next| place(next.first));
        let (old, new) = self.events.as_slices();
        let part = |slice: &[Event], from: usize, to: usize| from.min(slice.len())..to.min(slice.len());
        let (from, in_new) = (place(first), |at: usize| at.saturating_sub(old.len()));
        let events = [&old[part(old, from, end)], &new[part(new, in_new(from), in_new(end))]];
        let error_at = |number: u64| self.errors.partition_point(|(tick, ..)| *tick < number);
        let errors = self.errors.range(error_at(number)..error_at(number + 1));
        let later = self.replaced.len() - self.replaced.partition_point(|after| *after <= number);
        let replaced = i32::try_from(later).unwrap_or(i32::MAX);
        TickView { number, tick, status, events, cut, errors, replaced }
    }

    /// Stores the events of the current tick, and drops the oldest ticks to make room for them.
    fn store(&mut self) {
        self.in_tick = false;
        self.open.clear();
        while self.events.len() + self.current.len() > self.most && self.ticks.len() > 1 {
            self.drop_oldest();
        }
        self.events.extend(self.current.drain(..));
    }

    /// Drops the oldest tick with its events and errors. The current tick remains.
    fn drop_oldest(&mut self) {
        self.ticks.pop_front();
        let Some(oldest) = self.ticks.front() else { return };
        let gone = usize::try_from(oldest.first - self.dropped).unwrap_or(usize::MAX).min(self.events.len());
        self.events.drain(..gone);
        self.dropped = oldest.first;
        while self.errors.front().is_some_and(|(tick, ..)| *tick < oldest.number) {
            self.errors.pop_front();
        }
    }

    /// Adds an event to the current tick. Returns its index, or an index without an event if it was not stored.
    #[inline]
    fn push(&mut self, node: NodeId, what: EventKind) -> usize {
        let index = self.current.len();
        if index < self.most {
            self.current.push(Event { node, what });
            return index;
        }
        self.cut()
    }

    /// Counts an event that is not stored.
    #[cold]
    fn cut(&mut self) -> usize {
        if let Some(head) = self.ticks.back_mut() {
            head.cut = head.cut.saturating_add(1);
        }
        usize::MAX
    }

    /// Returns the innermost visit that is not over; `None` if it was not stored.
    #[inline]
    fn innermost(&mut self, at: NodeId) -> Option<(&mut bool, &mut Option<Status>)> {
        match self.current.get_mut(*self.open.last()?)? {
            Event { node, what: EventKind::Visited { opened, status } } if *node == at => Some((opened, status)),
            _ => None,
        }
    }
}

impl Observer for Recording {
    #[inline]
    fn begin(&mut self, tick: Tick) {
        // A panic has ended the tick before.
        if self.in_tick {
            self.store();
        }
        self.current.clear();
        let first = self.dropped + self.events.len() as u64;
        self.ticks.push_back(Head { number: self.count, tick, status: None, first, cut: 0 });
        // Limit the ticks too: a tick takes memory even if it has no events.
        while self.ticks.len() > self.most.max(1) {
            self.drop_oldest();
        }
        self.count += 1;
        self.in_tick = true;
    }

    #[inline]
    fn end(&mut self, _: Tick, status: Option<Status>) {
        if let Some(head) = self.ticks.back_mut() {
            head.status = status;
        }
        self.store();
    }

    #[inline]
    fn enter(&mut self, at: NodeId) {
        let visit = self.push(at, EventKind::Visited { opened: false, status: None });
        self.open.push(visit);
    }

    #[inline]
    fn open(&mut self, at: NodeId) {
        if let Some((opened, _)) = self.innermost(at) {
            *opened = true;
        }
    }

    #[inline]
    fn tick(&mut self, at: NodeId, given: Status) {
        if let Some((_, status)) = self.innermost(at) {
            *status = Some(given);
        }
    }

    #[inline]
    fn close(&mut self, at: NodeId, end: End) {
        if end == End::Halted {
            self.push(at, EventKind::Halted);
        }
    }

    fn state(&mut self, at: NodeId, state: usize) {
        self.push(at, EventKind::State(u16::try_from(state).unwrap_or(u16::MAX)));
    }

    fn score(&mut self, at: NodeId, score: f32) {
        self.push(at, EventKind::Score(score.into()));
    }

    fn error(&mut self, at: NodeId, error: &dyn fmt::Display) {
        let Some(tick) = self.ticks.back().map(|head| head.number) else { return };
        if self.errors.iter().rev().take_while(|(number, ..)| *number == tick).count() < MAX_ERRORS {
            let text = error.to_string().chars().take(MAX_ERROR).collect();
            self.errors.push_back((tick, at, text));
        }
    }

    #[inline]
    fn exit(&mut self, _: NodeId, _: Status) {
        self.open.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_stores_no_more_events_than_its_maximum() {
        for most in 0..6 {
            let mut recording = Recording::new(most);
            for number in 0..20_usize {
                let tick = Tick { agent: 7, now: Duration::ZERO };
                recording.begin(tick);
                for node in 0..number % 4 {
                    recording.enter(NodeId::ROOT.skip(u32::try_from(node).unwrap_or(0)));
                    recording.exit(NodeId::ROOT, Status::Success);
                }
                recording.end(tick, Some(Status::Success));
                assert!(recording.events.len() <= most, "{} events of {most}", recording.events.len());
                let last = recording.ticks().next_back().map(|tick| tick.events.len());
                assert_eq!(last, Some(most.min(number % 4)), "the last tick is stored");
            }
        }
    }
}
