//! The protocol of every node: start, resume, interrupt.

use core::fmt;

use crate::check::Facts;
use crate::clock::Shift;
use crate::describe::Visitor;
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::Step;

/// A node's place in its tree: its index in pre-order. The root is 0, its first child 1.
///
/// Ids are stable as long as the tree's structure is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeId(u32);

impl NodeId {
    /// The root of a tree.
    pub const ROOT: Self = Self(0);

    /// The id with this pre-order index.
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// The pre-order index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The id of this node's first child.
    #[inline(always)]
    #[must_use]
    pub const fn first_child(self) -> Self {
        Self(self.0 + 1)
    }

    /// The id that follows a subtree which begins at this id.
    #[inline(always)]
    #[must_use]
    pub fn after<N: Shape>(self, subtree: &N) -> Self {
        self.skip(subtree.count())
    }

    /// The id so many nodes further on.
    #[inline(always)]
    #[must_use]
    pub const fn skip(self, nodes: u32) -> Self {
        Self(self.0 + nodes)
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "#{}", self.0)
    }
}

/// What of a node does not depend on the context.
///
/// It is apart from [`Node`] so that one tree can be ticked with contexts that borrow (`Ctx<'_>`): what an agent remembers has
/// the same type whatever the lifetime. You rarely implement this by hand: [`#[action]`](crate::action), [`#[leaf]`](macro@crate::leaf)
/// and [`#[decorator]`](macro@crate::decorator) do it for you.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node of a behaviour tree",
    label = "not a node",
    note = "nodes are made by `tree!`, by `#[action]`, `#[condition]` and `#[subtree]` functions, and by the functions of the prelude"
)]
pub trait Shape {
    /// What the node remembers while it is running, and only then.
    type Open: Clone + Send + Sync + 'static;
    /// What it remembers after a run has ended (`limit`, `cooldown`, …); `()` for nearly all.
    type Kept: Default + Clone + Send + Sync + 'static;

    /// Which statuses this node can ever give.
    const CAN: Outcomes = Outcomes::ANY;
    /// What is known of this node and those below it, for finding what can never happen. See [`check`](crate::check).
    const FACTS: Facts = Facts::leaf(Self::CAN);
    /// How many nodes this subtree has, itself included, where the type says it.
    const COUNT: Option<u32> = Some(1);
    /// Whether resuming is starting again and halting does nothing: then nothing need be resumed where nobody observes.
    const RESTARTS: bool = false;

    /// How many nodes this subtree has, itself included.
    ///
    /// A type that sets [`COUNT`](Self::COUNT) to `None` has to implement this too.
    #[inline(always)]
    fn count(&self) -> u32 {
        const { Self::COUNT.expect("a node without COUNT has its own `count`") }
    }

    /// Takes times that this node and those below it store over to another clock: see [`Shift`].
    fn shift_times(&self, open: Option<&mut Self::Open>, kept: &mut Self::Kept, by: Shift) {
        let _ = (open, kept, by);
    }

    /// Shows this node and the nodes below it to a visitor, in pre-order.
    fn describe(&self, visitor: &mut dyn Visitor);
}

/// A node over the context `C`: something a tree can start, resume and interrupt.
///
/// A parent never calls these itself, it calls the functions of [`visit`](crate::visit), which tell the observer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node over `{C}`",
    label = "not a node of a tree over `{C}`",
    note = "a tree has one context type, here `{C}`; every leaf in it must take `&{C}` or `&mut {C}`"
)]
pub trait Node<C: ?Sized>: Shape {
    /// Begins a run.
    fn start<O: Observer>(&self, at: NodeId, kept: &mut Self::Kept, ctx: &mut C, observer: &mut O) -> Step<Self::Open>;

    /// Goes on with a run. `open` is dead once this has given [`Step::Done`].
    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        ctx: &mut C,
        observer: &mut O,
    ) -> Step<()>;

    /// Breaks a run off, as [`Tree::halt`](crate::Tree::halt) and parents do. `open` is dead afterwards.
    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        ctx: &mut C,
        observer: &mut O,
    );
}
