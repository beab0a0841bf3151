//! The methods of trees.

use crate::clock::Shift;
use crate::edits::versions;
use crate::id::NodeId;
use crate::memory::{Memory, Ticking};
use crate::node::{Node, NodeShape, Visit};
use crate::observer::{Observer, Tick};
use crate::status::{Cause, CleanUp, Interrupt, Status, Step};
use crate::visit;
use crate::wake::{Wake, WakeVisit};
#[cfg(feature = "alloc")]
use crate::walk::{ByNode, StateBytes};
use crate::walk::{Shifting, StateVisitor, any_left};
#[cfg(feature = "serde")]
use {
    crate::save::{self, MemoryRef, Save, Saved},
    serde::Deserializer,
};

/// Methods to tick, halt and describe a tree. Implemented for every node.
///
/// A tree is immutable and shared. Each agent has a [`Memory`] of its own, created by [`memory`](Self::memory). The
/// *context* `ctx` is the value that the leaves of the tree read and change.
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Guard { enemy_near: bool, alarms: u32 }
///
/// fn guard() -> impl Node<Guard> {
///     tree! { selector { sequence { enemy_near, ring }, patrol } }
/// }
/// fn enemy_near(guard: &Guard) -> bool { guard.enemy_near }
/// fn ring(guard: &mut Guard) { guard.alarms += 1 }
/// fn patrol(_: &mut Guard) -> Status { Status::Running }
///
/// let tree = guard();                       // immutable, shared by all agents
/// let mut memory = tree.memory();           // one per agent
/// let mut agent = Guard { enemy_near: false, alarms: 0 };
/// assert_eq!(tree.tick(&mut agent, &mut memory), Status::Running);
///
/// agent.enemy_near = true;                  // `patrol` is halted after `ring` was ticked
/// assert_eq!(tree.tick(&mut agent, &mut memory), Status::Success);
/// assert_eq!(agent.alarms, 1);
/// ```
pub trait Tree: NodeShape {
    /// Returns the memory of a new agent. No node is running in it.
    fn memory(&self) -> Memory<Self> {
        Memory::new()
    }

    /// Ticks the tree once for one agent and returns the status of the root.
    #[inline]
    fn tick<C: ?Sized>(&self, ctx: &mut C, memory: &mut Memory<Self>) -> Status
    where
        Self: Node<C> + Sized,
    {
        self.tick_with(ctx, memory, &mut ())
    }

    /// Ticks the tree once and reports the events of the tick to an observer. The observer `()` costs nothing.
    #[inline]
    fn tick_with<C: ?Sized, O: Observer>(&self, ctx: &mut C, memory: &mut Memory<Self>, observer: &mut O) -> Status
    where
        Self: Node<C> + Sized,
    {
        if O::SLEEPS && observer.is_asleep() {
            observer.skipped();
            return once(self, ctx, memory, &mut ());
        }
        once(self, ctx, memory, observer)
    }

    /// Halts all running nodes, deepest first. Does nothing if none is running.
    fn halt<C: ?Sized>(&self, ctx: &mut C, memory: &mut Memory<Self>)
    where
        Self: Node<C> + Sized,
    {
        self.halt_with(ctx, memory, &mut ());
    }

    /// Like [`halt`](Self::halt), and reports the events to an observer.
    fn halt_with<C: ?Sized, O: Observer>(&self, ctx: &mut C, memory: &mut Memory<Self>, observer: &mut O)
    where
        Self: Node<C> + Sized,
    {
        if O::SLEEPS && observer.is_asleep() {
            if memory.is_running() {
                observer.skipped();
            }
            return self.halt_with(ctx, memory, &mut ());
        }
        if let Some(mut running) = memory.open.take() {
            if O::ON {
                observer.begin(Tick::default());
            }
            let (how, visit) = (Interrupt::Halt(Cause::Stopped), &mut Visit::new(ctx, &mut *observer));
            visit::interrupt(self, NodeId::ROOT, &mut running, &mut memory.kept, how, visit);
            if O::ON {
                observer.end(Tick::default(), None);
            }
        }
    }

