//! Keys for the fields of a struct.

use core::fmt;
use core::marker::PhantomData;

use crate::board::Variable;

/// The key of a struct field. It is an associated constant of the struct: see [`derive@crate::Blackboard`].
pub struct Field<B: ?Sized, const INDEX: usize>(PhantomData<fn(&B)>);

/// A struct that has a field with this index.
pub trait FieldOf<const INDEX: usize> {
    /// The type of the variable. For a field of type `Option<T>`, this is `T`.
    type Value;
    /// The name of the field.
    const NAME: &'static str;
    /// Returns the value of the field; `None` if it is not set.
    fn get(&self) -> Option<&Self::Value>;
    /// Sets the field.
    fn set(&mut self, value: Self::Value);
    /// Resets the field to its default.
    fn unset(&mut self);
}

impl<B: ?Sized, const INDEX: usize> Field<B, INDEX> {
    /// Creates the key.
    #[doc(hidden)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<B: ?Sized, const INDEX: usize> Default for Field<B, INDEX> {
    fn default() -> Self {
        Self::new()
    }
}

impl<B: ?Sized, const INDEX: usize> Clone for Field<B, INDEX> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: ?Sized, const INDEX: usize> Copy for Field<B, INDEX> {}

impl<B: FieldOf<INDEX> + ?Sized, const INDEX: usize> fmt::Debug for Field<B, INDEX> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{{{}}}", B::NAME)
    }
}

impl<B: FieldOf<INDEX> + ?Sized, const INDEX: usize> Variable for Field<B, INDEX> {
    type Board = B;
    type Value = B::Value;

    fn name(&self) -> &str {
        B::NAME
    }

    #[inline(always)]
    fn get<'b>(&self, board: &'b B) -> Option<&'b B::Value> {
        board.get()
    }

    #[inline(always)]
    fn set(&self, board: &mut B, value: B::Value) -> bool {
        board.set(value);
        true
    }

    #[inline(always)]
    fn unset(&self, board: &mut B) {
        board.unset();
    }
}
