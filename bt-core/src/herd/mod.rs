//! A pool of agents that share one tree.

mod agent_id;
mod all;
mod due;
mod memories;
mod retired;
#[cfg(feature = "serde")]
mod saved;
#[cfg(not(feature = "rayon"))]
mod sequential;
#[cfg(feature = "async")]
mod woken;

pub use agent_id::AgentId;
pub use all::AgentVisit;
pub use due::DueAgent;
pub use memories::HerdMemories;
#[cfg(feature = "serde")]
pub use saved::HerdRef;

use alloc::vec::Vec;
use core::ops::Range;

use crate::clock::Shift;
use crate::describe::Description;
#[cfg(feature = "async")]
use crate::herd::woken::WokenAgents;
use crate::memory::Memory;
use crate::node::Node;
#[cfg(not(feature = "async"))]
use crate::schedule::NoWakers;
use crate::schedule::{Due, Schedule};
use crate::status::Status;
use crate::tree::Tree;

#[cfg(not(feature = "async"))]
type WokenAgents = NoWakers<AgentId>;

/// A pool of agents: one tree, and the memories of many agents in a `Vec`.
///
/// The contexts are stored outside the herd, usually in a slice. The context of an agent is at the agent's
/// [`index`](AgentId::index) in the slice. A slot that becomes free is reused by the next agent, with a new memory.
/// With the feature `rayon`, [`par_tick_all`](Self::par_tick_all) uses all cores.
///
/// ```
/// use bt_core::prelude::*;
///
/// fn hungry(hunger: &u32) -> bool { *hunger > 2 }
/// fn eat(hunger: &mut u32) { *hunger = 0 }
/// fn work(hunger: &mut u32) { *hunger += 1 }
///
/// let mut herd = Herd::new(tree! { for u32: selector { sequence { hungry, eat }, work } });
/// let mut hungers = vec![0, 1, 9];
/// herd.grow(hungers.len());
/// let count = herd.tick_all(&mut hungers);
/// assert_eq!(hungers, [1, 2, 0]);
/// assert_eq!(count.of(Status::Success), 3);
/// ```
///
/// A clone has the same agents with the same ids and copies of their memories. The tree must be `Clone`, as an `Arc` is.
///
/// An agent leaves with [`retire`](Self::retire), which lets its cleanups end, or with [`remove`](Self::remove).
///
/// Dropping a herd closes no running node, because it does not have the contexts. Call [`halt_all`](Self::halt_all)
/// first, and [`clean_up_all`](Self::clean_up_all) until it returns `false`. [`on_running_drop`](Self::on_running_drop) reports a missing call.
pub struct Herd<N: Tree> {
    pub(crate) tree: N,
    pub(crate) memories: Vec<Memory<N>>,
    /// The agent in each slot.
    pub(crate) places: Vec<Slot>,
    pub(crate) free: Vec<u32>,
    /// The slots of agents that have retired.
    retired: Vec<u32>,
    /// The number of the newest agent. Each agent has a unique number, also across saves.
    pub(crate) newest: u32,
    on_running_drop: Option<fn(&Description)>,
    /// When each agent has to be ticked again. Without slots until [`tick_due`](Herd::tick_due) is used.
    schedule: Schedule<Vec<Due>, WokenAgents>,
}

impl<N: Tree + Clone> Clone for Herd<N> {
    fn clone(&self) -> Self {
        let Self { tree, memories, places, free, retired, newest, on_running_drop, schedule } = self;
        Self {
            tree: tree.clone(),
            memories: memories.clone(),
            places: places.clone(),
            free: free.clone(),
            retired: retired.clone(),
            newest: *newest,
            on_running_drop: *on_running_drop,
            schedule: schedule.clone(),
        }
    }
}

impl<N: Tree> Drop for Herd<N> {
    fn drop(&mut self) {
        if let Some(call) = self.on_running_drop
            && self.memories.iter().any(|memory| memory.is_running() || self.tree.is_cleaning_up(memory))
        {
            call(&self.tree.description());
        }
    }
}

