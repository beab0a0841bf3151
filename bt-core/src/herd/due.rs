//! Agents that sleep: the herd ticks only those that are due.

use core::num::NonZeroU64;
use core::time::Duration;

use crate::clock::Moment;
use crate::herd::woken::WokenAgents;
use crate::herd::{AgentId, Herd, Slot, StatusCounts};
use crate::memory::Memory;
use crate::node::Node;
use crate::observe::Observer;
use crate::status::Status;
use crate::tree::Tree;
use crate::wake::{Wake, WakeVisit};

/// When an agent has to be ticked again: the bits of a [`Moment`], 0 in the next tick, the maximum after an event. The maximum in
/// free slots.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Due(u64);

impl Due {
    pub(super) const NEXT: Self = Self(0);
    pub(super) const NEVER: Self = Self(u64::MAX);

    fn at(time: Duration) -> Self {
        Self(Moment::at(time).bits().get())
    }
}

impl From<Wake> for Due {
    #[inline]
    fn from(wake: Wake) -> Self {
        match wake {
            Wake::Next => Self::NEXT,
            Wake::At(time) => Self::at(time),
            Wake::Event => Self::NEVER,
        }
    }
}

impl From<Due> for Wake {
    fn from(due: Due) -> Self {
        match NonZeroU64::new(due.0) {
            None => Self::Next,
            Some(NonZeroU64::MAX) => Self::Event,
            Some(bits) => Self::At(Moment::from_bits(bits).time()),
        }
    }
}

/// An agent that is due. The argument of the function that [`Herd::for_each_due`] calls.
pub struct DueAgent<'h, N: Tree> {
    id: AgentId,
    tree: &'h N,
    memory: &'h mut Memory<N>,
    /// When it is due after this tick.
    due: Due,
    woken: &'h WokenAgents,
}

impl<'h, N: Tree> DueAgent<'h, N> {
    /// Calls a function for the agent in a slot, which is due, and notes when it is due again.
    #[inline(always)]
    fn visit(
        tree: &'h N,
        woken: &'h WokenAgents,
        (index, Slot(number)): (u32, Slot),
        memory: &'h mut Memory<N>,
        due: &mut Due,
        tick: impl FnOnce(&mut Self),
    ) {
        let id = AgentId { index, number };
        let mut agent = Self { id, tree, memory, due: Due::NEXT, woken };
        tick(&mut agent);
        // An agent that does not sleep costs no write.
        if *due != agent.due {
            *due = agent.due;
        }
    }

    /// Returns the id of the agent.
    pub const fn id(&self) -> AgentId {
        self.id
    }

    /// Returns the tree.
    pub const fn tree(&self) -> &N {
        self.tree
    }

    /// Returns the memory of the agent.
    pub const fn memory(&self) -> &Memory<N> {
        self.memory
    }

    /// Ticks the agent and returns its status. Until it is due again, it sleeps.
    #[inline(always)]
    pub fn tick<C: ?Sized>(&mut self, ctx: &mut C) -> Status
    where
        N: Node<C>,
    {
        self.tick_with(ctx, &mut ())
    }

    /// Like [`tick`](Self::tick), and reports the events of the tick to an observer.
    #[inline(always)]
    pub fn tick_with<C: ?Sized, O: Observer>(&mut self, ctx: &mut C, observer: &mut O) -> Status
    where
        N: Node<C>,
    {
        let status = self.tree.tick_with(ctx, self.memory, observer);
        let waker = || self.woken.waker(self.id);
        self.due = self.tree.due_with(status, self.memory, &mut WakeVisit::with_waker(ctx, &waker)).into();
        status
    }

    /// Returns when the agent has to be ticked again, after [`tick`](Self::tick); [`Wake::Next`] before it.
    pub fn due(&self) -> Wake {
        self.due.into()
    }

    /// Halts the agent. It stays due.
    pub fn halt<C: ?Sized>(&mut self, ctx: &mut C)
    where
        N: Node<C>,
    {
        self.halt_with(ctx, &mut ());
    }

    /// Like [`halt`](Self::halt), and reports the events to an observer.
    pub fn halt_with<C: ?Sized, O: Observer>(&mut self, ctx: &mut C, observer: &mut O)
    where
        N: Node<C>,
    {
        self.due = Due::NEXT;
        self.tree.halt_with(ctx, self.memory, observer);
    }
}

