//! The protocol of every node: start, resume, interrupt.

use crate::check::Facts;
use crate::clock::Shift;
use crate::id::NodeId;
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::Step;
use crate::visitor::Visitor;
use crate::wake::{Foreseen, Wake, WakeVisit};

/// The context-independent part of a [`Node`]: the types of its state, and what is known of it at compile time.
///
/// It is separate from [`Node`] so that one tree can be ticked with contexts that borrow (`Ctx<'_>`): the type of an
/// agent's state does not depend on the lifetime. The trait is rarely implemented by hand:
/// [`#[action]`](crate::action), [`#[leaf]`](macro@crate::leaf) and [`#[decorator]`](macro@crate::decorator) implement
/// it.
///
/// The state of a node has two parts. [`Open`](Self::Open) exists while the node runs; [`Kept`](Self::Kept) is kept
/// across runs. A [`Memory`](crate::Memory) holds both for a whole tree.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node of a behavior tree",
    label = "not a node",
    note = "nodes are created by `tree!`, by `#[action]`, `#[condition]` and `#[subtree]` functions, and by functions of the prelude"
)]
pub trait NodeShape {
    /// The state of the node while it runs. It is created when a run starts and dropped when the run ends.
    type Open: Clone + Send + Sync + 'static;
    /// The state that the node keeps across runs (`limit`, `cooldown`, …). `()` for most nodes.
    type Kept: Default + Clone + Send + Sync + 'static;

    /// The statuses that this node can return.
    const CAN: Outcomes = Outcomes::ANY;
    /// Facts about this node and its descendants that are known at compile time, to find nodes that can never run and
    /// similar mistakes. See [`check`](crate::check).
    const FACTS: Facts = Facts::leaf(Self::CAN);
    /// The number of nodes in this subtree, including the node itself; `None` if it is only known at run time.
    const COUNT: Option<u32> = Some(1);
    /// `true` if resuming this node is the same as starting it again, and halting it does nothing. Such a node need not
    /// be resumed while no observer is attached.
    const RESTARTS: bool = false;

    /// `true` if [`Node::wake`] may return another value than [`Wake::Next`]. If not, the node has to be ticked in
    /// every tick while it runs.
    const SLEEPS: bool = false;

    /// Returns the number of nodes in this subtree, including the node itself.
    ///
    /// A type that sets [`COUNT`](Self::COUNT) to `None` must implement this method.
    #[inline]
    fn count(&self) -> u32 {
        const { Self::COUNT.expect("a node without `COUNT` must implement `count`") }
    }

    /// Converts the times stored by this node and its descendants to another clock. See [`Shift`].
    fn shift_times(&self, open: Option<&mut Self::Open>, kept: &mut Self::Kept, by: Shift) {
        let _ = (open, kept, by);
    }

    /// Calls a function with the id and the index of the present state of each running machine in this subtree, in
    /// pre-order. `at` is the id of this node, which is running.
    fn machines(&self, at: NodeId, open: &Self::Open, kept: &Self::Kept, call: &mut dyn FnMut(NodeId, usize)) {
        let _ = (at, open, kept, call);
    }

    /// Describes this node and its descendants to a visitor, in pre-order.
    fn describe(&self, visitor: &mut dyn Visitor);
}

impl NodeId {
    /// Returns the id that follows a subtree whose first node has this id.
    #[inline(always)]
    #[must_use]
    pub fn after<N: NodeShape>(self, subtree: &N) -> Self {
        match N::COUNT {
            Some(count) => self.skip(count),
            None => self.skip(subtree.count()),
        }
    }
}

/// The values that a visit passes down the tree: the context, and the observer that receives the events.
#[derive(Debug)]
pub struct Visit<'a, C: ?Sized, O> {
    /// The context of the tick.
    pub ctx: &'a mut C,
    /// The observer of the tick.
    pub observer: &'a mut O,
}

impl<'a, C: ?Sized, O> Visit<'a, C, O> {
    /// Creates a visit with this context and observer.
    #[inline(always)]
    pub const fn new(ctx: &'a mut C, observer: &'a mut O) -> Self {
        Self { ctx, observer }
    }
}

/// A node over the context `C`, which a tree can start, resume and interrupt.
///
/// A parent does not call these methods directly. It calls the functions of [`visit`](crate::visit), which also report
/// to the observer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node over `{C}`",
    label = "not a node over `{C}`",
    note = "a tree has one context type, here `{C}`; every leaf in it must take `&{C}` or `&mut {C}`"
)]
pub trait Node<C: ?Sized>: NodeShape {
    /// Starts a run.
    fn start<O: Observer>(&self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) -> Step<Self::Open>;

    /// Resumes a run. `open` is stale once this returns [`Step::Done`].
    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()>;

    /// Creates the open state for a run whose statuses an observer [substitutes](Observer::substitute). Returns `None`
    /// if this node cannot be running then: a condition, a composite, a decorator.
    fn stand_in(&self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, ()>) -> Option<Self::Open> {
        let _ = (at, kept, visit);
        None
    }

    /// Returns when this node, which is running, has to be ticked again. Until then, ticking it changes nothing.
    #[inline]
    fn wake(&self, open: &Self::Open, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        let _ = (open, kept, visit);
        Wake::Next
    }

    /// Returns what starting this node would do, if that is known without an effect. `event` is whether the node is below
    /// [`by_event`](crate::keywords::by_event): then a condition is evaluated, although it could change with time.
    #[inline]
    fn foresee(&self, kept: &Self::Kept, ctx: &mut C, event: bool) -> Foreseen {
        let _ = (kept, ctx, event);
        None
    }

    /// Halts a run, called by parents and [`Tree::halt`](crate::Tree::halt). `open` is stale afterwards.
    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    );
}

/// Adds 1 to the count of a child, for the node above it.
pub(crate) const fn one_more(count: Option<u32>) -> Option<u32> {
    match count {
        Some(count) => Some(count + 1),
        None => None,
    }
}