/// A slot: the number of the agent in it, or 0 if the slot is free. The first bit is set if the agent has retired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Slot(pub(crate) u32);

impl Slot {
    const FREE: Self = Self(0);
    const RETIRED: u32 = 1 << 31;

    pub(crate) const fn is_taken(self) -> bool {
        self.0.cast_signed() > 0
    }

    /// Returns `true` if no agent is there, not even one that has retired.
    pub(crate) const fn is_free(self) -> bool {
        self.0 == Self::FREE.0
    }

    const fn retired(self) -> Self {
        Self(self.0 | Self::RETIRED)
    }

    /// Returns the number of the agent.
    pub(crate) const fn number(self) -> u32 {
        self.0 & !Self::RETIRED
    }
}

/// The number of agents that returned each status in one tick of a [`Herd`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StatusCounts([usize; 4]);

impl StatusCounts {
    /// Returns the number of agents that returned this status.
    pub const fn of(&self, status: Status) -> usize {
        self.0[status as usize]
    }

    /// Returns the number of agents.
    pub const fn total(&self) -> usize {
        let [a, b, c, d] = self.0;
        a + b + c + d
    }

    #[inline(always)]
    fn add(&mut self, status: Status) {
        self.0[status as usize] += 1;
    }

    #[cfg(feature = "rayon")]
    fn and(mut self, status: Status) -> Self {
        self.add(status);
        self
    }

    #[cfg(feature = "rayon")]
    fn plus(mut self, other: Self) -> Self {
        for (sum, more) in self.0.iter_mut().zip(other.0) {
            *sum += more;
        }
        self
    }
}

/// Returns the ranges of slots that are taken. Without free slots, this is one range, and no slot is read.
fn taken_ranges(places: &[Slot], all_taken: bool) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    core::iter::from_fn(move || {
        let rest = places.get(next..).filter(|rest| !rest.is_empty())?;
        let start = if all_taken { 0 } else { rest.iter().position(|place| place.is_taken())? };
        let taken = if all_taken { None } else { rest[start..].iter().position(|place| !place.is_taken()) };
        let slots = next + start..taken.map_or(places.len(), |taken| next + start + taken);
        next = slots.end;
        Some(slots)
    })
}

impl<N: Tree> Herd<N> {
    /// Creates a herd without agents.
    pub const fn new(tree: N) -> Self {
        Self {
            tree,
            memories: Vec::new(),
            places: Vec::new(),
            free: Vec::new(),
            retired: Vec::new(),
            newest: 0,
            on_running_drop: None,
            schedule: Schedule::new(Vec::new(), WokenAgents::new()),
        }
    }

    /// Calls a function with the description of the tree when this herd, or a clone of it, is dropped while an agent is
    /// running, or a cleanup that a halt has left; also when [`remove`](Self::remove) loses such a cleanup. By default, nothing is called. See [`Brain::on_running_drop`](crate::Brain::on_running_drop).
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// let mut herd = Herd::new(tree! { for u32: run }).on_running_drop(|tree| panic!("halt the herd of {tree} first"));
    /// herd.grow(2);
    /// let mut contexts = [0, 0];
    /// herd.tick_all(&mut contexts);
    /// herd.halt_all(|agent| agent.with(&mut contexts[agent.id().index()])); // without this line, the end of the scope panics
    /// ```
    #[must_use]
    pub const fn on_running_drop(mut self, call: fn(&Description)) -> Self {
        self.on_running_drop = Some(call);
        self
    }

    /// Returns the tree that all agents share.
    pub const fn tree(&self) -> &N {
        &self.tree
    }

    /// Returns the number of slots, occupied or free. This is the number of contexts that [`tick_all`](Self::tick_all)
    /// takes.
    pub const fn slots(&self) -> usize {
        self.places.len()
    }

    /// Returns the number of agents, without those that have [retired](Self::retire).
    pub const fn len(&self) -> usize {
        self.places.len() - self.free.len() - self.retired.len()
    }

