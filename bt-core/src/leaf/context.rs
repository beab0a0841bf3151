//! The context type of one `tree!`, passed from leaf to leaf.

use core::marker::PhantomData;

use crate::clock::Clock;
use crate::error::OnError;
use crate::id::NodeId;

/// The context type of a tree as a value, so that all leaves of a `tree!` have the same one.
pub struct Context<C: ?Sized>(PhantomData<fn(&mut C)>);

impl<C: ?Sized> Context<C> {
    /// Creates the value for the context type `C`.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<C: ?Sized> Default for Context<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: ?Sized> Clone for Context<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: ?Sized> Copy for Context<C> {}

/// The context of a tree that neither its leaves nor a type after `for` determine. It implements the traits that nodes of this
/// crate require, so that only the missing context is reported.
pub struct UnknownContext;

#[diagnostic::do_not_recommend]
impl Clock for UnknownContext {
    fn now(&self) -> core::time::Duration {
        core::time::Duration::ZERO
    }
}

#[diagnostic::do_not_recommend]
impl<E> OnError<E> for UnknownContext {
    fn on_error(&mut self, _: NodeId, _: E) {}
}

impl Context<UnknownContext> {
    /// Reports that the context is not known. Method resolution selects this method only for a context that is still to be
    /// inferred. For a known context, it selects the method of [`KnownContext`].
    pub fn known(self) -> Option<UnknownContext> {
        None
    }
}

/// The method of [`Context`] for a known context.
pub trait KnownContext: Sized {
    /// Does nothing.
    #[must_use]
    fn known(self) -> Self {
        self
    }
}

impl<C: ?Sized> KnownContext for Context<C> {}

/// A result of `known` for a known context.
#[diagnostic::on_unimplemented(
    message = "the context type of this tree is not known",
    label = "no leaf of this tree determines its context",
    note = "write it before the tree: `tree! {{ for Npc: … }}`, where `Npc` is your context type",
    note = "in a `#[subtree]` function, the context of the return type is passed to the `tree!` at its end"
)]
pub trait HasContext {
    /// Does nothing.
    fn check(_: Self);
}

#[diagnostic::do_not_recommend]
impl<C: ?Sized> HasContext for Context<C> {
    fn check(_: Self) {}
}