impl<N: Tree> Herd<N> {
    /// Ticks the agents that are due, with the context at their slots, in order. The others sleep: a tick would change
    /// nothing in them.
    ///
    /// `now` is the time that the contexts return as their [`Clock`](crate::Clock). An agent is due at the time that its last
    /// tick determined ([`Tree::due`]), or after it was [woken](Self::wake). The result counts the agents that were ticked.
    ///
    /// A sleeping agent costs a comparison of 8 bytes per tick. All other methods that tick or change agents wake them. All
    /// agents are ticked if the time is less than before, or if the last call has panicked.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// struct Npc { now: Duration, hit: bool, steps: u32 }
    /// impl Clock for Npc { fn now(&self) -> Duration { self.now } }
    ///
    /// let mut herd = Herd::new(tree! {
    ///     for Npc: selector {
    ///         sequence { by_event { |npc: &Npc| npc.hit }, |npc: &mut Npc| npc.hit = false }
    ///         mem_sequence { |npc: &mut Npc| npc.steps += 1, wait(secs(5)) }
    ///     }
    /// });
    /// let ann = herd.add();
    /// let mut npcs = [Npc { now: secs(0), hit: false, steps: 0 }];
    /// let mut ticks = 0;
    /// for second in 0..20 {
    ///     npcs[0].now = secs(second);
    ///     if second == 7 {
    ///         npcs[0].hit = true;
    ///         herd.wake(ann);                                // an event
    ///     }
    ///     let ticked = herd.tick_due(secs(second), &mut npcs);
    ///     ticks += ticked.total();
    /// }
    /// assert_eq!((npcs[0].steps, ticks), (4, 8));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the number of contexts differs from the number of [slots](Self::slots).
    #[track_caller]
    pub fn tick_due<C>(&mut self, now: Duration, contexts: &mut [C]) -> StatusCounts
    where
        N: Node<C>,
    {
        self.expect(contexts.len());
        let mut counts = StatusCounts::default();
        self.visit_due(now, contexts, |agent, ctx| counts.add(agent.tick(ctx)));
        counts
    }

