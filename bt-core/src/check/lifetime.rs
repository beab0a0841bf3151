//! Checks that a node in a tree over every lifetime of its context is a node over every lifetime.
//!
//! Without this check the compiler reports the whole tree, at the function that returns it. Method resolution decides: the inherent method is selected
//! for a node over every lifetime, and otherwise the method of the first trait that fits.

use core::marker::PhantomData;

use crate::family::{ContextOf, Contexts};
use crate::leaf::{Action, Condition, Fault};
use crate::node::Node;

/// A family of contexts as a value.
pub struct Family<F: ?Sized>(PhantomData<fn(&mut F)>);

impl<F: Contexts + ?Sized> Family<F> {
    /// Creates the value for a family.
    #[expect(clippy::new_without_default, reason = "only expansions construct it")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// Returns a function that returns a part of any of the contexts.
    pub fn part<P: ?Sized, T>(self, part: T) -> T
    where
        T: for<'a, 'b, 'c> Fn(&'c mut ContextOf<'a, 'b, F>) -> &'c mut P,
    {
        part
    }
}

impl<F: ?Sized> Clone for Family<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: ?Sized> Copy for Family<F> {}

/// A node in a tree over a family of contexts. The method `over` returns what it is over.
pub struct OverFamily<F: ?Sized, N>(pub Family<F>, pub N);

/// A node over every lifetime.
pub struct Every<N>(N);

/// A node over one lifetime. `M` marks the kind of the node.
pub struct One<N, M>(PhantomData<(N, M)>);

/// Marks a plain function.
pub struct Function;
/// Marks a box.
pub struct Boxed;
/// Marks any other node.
pub struct Other;

impl<F: Contexts + ?Sized, N> OverFamily<F, N>
where
    N: for<'a, 'b> Node<ContextOf<'a, 'b, F>>,
{
    /// Returns the node.
    #[inline(always)]
    pub fn over(self) -> Every<N> {
        Every(self.1)
    }
}

/// Selected for a plain function.
pub trait OverOneFunction<N>: Sized {
    /// Returns what the node is over.
    fn over(self) -> One<N, Function> {
        One(PhantomData)
    }
}

impl<F: ?Sized, T> OverOneFunction<Condition<T>> for OverFamily<F, Condition<T>> {}
impl<F: ?Sized, T, R> OverOneFunction<Action<T, R>> for OverFamily<F, Action<T, R>> {}

/// Selected for a box.
pub trait OverOneBox<N>: Sized {
    /// Returns what the node is over.
    fn over(self) -> One<N, Boxed> {
        One(PhantomData)
    }
}

#[cfg(feature = "alloc")]
impl<F: ?Sized, C: ?Sized, M, D: ?Sized> OverOneBox<crate::BoxNode<C, M, D>>
    for OverFamily<F, crate::BoxNode<C, M, D>>
{
}

/// Selected for any other node: it takes a reference, which method resolution tries last.
pub trait OverOne<N> {
    /// Returns what the node is over.
    fn over(&self) -> One<N, Other> {
        One(PhantomData)
    }
}

impl<F: ?Sized, N> OverOne<N> for OverFamily<F, N> {}

/// A node that is over every lifetime, or has a bound that does not hold. Expansions call it by the path of the trait, so the error
/// is at the node.
pub trait OverEvery {
    /// The node.
    type Node;
    /// Returns the node.
    fn node(self) -> Self::Node;
}

impl<N> OverEvery for Every<N> {
    type Node = N;

    #[inline(always)]
    fn node(self) -> N {
        self.0
    }
}

/// A bound that never holds where it is required. Its message is the error for a function.
#[diagnostic::on_unimplemented(
    message = "this function is a leaf over one lifetime of the context, expected every lifetime",
    label = "over one lifetime of the context",
    note = "put `#[condition]` or `#[action]` on a function that is generic over its context; write the type of a closure's parameter with `'_`: `|ctx: &Ctx<'_>| …`"
)]
pub trait FunctionOverEvery {}

/// A bound that never holds where it is required. Its message is the error for a box.
#[diagnostic::on_unimplemented(
    message = "this box is over one lifetime of the context, expected every lifetime",
    label = "over one lifetime of the context",
    note = "name a trait object for every lifetime: `BoxNode<Ctx<'static>, BoxMemory, dyn for<'w> DynNode<Ctx<'w>>>`, created by its `from_arc`"
)]
pub trait BoxOverEvery {}

/// A bound that never holds where it is required. Its message is the error for any other node.
#[diagnostic::on_unimplemented(
    message = "this node is over one lifetime of the context, expected every lifetime",
    label = "over one lifetime of the context",
    note = "a subtree that is generic over a context that borrows names the family of its contexts: `fn name<F: Contexts>() -> impl Node<ContextOf<'_, '_, F>> where for<'a, 'b> ContextOf<'a, 'b, F>: Trait + Sized`",
    note = "it is called with the context type, as in `name::<Ctx<'_>>()`, after `impl<'a> ContextFamily<'a, '_> for Ctx<'_> {{ type Context = Ctx<'a>; }}`"
)]
pub trait NodeOverEvery {}

impl<N: FunctionOverEvery> OverEvery for One<N, Function> {
    type Node = Fault;

    fn node(self) -> Fault {
        Fault
    }
}

impl<N: BoxOverEvery> OverEvery for One<N, Boxed> {
    type Node = Fault;

    fn node(self) -> Fault {
        Fault
    }
}

impl<N: NodeOverEvery> OverEvery for One<N, Other> {
    type Node = Fault;

    fn node(self) -> Fault {
        Fault
    }
}

// With one implementation each, the errors do not list those of `OverEvery`.
impl<N> FunctionOverEvery for Every<N> {}
impl<N> BoxOverEvery for Every<N> {}
impl<N> NodeOverEvery for Every<N> {}