    /// Returns `true` if the herd has no agents.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an agent and returns its id. The agent uses a free slot if there is one, or else a new slot after all others.
    pub fn add(&mut self) -> AgentId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.memories.push(Memory::new());
            self.places.push(Slot::default());
            u32::try_from(self.places.len() - 1).unwrap_or(u32::MAX)
        });
        // After 2^31 agents the numbers repeat.
        self.newest = Slot(self.newest.wrapping_add(1)).number().max(1);
        self.places[index as usize] = Slot(self.newest);
        self.schedule.set(index as usize, Due::NEXT);
        AgentId { index, number: self.newest }
    }

    /// Adds `agents` agents.
    pub fn grow(&mut self, agents: usize) {
        let new = agents.saturating_sub(self.free.len());
        self.memories.reserve(new);
        self.places.reserve(new);
        for _ in 0..agents {
            self.add();
        }
    }

    /// Returns the ids of all agents, in the order of their slots.
    pub fn ids(&self) -> impl Iterator<Item = AgentId> {
        let taken = self.places.iter().zip(0..).filter(|(place, _)| place.is_taken());
        taken.map(|(place, index)| AgentId { index, number: place.0 })
    }

    /// Returns the memory of an agent; `None` if the agent was removed.
    pub fn memory(&self, member: AgentId) -> Option<&Memory<N>> {
        self.has(member).then(|| &self.memories[member.index()])
    }

    /// Returns the tree and the memory of an agent; `None` if the agent was removed. Use this method for operations that
    /// the herd does not offer itself, such as observing a tick or forcing a machine into a state.
    ///
    /// ```
    /// use bt_core::observe::Statuses;
    /// use bt_core::prelude::*;
    ///
    /// let mut herd = Herd::new(tree! { for (): sequence { succeed, run } });
    /// let (watched, mut statuses) = (herd.add(), Statuses::default());
    /// if let Some((tree, memory)) = herd.get_mut(watched) {
    ///     tree.tick_with(&mut (), memory, &mut statuses);
    /// }
    /// assert!(statuses.is_running(NodeId::ROOT));
    /// ```
    pub fn get_mut(&mut self, member: AgentId) -> Option<(&N, &mut Memory<N>)> {
        self.wake(member);
        self.has(member).then(|| (&self.tree, &mut self.memories[member.index()]))
    }

    /// Returns `true` if the agent has not been removed.
    pub fn has(&self, member: AgentId) -> bool {
        self.places.get(member.index()).is_some_and(|place| place.is_taken() && place.0 == member.number)
    }

    /// Ticks one agent; returns `None` if the agent was removed.
    pub fn tick<C: ?Sized>(&mut self, member: AgentId, ctx: &mut C) -> Option<Status>
    where
        N: Node<C>,
    {
        self.wake(member);
        self.has(member).then(|| self.tree.tick(ctx, &mut self.memories[member.index()]))
    }

    /// Ticks every agent with the context at its slot, in order, and then the cleanups of agents that have [retired](Self::retire). Contexts
    /// at free slots are not used.
    ///
    /// The cost per agent does not depend on the number of agents, as long as the data that a tick reads and writes is
    /// contiguous and fits the caches. A million contexts of 256 bytes cost up to three times as much per agent as
    /// contexts of 8 bytes (see `benches`). Data that a tick does not need can be stored elsewhere.
    ///
    /// # Panics
    ///
    /// Panics if the number of contexts differs from the number of [slots](Self::slots).
    #[track_caller]
    pub fn tick_all<C>(&mut self, contexts: &mut [C]) -> StatusCounts
    where
        N: Node<C>,
    {
        self.expect(contexts.len());
        self.wake_all();
        let mut counts = StatusCounts::default();
        let all_taken = self.free.is_empty() && self.retired.is_empty();
        for slots in taken_ranges(&self.places, all_taken) {
            for (memory, ctx) in self.memories[slots.clone()].iter_mut().zip(&mut contexts[slots]) {
                counts.add(self.tree.tick(ctx, memory));
            }
        }
        self.tick_retired(contexts);
        counts
    }

    /// Converts the times stored in all memories to another clock. See [`Shift`].
    pub fn shift(&mut self, by: Shift) {
        self.wake_all();
        for memory in &mut self.memories {
            self.tree.shift(memory, by);
        }
    }

    /// Calls a function for every agent, in order. Use this method for contexts that are created on demand, such as
    /// contexts that borrow the world. For agents that have [retired](Self::retire), call
    /// [`clean_up_retired`](Self::clean_up_retired).
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// struct Body<'w> { all: &'w mut Vec<u32>, me: usize }
    /// #[action]
    /// fn step(body: &mut Body<'_>) { body.all[body.me] += 1 }
    ///
    /// let mut herd = Herd::new(tree! { step });
    /// herd.grow(2);
    /// let mut all = vec![0, 5];
    /// herd.for_each(|member, tree, memory| {
    ///     tree.tick(&mut Body { all: &mut all, me: member.index() }, memory);
    /// });
    /// assert_eq!(all, [1, 6]);
    /// ```
    pub fn for_each(&mut self, mut call: impl FnMut(AgentId, &N, &mut Memory<N>)) {
        self.wake_all();
        for ((memory, place), index) in self.memories.iter_mut().zip(&self.places).zip(0..) {
            if place.is_taken() {
                call(AgentId { index, number: place.0 }, &self.tree, memory);
            }
        }
    }

    /// Like [`tick_all`](Self::tick_all), on all cores. Agents only access their own contexts, so the result is the
    /// same.
    ///
    /// Use this method for about 10,000 agents or more: with fewer, distributing the work takes longer than the ticks (see
    /// `benches`).
    ///
    /// # Panics
    ///
    /// Panics if the number of contexts differs from the number of [slots](Self::slots).
    #[cfg(feature = "rayon")]
    #[track_caller]
    pub fn par_tick_all<C: Send>(&mut self, contexts: &mut [C]) -> StatusCounts
    where
        N: Node<C> + Sync,
    {
        use rayon::prelude::*;
        self.expect(contexts.len());
        self.wake_all();
        let slots = self.memories.par_iter_mut().zip(&self.places).zip(&mut *contexts);
        let taken = slots.filter(|((_, place), _)| place.is_taken());
        let counts = taken
            .fold(StatusCounts::default, |counts, ((memory, _), ctx)| counts.and(self.tree.tick(ctx, memory)))
            .reduce(StatusCounts::default, StatusCounts::plus);
        self.tick_retired(contexts);
        counts
    }

    /// Like [`for_each`](Self::for_each), on all cores, over a slice with one item for each slot. Use this method for
    /// contexts that are created from that item and from shared data.
    ///
    /// # Panics
    ///
    /// Panics if the length of the slice differs from the number of [slots](Self::slots).
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// struct Body<'w> { height: &'w mut u32, step: &'w u32 }
    /// #[action]
    /// fn climb(body: &mut Body<'_>) { *body.height += body.step }
    ///
    /// let mut herd = Herd::new(tree! { climb });
    /// herd.grow(2);
    /// let (mut heights, step) = (vec![0, 5], 3);
    /// herd.par_for_each(&mut heights, |_, tree, memory, height| {
    ///     tree.tick(&mut Body { height, step: &step }, memory);
    /// });
    /// assert_eq!(heights, [3, 8]);
    /// ```
    #[cfg(feature = "rayon")]
    #[track_caller]
    pub fn par_for_each<S: Send>(&mut self, each: &mut [S], call: impl Fn(AgentId, &N, &mut Memory<N>, &mut S) + Sync)
    where
        N: Sync,
    {
        use rayon::prelude::*;
        self.expect(each.len());
        self.wake_all();
        let (tree, places) = (&self.tree, &self.places);
        self.memories.par_iter_mut().zip(places).zip(each).enumerate().for_each(|(index, ((memory, place), each))| {
            if let (true, Ok(index)) = (place.is_taken(), u32::try_from(index)) {
                call(AgentId { index, number: place.0 }, tree, memory, each);
            }
        });
    }

    #[track_caller]
    fn expect(&self, contexts: usize) {
        let slots = self.slots();
        assert!(contexts == slots, "expected {slots} contexts, found {contexts}");
    }
}
