//! The context type of one `tree!`, passed from leaf to leaf.

use core::marker::PhantomData;

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