    /// Calls a function for every agent that is due, in order, which [ticks](DueAgent::tick) the agent. An agent that it does not
    /// tick stays due. Use it for contexts that are created on demand, and for observers. See [`tick_due`](Self::tick_due).
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// struct Body<'w> { all: &'w mut Vec<u32>, me: usize, now: Duration }
    /// impl Clock for Body<'_> { fn now(&self) -> Duration { self.now } }
    /// #[action]
    /// fn step(body: &mut Body<'_>) { body.all[body.me] += 1 }
    ///
    /// let mut herd = Herd::new(tree! { mem_sequence { step, wait(secs(2)) } });
    /// herd.grow(2);
    /// let mut all = vec![0, 5];
    /// for second in 0..6 {
    ///     herd.for_each_due(secs(second), |agent| {
    ///         let me = agent.id().index();
    ///         agent.tick(&mut Body { all: &mut all, me, now: secs(second) });
    ///     });
    /// }
    /// assert_eq!(all, [2, 7]);
    /// ```
    pub fn for_each_due(&mut self, now: Duration, mut tick: impl FnMut(&mut DueAgent<'_, N>)) {
        let slots = self.slots();
        self.visit_due(now, &mut alloc::vec![(); slots], |agent, ()| tick(agent));
    }

    /// Calls a function for every agent that is due, with the item of its slot.
    #[inline(always)]
    fn visit_due<S>(&mut self, now: Duration, each: &mut [S], mut tick: impl FnMut(&mut DueAgent<'_, N>, &mut S)) {
        let until = self.advance(now);
        let slots = self.places.len();
        let (due, memories) = (&mut self.due[..slots], &mut self.memories[..slots]);
        let (places, each) = (&self.places[..slots], &mut each[..slots]);
        // Of an agent that sleeps, nothing else is read.
        for index in 0..slots {
            if due[index] <= until {
                let slot = (u32::try_from(index).unwrap_or(u32::MAX), places[index]);
                let (memory, item) = (&mut memories[index], &mut each[index]);
                DueAgent::visit(&self.tree, &self.woken, slot, memory, &mut due[index], |agent| tick(agent, item));
            }
        }
        self.now = Some(now);
    }

    /// Like [`tick_due`](Self::tick_due), on all cores. Agents only access their own contexts, so the result is the same.
    ///
    /// # Panics
    ///
    /// Panics if the number of contexts differs from the number of [slots](Self::slots).
    #[cfg(feature = "rayon")]
    #[track_caller]
    pub fn par_tick_due<C: Send>(&mut self, now: Duration, contexts: &mut [C]) -> StatusCounts
    where
        N: Node<C> + Sync,
    {
        use rayon::prelude::*;
        self.expect(contexts.len());
        let until = self.advance(now);
        let (tree, woken) = (&self.tree, &self.woken);
        let slots = self.memories.par_iter_mut().zip(&self.places).zip(contexts).zip(&mut self.due).enumerate();
        let due = slots.filter(|(_, (_, due))| **due <= until);
        let counts = due.fold(StatusCounts::default, |mut counts, (index, (((memory, place), ctx), due))| {
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            DueAgent::visit(tree, woken, (index, *place), memory, due, |agent| counts.add(agent.tick(ctx)));
            counts
        });
        let counts = counts.reduce(StatusCounts::default, StatusCounts::plus);
        self.now = Some(now);
        counts
    }

    /// Begins a tick. Returns the last time that is due.
    fn advance(&mut self, now: Duration) -> Due {
        // There is no time after a tick that has panicked: then all agents are due.
        if self.now.take().is_none_or(|last| now < last) {
            self.wake_all();
        }
        if self.due.len() < self.places.len() {
            self.due.resize(self.places.len(), Due::NEXT);
            self.free_slots_sleep();
        }
        for agent in self.woken.take() {
            self.wake(agent);
        }
        Due::at(now)
    }

    /// Wakes an agent after an event, so that [`tick_due`](Self::tick_due) ticks it. Returns whether the agent was present.
    pub fn wake(&mut self, member: AgentId) -> bool {
        let is_present = self.has(member);
        if is_present {
            self.set_due(member.index(), Due::NEXT);
        }
        is_present
    }

    /// Returns the waker of an agent: it [wakes](Self::wake) the agent, from any thread. The futures of the agent's asynchronous
    /// actions use it. It has no effect after the agent was removed.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// let mut herd = Herd::new(tree! { for (): run });
    /// let agent = herd.add();
    /// let waker = herd.waker(agent);
    /// assert_eq!(herd.tick_due(secs(1), &mut [()]).total(), 1);
    /// assert_eq!(herd.tick_due(secs(2), &mut [()]).total(), 0);
    /// std::thread::spawn(move || waker.wake()).join().unwrap();
    /// assert_eq!(herd.tick_due(secs(3), &mut [()]).total(), 1);
    /// ```
    #[cfg(feature = "async")]
    pub fn waker(&self, member: AgentId) -> core::task::Waker {
        self.woken.waker(member)
    }

    /// Sets the waker that is called when a [waker](Self::waker) of an agent is called. A loop that sleeps until
    /// [`next_due`](Self::next_due) can end its sleep with it.
    #[cfg(feature = "async")]
    pub fn on_wake(&self, waker: core::task::Waker) {
        self.woken.pass_on_to(waker);
    }

    /// Wakes all agents.
    pub fn wake_all(&mut self) {
        self.due.fill(Due::NEXT);
        self.free_slots_sleep();
    }

    /// A slot from which the agent was removed is never due.
    fn free_slots_sleep(&mut self) {
        for index in &self.free {
            // There is no time yet of a slot that was added since the last tick of those that are due.
            if let Some(due) = self.due.get_mut(*index as usize) {
                *due = Due::NEVER;
            }
        }
    }

    /// Sets when a slot is due. Does nothing until `tick_due` is used.
    pub(super) fn set_due(&mut self, index: usize, due: Due) {
        if let Some(slot) = self.due.get_mut(index) {
            *slot = due;
        }
    }

    /// Returns when an agent has to be ticked again; `None` if the agent was removed.
    pub fn due(&self, member: AgentId) -> Option<Wake> {
        let due = || if self.woken.has(member) { Due::NEXT } else { self.slot_due(member.index()) };
        self.has(member).then(|| due().into())
    }

    /// Returns when the first agent has to be ticked again; [`Wake::Event`] if there are no agents, or all wait for events. A
    /// loop that has nothing else to do can sleep until then.
    pub fn next_due(&self) -> Wake {
        if !self.woken.is_empty() {
            return Wake::Next;
        }
        let taken = self.places.iter().enumerate().filter(|(_, place)| place.is_taken());
        taken.map(|(index, _)| self.slot_due(index)).min().map_or(Wake::Event, Wake::from)
    }

    fn slot_due(&self, index: usize) -> Due {
        let due = self.due.get(index).filter(|_| self.now.is_some());
        due.copied().unwrap_or(Due::NEXT)
    }
}
