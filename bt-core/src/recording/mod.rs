//! Recordings of ticks, with 8 bytes for each visited node, and their replay.

use alloc::vec::Vec;

use crate::describe::{Description, Matching};
use crate::id::NodeId;
use crate::observer::{Observer, Tick, tell_nodes};
use crate::status::{End, Status};

mod event;
#[cfg(feature = "record")]
mod file;
mod replay;
mod ticks;
mod translate;

#[cfg(feature = "record")]
use event::write_number;
pub use event::{Event, EventKind, InvalidEvents, ShortFloat};
#[cfg(feature = "record")]
pub use file::{ReadError, RecordFile, Recorded, VariableRecord, VersionRecord};
#[cfg(feature = "record")]
use ticks::TickView;
pub(crate) use ticks::shortened;
pub use ticks::{Recording, TickRecord};

/// An observer that records the last ticks of any number of agents in memory, each in a [`Recording`] of its own.
///
/// A [`RecordFile`](crate::observe::RecordFile) writes all ticks to a file instead.
///
/// ```
/// use bt_core::observe::Recorder;
/// use bt_core::observe::Statuses;
/// use bt_core::prelude::*;
///
/// let tree = tree! { for u32: selector { |n: &u32| *n > 1, |n: &mut u32| { *n += 1; Status::Running } } };
/// let mut recorder = Recorder::new(1000);         // up to 1000 events of each agent
/// let (mut agent, mut memory) = (0, tree.memory());
/// for second in 1..=3 {
///     tree.tick_with(&mut agent, &mut memory, &mut recorder.for_agent(7, secs(second)));
/// }
///
/// let recording = recorder.recording(7).unwrap();
/// let statuses: Vec<_> = recording.ticks().map(|tick| (tick.now, tick.status)).collect();
/// assert_eq!(statuses[1], (secs(2), Some(Status::Running)));
/// assert_eq!(statuses[2], (secs(3), Some(Status::Success)));
///
/// // Any observer can receive the recorded events.
/// let mut statuses = Statuses::default();
/// for tick in recording.ticks() {
///     tick.replay(&tree.description(), &mut statuses);
/// }
/// println!("{}", tree.description().draw().with(&statuses));
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    /// Sorted by agent number.
    agents: Vec<(u64, Recording)>,
    /// The index of the agent that is being ticked.
    current: Option<usize>,
    events: usize,
}

impl Recorder {
    /// Creates a recorder that stores the last `events` events of each agent. Each visit, halt, score and
    /// change of a machine's state is one event.
    pub const fn new(events: usize) -> Self {
        Self { agents: Vec::new(), current: None, events }
    }

    /// Returns the agents with a recording, in ascending order.
    pub fn agents(&self) -> impl Iterator<Item = u64> {
        self.agents.iter().map(|(agent, _)| *agent)
    }

    /// Returns the recording of an agent; `None` if there is none.
    pub fn recording(&self, agent: u64) -> Option<&Recording> {
        self.place(agent).ok().map(|place| &self.agents[place].1)
    }

    /// Continues with another tree, and translates the stored events to its ids: see [`TickRecord::translated`].
    ///
    /// ```
    /// use bt_core::describe::Matching;
    /// use bt_core::observe::Recorder;
    /// use bt_core::prelude::*;
    ///
    /// fn walk(_: &mut ()) -> Status { Status::Running }
    /// let (old, new) = (tree! { for (): walk }, tree! { for (): repeat(3) { walk } });
    /// let mut recorder = Recorder::new(1000);
    /// old.tick_with(&mut (), &mut old.memory(), &mut recorder);
    /// recorder.replace(&old.description(), &new.description(), &Matching::new([Some(NodeId::new(1))]));
    /// new.tick_with(&mut (), &mut new.memory(), &mut recorder);
    ///
    /// let ticks = recorder.recording(0).unwrap().ticks();
    /// let walked = ticks.filter(|tick| tick.events.iter().any(|event| event.node == NodeId::new(1)));
    /// assert_eq!(walked.count(), 2);
    /// ```
    pub fn replace(&mut self, old: &Description, new: &Description, matching: &Matching) {
        for (_, recording) in &mut self.agents {
            recording.replace(old, new, matching);
        }
    }

    /// Removes and returns the recording of an agent; `None` if there is none.
    pub fn forget(&mut self, agent: u64) -> Option<Recording> {
        self.place(agent).ok().map(|place| self.agents.remove(place).1)
    }

    /// Returns the index of an agent, or the index at which it would be inserted.
    fn place(&self, agent: u64) -> Result<usize, usize> {
        self.agents.binary_search_by_key(&agent, |(agent, _)| *agent)
    }

    fn current(&mut self) -> Option<&mut Recording> {
        self.agents.get_mut(self.current?).map(|(_, recording)| recording)
    }
}

impl Observer for Recorder {
    fn begin(&mut self, tick: Tick) {
        let place = self.place(tick.agent).unwrap_or_else(|place| {
            self.agents.insert(place, (tick.agent, Recording::new(self.events)));
            place
        });
        self.current = Some(place);
        self.agents[place].1.begin(tick);
    }

    fn end(&mut self, tick: Tick, status: Option<Status>) {
        if let Some(recording) = self.current() {
            recording.end(tick, status);
        }
        self.current = None;
    }

    tell_nodes! { |this| this.current() }
}
