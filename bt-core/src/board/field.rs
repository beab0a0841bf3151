//! Keys over the fields of a struct.

use core::fmt;
use core::marker::PhantomData;

use crate::board::Variable;

/// The key of a struct's field, as an associated constant of the struct: see [`derive@crate::Blackboard`].
pub struct Field<B: ?Sized, const INDEX: usize>(PhantomData<fn(&B)>);

/// A struct with a field of this index.
pub trait FieldOf<const INDEX: usize> {
    /// What the field holds; of an `Option<T>`, that is `T`.
    type Value;
    /// The field's name.
    const NAME: &'static str;
    /// The field's value.
    fn get(&self) -> Option<&Self::Value>;
    /// Sets the field.
    fn set(&mut self, value: Self::Value);
    /// Resets the field to its default.
    fn unset(&mut self);
}

impl<B: ?Sized, const INDEX: usize> Field<B, INDEX> {
    /// The key.
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
