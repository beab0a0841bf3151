//! Values that look like leaves but are not. Each is converted to a node over no context, so that the error names the mistake.

use core::marker::PhantomData;
use core::time::Duration;

use crate::describe::{Kind, Visitor};
use crate::id::NodeId;
use crate::leaf::{ActionOutput, IntoNode};
use crate::node::{Node, NodeShape, Visit};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Never, Outcome, Step};

/// A node in place of a mistake of the kind `K`. `T` is the type that the error names.
pub struct Mistake<T, K>(PhantomData<fn() -> (T, K)>);

/// Marks mistakes of the kind `K` in a type with the further types `A`.
pub struct IsMistake<K, A>(K, A);

/// A function of the context whose return type is not that of an action.
pub struct Returns;
/// A list of nodes without `..`.
pub struct Listed;
/// A function with more parameters than the context.
pub struct More;
/// A leaf some of whose parameters have no default, without arguments.
pub struct Uncalled;

impl<T, K> NodeShape for Mistake<T, K> {
    type Open = Never;
    type Kept = ();
    const RETURNS: Outcomes = Outcomes::ANY;

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.leaf::<Self>(Kind::Action, "faulty", &[]);
    }
}

/// A leaf over every context, in place of a function for which a macro has reported an error. It can return the same statuses
/// as a valid function.
pub struct StandIn<const CONDITION: bool>;

impl<const CONDITION: bool> NodeShape for StandIn<CONDITION> {
    type Open = Never;
    type Kept = ();
    const RETURNS: Outcomes = if CONDITION { Outcomes::SUCCESS.or(Outcomes::FAILURE) } else { Outcomes::ANY };

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.leaf::<Self>(Kind::Action, "faulty", &[]);
    }
}

/// Implements `Node` for nodes that are never ticked. No type meets the condition of a mistake.
macro_rules! never_ticked {
    ($([$($generics:tt)+] $node:ty;)+) => {$(
        impl<C: ?Sized, $($generics)+> Node<C> for $node {
            fn start<O: Observer>(&self, _: NodeId, (): &mut (), _: &mut Visit<'_, C, O>) -> Step<Never> {
                Step::Done(Outcome::Error)
            }
        }
    )+};
}

never_ticked! {
    [T: ActionOutput] Mistake<T, Returns>;
    [T: NotListed<C>] Mistake<T, Listed>;
    [T: OnlyContext<C>] Mistake<T, More>;
    [T: OnlyDefaults<C>] Mistake<T, Uncalled>;
    [const CONDITION: bool] StandIn<CONDITION>;
}

/// Implemented by no type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is a list, not a node over `{C}`",
    label = "a list of nodes",
    note = "`..` puts the nodes of a list into the children: `..nodes`"
)]
pub trait NotListed<C: ?Sized> {}

/// Implemented by no type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` takes more than the context `{C}`",
    label = "a plain function with parameters",
    note = "write `#[action]` or `#[condition]` before the function, and call it with its arguments: `name(arguments)`"
)]
pub trait OnlyContext<C: ?Sized> {}

/// Implemented by no type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has parameters without a default",
    label = "a leaf without its arguments",
    note = "write `{Self}(…)` with all arguments, or `{Self}::with_defaults(…)` with those that have no default"
)]
pub trait OnlyDefaults<C: ?Sized> {}

#[diagnostic::do_not_recommend]
impl<C: ?Sized, R: NotOutput, F: Fn(&mut C) -> R> IntoNode<C, IsMistake<Returns, R>> for F {
    type Node = Mistake<R, Returns>;

    fn into_node(self) -> Self::Node {
        Mistake(PhantomData)
    }
}

#[diagnostic::do_not_recommend]
impl<C: ?Sized, T, const N: usize> IntoNode<C, IsMistake<Listed, ()>> for [T; N] {
    type Node = Mistake<Self, Listed>;

    fn into_node(self) -> Self::Node {
        Mistake(PhantomData)
    }
}

#[cfg(feature = "alloc")]
#[diagnostic::do_not_recommend]
impl<C: ?Sized, T> IntoNode<C, IsMistake<Listed, ()>> for alloc::vec::Vec<T> {
    type Node = Mistake<Self, Listed>;

    fn into_node(self) -> Self::Node {
        Mistake(PhantomData)
    }
}

#[diagnostic::do_not_recommend]
impl<C: ?Sized, A, R, F: Fn(&C, A) -> R> IntoNode<C, IsMistake<More, (&'static (), A, R)>> for F {
    type Node = Mistake<F, More>;

    fn into_node(self) -> Self::Node {
        Mistake(PhantomData)
    }
}

#[diagnostic::do_not_recommend]
impl<C: ?Sized, A, R, F: Fn(&mut C, A) -> R> IntoNode<C, IsMistake<More, (A, R)>> for F {
    type Node = Mistake<F, More>;

    fn into_node(self) -> Self::Node {
        Mistake(PhantomData)
    }
}

/// Common types that are not the output of an action.
pub trait NotOutput {}

macro_rules! not_outputs {
    ($($ty:ty),+) => {
        $(impl NotOutput for $ty {})+
    };
}

not_outputs!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64, char, &str, Duration);

#[cfg(feature = "alloc")]
impl NotOutput for alloc::string::String {}
#[cfg(feature = "alloc")]
impl<T> NotOutput for alloc::vec::Vec<T> {}

impl<A, B> NotOutput for (A, B) {}
impl<A, B, C> NotOutput for (A, B, C) {}
impl<T, const N: usize> NotOutput for [T; N] {}
impl<R: NotOutput> NotOutput for Option<R> {}
impl<R: NotOutput, E> NotOutput for Result<R, E> {}

/// A leaf whose parameters all have defaults.
pub trait Defaults {
    /// The types of its parameters.
    type Arguments;
    /// Returns the leaf with the defaults.
    fn defaults() -> Self;
}

/// A leaf some of whose parameters have defaults.
pub trait SomeDefaults {
    /// The types of its parameters.
    type Arguments;
}

/// Marks the constructor of a leaf with [`Defaults`] and these parameters, without a call.
pub struct IsDefaults<A>(A);

macro_rules! with_defaults {
    ($(($($argument:ident),+))+) => {$(
        #[diagnostic::do_not_recommend]
        impl<C: ?Sized, $($argument,)+ T, F> IntoNode<C, IsDefaults<(T, $($argument,)+)>> for F
        where
            T: NodeShape + Defaults<Arguments = ($($argument,)+)>,
            F: Fn($($argument),+) -> T,
        {
            type Node = T;

            fn into_node(self) -> T {
                T::defaults()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<C: ?Sized, $($argument,)+ T, F> IntoNode<C, IsMistake<Uncalled, (T, $($argument,)+)>> for F
        where
            T: NodeShape + SomeDefaults<Arguments = ($($argument,)+)>,
            F: Fn($($argument),+) -> T,
        {
            type Node = Mistake<T, Uncalled>;

            fn into_node(self) -> Self::Node {
                Mistake(PhantomData)
            }
        }
    )+};
}

with_defaults! {
    (A1)
    (A1, A2)
    (A1, A2, A3)
    (A1, A2, A3, A4)
}
