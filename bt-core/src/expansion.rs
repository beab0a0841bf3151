//! The items that macro expansions call. Not for users: they can change at any time.

use core::fmt;

pub use core::option::Option::{self, None, Some};
pub use core::primitive::usize;

#[cfg(feature = "alloc")]
pub use alloc::{boxed::Box, string::String, vec::Vec};

pub use crate::argument::Fixed;
pub use crate::check::{CheckedSource, Parametric, TreeType, Written, child, facts, leaf_at, located, own_child, root};
pub use crate::check::{Family, OverEvery, OverFamily, OverOne, OverOneBox, OverOneFunction};
pub use crate::check::{any_transition, hook, state, transition};
pub use crate::composite::{ConstThreshold, Score, ScoreNumber};
pub use crate::describe::{Info, Kind, Located, Name, Param, SourceNode, Subtree, TransitionText, Visitor};
pub use crate::id::NodeId;
pub use crate::leaf::{
    ActionOutput, ActionOutputIn, Context, Defaults, Fallible, HasContext, IntoNode, KnownContext, OutputState,
    SomeDefaults, StandIn,
};
pub use crate::list::{IntoSpread, Join};
pub use crate::machine::{Attached, Guarded, NoHook, OnEnd, Out, State, StateRules, To};
pub use crate::node::{Node, NodeShape, Visit};
pub use crate::observer::Observer;
pub use crate::outcomes::Outcomes;
pub use crate::status::{Interrupt, Never, Step};
pub use crate::visit::{explain, explains};

#[cfg(feature = "random")]
pub use crate::composite::{Weight, Weighted};
#[cfg(feature = "json")]
pub use crate::file::literal::{json_bool, json_float, json_int, json_key, json_list, json_text};
#[cfg(feature = "serde")]
pub use crate::save::{KeptSaved, OpenSaved, SavedState};

pub use bt_macros::tree;
#[cfg(feature = "text")]
pub use bt_macros::tree_from_file;
#[cfg(feature = "json")]
pub use bt_macros::tree_from_json;

pub use crate::words;

use crate::clock::{Shift, Timed};
use crate::decorator::{Decorated, Decorator, decorate};
use crate::describe::Property;
use crate::leaf::Fault;

/// A function that is called without arguments in place of a leaf. If it has no parameters, an inherent method of this type calls it; if it has
/// any, the method of [`Uncalled`] returns the function, so that `name()` means `name`.
pub struct Called<'a, F>(pub &'a F);

impl<R, F: Fn() -> R> Called<'_, F> {
    /// Calls the function.
    #[inline(always)]
    pub fn called(self) -> R {
        (self.0)()
    }
}

/// The method of [`Called`] for a function with parameters.
pub trait Uncalled {
    /// The function.
    type Function;
    /// Returns the function.
    fn called(self) -> Self::Function;
}

impl<F: Copy> Uncalled for Called<'_, F> {
    type Function = F;

    #[inline(always)]
    fn called(self) -> F {
        *self.0
    }
}

/// A node of a tree over `C`: every [`Node<C>`]. Expansions require it once per node, so that the error is reported at
/// the node.
///
/// Expansions call it by the path of the trait, so the error does not mention a bound of a function. The context comes
/// first, so that it is not inferred from the node.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node over `{C}`",
    label = "not a node over `{C}`",
    note = "a tree has one context type, here `{C}`; every leaf in it must take `&{C}` or `&mut {C}`",
    note = "`within(|ctx: &mut {C}| &mut ctx.part) {{ … }}` is a tree over a part of the context"
)]
pub trait NodeOver<C: ?Sized>: Sized {
    /// Returns the node unchanged.
    fn over(_: self::Context<C>, node: Self) -> Self;
}

impl<C: ?Sized, N: Node<C>> NodeOver<C> for N {
    #[inline(always)]
    fn over(_: self::Context<C>, node: Self) -> Self {
        node
    }
}

/// The result of a call as a leaf in a tree over `C`: every [`IntoNode<C, M>`](IntoNode). The error is about the call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is the result of a function, not a leaf over `{C}`",
    label = "the result of a function",
    note = "a plain function is a leaf by its name alone, without arguments: `name`",
    note = "`#[action]` or `#[condition]` before the function gives it parameters: `name(arguments)`",
    note = "the child of a decorator of your own is in braces: `name {{ child }}`, or `name(arguments) {{ child }}`"
)]
pub trait FromCall<C: ?Sized, M> {
    /// The type of the node.
    type Node: NodeShape;
    /// Converts the value to a node.
    fn leaf(_: self::Context<C>, value: Self) -> Self::Node;
}

#[diagnostic::do_not_recommend]
impl<C: ?Sized, M, T: IntoNode<C, M>> FromCall<C, M> for T {
    type Node = T::Node;

