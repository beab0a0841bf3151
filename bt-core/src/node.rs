//! The protocol of every node: start, resume, halt, wake, and a walk over its state.

use crate::facts::Facts;
use crate::id::NodeId;
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::{CleanUp, Interrupt, Step};
use crate::visitor::Visitor;
use crate::wake::{Foreseen, Wake, WakeVisit};
use crate::walk::{NodeState, StateVisitor};

/// The context-independent part of a [`Node`]: the types of its state, and the facts that are known at compile time.
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
    note = "the parameter of `Memory` and `Herd` is the type of the tree, which has no name, not the context: in a struct, write a type parameter, `struct Game<N: Node<Npc>> {{ herd: Herd<N> }}`, or a boxed tree, `Herd<BoxNode<Npc>>`, where `Npc` is the context",
    note = "nodes are created by `tree!`, by `#[action]`, `#[condition]` and `#[subtree]` functions, and by functions of the prelude"
)]
pub trait NodeShape {
    /// The state of the node while it runs. It is created when a run starts and dropped when the run ends.
    type Open: Clone + Send + Sync + 'static;
    /// The state that the node keeps across runs (`limit`, `cooldown`, …). `()` for most nodes.
    type Kept: Default + Clone + Send + Sync + 'static;

    /// The statuses that this node can return.
    const RETURNS: Outcomes = Outcomes::ANY;
    /// Facts about this node and its descendants that are known at compile time, to find nodes that can never run and
    /// similar mistakes. See [`check`](crate::check).
    #[doc(hidden)]
    const FACTS: Facts = Facts::leaf(Self::RETURNS);
    /// The number of nodes in this subtree, including the node itself; `None` if it is only known at run time.
    #[doc(hidden)]
    const COUNT: Option<u32> = Some(1);
    /// `true` if resuming this node is the same as starting it again, and halting it does nothing. Such a node need not
    /// be resumed while no observer is attached.
    #[doc(hidden)]
    const RESTARTS: bool = false;
    /// `false` if the state of this node is not part of saves.
    #[doc(hidden)]
    const IS_SAVED: bool = true;
    /// The documentation of a leaf, for the palettes of editors.
    #[doc(hidden)]
    const DOC: &'static str = "";

    /// Returns the number of nodes in this subtree, including the node itself.
    ///
    /// A type that sets [`COUNT`](Self::COUNT) to `None` must implement this method.
    #[inline]
    fn count(&self) -> u32 {
        const { Self::COUNT.expect("a node without `COUNT` must implement `count`") }
    }

    /// Returns `true` if a halt can have left a cleanup in this subtree running. [`FACTS`](Self::FACTS) say so for all states; a tree that
    /// is only known at run time says it for this one.
    #[doc(hidden)]
    #[inline(always)]
    fn cleans_up(&self, _: &Self::Kept) -> bool {
        Self::FACTS.cleans_up
    }

    /// Passes the own state of this node to a visitor, and then walks over the nodes below it, in the order of their ids.
    /// `at` is the id of this node. The default is for a node without nodes below it, whose state contains no moments.
    ///
    /// The walk visits all nodes, including nodes that are not running, because they may have kept state. Every operation on
    /// the states of a tree is a [`StateVisitor`]: for example, one converts moments to another clock, another adds up bytes.
    fn walk(&self, at: NodeId, state: NodeState<'_, Self::Open, Self::Kept>, visitor: &mut dyn StateVisitor) {
        state.visit(at, visitor);
    }

    /// Returns the name of a leaf with state that is not part of saves, if this node stores the names of its leaves.
    #[cfg(feature = "serde")]
    #[doc(hidden)]
    fn unsaved_leaf(&self, _: &Self::Kept) -> Option<alloc::string::String> {
        None
    }

    /// Describes this node and its descendants to a visitor, in pre-order.
    fn describe(&self, visitor: &mut dyn Visitor);
}

impl NodeId {
    /// Returns the id that follows a subtree whose first node has this id.
    #[inline(always)]
    #[must_use]
    #[doc(hidden)]
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
    #[doc(hidden)]
    pub const fn new(ctx: &'a mut C, observer: &'a mut O) -> Self {
        Self { ctx, observer }
    }
}

/// A node over the context `C`, which a tree can start, resume and halt.
///
/// A parent does not call these methods directly. It calls the functions of [`visit`](crate::visit), which also report
/// to the observer.
///
/// A leaf written by hand implements two methods: `describe` of [`NodeShape`] and `start`. The leaf below also implements
/// `resume`. A node with nodes below it also implements `walk` and `halt_run`.
///
/// ```
/// use bt_core::describe::{Kind, Visitor};
/// use bt_core::prelude::*;
/// use bt_core::{Step, protocol::Visit};
///
/// /// Runs for two ticks.
/// struct Twice;
///
/// impl NodeShape for Twice {
///     type Open = u8;
///     type Kept = ();
///
///     fn describe(&self, visitor: &mut dyn Visitor) {
///         visitor.leaf::<Self>(Kind::Action, "twice", &[]);
///     }
/// }
///
/// impl<C: ?Sized> Node<C> for Twice {
///     fn start<O: Observer>(&self, _: NodeId, (): &mut (), _: &mut Visit<'_, C, O>) -> Step<u8> {
///         Step::Running(2)
///     }
///
///     fn resume<O: Observer>(&self, _: NodeId, left: &mut u8, (): &mut (), _: &mut Visit<'_, C, O>) -> Step<()> {
///         *left -= 1;
///         if *left == 0 { Step::Done(Outcome::Success) } else { Step::Running(()) }
///     }
/// }
///
/// let tree = tree! { for (): sequence { Twice, succeed } };
/// let mut memory = tree.memory();
/// let statuses = [(); 3].map(|()| tree.tick(&mut (), &mut memory));
/// assert_eq!(statuses, [Status::Running, Status::Running, Status::Success]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node over `{C}`",
    label = "not a node over `{C}`",
    note = "a tree has one context type, here `{C}`; every leaf in it must take `&{C}` or `&mut {C}`"
)]
#[expect(unused_variables, reason = "the defaults ignore their arguments")]
pub trait Node<C: ?Sized>: NodeShape {
    /// Starts a run.
    fn start<O: Observer>(&self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) -> Step<Self::Open>;

