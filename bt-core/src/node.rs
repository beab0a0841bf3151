//! The protocol of every node: start, resume, interrupt.

use crate::check::Facts;
use crate::clock::Shift;
use crate::id::NodeId;
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::Step;
use crate::visitor::Visitor;

/// What of a node does not depend on the context.
///
/// It is apart from [`Node`] so that one tree can be ticked with contexts that borrow (`Ctx<'_>`): what an agent remembers has
/// the same type whatever the lifetime. You rarely implement this by hand: [`#[action]`](crate::action), [`#[leaf]`](macro@crate::leaf)
/// and [`#[decorator]`](macro@crate::decorator) do it for you.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node of a behavior tree",
    label = "not a node",
    note = "nodes are created by `tree!`, by `#[action]`, `#[condition]` and `#[subtree]` functions, and by functions of the prelude"
)]
pub trait NodeShape {
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
        const { Self::COUNT.expect("a node without `COUNT` must implement `count`") }
    }

    /// Arity times that this node and those below it store over to another clock: see [`Shift`].
    fn shift_times(&self, open: Option<&mut Self::Open>, kept: &mut Self::Kept, by: Shift) {
        let _ = (open, kept, by);
    }

    /// Shows this node and the nodes below it to a visitor, in pre-order.
    fn describe(&self, visitor: &mut dyn Visitor);
}

impl NodeId {
    /// The id that follows a subtree which begins at this id.
    #[inline(always)]
    #[must_use]
    pub fn after<N: NodeShape>(self, subtree: &N) -> Self {
        self.skip(subtree.count())
    }
}

/// What a visit of a node hands down: the context, and the observer that receives the events.
#[derive(Debug)]
pub struct Visit<'a, C: ?Sized, O> {
    /// The context of the tick.
    pub ctx: &'a mut C,
    /// The observer of the tick.
    pub observer: &'a mut O,
}

impl<'a, C: ?Sized, O> Visit<'a, C, O> {
    /// A visit with this context and observer.
    #[inline(always)]
    pub const fn new(ctx: &'a mut C, observer: &'a mut O) -> Self {
        Self { ctx, observer }
    }
}

/// A node over the context `C`: something a tree can start, resume and interrupt.
///
/// A parent never calls these itself, it calls the functions of [`visit`](crate::visit), which tell the observer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node over `{C}`",
    label = "not a node over `{C}`",
    note = "a tree has one context type, here `{C}`; every leaf in it must take `&{C}` or `&mut {C}`"
)]
pub trait Node<C: ?Sized>: NodeShape {
    /// Begins a run.
    fn start<O: Observer>(&self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) -> Step<Self::Open>;

    /// Goes on with a run. `open` is dead once this has given [`Step::Done`].
    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()>;

    /// Breaks a run off, as [`Tree::halt`](crate::Tree::halt) and parents do. `open` is dead afterwards.
    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    );
}

/// The count of a node with one child of its own.
pub(crate) const fn one_more(count: Option<u32>) -> Option<u32> {
    match count {
        Some(count) => Some(count + 1),
        None => None,
    }
}
