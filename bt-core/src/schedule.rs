//! When agents have to be ticked again, and the wakers that make them due.

use core::num::NonZeroU64;
use core::task::Waker;
use core::time::Duration;

use crate::clock::Moment;
use crate::edits::edits;
use crate::wake::Wake;

/// When an agent has to be ticked again, in 8 bytes: 0 in the next tick, the bits of a [`Moment`], or one of two greater numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Due(u64);

impl Due {
    /// In the next tick.
    pub const NEXT: Self = Self(0);
    /// After an event.
    pub const EVENT: Self = Self(u64::MAX - 1);
    /// Never, because there is no agent.
    pub const FREE: Self = Self(u64::MAX);

    /// Returns the value for an agent that waits for this time. At this time, all agents with at most this value are due.
    #[inline]
    pub fn at(time: Duration) -> Self {
        Self(Moment::at(time).bits().get())
    }
}

impl From<Wake> for Due {
    #[inline]
    fn from(wake: Wake) -> Self {
        match wake {
            Wake::Next => Self::NEXT,
            Wake::At(time) => Self::at(time),
            Wake::Event => Self::EVENT,
        }
    }
}

impl From<Due> for Wake {
    fn from(due: Due) -> Self {
        match NonZeroU64::new(due.0) {
            None => Self::Next,
            Some(bits) if due < Due::EVENT => Self::At(Moment::from_bits(bits).time()),
            Some(_) => Self::Event,
        }
    }
}

/// The wakers of agents: they note which agents are due. A clone belongs to other agents.
pub(crate) trait Wakers: Clone {
    /// The key of an agent.
    type Agent;
    /// The keys of some agents.
    type Woken: IntoIterator<Item = Self::Agent>;
    /// Returns the waker of an agent.
    fn waker(&self, agent: Self::Agent) -> Waker;
    /// Returns `true` if something may hold a waker.
    fn is_used(&self) -> bool;
    /// Returns `true` if this agent was woken.
    fn has(&self, agent: Self::Agent) -> bool;
    /// Returns the agents that were woken since the last call.
    fn take(&self) -> Self::Woken;
}

/// When the agents in some slots have to be ticked again: in the one slot of a brain or a driving loop, or in the slots of a
/// herd.
pub(crate) struct Schedule<D, W> {
    /// Of each slot. New slots may be missing.
    pub(crate) due: D,
    /// The time when agents that were due were last ticked; `None` before that, and if that has panicked.
    last: Option<Duration>,
    /// How often trees were edited before that.
    edits: u32,
    pub(crate) wakers: W,
}

impl<D, W> Schedule<D, W> {
    pub(crate) const fn new(due: D, wakers: W) -> Self {
        Self { due, last: None, edits: 0, wakers }
    }
}

impl<D: AsRef<[Due]> + AsMut<[Due]>, W: Wakers> Schedule<D, W> {
    /// Begins to tick agents that are due. Returns the greatest value that is due. All agents are due if the time is less than
    /// before, if a tree was edited, or if the ticks before have not ended.
    #[inline]
    pub(crate) fn begin(&mut self, now: Duration) -> Due {
        let is_followed = self.follow();
        if self.last.take().is_none_or(|last| now < last) || !is_followed {
            self.wake_all();
        }
        Due::at(now)
    }

    /// Returns `false` for the first ticks after a tree was edited.
    #[inline]
    pub(crate) fn follow(&mut self) -> bool {
        let edits = edits();
        core::mem::replace(&mut self.edits, edits) == edits
    }

    /// Notes that all agents that were due have been ticked.
    #[inline]
    pub(crate) fn end(&mut self, now: Duration) {
        self.last = Some(now);
    }

    /// Makes all agents due.
    pub(crate) fn wake_all(&mut self) {
        for due in self.due.as_mut() {
            if *due != Due::FREE {
                *due = Due::NEXT;
            }
        }
    }

    /// Sets when a slot is due. Does nothing for a slot that is missing.
    pub(crate) fn set(&mut self, slot: usize, due: Due) {
        if let Some(slot) = self.due.as_mut().get_mut(slot) {
            *slot = due;
        }
    }

    /// Returns when the agent in a slot is due.
    pub(crate) fn of(&self, slot: usize, agent: W::Agent) -> Due {
        let is_known = self.last.is_some() && self.edits == edits() && !self.wakers.has(agent);
        let due = self.due.as_ref().get(slot).filter(|_| is_known);
        due.copied().unwrap_or(Due::NEXT)
    }
}

/// Futures start again in the next tick of a clone.
impl<D: AsRef<[Due]> + AsMut<[Due]> + Clone, W: Wakers> Clone for Schedule<D, W> {
    fn clone(&self) -> Self {
        let Self { due, last, edits, wakers } = self;
        let mut clone = Self { due: due.clone(), last: *last, edits: *edits, wakers: wakers.clone() };
        if wakers.is_used() {
            clone.wake_all();
        }
        clone
    }
}

impl<W: Wakers<Agent = ()>> Schedule<[Due; 1], W> {
    /// Creates the schedule of one agent.
    pub(crate) const fn one(wakers: W) -> Self {
        Self::new([Due::NEXT], wakers)
    }

    /// Makes the agent due.
    pub(crate) const fn wake(&mut self) {
        self.due = [Due::NEXT];
    }

    /// Returns when the agent is due.
    pub(crate) fn next(&self) -> Wake {
        self.of(0, ()).into()
    }

    /// Returns `true` if the agent is due. Until its tick has [ended](Self::sleep), it stays due.
    pub(crate) fn is_due(&mut self, now: Duration) -> bool {
        let until = self.begin(now);
        if self.wakers.take().into_iter().next().is_some() {
            self.wake();
        }
        let is_due = self.due[0] <= until;
        if !is_due {
            self.end(now);
        }
        is_due
    }

    /// Notes that the agent was ticked, and when it is due again.
    pub(crate) fn sleep(&mut self, now: Duration, until: Wake) {
        self.due = [until.into()];
        self.end(now);
    }
}

/// Without futures, nothing uses the wakers of agents.
#[cfg(not(feature = "async"))]
#[derive(Clone)]
pub(crate) struct NoWakers<A>(core::marker::PhantomData<fn(A)>);

#[cfg(not(feature = "async"))]
impl<A> NoWakers<A> {
    pub(crate) const fn new() -> Self {
        Self(core::marker::PhantomData)
    }
}

#[cfg(not(feature = "async"))]
impl<A: Clone> Wakers for NoWakers<A> {
    type Agent = A;
    type Woken = [A; 0];

    fn waker(&self, _: A) -> Waker {
        Waker::noop().clone()
    }

    fn is_used(&self) -> bool {
        false
    }

    fn has(&self, _: A) -> bool {
        false
    }

    fn take(&self) -> [A; 0] {
        []
    }
}
