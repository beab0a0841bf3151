//! Recording ticks: what happened, at most eight bytes for a visited node; and telling it again.

use alloc::vec::Vec;

use crate::id::NodeId;
use crate::observe::joined::tell_nodes;
use crate::observe::{Observer, Tick};
use crate::status::{End, Status};

mod event;
mod replay;
mod ring;

pub use event::{Event, EventKind, InvalidEvents};
pub use ring::{Recording, TickRecord};

/// An observer that records the last ticks of any number of agents, each in a [`Recording`] of its own.
///
/// ```
/// use bt_core::observe::Recorder;
/// use bt_core::prelude::*;
///
/// let tree = tree! { for u32: selector { |n: &u32| *n > 1, |n: &mut u32| { *n += 1; Status::Running } } };
/// let mut recorder = Recorder::new(1000);         // so many events of each agent
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
/// // Any observer can be told again what happened, as it was.
/// let mut statuses = Statuses::default();
/// for tick in recording.ticks() {
///     tick.replay(&tree.description(), &mut statuses);
/// }
/// println!("{}", tree.description().draw().with(&statuses));
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    /// In the order of their numbers.
    agents: Vec<(u64, Recording)>,
    /// The place of the agent that is being ticked.
    current: Option<usize>,
    events: usize,
}

impl Recorder {
    /// A recorder that keeps so many events of each agent: a visit is one, and so is a halt or a change of a machine's state.
    pub const fn new(events: usize) -> Self {
        Self { agents: Vec::new(), current: None, events }
    }

    /// The agents of which something was recorded, in order.
    pub fn agents(&self) -> impl Iterator<Item = u64> {
        self.agents.iter().map(|(agent, _)| *agent)
    }

    /// What was recorded of an agent.
    pub fn recording(&self, agent: u64) -> Option<&Recording> {
        self.place(agent).ok().map(|place| &self.agents[place].1)
    }

    /// Forgets an agent.
    pub fn forget(&mut self, agent: u64) -> Option<Recording> {
        self.place(agent).ok().map(|place| self.agents.remove(place).1)
    }

    /// Where an agent is, or would be.
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
