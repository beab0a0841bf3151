//! The traits of decorator policies.

use core::fmt;

pub use bt_words::StatusMap;
use bt_words::Word;

use crate::argument::Argument;
use crate::clock::Shift;
use crate::describe::{Param, short_name};
use crate::facts::{Given, Requirement};
use crate::outcomes::Outcomes;
use crate::status::{Cause, End, Outcome};
use crate::wake::{Foreseen, Wake};

/// The decision of a decorator before its child is ticked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate<Pause> {
    /// Tick the child.
    Go,
    /// Return `Running` without ticking the child.
    Pause(Pause),
    /// End with this outcome. A running child is halted.
    End(Outcome),
}

impl<Pause> Gate<Pause> {
    /// Drops the proof that the decorator can pause.
    #[inline(always)]
    pub(super) fn without_pause(self) -> Gate<()> {
        match self {
            Gate::Go => Gate::Go,
            Gate::Pause(_) => Gate::Pause(()),
            Gate::End(outcome) => Gate::End(outcome),
        }
    }
}

/// The decision of a decorator after its child has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterChild<Pause> {
    /// End with this outcome.
    End(Outcome),
    /// Start the child again in this tick. The decorator must bound the number of restarts; otherwise the tick does not
    /// end.
    Again,
    /// Return `Running`, and start the child again in the next tick.
    Later(Pause),
}

/// Returns what is known of an argument before a run starts.
pub(super) const fn given<T, A: Argument<T>>() -> Given {
    Given { is_positive: A::NOT_ZERO, can_fail: A::CAN_FAIL }
}

/// Returns the time until which a paused decorator would only start its child again in every tick; `None` if it would do
/// anything else.
#[inline]
pub fn goes_on<P: DecoratorShape + ?Sized>(child: impl FnOnce() -> Foreseen) -> Option<Wake> {
    if P::GOES_ON.is_empty() {
        return None;
    }
    let (outcome, until) = child()?;
    P::GOES_ON.contains(outcome.set()).then_some(until)
}

