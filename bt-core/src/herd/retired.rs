//! Agents that leave a herd: their slots stay occupied until their cleanups have ended.

use crate::herd::all::{AgentVisit, Call};
use crate::herd::{AgentId, Herd, Slot};
use crate::node::Node;
use crate::schedule::Due;
use crate::tree::Tree;

impl<N: Tree> Herd<N> {
    /// Removes an agent whose cleanup may take several ticks: halts its running nodes. Its slot and its context are in use until the
    /// cleanup has ended ([`finally`](crate::keywords::finally)); then the slot is free. Returns `true` if a cleanup is left running.
    ///
    /// The agent is not ticked any more, and its id is invalid. [`tick_all`](Self::tick_all), [`tick_due`](Self::tick_due) and their
    /// parallel forms tick its cleanup with the context at its slot. With contexts that are created on demand, call
    /// [`clean_up_retired`](Self::clean_up_retired) in each tick.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// #[derive(Default)]
    /// struct Guest { at_table: bool, paid: bool }
    /// fn sit(guest: &mut Guest) { guest.at_table = true }
    /// fn pay(guest: &mut Guest) -> Status {
    ///     if !guest.paid { return Status::Running }
    ///     guest.at_table = false;
    ///     Status::Success
    /// }
    ///
    /// let mut herd = Herd::new(tree! { for Guest: mem_sequence { sit, finally { run, pay } } });
    /// let ann = herd.add();
    /// let mut guests = [Guest::default()];
    /// herd.tick_all(&mut guests);
    ///
    /// assert!(herd.retire(ann, &mut guests[0]));              // `pay` begins, and needs more ticks
    /// assert!(!herd.has(ann) && guests[0].at_table);
    /// guests[0].paid = true;
    /// herd.tick_all(&mut guests);                             // ticks only `pay`
    /// assert!(!guests[0].at_table);
    /// assert_eq!(herd.add().index(), 0);                      // the slot is free
    /// ```
    pub fn retire<C: ?Sized>(&mut self, member: AgentId, ctx: &mut C) -> bool
    where
        N: Node<C>,
    {
        if !self.has(member) {
            return false;
        }
        let memory = &mut self.memories[member.index()];
        self.tree.halt(ctx, memory);
        let is_left = self.tree.is_cleaning_up(memory);
        self.places[member.index()] = Slot(member.number).retired();
        self.schedule.set(member.index(), Due::FREE);
        self.retired.push(member.index);
        self.release_retired();
        is_left
    }

    /// Removes an agent: halts its running nodes and clears its memory. Returns whether the agent was present.
    ///
    /// A cleanup that the halt leaves running is lost: use [`retire`](Self::retire) for trees with such cleanups. If one is lost, the
    /// function of [`on_running_drop`](Self::on_running_drop) is called.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// let mut herd = Herd::new(tree! { for u32: finally { run, |n: &mut u32| *n += 1 } });
    /// let ann = herd.add();
    /// let mut contexts = [0];
    /// herd.tick_all(&mut contexts);
    /// assert!(herd.remove(ann, &mut contexts[0]));
    /// assert_eq!(contexts, [1]);                              // the cleanup took one tick
    /// assert!(!herd.has(ann));
    /// ```
    pub fn remove<C: ?Sized>(&mut self, member: AgentId, ctx: &mut C) -> bool
    where
        N: Node<C>,
    {
        if !self.has(member) {
            return false;
        }
        if self.retire(member, ctx) {
            self.memories[member.index()].reset();
            self.release_retired();
            if let Some(call) = self.on_running_drop {
                call(&self.tree.description());
            }
        }
        true
    }

    /// Ticks the cleanups of agents that have [retired](Self::retire), and frees the slots of those that have ended. The function passes the
    /// context of the agent. Returns `true` while a cleanup is running.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// struct Body<'w> { taken: &'w mut Vec<u32>, me: usize }
    /// fn take(body: &mut Body<'_>) { body.taken[body.me] = 2 }
    /// fn give_back(body: &mut Body<'_>) -> Status {
    ///     body.taken[body.me] -= 1;
    ///     if body.taken[body.me] > 0 { Status::Running } else { Status::Success }
    /// }
    ///
    /// let mut herd = Herd::new(tree! { for Body<'_>: mem_sequence { take, finally { run, give_back } } });
    /// let (ann, _) = (herd.add(), herd.add());
    /// let mut taken = vec![0, 0];
    /// for tick in 0..3 {
    ///     herd.for_each(|agent, tree, memory| {
    ///         tree.tick(&mut Body { taken: &mut taken, me: agent.index() }, memory);
    ///     });
    ///     herd.clean_up_retired(|agent| agent.with(&mut Body { taken: &mut taken, me: agent.id().index() }));
    ///     if tick == 1 {
    ///         herd.retire(ann, &mut Body { taken: &mut taken, me: ann.index() });
    ///     }
    /// }
    /// assert_eq!(taken, [0, 2]);
    /// ```
    pub fn clean_up_retired(&mut self, mut visit: impl FnMut(&mut AgentVisit<'_, N>)) -> bool {
        for index in self.retired.iter().copied() {
            let id = AgentId { index, number: self.places[index as usize].number() };
            let memory = &mut self.memories[id.index()];
            visit(&mut AgentVisit { id, tree: &self.tree, memory, call: Call::CleanUp });
        }
        self.release_retired();
        self.is_retiring()
    }

    /// Returns `true` if an agent that has [retired](Self::retire) is still cleaning up.
    pub const fn is_retiring(&self) -> bool {
        !self.retired.is_empty()
    }

    /// Ticks the cleanups of agents that have retired, with the contexts at their slots.
    #[inline]
    pub(super) fn tick_retired<C>(&mut self, contexts: &mut [C])
    where
        N: Node<C>,
    {
        if self.is_retiring() {
            self.clean_up_retired(|agent| agent.with(&mut contexts[agent.id().index()]));
        }
    }

    /// Frees the slots of agents that have retired and whose cleanups have ended.
    pub(super) fn release_retired(&mut self) {
        let Self { tree, memories, places, free, retired, .. } = self;
        retired.retain(|index| {
            let memory = &mut memories[*index as usize];
            let is_left = tree.is_cleaning_up(memory);
            if !is_left {
                memory.reset();
                places[*index as usize] = Slot::FREE;
                free.push(*index);
            }
            is_left
        });
    }
}