    /// Ticks the cleanups that halts have left running, and nothing else. Returns `true` while one is running.
    ///
    /// [`tick`](Self::tick) does it before it ticks the tree, so call this method after a [`halt`](Self::halt), for an agent that is not
    /// ticked again: see [`finally`](crate::keywords::finally). A node that waits for a cleanup does not start here: if the tree is running,
    /// tick it afterwards.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// fn switch_off(ticks: &mut u32) -> Status { *ticks += 1; if *ticks < 3 { Status::Running } else { Status::Success } }
    ///
    /// let tree = tree! { for u32: finally { run, switch_off } };
    /// let (mut ticks, mut memory) = (0, tree.memory());
    /// tree.tick(&mut ticks, &mut memory);
    /// tree.halt(&mut ticks, &mut memory);
    /// assert_eq!(ticks, 1);
    /// while tree.clean_up(&mut ticks, &mut memory) {}
    /// assert_eq!(ticks, 3);
    /// ```
    fn clean_up<C: ?Sized>(&self, ctx: &mut C, memory: &mut Memory<Self>) -> bool
    where
        Self: Node<C> + Sized,
    {
        self.clean_up_with(ctx, memory, &mut ())
    }

    /// Like [`clean_up`](Self::clean_up), and reports the events to an observer.
    fn clean_up_with<C: ?Sized, O: Observer>(&self, ctx: &mut C, memory: &mut Memory<Self>, observer: &mut O) -> bool
    where
        Self: Node<C> + Sized,
    {
        if O::SLEEPS && observer.is_asleep() {
            return self.clean_up_with(ctx, memory, &mut ());
        }
        if !self.is_cleaning_up(memory) {
            return false;
        }
        if O::ON {
            observer.begin(Tick::default());
        }
        visit::cleanups(self, NodeId::ROOT, &mut memory.kept, CleanUp::Tick, &mut Visit::new(ctx, &mut *observer));
        if O::ON {
            observer.end(Tick::default(), None);
        }
        self.is_cleaning_up(memory)
    }

    /// Returns `true` if a halt has left a cleanup running. See [`clean_up`](Self::clean_up).
    #[inline]
    fn is_cleaning_up(&self, memory: &Memory<Self>) -> bool {
        self.cleans_up(&memory.kept) && any_left(|visitor| self.visit_state(memory, visitor))
    }

    /// Notifies the running leaves that the tree will not be ticked for some time, so that they can, for example, stop a motor. The
    /// leaves stay running: see [`Leaf::pause`](crate::leaf::Leaf::pause). Does nothing if no leaf is running.
    ///
    /// The clock of the context is not stopped; [`shift`](Self::shift) converts times that have to exclude the pause.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// #[derive(Default)]
    /// struct Robot { velocity: i32 }
    ///
    /// struct Drive(i32);
    ///
    /// #[leaf]
    /// impl Leaf<Robot> for Drive {
    ///     fn open(&self, robot: &mut Robot) { robot.velocity = self.0 }
    ///     fn tick(&self, _: &mut (), _: &mut Robot) -> Status { Status::Running }
    ///     fn pause(&self, _: &mut (), robot: &mut Robot) { robot.velocity = 0 }
    ///     fn unpause(&self, _: &mut (), robot: &mut Robot) { robot.velocity = self.0 }
    /// }
    ///
    /// let tree = tree! { for Robot: sequence { succeed, (Drive(3)) } };
    /// let (mut robot, mut memory) = (Robot::default(), tree.memory());
    /// tree.tick(&mut robot, &mut memory);
    /// tree.pause(&mut robot, &mut memory);
    /// assert_eq!(robot.velocity, 0);
    /// tree.unpause(&mut robot, &mut memory);
    /// assert_eq!(robot.velocity, 3);
    /// ```
    fn pause<C: ?Sized>(&self, ctx: &mut C, memory: &mut Memory<Self>)
    where
        Self: Node<C> + Sized,
    {
        notify(self, Interrupt::Pause, ctx, memory);
    }

