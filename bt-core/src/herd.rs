//! One tree, many agents.

use alloc::vec::Vec;

use crate::clock::Shift;
use crate::memory::Memory;
use crate::node::Node;
use crate::status::Status;
use crate::tree::Tree;

/// One tree and the memories of many agents, side by side in a `Vec`.
///
/// Contexts stay with you, in a slice of your own: that of a [`AgentId`] is at its [`index`](AgentId::index). Agents come and go; a place that became free
/// is given to the next one, with a memory as new. With the feature `rayon`, [`par_tick_all`](Self::par_tick_all) uses all cores.
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
pub struct Herd<N: Tree> {
    pub(crate) tree: N,
    pub(crate) memories: Vec<Memory<N>>,
    /// Who is at each place.
    pub(crate) places: Vec<Slot>,
    pub(crate) free: Vec<u32>,
    /// The number of the agent that was added last. Each agent has a number of its own, also over saves.
    pub(crate) newest: u32,
}

/// A place: the number of the agent that is there, or 0 if it is free.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Slot(pub(crate) u32);

impl Slot {
    const FREE: Self = Self(0);

    pub(crate) const fn is_taken(self) -> bool {
        self.0 != Self::FREE.0
    }
}

/// An agent of a [`Herd`]. Once it was removed, nobody else is taken for it, even in its old place.
///
/// It means an agent of the herd that made it, also after that has loaded a save of its own. To other herds, or to one that loads saves which two programs made one after the other from the same
/// save, it is a number like any other: take members from [`Herd::members`] after such a load.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AgentId {
    index: u32,
    number: u32,
}

impl AgentId {
    /// Its place: where its context stands in the slice that [`Herd::tick_all`] takes.
    pub const fn index(self) -> usize {
        self.index as usize
    }
}

/// How many agents gave which status in one tick of a [`Herd`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StatusCounts([usize; 4]);

impl StatusCounts {
    /// How many gave this status.
    pub const fn of(&self, status: Status) -> usize {
        self.0[status as usize]
    }

    fn one(status: Status) -> Self {
        let mut count = Self::default();
        count.0[status as usize] = 1;
        count
    }

    fn plus(mut self, other: Self) -> Self {
        for (sum, more) in self.0.iter_mut().zip(other.0) {
            *sum += more;
        }
        self
    }
}

impl<N: Tree> Herd<N> {
    /// A herd of nobody.
    pub const fn new(tree: N) -> Self {
        Self { tree, memories: Vec::new(), places: Vec::new(), free: Vec::new(), newest: 0 }
    }

    /// The tree that all of them share.
    pub const fn tree(&self) -> &N {
        &self.tree
    }

    /// How many places there are, taken or free: how many contexts [`tick_all`](Self::tick_all) takes.
    pub const fn places(&self) -> usize {
        self.places.len()
    }

