//! The traits of a decorator's policy.

pub use bt_words::StatusMap;

use bt_words::{Returns, Word};

use crate::check::Requirement;
use crate::clock::Shift;
use crate::describe::{Param, short_name};
use crate::status::{End, Outcome};

/// What a decorator says before its child is ticked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate<Pause> {
    /// Tick the child.
    Go,
    /// Do not tick it now, but be running.
    Pause(Pause),
    /// End with this outcome; a running child is halted.
    End(Outcome),
}

impl<Pause> Gate<Pause> {
    /// The same without the proof that the decorator can pause.
    #[doc(hidden)]
    #[inline(always)]
    pub fn without_pause(self) -> Gate<()> {
        match self {
            Gate::Go => Gate::Go,
            Gate::Pause(_) => Gate::Pause(()),
            Gate::End(outcome) => Gate::End(outcome),
        }
    }
}

impl<Pause> AfterChild<Pause> {
    /// The same without the proof that the decorator can pause.
    #[doc(hidden)]
    #[inline(always)]
    pub fn without_pause(self) -> AfterChild<()> {
        match self {
            AfterChild::End(outcome) => AfterChild::End(outcome),
            AfterChild::Again => AfterChild::Again,
            AfterChild::Later(_) => AfterChild::Later(()),
        }
    }
}

/// What a decorator makes of its child's outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterChild<Pause> {
    /// End with this outcome.
    End(Outcome),
    /// Start the child again in this tick. Only so often, or the tick hangs.
    Again,
    /// Be running, and start the child again in the next tick.
    Later(Pause),
}

/// What a decorator of the vocabulary can return.
pub(super) const fn statuses(word: Word) -> StatusMap {
    match word.row().returns {
        Returns::Map(map) => map,
        Returns::These(_) | Returns::InOrder(_) | Returns::AnyOrder(_) | Returns::Thresholds | Returns::States => {
            panic!("the word is no decorator")
        }
    }
}

/// What of a [`Decorator`] does not depend on the context. [`#[decorator]`](macro@crate::decorator) writes it from the `impl Decorator` block.
pub trait DecoratorShape {
    /// What it remembers while it is running.
    type Open: Default + Clone + Send + Sync + 'static;
    /// What it remembers across runs.
    type Kept: Default + Clone + Send + Sync + 'static;
    /// `()` if it can be running while its child is not ticked, [`Never`](crate::Never) if it cannot.
    type Pause: Clone + Send + Sync + 'static;
    /// Which statuses it can give.
    const STATUSES: StatusMap = StatusMap::UNKNOWN;
    /// What it needs of its child to be of use: see [`Requirement`].
    const REQUIRES: &'static [Requirement] = &[];
    /// What is wrong with it whatever its child is: an error where it stands in a `tree!`.
    const BROKEN: Option<&'static str> = None;
    /// Whether it neither remembers anything nor does anything before its child: see [`NodeShape::RESTARTS`](crate::NodeShape::RESTARTS).
    const RESTARTS: bool = false;

    /// How it is called in descriptions: by the type's name, unless told otherwise.
    fn name(&self) -> &str {
        short_name::<Self>()
    }

    /// Arity times that it stores over to another clock: see [`Shift`].
    fn shift(&self, open: Option<&mut Self::Open>, kept: &mut Self::Kept, by: Shift) {
        let _ = (open, kept, by);
    }

    /// Shows its parameters for descriptions.
    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[]);
    }
}

