//! What the macros' expansions call. Not for users: anything here can change at any time.

use core::fmt;

pub use core::option::Option::{self, None, Some};

pub use crate::composite::{Children, Count, Join};
pub use crate::describe::{ArrowText, Info, Kind, Name, Param, Place, Placed, Subtree, Visitor};
pub use crate::leaf::{Answer, AnswerTo, Context};
pub use crate::machine::{Arrow, Do, NoHook, OnFailure, OnSuccess, Out, Rules, State, To, When};
pub use crate::node::{Node, NodeId, Shape};
pub use crate::observe::Observer;
pub use crate::outcomes::Outcomes;
pub use crate::status::{Never, Step};

#[cfg(feature = "random")]
pub use crate::composite::{Alike, Weighted};

use crate::decorator::{Decorated, Decorator, decorate};
use crate::leaf::{Fault, IntoNode};

/// A leaf of a tree over `Context`.
#[inline(always)]
pub fn leaf<Context: ?Sized, M, T>(_: self::Context<Context>, leaf: T) -> T::Node
where
    T: IntoNode<Context, M>,
    T::Node: Node<Context>,
{
    leaf.into_node()
}

/// A child under one of our own decorators.
#[inline(always)]
pub fn decorated<Context: ?Sized, P, N>(_: self::Context<Context>, policy: P, child: N) -> Decorated<P, N>
where
    P: Decorator<Context>,
{
    decorate(policy, child)
}

/// A random composite, in a tree whose context lends a generator.
#[cfg(feature = "random")]
#[inline(always)]
pub fn random<Context: ?Sized + crate::Random, N>(_: self::Context<Context>, node: N) -> N {
    node
}

/// What stands before `=>`.
#[cfg(feature = "random")]
pub fn weight(weight: impl crate::composite::Weight) -> f64 {
    weight.into_f64()
}

/// The children of a composite.
#[inline(always)]
pub const fn children<L>(places: &'static [Place], list: L) -> Children<L> {
    Children { list, places }
}

/// What stands in the place of a node that the macro has reported an error for: a node over every context.
#[inline(always)]
pub const fn broken() -> Fault {
    Fault
}

/// A parameter of an `#[action]`: handed to the function at every tick.
#[diagnostic::on_unimplemented(
    message = "a leaf's parameter of type `{Self}` is handed over at every tick, so it has to be `Copy`",
    label = "not `Copy`",
    note = "take it by reference, `name: &{Self}`: the node then owns it and lends it"
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

    /// Keeps an ellipsis.
    fn keep(&self) -> Ellipsis {
        Ellipsis
    }
}

impl<T> Opaque for Probe<'_, T> {}

/// Stands for a value that cannot be shown.
#[derive(Clone, Copy)]
pub struct Ellipsis;

impl fmt::Debug for Ellipsis {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("…")
    }
}