    /// How many agents there are.
    pub const fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }

    /// Whether there is no agent.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an agent: in a free place if there is one, else in a new one behind all others.
    pub fn add(&mut self) -> AgentId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.memories.push(Memory::new());
            self.places.push(Slot::default());
            u32::try_from(self.places.len() - 1).unwrap_or(u32::MAX)
        });
        // (After 2^32 agents the numbers begin again.)
        self.newest = self.newest.wrapping_add(1).max(1);
        self.places[index as usize] = Slot(self.newest);
        AgentId { index, number: self.newest }
    }

    /// Adds so many agents.
    pub fn grow(&mut self, agents: usize) {
        let new = agents.saturating_sub(self.free.len());
        self.memories.reserve(new);
        self.places.reserve(new);
        for _ in 0..agents {
            self.add();
        }
    }

    /// All agents, in the order of their places.
    pub fn members(&self) -> impl Iterator<Item = AgentId> {
        let taken = self.places.iter().zip(0..).filter(|(place, _)| place.is_taken());
        taken.map(|(place, index)| AgentId { index, number: place.0 })
    }

    /// What an agent remembers; `None` if it was removed.
    pub fn memory(&self, member: AgentId) -> Option<&Memory<N>> {
        self.has(member).then(|| &self.memories[member.index()])
    }

    /// The tree and what an agent remembers of it, for whatever else can be done with a tree: observing it, forcing a state of a machine.
    ///
    /// ```
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
        self.has(member).then(|| (&self.tree, &mut self.memories[member.index()]))
    }

    /// Whether an agent is still there.
    pub fn has(&self, member: AgentId) -> bool {
        self.places.get(member.index()).is_some_and(|place| place.is_taken() && place.0 == member.number)
    }

    /// Ticks one agent; `None` if it was removed.
    pub fn tick<C: ?Sized>(&mut self, member: AgentId, ctx: &mut C) -> Option<Status>
    where
        N: Node<C>,
    {
        self.has(member).then(|| self.tree.tick(ctx, &mut self.memories[member.index()]))
    }

    /// Removes an agent. Whatever is open is halted, and its memory is forgotten. Says whether the agent was there.
    pub fn remove<C: ?Sized>(&mut self, member: AgentId, ctx: &mut C) -> bool
    where
        N: Node<C>,
    {
        if !self.has(member) {
            return false;
        }
        let memory = &mut self.memories[member.index()];
        self.tree.halt(ctx, memory);
        memory.reset();
        self.places[member.index()] = Slot::FREE;
        self.free.push(member.index);
        true
    }

    /// Ticks every agent with the context at its place, in order. Contexts at free places are left alone.
    ///
    /// An agent costs the same whatever their number, as long as what a tick touches of its context stands together: a million contexts of 256
    /// bytes cost a third more each than ones of 8 (see `benches`). What a tick does not need can stand elsewhere.
    ///
    /// # Panics
    ///
    /// If there are not as many contexts as [`places`](Self::places).
    #[track_caller]
    pub fn tick_all<C>(&mut self, contexts: &mut [C]) -> StatusCounts
    where
        N: Node<C>,
    {
        self.expect(contexts.len());
        let taken = self.memories.iter_mut().zip(&self.places).zip(contexts).filter(|((_, place), _)| place.is_taken());
        taken.fold(StatusCounts::default(), |count, ((memory, _), ctx)| {
            count.plus(StatusCounts::one(self.tree.tick(ctx, memory)))
        })
    }

    /// Arity the times in all memories over to another clock: see [`Shift`].
    pub fn shift(&mut self, by: Shift) {
        for memory in &mut self.memories {
            self.tree.shift(memory, by);
        }
    }

    /// Calls back for every agent, in order: for contexts that are made as they are needed, such as ones that borrow the world.
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
        for ((memory, place), index) in self.memories.iter_mut().zip(&self.places).zip(0..) {
            if place.is_taken() {
                call(AgentId { index, number: place.0 }, &self.tree, memory);
            }
        }
    }

    /// [`tick_all`](Self::tick_all) on all cores. Agents see only their own contexts, so the result is the same.
    ///
    /// Worth it from about a thousand agents on: sharing out fewer takes longer than ticking them (see `benches`).
    ///
    /// # Panics
    ///
    /// If there are not as many contexts as [`places`](Self::places).
    #[cfg(feature = "rayon")]
    #[track_caller]
    pub fn par_tick_all<C: Send>(&mut self, contexts: &mut [C]) -> StatusCounts
    where
        N: Node<C> + Sync,
    {
        use rayon::prelude::*;
        self.expect(contexts.len());
        let taken =
            self.memories.par_iter_mut().zip(&self.places).zip(contexts).filter(|((_, place), _)| place.is_taken());
        taken
            .map(|((memory, _), ctx)| StatusCounts::one(self.tree.tick(ctx, memory)))
            .reduce(StatusCounts::default, StatusCounts::plus)
    }

    /// [`for_each`](Self::for_each) on all cores, over a slice with something for each place: for contexts that are made of that and of what all
    /// share.
    ///
    /// # Panics
    ///
    /// If the slice is not as long as there are [`places`](Self::places).
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
        let (tree, places) = (&self.tree, &self.places);
        self.memories.par_iter_mut().zip(places).zip(each).enumerate().for_each(|(index, ((memory, place), each))| {
            if let (true, Ok(index)) = (place.is_taken(), u32::try_from(index)) {
                call(AgentId { index, number: place.0 }, tree, memory, each);
            }
        });
    }

    #[track_caller]
    fn expect(&self, contexts: usize) {
        let places = self.places();
        assert!(contexts == places, "expected {places} contexts, found {contexts}");
    }
}