    #[inline(always)]
    fn leaf(_: self::Context<C>, value: T) -> T::Node {
        value.into_node()
    }
}

/// A node that a function of the user has created from children in a tree over `C`: every
/// [`IntoNode<C, M>`](IntoNode). The error names the form of such a function, which the error of `IntoNode` does not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node over `{C}` with these children",
    label = "not a decorator or composite over `{C}` with these children",
    note = "a leaf has no children; a decorator takes 1 child: put several in a composite, such as `sequence {{ … }}`",
    note = "a function before children receives its arguments and then the child or children, and returns a node: `Decorated<_, _>`, `Composed<_, _>` or `impl Node<{C}>`"
)]
pub trait FromChildren<C: ?Sized, M> {
    /// The type of the node.
    type Node: NodeShape;
    /// Converts the value to a node.
    fn node(_: self::Context<C>, value: Self) -> Self::Node;
}

#[diagnostic::do_not_recommend]
impl<C: ?Sized, M, T: IntoNode<C, M>> FromChildren<C, M> for T {
    type Node = T::Node;

    #[inline(always)]
    fn node(_: self::Context<C>, value: T) -> T::Node {
        value.into_node()
    }
}

/// The policy of a decorator in a tree over `C`: every [`Decorator<C>`](Decorator).
pub trait PolicyOver<C: ?Sized>: Sized {
    /// Returns a child under this policy.
    fn decorate<N>(_: self::Context<C>, policy: Self, child: N) -> Decorated<Self, N>;
}

impl<C: ?Sized, P: Decorator<C>> PolicyOver<C> for P {
    #[inline(always)]
    fn decorate<N>(_: self::Context<C>, policy: Self, child: N) -> Decorated<Self, N> {
        decorate(policy, child)
    }
}

/// The type itself.
pub type Same<T> = T;

/// Returns the scores of a utility selector.
pub const fn scores<F, const N: usize>(texts: [&'static str; N], score: F) -> crate::composite::ScoreTable<F, N> {
    crate::composite::ScoreTable::new(texts, score)
}

/// Returns the scores of a utility selector in a tree over `C`.
pub const fn scores_of<C: ?Sized, F: Fn(&C, usize) -> f32, const N: usize>(
    _: self::Context<C>,
    texts: [&'static str; N],
    score: F,
) -> crate::composite::ScoreTable<F, N> {
    crate::composite::ScoreTable::new(texts, score)
}

/// The score of a child that does not exist.
pub const NAN: f32 = f32::NAN;

/// Returns the selection of a `match`.
pub const fn cases<F>(on: &'static str, cases: &'static [&'static str], select: F) -> crate::composite::Cases<F> {
    crate::composite::Cases::new(on, cases, select)
}

/// Returns the selection of a `match` in a tree over `C`.
pub const fn cases_of<C: ?Sized, F: Fn(&C) -> usize>(
    _: self::Context<C>,
    on: &'static str,
    cases: &'static [&'static str],
    select: F,
) -> crate::composite::Cases<F> {
    crate::composite::Cases::new(on, cases, select)
}

/// Returns the weights of a random composite whose children have none.
#[cfg(feature = "random")]
pub const fn uniform() -> crate::composite::Uniform {
    crate::composite::Uniform
}

/// The weights of a random composite in a tree over `C`, whose context provides a random number generator.
#[cfg(feature = "random")]
pub trait DrawnOver<C: ?Sized>: Sized {
    /// Returns the weights unchanged.
    fn over(_: self::Context<C>, weights: Self) -> Self;
}

#[cfg(feature = "random")]
impl<C: ?Sized + crate::Random, W: crate::composite::WeightList> DrawnOver<C> for W {
    #[inline(always)]
    fn over(_: self::Context<C>, weights: Self) -> Self {
        weights
    }
}

/// A whole tree with its context and its source location.
pub struct Whole<C: ?Sized, N>(pub self::Context<C>, pub N, pub CheckedSource<N>);

impl<C: ?Sized, N: Node<C>> Whole<C, N> {
    /// Returns the tree with its source location.
    #[inline(always)]
    pub fn or_broken(self) -> Located<N> {
        located(self.1, self.2)
    }
}

/// Replaces a tree that is not a node over its context, or a leaf whose state cannot be saved. The error has been reported at its nodes, so no further error
/// is needed.
pub struct BrokenTree;

impl BrokenTree {
    /// Returns a node over every context.
    pub const fn or_broken(&self) -> Fault {
        Fault
    }
}

/// A leaf in a tree that is declared as `+ Save`: the leaf, or another node if its state cannot be saved, which has been reported.
#[cfg(feature = "serde")]
pub struct OpenOr<N>(pub N);

/// The same, for the state that is kept across runs.
#[cfg(feature = "serde")]
pub struct KeptOr<N>(pub N);

#[cfg(feature = "serde")]
impl<N: NodeShape<Open: SavedState>> OpenOr<N> {
    /// Returns the leaf.
    #[inline(always)]
    pub fn or_broken(self) -> N {
        self.0
    }
}

#[cfg(feature = "serde")]
impl<N: NodeShape<Kept: SavedState>> KeptOr<N> {
    /// Returns the leaf.
    #[inline(always)]
    pub fn or_broken(self) -> N {
        self.0
    }
}

#[cfg(feature = "serde")]
impl<N> core::ops::Deref for OpenOr<N> {
    type Target = BrokenTree;

    fn deref(&self) -> &BrokenTree {
        &BrokenTree
    }
}

#[cfg(feature = "serde")]
impl<N> core::ops::Deref for KeptOr<N> {
    type Target = BrokenTree;

    fn deref(&self) -> &BrokenTree {
        &BrokenTree
    }
}

// Method resolution reaches `BrokenTree::or_broken` if the bound of `Whole::or_broken` does not hold.
impl<C: ?Sized, N> core::ops::Deref for Whole<C, N> {
    type Target = BrokenTree;

    fn deref(&self) -> &BrokenTree {
        &BrokenTree
    }
}

/// Returns a node over every context, in place of a node for which the macro has reported an error.
#[inline(always)]
pub const fn broken() -> Fault {
    Fault
}

/// A parameter of an `#[action]`, passed to the function in every tick.
#[diagnostic::on_unimplemented(
    message = "a leaf parameter of type `{Self}` must be `Copy`",
    label = "not `Copy`",
    note = "the function receives a copy at every tick",
    note = "take it by reference instead: `name: &{Self}`"
)]
pub trait Parameter: Copy {}