    /// Notifies the running leaves that the tree is ticked again after a [`pause`](Self::pause).
    fn unpause<C: ?Sized>(&self, ctx: &mut C, memory: &mut Memory<Self>)
    where
        Self: Node<C> + Sized,
    {
        notify(self, Interrupt::Unpause, ctx, memory);
    }

    /// Returns when the tree has to be ticked again for this agent. `status` is the status of its last tick, and `ctx` its
    /// context after that tick. Until then, ticks would change neither the memory nor the context.
    ///
    /// The running nodes determine the time. `wait`, `delay`, `timeout`, `cooldown` and `service` have a time, `run`
    /// waits for an event, and an action or a [`Leaf`](crate::leaf::Leaf) can return when it continues. A composite with memory
    /// depends on its running child. A reactive composite also starts the children before its running child in every tick,
    /// so it sleeps only if these depend on events ([`by_event`](crate::keywords::by_event)) or on times; so does a machine
    /// with its guards. This method evaluates conditions that depend on events once more, but no other condition and no
    /// action.
    ///
    /// An *event* is any other change that affects the tree: after it, tick the tree. A herd does both with
    /// [`tick_due`](crate::Herd::tick_due) and [`wake`](crate::Herd::wake).
    ///
    /// ```
    /// use bt_core::Wake;
    /// use bt_core::prelude::*;
    ///
    /// struct Npc { now: Duration, hit: bool }
    /// impl Clock for Npc { fn now(&self) -> Duration { self.now } }
    ///
    /// let tree = tree! {
    ///     for Npc: selector {
    ///         sequence { by_event { |npc: &Npc| npc.hit }, run }
    ///         wait(secs(3))
    ///     }
    /// };
    /// let (mut npc, mut memory) = (Npc { now: secs(10), hit: false }, tree.memory());
    /// let status = tree.tick(&mut npc, &mut memory);
    /// assert_eq!(tree.due(status, &memory, &mut npc), Wake::At(secs(13)));
    ///
    /// npc.hit = true;                                        // an event, so the tree is ticked
    /// let status = tree.tick(&mut npc, &mut memory);
    /// assert_eq!(tree.due(status, &memory, &mut npc), Wake::Event);
    /// ```
    #[inline]
    fn due<C: ?Sized>(&self, status: Status, memory: &Memory<Self>, ctx: &mut C) -> Wake
    where
        Self: Node<C> + Sized,
    {
        self.due_with(status, memory, &mut WakeVisit::new(ctx))
    }