/// The context-independent part of a [`Decorator`]. [`#[decorator]`](macro@crate::decorator) generates it from the
/// `impl Decorator` block.
///
/// The state of a decorator has two parts. [`Open`](Self::Open) exists while the decorator runs; [`Kept`](Self::Kept)
/// is kept across runs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a decorator",
    label = "not a decorator",
    note = "write `#[decorator]` before `impl Decorator<…> for {Self}`"
)]
#[expect(unused_variables, reason = "the defaults ignore their arguments")]
pub trait DecoratorShape {
    /// The state of the decorator while it runs. It is created with `Default` when a run starts, and dropped when the
    /// run ends.
    type Open: Default + Clone + Send + Sync + 'static;
    /// The state that the decorator keeps across runs. It is created with `Default` together with the memory.
    type Kept: Default + Clone + Send + Sync + 'static;
    /// `()` if the decorator can be running while its child is not, [`Never`](crate::Never) if it cannot.
    type Pause: Clone + Send + Sync + 'static;
    /// The word of the vocabulary. Unless it states otherwise, the decorator does nothing while its child runs.
    #[doc(hidden)]
    const WORD: Option<Word> = None;
    /// What is known of the argument of the word before a run starts.
    #[doc(hidden)]
    const GIVEN: Given = Given::NOTHING;
    /// The statuses that the decorator can return, given those of its child.
    ///
    /// With debug assertions, a decorator without state that returns another status panics.
    const RETURNS: StatusMap = match Self::WORD {
        Some(word) => word.statuses(Self::GIVEN),
        None => StatusMap::UNKNOWN,
    };
    /// The requirements on the child. A child that does not meet them is a compile error in a `tree!`, and a warning for a file.
    ///
    /// ```
    /// use bt_core::decorator::{AfterChild, Decorated, StatusMap, decorate};
    /// use bt_core::check::Requirement;
    /// use bt_core::Outcomes;
    /// use bt_core::prelude::*;
    ///
    /// /// Starts its child again in the next tick when it fails.
    /// struct Stubborn;
    ///
    /// #[decorator]
    /// impl<C: ?Sized> Decorator<C> for Stubborn {
    ///     type Pause = ();
    ///     const RETURNS: StatusMap = StatusMap { on_failure: Outcomes::RUNNING, ..StatusMap::SAME };
    ///     const REQUIRES: &'static [Requirement] =
    ///         &[Requirement::pointless(Outcomes::FAILURE, "`stubborn` has no effect")];
    ///     fn end(&self, outcome: Outcome, _: &mut (), _: &mut (), _: &mut C) -> AfterChild<()> {
    ///         if outcome == Outcome::Failure { AfterChild::Later(()) } else { AfterChild::End(outcome) }
    ///     }
    /// }
    ///
    /// fn stubborn<N>(child: N) -> Decorated<Stubborn, N> { decorate(Stubborn, child) }
    ///
    /// let tree = tree! { for bool: stubborn { |open: &bool| *open } };
    /// # assert_eq!(tree.tick(&mut false, &mut tree.memory()), Status::Running);
    /// // tree! { for (): stubborn { succeed } } is an error:
    /// // `stubborn` has no effect: its child never returns `Failure`
    /// ```
    const REQUIRES: &'static [Requirement] = match Self::WORD {
        Some(word) => word.requires(Self::GIVEN),
        None => &[],
    };
    /// An error message if the decorator is invalid with any child. It is a compile error in a `tree!`.
    const BROKEN: Option<&'static str> = None;
    /// The documentation of the decorator, for the palettes of editors. `#[decorator]` takes it from the documentation of the impl block.
    const DOC: &'static str = "";
    /// `true` if all state kept across runs below the decorator is cleared when a run of the decorator starts,
    /// before [`Decorator::open`] is called. See [`fresh`](crate::keywords::fresh).
    #[doc(hidden)]
    const FORGETS: bool = false;
    /// `true` if the decorator neither stores state nor acts before its child. See
    /// [`NodeShape::RESTARTS`](crate::NodeShape::RESTARTS).
    const RESTARTS: bool = false;

    /// The cause for which a running child is halted when the decorator ends. A time limit of your own has [`Cause::TimedOut`].
    const CAUSE: Cause = Cause::Ended;
    /// `true` if the outcome of the child changes only by events.
    #[doc(hidden)]
    const BY_EVENT: bool = false;
    /// The outcomes of the child after which a decorator that has paused starts it again, and does nothing else.
    #[doc(hidden)]
    const GOES_ON: Outcomes = Outcomes::NONE;

    /// Returns when the decorator, which is running, has to be ticked again. Until then, a tick would
    /// change neither the decorator nor its child nor the context. `child` is when its child has to be ticked again; `None` if the
    /// child is not running. The default is the next tick.
    ///
    /// A decorator that does nothing while its child runs returns `child.unwrap_or(Wake::Next)`:
    ///
    /// ```
    /// use bt_core::Wake;
    /// use bt_core::decorator::{Decorated, decorate};
    /// use bt_core::prelude::*;
    ///
    /// /// Counts the runs of its child.
    /// struct Counted;
    ///
    /// #[decorator]
    /// impl<C: ?Sized> Decorator<C> for Counted {
    ///     type Kept = u32;
    ///     fn wake(&self, _: &(), _: &u32, child: Option<Wake>) -> Wake { child.unwrap_or(Wake::Next) }
    ///     fn close(&self, _: &mut (), runs: &mut u32, _: &mut C, _: End) { *runs += 1 }
    /// }
    ///
    /// fn counted<N>(child: N) -> Decorated<Counted, N> { decorate(Counted, child) }
    ///
    /// let tree = tree! { for (): counted { run } };
    /// let mut memory = tree.memory();
    /// let status = tree.tick(&mut (), &mut memory);
    /// assert_eq!(tree.due(status, &memory, &mut ()), Wake::Event);
    /// ```
    #[inline]
    fn wake(&self, open: &Self::Open, kept: &Self::Kept, child: Option<Wake>) -> Wake {
        child.filter(|_| Self::WORD.is_some()).unwrap_or(Wake::Next)
    }

    /// Returns what starting the decorator would do, if that is known without an effect. `child` returns the same for its
    /// child. The default is `None`: it is not known.
    fn foresee(&self, kept: &Self::Kept, child: &mut dyn FnMut() -> Foreseen) -> Foreseen {
        None
    }

    /// Returns the name of the decorator in descriptions. The default is the name of the type.
    fn name(&self) -> &str {
        match Self::WORD {
            Some(word) => word.name(),
            None => short_name::<Self>(),
        }
    }

    /// Converts the times stored by the decorator to another clock. See [`Shift`].
    fn shift(&self, open: Option<&mut Self::Open>, kept: &mut Self::Kept, by: Shift) {}

    /// Calls `show` with the parameters of the decorator, for descriptions.
    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[]);
    }
}

