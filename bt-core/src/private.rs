//! What the macros' expansions call. Not for users: anything here can change at any time.

use core::fmt;

pub use core::option::Option::{self, None, Some};

pub use crate::check::{CheckedSource, Parametric, TreeType, Written, child, facts, leaf_at, located, root};
pub use crate::check::{any_transition, hook, state, transition};
pub use crate::composite::{ConstThreshold, Join};
pub use crate::decorator::Fixed;
pub use crate::describe::{Info, Kind, Located, Name, Param, SourceNode, Subtree, TransitionText, Visitor};
pub use crate::id::NodeId;
pub use crate::leaf::{ActionOutput, ActionOutputIn, Context, IntoNode};
pub use crate::machine::{Do, NoHook, OnFailure, OnSuccess, Out, State, StateRules, To, Transition, When};
pub use crate::node::{Node, NodeShape, Visit};
pub use crate::observe::Observer;
pub use crate::outcomes::Outcomes;
pub use crate::status::{Never, Step};

#[cfg(feature = "random")]
pub use crate::composite::{Weight, Weighted};
#[cfg(feature = "json")]
pub use crate::file::literal::{json_bool, json_float, json_int, json_list, json_text};

use crate::clock::{Shift, Timed};
use crate::decorator::{Decorated, Decorator, decorate};
use crate::describe::Property;
use crate::leaf::Fault;

/// A node of a tree over `C`: every [`Node<C>`]. Expansions ask for it once per node, so that an error stands there. (Called by the
/// trait's own path, it says nothing of a bound in this function; the context comes first, so that it is not inferred from the node.)
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node over `{C}`",
    label = "not a node over `{C}`",
    note = "a tree has one context type, here `{C}`; every leaf in it must take `&{C}` or `&mut {C}`"
)]
pub trait NodeOver<C: ?Sized>: Sized {
    /// The node, as it is.
    fn over(_: self::Context<C>, node: Self) -> Self;
}

impl<C: ?Sized, N: Node<C>> NodeOver<C> for N {
    #[inline(always)]
    fn over(_: self::Context<C>, node: Self) -> Self {
        node
    }
}

/// A decorator's policy in a tree over `C`: every [`Decorator<C>`](Decorator).
pub trait PolicyOver<C: ?Sized>: Sized {
    /// A child under this policy.
    fn decorate<N>(_: self::Context<C>, policy: Self, child: N) -> Decorated<Self, N>;
}

impl<C: ?Sized, P: Decorator<C>> PolicyOver<C> for P {
    #[inline(always)]
    fn decorate<N>(_: self::Context<C>, policy: Self, child: N) -> Decorated<Self, N> {
        decorate(policy, child)
    }
}

/// The weights of a random composite whose children have none.
#[cfg(feature = "random")]
pub const fn uniform() -> crate::composite::Uniform {
    crate::composite::Uniform
}

/// The weights of a random composite in a tree over `C`: any, if the context lends a generator.
#[cfg(feature = "random")]
pub trait DrawnOver<C: ?Sized>: Sized {
    /// The weights, as they are.
    fn over(_: self::Context<C>, weights: Self) -> Self;
}

#[cfg(feature = "random")]
impl<C: ?Sized + crate::Random, W: crate::composite::Weights> DrawnOver<C> for W {
    #[inline(always)]
    fn over(_: self::Context<C>, weights: Self) -> Self {
        weights
    }
}

/// A whole tree, its context and where it stands.
pub struct Whole<C: ?Sized, N>(pub self::Context<C>, pub N, pub CheckedSource<N>);

impl<C: ?Sized, N: Node<C>> Whole<C, N> {
    /// The tree, at its place.
    #[inline(always)]
    pub fn or_broken(self) -> Located<N> {
        located(self.1, self.2)
    }
}

/// What is taken in the place of a tree that is none over its context. That has been reported at its nodes: nothing more need be said.
pub struct BrokenTree;

impl BrokenTree {
    /// A node over every context.
    pub const fn or_broken(&self) -> Fault {
        Fault
    }
}

// A method found on the way past the one with the bound, where that does not hold.
impl<C: ?Sized, N> core::ops::Deref for Whole<C, N> {
    type Target = BrokenTree;

    fn deref(&self) -> &BrokenTree {
        &BrokenTree
    }
}

/// What stands in the place of a node that the macro has reported an error for: a node over every context.
#[inline(always)]
pub const fn broken() -> Fault {
    Fault
}

/// A parameter of an `#[action]`: handed to the function at every tick.
#[diagnostic::on_unimplemented(
    message = "a leaf parameter of type `{Self}` must be `Copy`",
    label = "not `Copy`",
    note = "the function receives a copy at every tick",
    note = "take it by reference instead: `name: &{Self}`"
)]
pub trait Parameter: Copy {}

impl<T: Copy> Parameter for T {}

/// A parameter, to be handed over.
#[inline(always)]
pub const fn hand<T: Parameter>(parameter: &T) -> T {
    *parameter
}

/// Looks at a value of a type of which it is not known whether it can be shown or kept: an inherent method where it can, that of
/// [`Opaque`] where it cannot.
pub struct Probe<'a, T>(pub &'a T);

impl<'a, T: fmt::Debug> Probe<'a, T> {
    /// The value, to be shown.
    pub const fn show(&self) -> &'a dyn fmt::Debug {
        self.0
    }
}

#[cfg(feature = "json")]
impl<'a, T: serde::Serialize> Probe<'a, T> {
    /// The value, for a file.
    pub const fn property(&self) -> Option<Property<'a>> {
        Some(Property::new(self.0))
    }
}

impl<T: fmt::Debug + Clone> Probe<'_, T> {
    /// The value, to be kept for later.
    pub fn keep(&self) -> T {
        self.0.clone()
    }
}

/// What a [`Probe`] does with the rest.
pub trait Opaque {
    /// Shows an ellipsis.
    fn show(&self) -> &'static dyn fmt::Debug {
        &Ellipsis
    }

    /// Writes nothing to a file.
    fn property(&self) -> Option<Property<'static>> {
        None
    }

    /// Keeps an ellipsis.
    fn keep(&self) -> Ellipsis {
        Ellipsis
    }
}

impl<T> Opaque for Probe<'_, T> {}

/// Arity a state of which it is not known whether it stores times over to another clock: an inherent method where it does, that of [`Timeless`] where it does not.
pub struct Times<'a, T>(pub &'a mut T);

impl<T: Timed> Times<'_, T> {
    /// Arity them over.
    pub fn shift(self, by: Shift) {
        self.0.shift(by);
    }
}

/// What [`Times`] does with the rest.
pub trait Timeless: Sized {
    /// Nothing.
    fn shift(self, _: Shift) {}
}

impl<T> Timeless for Times<'_, T> {}

/// Stands for a value that cannot be shown.
#[derive(Clone, Copy)]
pub struct Ellipsis;

impl fmt::Debug for Ellipsis {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("…")
    }
}