    /// Like [`due`](Self::due), for an agent with a waker, which is called by the futures that the tree waits for. Without a
    /// waker, a tree with an unfinished future is due in the next tick.
    #[inline]
    #[doc(hidden)]
    fn due_with<C: ?Sized>(&self, status: Status, memory: &Memory<Self>, visit: &mut WakeVisit<'_, C>) -> Wake
    where
        Self: Node<C> + Sized,
    {
        let cleanups = visit::wake_of_cleanups(self, &memory.kept, visit);
        let run = match (status, &memory.open) {
            (Status::Running, Some(open)) => self.wake(open, &memory.kept, visit),
            (Status::Success | Status::Failure, None) => match self.foresee(&memory.kept, visit.ctx, false) {
                Some((outcome, until)) if Status::from(outcome) == status => until,
                _ => Wake::Next,
            },
            _ => Wake::Next,
        };
        run.earliest(cleanups)
    }

    /// Returns when [`clean_up`](Self::clean_up) has to be called again.
    #[inline]
    #[doc(hidden)]
    fn cleanups_due<C: ?Sized>(&self, memory: &Memory<Self>, visit: &mut WakeVisit<'_, C>) -> Wake
    where
        Self: Node<C> + Sized,
    {
        visit::wake_of_cleanups(self, &memory.kept, visit)
    }

    /// Converts the times stored in a memory to another clock. See [`Shift`].
    fn shift(&self, memory: &mut Memory<Self>, by: Shift) {
        self.walk(NodeId::ROOT, (memory.open.as_mut(), &mut memory.kept).into(), &mut Shifting(by));
    }

    /// Passes the state of each node in a memory to a visitor, in pre-order.
    #[doc(hidden)]
    fn visit_state(&self, memory: &Memory<Self>, visitor: &mut dyn StateVisitor) {
        self.walk(NodeId::ROOT, (memory.open.as_ref(), &memory.kept).into(), visitor);
    }

    /// Returns the bytes of memory that each node needs for its own state, in the order of ids.
    ///
    /// The size of a memory is not the sum: the children of a composite share the space of their open states, unless several
    /// can run at once, and states are aligned. A boxed subtree and the leaves of a loaded tree have their states in
    /// allocations of their own. Allocations of a user-defined state, such as the content of a `Vec`, are not counted.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::protocol::StateBytes;
    ///
    /// let tree = tree! { for (): mem_sequence { limit(3) { succeed }, run } };
    /// let bytes = tree.bytes_by_node();
    /// assert_eq!(bytes[0], StateBytes { open: 1, kept: 0 });      // which child runs
    /// assert_eq!(bytes[1], StateBytes { open: 0, kept: 4 });      // the number of runs
    /// assert_eq!(bytes[2], StateBytes::default());
    /// ```
    #[cfg(feature = "alloc")]
    fn bytes_by_node(&self) -> alloc::vec::Vec<StateBytes> {
        let nodes = usize::try_from(self.count()).unwrap_or(usize::MAX);
        let mut bytes = ByNode(alloc::vec![StateBytes::default(); nodes]);
        self.visit_state(&self.memory(), &mut bytes);
        bytes.0
    }

    /// Returns a hash of the tree's structure, which [saves](crate::Save) are checked against.
    ///
    /// The hash covers the kinds, names and nesting of the nodes, the boxes and containers around them, the targets of
    /// transitions, and the state types of leaves and decorators. A state type is represented by its size and by its name
    /// without module paths.
    ///
    /// The hash does not cover parameters, labels, source locations or the text of guards. It does not detect a change
    /// of a state type that leaves its name and size unchanged. A different compiler version may format type names
    /// differently, which changes the hash.
    ///
    /// So a save can be loaded into a tree with other parameters, which then apply to the saved counts. A saved end of a time
    /// remains, but at the next tick, at most the time of the new tree is left. A `wait(secs(5))` that is saved in its first
    /// second ends after 5 seconds in `wait(secs(9))`, and 1 second after the next tick in `wait(secs(1))`.
    fn fingerprint(&self) -> u64 {
        crate::describe::fingerprint(self)
    }

    /// Returns a description of all nodes as a value, for drawings and tools.
    #[cfg(feature = "alloc")]
    fn description(&self) -> crate::describe::Description
    where
        Self: Sized,
    {
        crate::describe::Description::of(self)
    }

    /// Returns a memory in a form that can be serialized, for any format of serde. It can be serialized if the tree implements
    /// [`Save`].
    #[cfg(feature = "serde")]
    fn saved<'a>(&self, memory: &'a Memory<Self>) -> Saved<MemoryRef<'a, Self>> {
        save::saved(self, memory)
    }

