//! A tree and the memory of one agent in a box.

use alloc::sync::Arc;
use core::fmt;
use core::time::Duration;

use crate::clock::Shift;
use crate::describe::Description;
use crate::erased::memory::BoxMemory;
use crate::erased::node::{BoxNode, DynNode, DynShape};
use crate::memory::Memory;
use crate::node::Node;
use crate::observer::Observer;
#[cfg(not(feature = "async"))]
use crate::schedule::NoWakers;
use crate::schedule::{Due, Schedule, Wakers};
use crate::status::Status;
#[cfg(feature = "async")]
use crate::task::AgentSignal;
use crate::tree::Tree;
use crate::wake::{Wake, WakeVisit};
#[cfg(feature = "serde")]
use {
    crate::erased::memory::SaveMemory,
    crate::save::{MemoryRef, Save, Saved},
    serde::Deserializer,
};

#[cfg(not(feature = "async"))]
type AgentSignal = NoWakers<()>;

/// A shared tree together with the memory of one agent, with its type erased.
///
/// Use a `Brain` in struct fields, components and collections, where the type of a tree cannot be named. Each tick costs a
/// virtual call. Agents with different trees over the same context have the same type of brain.
///
/// ```
/// use bt_core::prelude::*;
/// use std::sync::Arc;
///
/// struct Npc { hunger: u32, brain: Brain<u32> }
///
/// let graze = Arc::new(tree! { for u32: |hunger: &mut u32| *hunger -= 1 });
/// let sleep = Arc::new(tree! { for u32: run });
/// let mut npcs = [
///     Npc { hunger: 5, brain: Brain::new(&graze) },
///     Npc { hunger: 5, brain: Brain::new(&graze) },
///     Npc { hunger: 5, brain: Brain::new(&sleep) },
/// ];
/// for npc in &mut npcs {
///     npc.brain.tick(&mut npc.hunger);
/// }
/// assert_eq!(npcs.map(|npc| npc.hunger), [4, 4, 5]);
/// ```
///
/// A clone is another agent with the same tree and a copy of the memory.
///
/// # Saving
///
/// A `Brain<C, SaveMemory>`, created by `Brain::saving`, can be saved. It accepts only trees that implement `Save`.
///
#[cfg_attr(feature = "serde", doc = "```")]
#[cfg_attr(not(feature = "serde"), doc = "```ignore")]
/// use bt_core::prelude::*;
/// use std::sync::Arc;
///
/// let tree = Arc::new(tree! { for u32: mem_sequence { |n: &mut u32| *n += 1, run } });
/// let (mut n, mut brain) = (0, Brain::saving(&tree));
/// brain.tick(&mut n);
/// let save = serde_json::to_string(&brain.saved())?;
///
/// let mut brain = Brain::saving(&tree);
/// brain.load(&mut serde_json::Deserializer::from_str(&save))?;
/// brain.tick(&mut n);
/// assert_eq!(n, 1);                                       // resumed at `run`
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Contexts that borrow
///
/// A `Brain<Ctx<'w>>` is fixed to one lifetime `'w`. The third parameter names a trait object for all lifetimes:
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::{BoxMemory, DynNode};
/// use std::sync::Arc;
///
/// struct Ctx<'w> { log: &'w mut Vec<&'static str> }
///
/// #[action]
/// fn say(ctx: &mut Ctx<'_>, what: &'static str) { ctx.log.push(what) }
///
/// type CtxBrain = Brain<Ctx<'static>, BoxMemory, dyn for<'w> DynNode<Ctx<'w>>>;
///
/// let greet = Arc::new(tree! { say("hello") });
/// let mut brains = [CtxBrain::from_arc(greet.clone()), CtxBrain::from_arc(greet)];
/// let mut log = vec![];
/// for brain in &mut brains {
///     brain.tick(&mut Ctx { log: &mut log });
/// }
/// assert_eq!(log, ["hello", "hello"]);
/// ```
///
/// # Dropping
///
/// Dropping a brain closes no running node, as for a [`Memory`], because it does not have the context. Call
/// [`halt`](Self::halt) first, and [`clean_up`](Self::clean_up) until it returns `false`.
/// [`on_running_drop`](Self::on_running_drop) reports a missing call.
pub struct Brain<C: ?Sized, M = BoxMemory, D: ?Sized = dyn DynNode<C, M>>
where
    M: Default + Clone + Send + Sync + 'static,
    D: DynShape<M>,
{
    tree: BoxNode<C, M, D>,
    memory: Memory<BoxNode<C, M, D>>,
    schedule: Schedule<[Due; 1], AgentSignal>,
    on_running_drop: Option<fn(&Description)>,
}

