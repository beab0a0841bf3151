//! Agents that sleep: the herd ticks only those that are due.

use core::time::Duration;

use crate::herd::{AgentId, Herd, Slot, StatusCounts, WokenAgents};
use crate::memory::Memory;
use crate::node::Node;
use crate::observer::Observer;
use crate::schedule::{Due, Schedule, Wakers};
use crate::status::Status;
use crate::tree::Tree;
use crate::wake::{Wake, WakeVisit};

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

    /// Halts the agent, which stays due.
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
    /// Ticks the agents that are due, with the context at their slots, in order. The others sleep: a tick would not
    /// change them.
    ///
    /// `now` is the time that the contexts return as their [`Clock`](crate::Clock). An agent is due at the time that its last
    /// tick determined ([`Tree::due`]), or after it was [woken](Self::wake). The result counts the agents that were ticked.
    ///
    /// A sleeping agent costs a comparison of 8 bytes per tick. All other methods that tick or change agents wake them. All
    /// agents are ticked if `now` is less than in the last call, or if the last call panicked.
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
        self.tick_retired(contexts);
        counts
    }

    /// Calls a function for every agent that is due, in order. The function [ticks](DueAgent::tick) the agent. An agent that is
    /// not ticked stays due. Use this method for contexts that are created on demand, and for observers. See
    /// [`tick_due`](Self::tick_due). For agents that have [retired](Self::retire), call
    /// [`clean_up_retired`](Self::clean_up_retired).
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
        let Schedule { due, wakers, .. } = &mut self.schedule;
        let (due, memories) = (&mut due[..slots], &mut self.memories[..slots]);
        let (places, each) = (&self.places[..slots], &mut each[..slots]);
        // Of an agent that sleeps, nothing else is read.
        for index in 0..slots {
            if due[index] <= until {
                let slot = (u32::try_from(index).unwrap_or(u32::MAX), places[index]);
                let (memory, item) = (&mut memories[index], &mut each[index]);
                DueAgent::visit(&self.tree, wakers, slot, memory, &mut due[index], |agent| tick(agent, item));
            }
        }
        self.schedule.end(now);
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
        let Schedule { due, wakers, .. } = &mut self.schedule;
        let (tree, woken) = (&self.tree, &*wakers);
        let slots = self.memories.par_iter_mut().zip(&self.places).zip(&mut *contexts).zip(due).enumerate();
        let due = slots.filter(|(_, (_, due))| **due <= until);
        let counts = due.fold(StatusCounts::default, |mut counts, (index, (((memory, place), ctx), due))| {
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            DueAgent::visit(tree, woken, (index, *place), memory, due, |agent| counts.add(agent.tick(ctx)));
            counts
        });
        let counts = counts.reduce(StatusCounts::default, StatusCounts::plus);
        self.schedule.end(now);
        self.tick_retired(contexts);
        counts
    }

    /// Begins a tick. Returns the last time that is due.
    fn advance(&mut self, now: Duration) -> Due {
        let until = self.schedule.begin(now);
        let known = self.schedule.due.len();
        let new = self.places.iter().skip(known);
        self.schedule.due.extend(new.map(|place| if place.is_taken() { Due::NEXT } else { Due::FREE }));
        for agent in self.schedule.wakers.take() {
            self.wake(agent);
        }
        until
    }

    /// Wakes an agent after an event, so that [`tick_due`](Self::tick_due) ticks it. Returns whether the agent was present.
    pub fn wake(&mut self, member: AgentId) -> bool {
        let is_present = self.has(member);
        if is_present {
            self.schedule.set(member.index(), Due::NEXT);
        }
        is_present
    }

    /// Returns the waker of an agent: it [wakes](Self::wake) the agent, from any thread. The futures of the agent's asynchronous
    /// actions use this waker. The waker has no effect after the agent was removed.
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
        self.schedule.wakers.waker(member)
    }

    /// Sets the waker that is called when a [waker](Self::waker) of an agent is called. A loop that sleeps until
    /// [`next_due`](Self::next_due) can end its sleep with this waker.
    #[cfg(feature = "async")]
    pub fn on_wake(&self, waker: core::task::Waker) {
        self.schedule.wakers.pass_on_to(waker);
    }

    /// Wakes all agents.
    pub fn wake_all(&mut self) {
        self.schedule.wake_all();
    }

    /// Returns when an agent has to be ticked again; `None` if the agent was removed.
    pub fn due(&self, member: AgentId) -> Option<Wake> {
        self.has(member).then(|| self.schedule.of(member.index(), member).into())
    }

    /// Returns when the first agent has to be ticked again; [`Wake::Event`] if there are no agents, or all wait for events. A
    /// loop that has nothing else to do can sleep until then. While an agent that has [retired](Self::retire) is cleaning up, it is
    /// [`Wake::Next`].
    pub fn next_due(&self) -> Wake {
        if self.is_retiring() {
            return Wake::Next;
        }
        self.ids().map(|id| self.schedule.of(id.index(), id)).min().map_or(Wake::Event, Wake::from)
    }
}
