//! The context of all benchmarks: an agent whose perception changes each tick, so that all outcomes occur and nothing is constant-folded.

use bt_core::prelude::*;

/// An agent: its perception, and a trace of its actions.
#[derive(Clone, Debug, Default)]
pub struct Agent {
    /// Random bits, updated each tick.
    pub sees: u64,
    /// A hash of all actions so far.
    pub done: u64,
    /// The time: a millisecond per tick.
    pub now: Duration,
}

impl Clock for Agent {
    #[inline(always)]
    fn now(&self) -> Duration {
        self.now
    }
}

impl Agent {
    /// Creates an agent with a seed.
    pub fn new(seed: u64) -> Self {
        Self { sees: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, done: 0, now: Duration::ZERO }
    }

    /// Updates the perception and the time. Called before each tick, in hand-written code, too.
    #[inline(always)]
    pub fn look(&mut self) {
        self.sees ^= self.sees << 13;
        self.sees ^= self.sees >> 7;
        self.sees ^= self.sees << 17;
        self.now += millis(1);
    }
}

/// A condition on the perception.
#[inline(always)]
pub fn cond<const N: u32>(agent: &Agent) -> bool {
    (agent.sees >> (N % 61)) & 3 != 0
}

/// An action whose status depends on the perception.
#[inline(always)]
pub fn act<const N: u32>(agent: &mut Agent) -> Status {
    match (agent.sees >> (N * 7 % 59)) & 7 {
        0..3 => {
            agent.done = agent.done.rotate_left(5) ^ u64::from(N);
            Status::Success
        }
        3..5 => Status::Failure,
        _ => {
            agent.done = agent.done.wrapping_add(u64::from(N));
            Status::Running
        }
    }
}

/// A leaf whose start and end change the trace.
pub struct Walk<const N: u32>;

impl<const N: u32> Walk<N> {
    /// Records the start.
    #[inline(always)]
    pub fn begin(agent: &mut Agent) {
        agent.done = agent.done.wrapping_add(u64::from(N));
    }

    /// Records the end, including a halt.
    #[inline(always)]
    pub fn end(agent: &mut Agent) {
        agent.done = agent.done.rotate_left(9);
    }
}

#[leaf]
impl<const N: u32> Leaf<Agent> for Walk<N> {
    #[inline(always)]
    fn open(&self, agent: &mut Agent) {
        Self::begin(agent);
    }
    #[inline(always)]
    fn tick(&self, _: &mut (), agent: &mut Agent) -> Status {
        act::<N>(agent)
    }
    #[inline(always)]
    fn close(&self, _: &mut (), agent: &mut Agent, _: End) {
        Self::end(agent);
    }
}
