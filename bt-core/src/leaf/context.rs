//! The context type of one `tree!`, carried from leaf to leaf.

use core::marker::PhantomData;

/// The context type of a tree, as a value, so that all leaves of a `tree!` agree on it.
pub struct Context<C: ?Sized>(PhantomData<fn(&mut C)>);

impl<C: ?Sized> Context<C> {
    /// The context type `C`.
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
