//! What a user calls on a tree.

use crate::clock::Shift;
use crate::id::NodeId;
use crate::memory::{Memory, Ticking};
use crate::node::{Node, NodeShape, Visit};
use crate::observe::{Observer, Tick};
use crate::status::{Status, Step};
use crate::visit;

/// What you call on a tree; implemented for every node.
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
/// let tree = guard();                       // shared, immutable
/// let mut memory = tree.memory();           // one per agent
/// let mut agent = Guard { enemy_near: false, alarms: 0 };
/// assert_eq!(tree.tick(&mut agent, &mut memory), Status::Running);
///
/// agent.enemy_near = true;                  // the patrol is halted, the bell rings
/// assert_eq!(tree.tick(&mut agent, &mut memory), Status::Success);
/// assert_eq!(agent.alarms, 1);
/// ```
pub trait Tree: NodeShape {
    /// The memory of a new agent.
    fn memory(&self) -> Memory<Self> {
        Memory::new()
    }

    /// Ticks the tree once for one agent.
    #[inline]
    fn tick<C: ?Sized>(&self, ctx: &mut C, memory: &mut Memory<Self>) -> Status
    where
        Self: Node<C> + Sized,
    {
        self.tick_with(ctx, memory, &mut ())
    }

    /// Ticks the tree once and tells an observer what happens. The observer `()` costs nothing.
    #[inline]
    fn tick_with<C: ?Sized, O: Observer>(&self, ctx: &mut C, memory: &mut Memory<Self>, observer: &mut O) -> Status
    where
        Self: Node<C> + Sized,
    {
        if O::SLEEPS && observer.is_asleep() {
            return once(self, ctx, memory, &mut ());
        }
        once(self, ctx, memory, observer)
    }

    /// Breaks off whatever is running, deepest first. Does nothing when nothing is.
    fn halt<C: ?Sized>(&self, ctx: &mut C, memory: &mut Memory<Self>)
    where
        Self: Node<C> + Sized,
    {
        self.halt_with(ctx, memory, &mut ());
    }

    /// [`halt`](Self::halt), and tells an observer.
    fn halt_with<C: ?Sized, O: Observer>(&self, ctx: &mut C, memory: &mut Memory<Self>, observer: &mut O)
    where
        Self: Node<C> + Sized,
    {
        if O::SLEEPS && observer.is_asleep() {
            return self.halt_with(ctx, memory, &mut ());
        }
        if let Some(mut running) = memory.open.take() {
            if O::ON {
                observer.begin(Tick::default());
            }
            visit::halt(self, NodeId::ROOT, &mut running, &mut memory.kept, &mut Visit::new(ctx, observer));
            if O::ON {
                observer.end(Tick::default(), None);
            }
        }
    }

    /// Arity the times in a memory over to another clock: see [`Shift`].
    fn shift(&self, memory: &mut Memory<Self>, by: Shift) {
        self.shift_times(memory.open.as_mut(), &mut memory.kept, by);
    }

    /// A number that tells trees of different structure apart, as far as saves are concerned.
    ///
    /// It is made of the nodes' kinds, names and nesting, the targets of transitions, and the types of what leaves and decorators remember: their names without the modules that
    /// they are in, and their sizes. It does not see parameters, labels, places in the source, the conditions of transitions as they are written, or a change in a state's type that leaves its name and size alone.
    /// Another version of the compiler may write the names of types in another way, and so change it.
    fn fingerprint(&self) -> u64 {
        crate::describe::fingerprint(self)
    }

    /// What this tree consists of, as a value: for drawings and tools.
    #[cfg(feature = "alloc")]
    fn description(&self) -> crate::describe::Description
    where
        Self: Sized,
    {
        crate::describe::Description::of(self)
    }
}

impl<N: NodeShape + ?Sized> Tree for N {}

#[inline]
fn once<C: ?Sized, N: Node<C>, O: Observer>(tree: &N, ctx: &mut C, memory: &mut Memory<N>, observer: &mut O) -> Status {
    if O::ON {
        observer.begin(Tick::default());
    }
    let Memory { open, kept } = memory;
    let status = match open {
        Some(_) if !N::RESTARTS || O::ON => resume(tree, ctx, open, kept, observer),
        // Only of what restarts anything may be open here.
        _ => {
            let ticking = Ticking::new(open, N::RESTARTS);
            let step = visit::start(tree, NodeId::ROOT, kept, &mut Visit::new(ctx, observer));
            let status = step.status();
            *ticking.open = match step {
                Step::Running(opened) => Some(opened),
                Step::Done(_) => None,
            };
            ticking.done();
            status
        }
    };
    if O::ON {
        observer.end(Tick::default(), Some(status));
    }
    status
}

/// Goes on with a run.
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