/// A decorator's policy: may the child be ticked, what becomes of its outcome.
///
/// All of it has defaults that change nothing. Write it under [`#[decorator]`](macro@crate::decorator), which puts the types where they
/// belong and fills in `()`, `()` and [`Never`](crate::Never) for those you leave out, and add a function to call it by:
///
/// ```
/// use bt_core::prelude::*;
///
/// /// Turns a second success in a row into a failure.
/// struct NotTwiceInARow;
///
/// #[decorator]
/// impl<C: ?Sized> Decorator<C> for NotTwiceInARow {
///     type Kept = bool; // whether the last run succeeded
///     fn end(&self, outcome: Outcome, _: &mut (), succeeded: &mut bool, _: &mut C) -> AfterChild<Never> {
///         *succeeded = outcome == Outcome::Success && !*succeeded;
///         AfterChild::End(Outcome::from(*succeeded))
///     }
/// }
///
/// fn not_twice_in_a_row<N>(child: N) -> Decorated<NotTwiceInARow, N> {
///     decorate(NotTwiceInARow, child)
/// }
///
/// let tree = tree! { for (): not_twice_in_a_row { succeed } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut (), &mut memory), Status::Success);
/// assert_eq!(tree.tick(&mut (), &mut memory), Status::Failure);
/// assert_eq!(tree.tick(&mut (), &mut memory), Status::Success);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a decorator over `{C}`",
    label = "not a decorator in a tree over `{C}`",
    note = "write `#[decorator] impl Decorator<{C}> for {Self} {{ … }}`"
)]
pub trait Decorator<C: ?Sized>: DecoratorShape {
    /// A run begins: may the child start? If this ends the run, it has not begun and `close` is not called.
    fn open(&self, open: &mut Self::Open, kept: &mut Self::Kept, ctx: &mut C) -> Gate<Self::Pause> {
        let _ = (open, kept, ctx);
        Gate::Go
    }

    /// A later tick of a run: may the child go on (or start, if there was a pause)?
    fn resume(&self, open: &mut Self::Open, kept: &mut Self::Kept, ctx: &mut C) -> Gate<Self::Pause> {
        let _ = (open, kept, ctx);
        Gate::Go
    }

    /// The child ended with `Success` or `Failure`: what now?
    fn end(
        &self,
        outcome: Outcome,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        ctx: &mut C,
    ) -> AfterChild<Self::Pause> {
        let _ = (open, kept, ctx);
        AfterChild::End(outcome)
    }

    /// The child is running. `None` lets it; an outcome halts it and ends the run. (The texts' Succeeder and Failer end whatever their child does.)
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// /// Behavior3's Succeeder of the first texts: one tick of its child, and then success, whatever that gives.
    /// struct Succeeder;
    ///
    /// #[decorator]
    /// impl<C: ?Sized> Decorator<C> for Succeeder {
    ///     const STATUSES: StatusMap = {
    ///         let success = Outcomes::SUCCESS;
    ///         StatusMap { on_success: success, on_failure: success, on_running: success, on_error: success, ..StatusMap::SAME }
    ///     };
    ///     fn end(&self, _: Outcome, _: &mut (), _: &mut (), _: &mut C) -> AfterChild<Never> { AfterChild::End(Outcome::Success) }
    ///     fn running(&self, _: &mut (), _: &mut (), _: &mut C) -> Option<Outcome> { Some(Outcome::Success) }
    ///     fn error(&self, _: &mut (), _: &mut (), _: &mut C) -> Outcome { Outcome::Success }
    /// }
    ///
    /// fn succeeder<N>(child: N) -> Decorated<Succeeder, N> { decorate(Succeeder, child) }
    ///
    /// let tree = tree! { for (): sequence { succeeder { run } succeeder { error } succeeder { fail } } };
    /// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Success);
    /// ```
    fn running(&self, open: &mut Self::Open, kept: &mut Self::Kept, ctx: &mut C) -> Option<Outcome> {
        let _ = (open, kept, ctx);
        None
    }

    /// The child gave an error, which has been handed to the context: how does the run end? With the error, unless told otherwise.
    fn error(&self, open: &mut Self::Open, kept: &mut Self::Kept, ctx: &mut C) -> Outcome {
        let _ = (open, kept, ctx);
        Outcome::Error
    }

    /// The run is over, by whatever way.
    fn close(&self, open: &mut Self::Open, kept: &mut Self::Kept, ctx: &mut C, end: End) {
        let _ = (open, kept, ctx, end);
    }
}