    /// Loads a memory in place of the present one. See [`Save`].
    ///
    /// # Errors
    ///
    /// Returns an error if the memory was saved for a tree with another structure, if the input is not a save, or if it contains
    /// state of an [`unsaved`](crate::leaf::unsaved) leaf. The memory is then unchanged.
    #[cfg(feature = "serde")]
    fn load<'de, D: Deserializer<'de>>(&self, memory: &mut Memory<Self>, input: D) -> Result<(), D::Error>
    where
        Self: Save,
    {
        *memory = save::loaded(self, input)?;
        Ok(())
    }
}

impl<N: NodeShape + ?Sized> Tree for N {}

/// Notifies the running nodes of a pause or of its end.
fn notify<C: ?Sized, N: Node<C>>(tree: &N, what: Interrupt, ctx: &mut C, Memory { open, kept }: &mut Memory<N>) {
    if let Some(open) = open {
        tree.interrupt(NodeId::ROOT, open, kept, what, &mut Visit::new(ctx, &mut ()));
    }
    visit::cleanups(tree, NodeId::ROOT, kept, CleanUp::Interrupt(what), &mut Visit::new(ctx, &mut ()));
}

#[inline]
fn once<C: ?Sized, N: Node<C>, O: Observer>(tree: &N, ctx: &mut C, memory: &mut Memory<N>, observer: &mut O) -> Status {
    #[cfg(all(debug_assertions, feature = "std"))]
    let ticked = crate::silent::Ticked::begin();
    if O::ON {
        let versions = versions();
        if versions > 0 {
            observer.edited(versions, &|visitor| tree.describe(visitor));
        }
        observer.begin(Tick::default());
    }
    let status = if tree.cleans_up(&memory.kept) {
        after_cleanups(tree, ctx, memory, observer)
    } else {
        root(tree, ctx, memory, observer)
    };
    if O::ON {
        observer.end(Tick::default(), Some(status));
    }
    #[cfg(all(debug_assertions, feature = "std"))]
    if let Some(fault) = ticked.end(status, O::ON) {
        crate::report::unreceived(tree, &fault);
    }
    status
}

/// Ticks the cleanups that halts have left running, and the root. It is out of line, so that it costs other trees nothing.
#[inline(never)]
fn after_cleanups<C: ?Sized, N: Node<C>, O: Observer>(
    tree: &N,
    ctx: &mut C,
    memory: &mut Memory<N>,
    observer: &mut O,
) -> Status {
    visit::cleanups(tree, NodeId::ROOT, &mut memory.kept, CleanUp::Tick, &mut Visit::new(ctx, observer));
    root(tree, ctx, memory, observer)
}

/// Ticks the root: resumes its run, or starts one.
#[inline(always)]
fn root<C: ?Sized, N: Node<C>, O: Observer>(
    tree: &N,
    ctx: &mut C,
    Memory { open, kept }: &mut Memory<N>,
    observer: &mut O,
) -> Status {
    match open {
        Some(_) if !N::RESTARTS || O::ON => resume(tree, ctx, open, kept, observer),
        // A node that restarts need not be resumed while nothing observes it, so its state may be overwritten.
        _ => {
            let ticking = Ticking::new(open, N::RESTARTS);
            let step = visit::start(tree, NodeId::ROOT, kept, &mut Visit::new(ctx, observer));
            let status = step.status();
            match step {
                Step::Running(opened) => *ticking.open = Some(opened),
                Step::Done(_) => *ticking.open = None,
            }
            ticking.done();
            status
        }
    }
}

/// Resumes a run.
#[inline(always)]
fn resume<C: ?Sized, N: Node<C>, O: Observer>(
    tree: &N,
    ctx: &mut C,
    open: &mut Option<N::Open>,
    kept: &mut N::Kept,
    observer: &mut O,
) -> Status {
    let ticking = Ticking::new(open, true);
    let Some(running) = ticking.open else { return Status::Running };
    let step = visit::resume(tree, NodeId::ROOT, running, kept, &mut Visit::new(ctx, observer));
    if let Step::Done(_) = step {
        *ticking.open = None;
    }
    ticking.done();
    step.status()
}
