//! The context of all trees here: an agent that sees other things each tick, so that every outcome occurs and nothing can be folded.

use bt_core::prelude::*;

/// What an agent sees, and what its leaves have done.
#[derive(Clone, Debug)]
pub struct Agent {
    /// Random bits, new each tick.
    pub sees: u64,
    /// A trace of all that was done.
    pub done: u64,
}

impl Agent {
    /// An agent with this seed.
    pub fn new(seed: u64) -> Self {
        Self { sees: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, done: 0 }
    }

    /// Looks anew: what comes before every tick, also by hand.
    #[inline(always)]
    pub fn look(&mut self) {
        self.sees ^= self.sees << 13;
        self.sees ^= self.sees >> 7;
        self.sees ^= self.sees << 17;
    }
}

/// A condition.
#[inline(always)]
pub fn cond<const N: u32>(agent: &Agent) -> bool {
    (agent.sees >> (N % 61)) & 3 != 0
}

/// An action: done with it, not able to, or at it.
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

/// A leaf whose beginning and end leave a trace.
pub struct Walk<const N: u32>;

impl<const N: u32> Walk<N> {
    /// It begins.
    #[inline(always)]
    pub fn begin(agent: &mut Agent) {
        agent.done = agent.done.wrapping_add(u64::from(N));
    }

    /// It is over, by whatever way.
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