impl<C: ?Sized> Brain<C> {
    /// Creates the brain of an agent that has not been ticked yet.
    pub fn new<N: Node<C> + Send + Sync + 'static>(tree: &Arc<N>) -> Self {
        Self::from_arc(Arc::<N>::clone(tree))
    }
}

#[cfg(feature = "serde")]
impl<C: ?Sized> Brain<C, SaveMemory> {
    /// Creates the brain of an agent that has not been ticked yet. Its memory can be saved.
    pub fn saving<N: Node<C> + Save + Send + Sync + 'static>(tree: &Arc<N>) -> Self {
        Self::from_arc(Arc::<N>::clone(tree))
    }
}

impl<C: ?Sized, M: Default + Clone + Send + Sync + 'static, D: ?Sized + DynShape<M>> Brain<C, M, D> {
    /// Creates the brain of an agent that has not been ticked yet. An `Arc` of a tree coerces to an `Arc` of the trait
    /// object `D`.
    pub fn from_arc(tree: Arc<D>) -> Self {
        Self {
            tree: BoxNode::from_arc(tree),
            memory: Memory::new(),
            schedule: Schedule::one(AgentSignal::new()),
            on_running_drop: None,
        }
    }

    /// Calls a function with the description of the tree when this brain, or a clone of it, is dropped while the tree is
    /// running, or a cleanup that a halt has left. By default, nothing is called.
    ///
    /// A function that panics should check [`std::thread::panicking`] first: a panic during a panic aborts the program.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use std::sync::Arc;
    ///
    /// let patrol = Arc::new(tree! { for (): run });
    /// let mut brain = Brain::new(&patrol)
    ///     .on_running_drop(|tree| panic!("halt the brain before dropping it; its tree is\n{tree}"));
    /// brain.tick(&mut ());
    /// brain.halt(&mut ());                        // without this line, the end of the scope panics
    /// ```
    ///
    /// [`std::thread::panicking`]: https://doc.rust-lang.org/std/thread/fn.panicking.html
    #[must_use]
    pub const fn on_running_drop(mut self, call: fn(&Description)) -> Self {
        self.on_running_drop = Some(call);
        self
    }

    /// Ticks the tree once and returns its status.
    pub fn tick<X: ?Sized>(&mut self, ctx: &mut X) -> Status
    where
        D: DynNode<X, M>,
    {
        self.tick_with(ctx, &mut ())
    }

    /// Ticks the tree once and reports the events of the tick to an observer.
    pub fn tick_with<X: ?Sized, O: Observer>(&mut self, ctx: &mut X, observer: &mut O) -> Status
    where
        D: DynNode<X, M>,
    {
        self.schedule.wake();
        self.tree.tick_with(ctx, &mut self.memory, observer)
    }

    /// Ticks the tree if it is due at the time `now` of the context's clock, and returns its status. Returns `None` if a tick
    /// would change nothing. See [`Tree::due`].
    ///
    /// All other methods that tick or change the brain wake it. The tree is also due if the time is less than in the last call.
    ///
    /// ```
    /// use bt_core::Wake;
    /// use bt_core::prelude::*;
    /// use std::sync::Arc;
    ///
    /// struct Npc { now: Duration, hit: bool }
    /// impl Clock for Npc { fn now(&self) -> Duration { self.now } }
    ///
    /// #[condition(event)]
    /// fn is_hit(npc: &Npc) -> bool { npc.hit }
    ///
    /// let tree = Arc::new(tree! { for Npc: selector { sequence { is_hit, run } wait(secs(3)) } });
    /// let (mut npc, mut brain) = (Npc { now: secs(1), hit: false }, Brain::new(&tree));
    /// assert_eq!(brain.tick_due(secs(1), &mut npc), Some(Status::Running));
    /// assert_eq!(brain.tick_due(secs(1), &mut npc), None);
    /// assert_eq!(brain.due(), Wake::At(secs(4)));
    ///
    /// npc.hit = true;
    /// brain.wake();                                           // an event
    /// assert_eq!(brain.tick_due(secs(1), &mut npc), Some(Status::Running));
    /// assert_eq!(brain.due(), Wake::Event);
    /// ```
    pub fn tick_due<X: ?Sized>(&mut self, now: Duration, ctx: &mut X) -> Option<Status>
    where
        D: DynNode<X, M>,
    {
        self.tick_due_with(now, ctx, &mut ())
    }

    /// Like [`tick_due`](Self::tick_due), and reports the events of the tick to an observer.
    pub fn tick_due_with<X: ?Sized, O: Observer>(
        &mut self,
        now: Duration,
        ctx: &mut X,
        observer: &mut O,
    ) -> Option<Status>
    where
        D: DynNode<X, M>,
    {
        if !self.schedule.is_due(now) {
            return None;
        }
        let status = self.tick_with(ctx, observer);
        let waker = || self.schedule.wakers.waker(());
        let until = self.tree.due_with(status, &self.memory, &mut WakeVisit::with_waker(ctx, &waker));
        self.schedule.sleep(now, until);
        Some(status)
    }

    /// Returns when the tree has to be ticked again; [`Wake::Next`] if the last tick was not by [`tick_due`](Self::tick_due), or
    /// if the brain has been woken since.
    pub fn due(&self) -> Wake {
        self.schedule.next()
    }

    /// Returns the waker of the agent: it [wakes](Self::wake) the brain, from any thread. The futures of asynchronous actions use
    /// this waker. A clone of the brain has another waker.
    #[cfg(feature = "async")]
    pub fn waker(&self) -> core::task::Waker {
        self.schedule.wakers.waker(())
    }

    /// Sets the waker that is called when the [waker](Self::waker) of the agent is called. A loop that sleeps
    /// until [`due`](Self::due) can end its sleep with this waker.
    #[cfg(feature = "async")]
    pub fn on_wake(&self, waker: core::task::Waker) {
        self.schedule.wakers.pass_on_to(waker);
    }

    /// Makes the tree due. Call this method after an event: a change of the context, other than its time, that affects the tree.
    pub const fn wake(&mut self) {
        self.schedule.wake();
    }

    /// Halts all running nodes, deepest first.
    pub fn halt<X: ?Sized>(&mut self, ctx: &mut X)
    where
        D: DynNode<X, M>,
    {
        self.halt_with(ctx, &mut ());
    }

    /// Like [`halt`](Self::halt), and reports the events to an observer.
    pub fn halt_with<X: ?Sized, O: Observer>(&mut self, ctx: &mut X, observer: &mut O)
    where
        D: DynNode<X, M>,
    {
        self.schedule.wake();
        self.tree.halt_with(ctx, &mut self.memory, observer);
    }

    /// Ticks the cleanups that halts have left running, and nothing else. Returns `true` while one is running: see
    /// [`Tree::clean_up`].
    pub fn clean_up<X: ?Sized>(&mut self, ctx: &mut X) -> bool
    where
        D: DynNode<X, M>,
    {
        self.clean_up_with(ctx, &mut ())
    }

    /// Like [`clean_up`](Self::clean_up), and reports the events to an observer.
    pub fn clean_up_with<X: ?Sized, O: Observer>(&mut self, ctx: &mut X, observer: &mut O) -> bool
    where
        D: DynNode<X, M>,
    {
        self.schedule.wake();
        self.tree.clean_up_with(ctx, &mut self.memory, observer)
    }

    /// Notifies the running leaves that the tree will not be ticked for some time: see [`Tree::pause`].
    pub fn pause<X: ?Sized>(&mut self, ctx: &mut X)
    where
        D: DynNode<X, M>,
    {
        self.tree.pause(ctx, &mut self.memory);
    }

    /// Notifies the running leaves that the tree is ticked again, and makes it due: see [`Tree::unpause`].
    pub fn unpause<X: ?Sized>(&mut self, ctx: &mut X)
    where
        D: DynNode<X, M>,
    {
        self.schedule.wake();
        self.tree.unpause(ctx, &mut self.memory);
    }

    /// Returns `true` if the tree was running after the last tick.
    pub const fn is_running(&self) -> bool {
        self.memory.is_running()
    }

    /// Returns `true` if a halt has left a cleanup running. See [`Tree::clean_up`].
    pub fn is_cleaning_up(&self) -> bool {
        self.tree.is_cleaning_up(&self.memory)
    }

    /// Clears all state, including state kept across runs. See [`Memory::reset`].
    pub fn reset(&mut self) {
        self.schedule.wake();
        self.memory.reset();
    }

    /// Converts the times stored in the memory to another clock. See [`Shift`].
    pub fn shift(&mut self, by: Shift) {
        self.schedule.wake();
        self.tree.shift(&mut self.memory, by);
    }

    /// Returns the tree.
    pub const fn tree(&self) -> &BoxNode<C, M, D> {
        &self.tree
    }

    /// Returns the memory.
    pub const fn memory(&self) -> &Memory<BoxNode<C, M, D>> {
        &self.memory
    }

    /// Replaces the memory, for example by an earlier memory: see [`Rewind`](crate::Rewind). The running nodes of
    /// the replaced memory are not closed.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use std::sync::Arc;
    ///
    /// let tree = Arc::new(tree! { for u32: mem_sequence { |n: &mut u32| *n += 1, run } });
    /// let (mut n, mut brain) = (0, Brain::new(&tree));
    /// let before = (brain.memory().clone(), n);
    /// brain.tick(&mut n);
    ///
    /// brain.set_memory(before.0);
    /// n = before.1;
    /// assert!(!brain.is_running());
    /// ```
    pub fn set_memory(&mut self, memory: Memory<BoxNode<C, M, D>>) {
        self.schedule.wake();
        self.memory = memory;
    }
}