impl<T: Copy> Parameter for T {}

/// Copies a parameter to pass it on.
#[inline(always)]
pub const fn hand<T: Parameter>(parameter: &T) -> T {
    *parameter
}

/// Wraps a value whose type may or may not implement the traits to show or store it. If it does, an inherent method of
/// this type is called; if not, the method of [`Opaque`].
pub struct Probe<'a, T>(pub &'a T);

impl<'a, T: fmt::Debug> Probe<'a, T> {
    /// Returns the value for formatting.
    pub const fn show(&self) -> &'a dyn fmt::Debug {
        self.0
    }
}

#[cfg(feature = "json")]
impl<'a, T: serde::Serialize> Probe<'a, T> {
    /// Returns the value for serialization to a file.
    pub const fn property(&self) -> Option<Property<'a>> {
        Some(Property::new(self.0))
    }
}

impl<T: fmt::Debug + Clone> Probe<'_, T> {
    /// Clones the value to store it.
    pub fn keep(&self) -> T {
        self.0.clone()
    }
}

/// The methods of a [`Probe`] for all other types.
pub trait Opaque {
    /// Returns an ellipsis.
    fn show(&self) -> &'static dyn fmt::Debug {
        &Ellipsis
    }

    /// Returns `None`: the value is not written to files.
    fn property(&self) -> Option<Property<'static>> {
        None
    }

    /// Returns an ellipsis.
    fn keep(&self) -> Ellipsis {
        Ellipsis
    }
}

impl<T> Opaque for Probe<'_, T> {}

/// Wraps a state that may or may not implement [`Timed`]. If it does, an inherent method of this type is called; if
/// not, the method of [`Timeless`].
pub struct Times<'a, T>(pub &'a mut T);

impl<T: Timed> Times<'_, T> {
    /// Converts the times of the state to another clock.
    pub fn shift(self, by: Shift) {
        self.0.shift(by);
    }
}

/// The methods of [`Times`] for all other types.
pub trait Timeless: Sized {
    /// Does nothing.
    fn shift(self, _: Shift) {}
}

impl<T> Timeless for Times<'_, T> {}

/// Passes the error of a parameter to the context. If the context does not handle it, the method of [`Unreported`] is
/// called.
#[cfg(feature = "alloc")]
pub struct Reporting<'a, C: ?Sized>(pub &'a mut C);

#[cfg(feature = "alloc")]
impl<C: ?Sized + crate::OnError<crate::board::ParameterError>> Reporting<'_, C> {
    /// Passes the error to the context.
    pub fn report(self, at: NodeId, error: crate::board::ParameterError) {
        crate::visit::received(at);
        self.0.on_error(at, error);
    }
}

/// The method of [`Reporting`] for all other contexts.
#[cfg(feature = "alloc")]
pub trait Unreported: Sized {
    /// Does nothing.
    fn report(self, _: NodeId, _: crate::board::ParameterError) {}
}

#[cfg(feature = "alloc")]
impl<C: ?Sized> Unreported for Reporting<'_, C> {}

/// Replaces a value that cannot be formatted.
#[derive(Clone, Copy)]
pub struct Ellipsis;

impl fmt::Debug for Ellipsis {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("…")
    }
}
