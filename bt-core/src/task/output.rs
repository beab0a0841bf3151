//! The outputs of futures.

use crate::leaf::ActionOutput;

/// A type that the future of an action over `C` can have as its output: an [`ActionOutput`], a function that is called with
/// the context and returns one, or an `Option` or `Result` of such a function.
///
/// `M` only distinguishes these cases and is always inferred.
#[diagnostic::on_unimplemented(
    message = "the future of an action over `{C}` cannot have the output `{Self}`",
    label = "not an output of an action's future",
    note = "the output is `bool`, `()`, `Outcome` or `Status`, an `Option` or `Result` of one of them, or a function `FnOnce(&mut {C})` that returns one"
)]
pub trait FutureOutput<C: ?Sized, M> {
    /// What the output means for the action.
    type Meaning: ActionOutput;
    /// Returns the output of the action. If the future returned a function, this calls it.
    fn apply(self, ctx: &mut C) -> Self::Meaning;
}

/// Marks outputs that are values.
pub struct IsValue;
/// Marks outputs that are functions of the context.
pub struct IsClosure<R>(R);
/// Marks optional functions of the context.
pub struct IsOptional<R>(R);
/// Marks functions of the context, or errors.
pub struct IsFailing<R>(R);

impl<C: ?Sized, R: ActionOutput> FutureOutput<C, IsValue> for R {
    type Meaning = R;

    fn apply(self, _: &mut C) -> R {
        self
    }
}

impl<C: ?Sized, F: FnOnce(&mut C) -> R, R: ActionOutput> FutureOutput<C, IsClosure<R>> for F {
    type Meaning = R;

    fn apply(self, ctx: &mut C) -> R {
        self(ctx)
    }
}

impl<C: ?Sized, F: FnOnce(&mut C) -> R, R: ActionOutput> FutureOutput<C, IsOptional<R>> for Option<F> {
    type Meaning = Option<R>;

    fn apply(self, ctx: &mut C) -> Option<R> {
        self.map(|call| call(ctx))
    }
}

impl<C: ?Sized, F: FnOnce(&mut C) -> R, R: ActionOutput, E> FutureOutput<C, IsFailing<R>> for Result<F, E> {
    type Meaning = Result<R, E>;

    fn apply(self, ctx: &mut C) -> Result<R, E> {
        self.map(|call| call(ctx))
    }
}