/// The policy of a decorator: it decides when the child is ticked, and what the decorator returns.
///
/// All methods have defaults that change nothing. The methods are called in this order:
///
/// 1. [`open`](Self::open) when a run starts, [`resume`](Self::resume) in each later tick of the run. Both decide
///    whether the child is ticked.
/// 2. After a tick of the child: [`running`](Self::running), [`end`](Self::end) or [`error`](Self::error).
/// 3. [`close`](Self::close) when the run has ended or was halted.
///
/// Implement the trait with [`#[decorator]`](macro@crate::decorator), which accepts the items of [`DecoratorShape`] in
/// the same block. The attribute fills in `()` for `Open` and `Kept` and [`Never`](crate::Never) for `Pause` if they are omitted.
/// A function makes the decorator available in trees:
///
/// ```
/// use bt_core::decorator::{AfterChild, Decorated, decorate};
/// use bt_core::Never;
/// use bt_core::prelude::*;
///
/// /// Turns a second success in a row into a failure.
/// struct NotTwiceInARow;
///
/// #[decorator]
/// impl<C: ?Sized> Decorator<C> for NotTwiceInARow {
///     type Kept = bool; // `true` if the last run succeeded
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
    label = "not a decorator over `{C}`",
    note = "add `#[decorator] impl Decorator<{C}> for {Self} {{ … }}`"
)]
#[expect(unused_variables, reason = "the defaults ignore their arguments")]
pub trait Decorator<C: ?Sized>: DecoratorShape {
    /// Called when a run starts; decides whether the child is started. If the result ends the run, the run has not
    /// begun and `close` is not called.
    #[inline(always)]
    fn open(&self, open: &mut Self::Open, kept: &mut Self::Kept, ctx: &mut C) -> Gate<Self::Pause> {
        Gate::Go
    }

    /// Called in each later tick of a run; decides whether the child is resumed, or started after a pause.
    #[inline(always)]
    fn resume(&self, open: &mut Self::Open, kept: &mut Self::Kept, ctx: &mut C) -> Gate<Self::Pause> {
        Gate::Go
    }

    /// Called when the child succeeds or fails; decides what follows.
    fn end(
        &self,
        outcome: Outcome,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        ctx: &mut C,
    ) -> AfterChild<Self::Pause> {
        AfterChild::End(outcome)
    }

