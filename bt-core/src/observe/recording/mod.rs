//! Recording ticks: what happened, at most eight bytes for a visited node; and telling it again.

use alloc::collections::BTreeMap;

use crate::node::NodeId;
use crate::observe::{Observer, Tick};
use crate::status::{End, Status};

mod event;
mod replay;
mod ring;

pub use event::{BadEvents, Event, What};
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
    agents: BTreeMap<u64, Recording>,
    /// The agent that is being ticked, out of the map meanwhile.
    current: Option<(u64, Recording)>,
    events: usize,
}

impl Recorder {
    /// A recorder that keeps so many events of each agent: a visit is one, and so is a halt or a change of a machine's state.
    pub const fn new(events: usize) -> Self {
        Self { agents: BTreeMap::new(), current: None, events }
    }

    /// The agents of which something was recorded, in order.
    pub fn agents(&self) -> impl Iterator<Item = u64> {
        self.agents.keys().copied()
    }

    /// What was recorded of an agent.
    pub fn recording(&self, agent: u64) -> Option<&Recording> {
        self.agents.get(&agent)
    }

    /// Forgets an agent.
    pub fn forget(&mut self, agent: u64) -> Option<Recording> {
        self.agents.remove(&agent)
    }

    fn tell(&mut self, tell: impl FnOnce(&mut Recording)) {
        if let Some((_, recording)) = &mut self.current {
            tell(recording);
        }
    }
}

impl Observer for Recorder {
    fn begin(&mut self, tick: Tick) {
        let mut recording = self.agents.remove(&tick.agent).unwrap_or_else(|| Recording::new(self.events));
        recording.begin(tick);
        self.current = Some((tick.agent, recording));
    }

    fn end(&mut self, tick: Tick, status: Option<Status>) {
        if let Some((agent, mut recording)) = self.current.take() {
            recording.end(tick, status);
            self.agents.insert(agent, recording);
        }
    }

    fn enter(&mut self, at: NodeId) {
        self.tell(|recording| recording.enter(at));
    }

    fn open(&mut self, at: NodeId) {
        self.tell(|recording| recording.open(at));
    }

    fn tick(&mut self, at: NodeId, status: Status) {
        self.tell(|recording| recording.tick(at, status));
    }

    fn close(&mut self, at: NodeId, end: End) {
        self.tell(|recording| recording.close(at, end));
    }

    fn state(&mut self, at: NodeId, state: usize) {
        self.tell(|recording| recording.state(at, state));
    }

    fn exit(&mut self, at: NodeId, status: Status) {
        self.tell(|recording| recording.exit(at, status));
    }
}
