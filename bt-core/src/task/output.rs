//! The outputs of futures.

use crate::leaf::{ActionOutput, Fails};

/// A type that the future of an action over `C` can have as its output. For an `async fn`, this is its return type.
///
/// | type | meaning |
/// |---|---|
/// | an [`ActionOutput`]: `()`, `bool`, [`Outcome`](crate::Outcome), [`Status`](crate::Status), [`Step<Wake>`](crate::Step), an `Option` or `Result` of one of them | the same as for the return value of an action. After [`Running`](crate::Status::Running), the action is called again in the next tick, or when the `Wake` is due |
/// | `impl FnOnce(&mut C) -> R` | the function is called with the context in the tick in which the future is ready; then the meaning of `R`, any [`ActionOutput`]. Without `-> R`, success |
/// | `Option` of such a function | `None` is failure, and nothing is called |
/// | `Result` of such a function | `Err` is passed to the context ([`OnError`](crate::OnError)) and is `Error` |
/// | `Result` of an `Option` of such a function | an error, a failure that can be retried, or a change of the context |
///
/// In place of `impl FnOnce(&mut C) -> R`, the function can be a `Box<dyn FnOnce(&mut C) -> R + Send>`.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::task::AsyncContext;
///
/// struct Npc { ammo: u32, errors: Vec<String> }
/// impl OnError<String> for Npc { fn on_error(&mut self, _: NodeId, error: String) { self.errors.push(error) } }
///
/// #[action]
/// async fn reload(npc: AsyncContext<Npc>) -> Result<Option<impl FnOnce(&mut Npc)>, String> {
///     match npc.with(|npc| npc.ammo).await {
///         0 => Ok(Some(|npc: &mut Npc| npc.ammo = 30)),
///         1..=30 => Ok(None),                             // not needed: `Failure`
///         ammo => Err(format!("{ammo} rounds")),          // `Error`
///     }
/// }
///
/// let tree = tree! { reload };
/// let mut npc = Npc { ammo: 0, errors: vec![] };
/// assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Status::Success);
/// assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Status::Failure);
/// npc.ammo = 31;
/// assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Status::Error);
/// assert_eq!(npc.errors, ["31 rounds"]);
/// ```
///
/// `M` only distinguishes these cases and is always inferred.
#[diagnostic::on_unimplemented(
    message = "the future of an action over `{C}` cannot have the output `{Self}`",
    label = "not an output of an action's future",
    note = "the output is `bool`, `()`, `Outcome` or `Status`, a function `FnOnce(&mut {C})` that returns one, or an `Option` or `Result` of one of them"
)]
pub trait FutureOutput<C: ?Sized, M> {
    /// The output of the action.
    #[doc(hidden)]
    type Meaning: ActionOutput;
    /// Returns the output of the action. If the future returned a function, this calls it.
    #[doc(hidden)]
    fn apply(self, ctx: &mut C) -> Self::Meaning;
}

/// Marks outputs that are values.
pub struct IsValue;
/// Marks outputs that are functions of the context.
pub struct IsClosure<R>(R);
/// Marks an `Option` of a function of the context.
pub struct IsOptional<R>(R);
/// Marks a `Result` of a function of the context.
pub struct IsFailing<R>(R);
/// Marks a `Result` of an optional function of the context.
pub struct IsFailingOptional<R>(R);

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

impl<C: ?Sized, F: FnOnce(&mut C) -> R, R: ActionOutput, E> FutureOutput<C, IsFailing<R>> for Fails<F, E> {
    type Meaning = Fails<R, E>;

    fn apply(self, ctx: &mut C) -> Fails<R, E> {
        Fails(self.0.map(|call| call(ctx)))
    }
}

impl<C: ?Sized, F: FnOnce(&mut C) -> R, R: ActionOutput, E> FutureOutput<C, IsFailingOptional<R>>
    for Result<Option<F>, E>
{
    type Meaning = Result<Option<R>, E>;

    fn apply(self, ctx: &mut C) -> Result<Option<R>, E> {
        self.map(|call| call.apply(ctx))
    }
}