    /// Called when the child is running. `None` lets the child run; an outcome halts the child and ends the run.
    ///
    /// For example, the Succeeder and Failer of the texts end even if their child is running:
    ///
    /// ```
    /// use bt_core::decorator::{AfterChild, Decorated, StatusMap, decorate};
    /// use bt_core::{Never, Outcomes};
    /// use bt_core::prelude::*;
    ///
    /// /// The Succeeder of the first texts: ticks its child once, then succeeds, for any status of the child.
    /// struct Succeeder;
    ///
    /// #[decorator]
    /// impl<C: ?Sized> Decorator<C> for Succeeder {
    ///     const RETURNS: StatusMap = {
    ///         let success = Outcomes::SUCCESS;
    ///         StatusMap { on_success: success, on_failure: success, on_running: success, on_error: success, ..StatusMap::SAME }
    ///     };
    ///     fn end(&self, _: Outcome, _: &mut (), _: &mut (), _: &mut C) -> AfterChild<Never> { AfterChild::End(Outcome::Success) }
    ///     fn running(&self, _: &mut (), _: &mut (), _: &mut C) -> Option<Outcome> { Some(Outcome::Success) }
    ///     fn error(&self, _: &mut (), _: &mut (), _: &mut C) -> Outcome { Outcome::Success }
    /// }
    ///
    /// fn swallow<N>(child: N) -> Decorated<Succeeder, N> { decorate(Succeeder, child) }
    ///
    /// let tree = tree! { for (): sequence { swallow { run } swallow { error } swallow { fail } } };
    /// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Success);
    /// ```
    #[inline(always)]
    fn running(&self, open: &mut Self::Open, kept: &mut Self::Kept, ctx: &mut C) -> Option<Outcome> {
        None
    }

    /// Called when the child returns an error; decides how the run ends. The default is to end with the error. The
    /// error of a leaf that returns `Result` has already been passed to the context ([`OnError`](crate::OnError)).
    #[inline(always)]
    fn error(&self, open: &mut Self::Open, kept: &mut Self::Kept, ctx: &mut C) -> Outcome {
        Outcome::Error
    }

    /// Returns `true` if what [`foresee`](DecoratorShape::foresee) returns holds in this context.
    #[doc(hidden)]
    fn can_foresee(&self, kept: &Self::Kept, ctx: &C) -> bool {
        true
    }

    /// Calls `show` with the reason why [`open`](Self::open), [`resume`](Self::resume), [`running`](Self::running) or
    /// [`end`](Self::end) returned `Error`, for observers ([`Observer::error`](crate::Observer::error)). Called at once after
    /// that method if an observer is attached. Not called after [`error`](Self::error): the child has had a reason of its own.
    fn reason(&self, ctx: &C, show: &mut dyn FnMut(&dyn fmt::Display)) {}

    /// Called when an edit of a loaded tree has inserted the decorator above a running child. Opens the decorator as if it
    /// had started the child. Returns `false` if the decorator would not have started the child. The child is then halted; the
    /// run has not begun, and `close` is not called.
    ///
    /// The default follows the result of [`open`](Self::open). A decorator that pauses before its child skips the pause:
    ///
    /// ```
    /// use bt_core::decorator::Gate;
    /// use bt_core::prelude::*;
    ///
    /// /// Starts its child in the second tick.
    /// struct Late;
    ///
    /// #[decorator]
    /// impl<C: ?Sized> Decorator<C> for Late {
    ///     type Pause = ();
    ///     fn open(&self, _: &mut (), _: &mut (), _: &mut C) -> Gate<()> { Gate::Pause(()) }
    ///     fn adopt(&self, _: &mut (), _: &mut (), _: &mut C) -> bool { true }
    /// }
    /// ```
    fn adopt(&self, open: &mut Self::Open, kept: &mut Self::Kept, ctx: &mut C) -> bool {
        match self.open(open, kept, ctx) {
            Gate::Go => true,
            Gate::End(_) => false,
            Gate::Pause(_) => {
                self.close(open, kept, ctx, End::Halted(Cause::Edited));
                false
            }
        }
    }

    /// Called when the run has ended or was halted.
    #[inline(always)]
    fn close(&self, open: &mut Self::Open, kept: &mut Self::Kept, ctx: &mut C, end: End) {}
}
