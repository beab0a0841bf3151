//! Leaves: the values that can be leaves of a tree, and their conversion to nodes.

mod answer;
mod context;
mod function;
mod lifecycle;
mod mistake;
mod ready;
#[cfg(feature = "serde")]
mod unsaved;

pub use answer::{ActionOutput, Fails};
#[doc(hidden)]
pub use answer::{ActionOutputIn, Fallible, OutputState};
#[doc(hidden)]
pub use context::{Context, HasContext, KnownContext};
#[doc(hidden)]
pub use function::{Action, Condition, ConditionOutput};
#[doc(hidden)]
pub use lifecycle::LeafNode;
pub use lifecycle::{Leaf, LeafShape};
#[doc(hidden)]
pub use mistake::{Defaults, IsDefaults, IsMistake, Mistake, SomeDefaults, StandIn};
#[doc(hidden)]
pub use ready::{Fail, Fault, Run, Succeed, Wait};
pub use ready::{error, fail, run, succeed, wait};
#[cfg(feature = "serde")]
pub use unsaved::{IsUnsaved, Unsaved, UnsavedLeaf, UnsavedState, unsaved};

use crate::node::NodeShape;

/// A value that can be used as a node in a tree over `C`.
///
/// These are:
///
/// - a function or closure `fn(&C) -> bool`: a condition
/// - a function or closure `fn(&mut C) -> R`: an action; `R` is an [`ActionOutput`]
/// - with the feature `async`, a function or closure `fn(&mut C) -> impl Future<Output = R>`: an action whose future is polled
///   by ticks; see [`task`](crate::task)
/// - a [`Node`](crate::Node)
/// - a [`Leaf`]
/// - a function without parameters that returns a node or a leaf
/// - an `#[action]` or `#[condition]` whose parameters all have defaults
///
/// `M` only distinguishes these cases and is always inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used in a tree over `{C}`",
    label = "not a leaf over `{C}`",
    note = "a leaf is a `fn(&{C}) -> bool`, a `fn(&mut {C}) -> R`, a node, or a type with `#[leaf] impl Leaf<{C}>`; a type parameter has the bound `Node<{C}>`; `R` is `Status`, `Outcome`, `bool`, `()`, or an `Option` or a `Result` of one of them",
    note = "a leaf with parameters is called: `name(arguments)`, as in `wait(secs(5))`; a function that returns a future needs `#[action]`; a closure needs the type of its parameter: `|ctx: &{C}| …`; a trait object is taken as `&(dyn Trait + 'static)`",
    note = "`within(|ctx: &mut {C}| &mut ctx.part) {{ … }}` is a tree over a part of the context"
)]
pub trait IntoNode<C: ?Sized, M> {
    /// The type of the resulting node.
    type Node: NodeShape;
    /// Converts the value to a node.
    fn into_node(self) -> Self::Node;

    // Called by macro expansions. The context comes first, so that it is not inferred from the leaf.
    #[doc(hidden)]
    #[inline(always)]
    fn leaf(_: Context<C>, leaf: Self) -> Self::Node
    where
        Self: Sized,
    {
        leaf.into_node()
    }
}

/// Marks values that are nodes already.
#[doc(hidden)]
pub struct IsNode;
/// Marks values that implement [`Leaf`].
#[doc(hidden)]
pub struct IsLeaf;
/// Marks functions that only read the context and return `R`.
#[doc(hidden)]
pub struct IsCondition<R>(R);
/// Marks functions that change the context and return `R`.
#[doc(hidden)]
pub struct IsAction<R>(R);
/// Marks functions that return a node.
#[doc(hidden)]
pub struct IsBuilder<N>(N);
/// Marks functions that return a [`Leaf`].
#[doc(hidden)]
pub struct IsLeafBuilder<T>(T);

#[diagnostic::do_not_recommend]
impl<C: ?Sized, N: NodeShape> IntoNode<C, IsNode> for N {
    type Node = N;

    #[inline(always)]
    fn into_node(self) -> N {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<C: ?Sized, T: LeafShape> IntoNode<C, IsLeaf> for T {
    type Node = LeafNode<T>;

    fn into_node(self) -> LeafNode<T> {
        LeafNode(self)
    }
}

// What the function returns is checked when the node is used, so that the error names it.
#[diagnostic::do_not_recommend]
impl<C: ?Sized, R, F: Fn(&C) -> R> IntoNode<C, IsCondition<R>> for F {
    type Node = Condition<F>;

    fn into_node(self) -> Condition<F> {
        Condition(self)
    }
}

#[diagnostic::do_not_recommend]
impl<C: ?Sized, R: ActionOutput, F: Fn(&mut C) -> R> IntoNode<C, IsAction<R>> for F {
    type Node = Action<F, R>;

    fn into_node(self) -> Action<F, R> {
        Action::new(self)
    }
}

#[diagnostic::do_not_recommend]
impl<C: ?Sized, N: NodeShape, F: Fn() -> N> IntoNode<C, IsBuilder<N>> for F {
    type Node = N;

    fn into_node(self) -> N {
        self()
    }
}

#[diagnostic::do_not_recommend]
impl<C: ?Sized, T: LeafShape, F: Fn() -> T> IntoNode<C, IsLeafBuilder<T>> for F {
    type Node = LeafNode<T>;

    fn into_node(self) -> LeafNode<T> {
        LeafNode(self())
    }
}