/// A brain that can be saved. One with a `BoxMemory` is none.
#[cfg(feature = "serde")]
#[diagnostic::on_unimplemented(
    message = "the memory of this brain cannot be saved",
    label = "needs a `Brain<_, SaveMemory>`",
    note = "write its type as `Brain<Context, SaveMemory>`, and create it by `Brain::saving(&tree)`"
)]
pub trait Saving {}

#[cfg(feature = "serde")]
#[doc(hidden)]
impl<C: ?Sized, D: ?Sized + DynShape<BoxMemory>> Brain<C, BoxMemory, D> {
    /// Needs a `SaveMemory`.
    pub fn saved(&self)
    where
        Self: Saving,
    {
    }
}

#[cfg(feature = "serde")]
impl<C: ?Sized, D: ?Sized + DynShape<SaveMemory>> Brain<C, SaveMemory, D> {
    /// Returns the memory in a form that can be serialized. See [`Save`].
    pub fn saved(&self) -> Saved<MemoryRef<'_, BoxNode<C, SaveMemory, D>>> {
        self.tree.saved(&self.memory)
    }

    /// Replaces the memory with a saved memory.
    ///
    /// # Errors
    ///
    /// Returns an error if the memory was saved for a tree with another structure, or if the input is not a save. The
    /// brain is then unchanged.
    pub fn load<'de, I: Deserializer<'de>>(&mut self, input: I) -> Result<(), I::Error> {
        self.tree.load(&mut self.memory, input)?;
        self.schedule.wake();
        Ok(())
    }
}

impl<C: ?Sized, M: Default + Clone + Send + Sync + 'static, D: ?Sized + DynShape<M>> Clone for Brain<C, M, D> {
    fn clone(&self) -> Self {
        let Self { tree, memory, schedule, on_running_drop } = self;
        Self {
            tree: tree.clone(),
            memory: memory.clone(),
            schedule: schedule.clone(),
            on_running_drop: *on_running_drop,
        }
    }
}

impl<C: ?Sized, M: Default + Clone + Send + Sync + 'static, D: ?Sized + DynShape<M>> Drop for Brain<C, M, D> {
    fn drop(&mut self) {
        if let Some(call) = self.on_running_drop
            && (self.is_running() || self.is_cleaning_up())
        {
            call(&self.tree.description());
        }
    }
}

impl<C: ?Sized, M: Default + Clone + Send + Sync + 'static, D: ?Sized + DynShape<M>> fmt::Debug for Brain<C, M, D> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Brain").field("running", &self.is_running()).finish_non_exhaustive()
    }
}