    /// Resumes a run. `open` is stale once this returns [`Step::Done`]. The default starts the node again.
    #[inline(always)]
    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        self.start(at, kept, visit).map(|opened| *open = opened)
    }

    /// Creates the open state for a run whose statuses an observer [replaces](Observer::replacement). Returns `None`
    /// if this node cannot be running without a tick: a condition, a composite, a decorator.
    fn open_replaced(&self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, ()>) -> Option<Self::Open> {
        None
    }

    /// Halts a run, or notifies the node of a pause. Called by parents and by [`Tree::halt`](crate::Tree::halt). After a halt, `open`
    /// is stale. The default does nothing: a node with nodes below it interrupts those that are running.
    #[inline(always)]
    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    ) {
    }

    /// Visits the cleanups in this subtree that a halt has left running: see [`finally`](crate::keywords::finally). Called whether
    /// the node is running or not, and only if [`cleans_up`](NodeShape::cleans_up). A node with nodes below it
    /// passes the call on to each of them.
    #[doc(hidden)]
    fn visit_cleanups<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        how: CleanUp,
        visit: &mut Visit<'_, C, O>,
    ) {
    }

    /// Returns when this node, which is running, has to be ticked again. Until then, ticks change nothing. The default is the
    /// next tick.
    ///
    /// [`Tree::due`](crate::Tree::due) returns this time for a whole tree.
    #[inline]
    fn wake(&self, open: &Self::Open, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        Wake::Next
    }

    /// Returns when one of the cleanups that [`visit_cleanups`](Self::visit_cleanups) visits has to be ticked again; [`Wake::Event`] if there is
    /// none.
    #[doc(hidden)]
    fn wake_cleanups(&self, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        Wake::Event
    }

    /// Returns the effect of starting this node, if it is known without an effect on the context. `event` is `true` if the node
    /// is below [`by_event`](crate::keywords::by_event): then a condition is evaluated, although it could change with time.
    #[inline]
    fn foresee(&self, kept: &Self::Kept, ctx: &mut C, event: bool) -> Foreseen {
        None
    }
}

/// Adds 1 to the count of a child, for the node above it.
pub(crate) const fn one_more(count: Option<u32>) -> Option<u32> {
    match count {
        Some(count) => Some(count + 1),
        None => None,
    }
}

/// Adds the numbers of nodes of two subtrees.
pub(crate) const fn plus(first: Option<u32>, second: Option<u32>) -> Option<u32> {
    match (first, second) {
        (Some(first), Some(second)) => Some(first + second),
        _ => None,
    }
}

/// Returns the number of nodes before each child, where it is known at compile time. `counts` are the counts of the children.
pub(crate) const fn offsets<const N: usize>(counts: [Option<u32>; N]) -> [Option<u32>; N] {
    let mut offsets = [None; N];
    let (mut child, mut before) = (0, Some(0));
    while child < N {
        offsets[child] = before;
        before = plus(before, counts[child]);
        child += 1;
    }
    offsets
}

/// The ids of the nodes in a tuple.
macro_rules! node_ids {
    ($list:ident, $first:ident, $($index:tt),+) => {{
        let mut next = $first;
        #[allow(unused_assignments, reason = "nothing comes after the last child")]
        let ids = [$({
            let this = next;
            next = next.after(&$list.$index);
            this
        }),+];
        ids
    }};
}

/// The ids of the nodes in a tuple with these types, each found on demand. See [`ChildIds`].
macro_rules! child_ids {
    ($list:ident, $first:ident, $($node:ty: $index:tt),+) => {
        $crate::node::ChildIds {
            first: $first,
            offsets: const { &$crate::node::offsets([$(<$node as $crate::node::NodeShape>::COUNT),+]) },
            added_up: || $crate::node::node_ids!($list, $first, $($index),+),
        }
    };
}

pub(crate) use {child_ids, node_ids};

/// The ids of the nodes in a tuple. As far as the numbers of nodes are known at compile time, the ids come from constants, so
/// that debug builds do not add them up in each tick.
pub(crate) struct ChildIds<const N: usize, F> {
    pub(crate) first: NodeId,
    pub(crate) offsets: &'static [Option<u32>; N],
    pub(crate) added_up: F,
}

impl<const N: usize, F: Fn() -> [NodeId; N]> ChildIds<N, F> {
    /// Returns the id of a child.
    #[inline(always)]
    pub(crate) fn of(&self, child: usize) -> NodeId {
        match self.offsets[child] {
            Some(nodes) => self.first.skip(nodes),
            None => (self.added_up)()[child],
        }
    }
}
