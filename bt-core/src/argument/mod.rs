//! Number and time arguments of nodes: fixed values, or sources of a value when a run starts.

mod computed;
mod fixed;
#[cfg(feature = "random")]
mod range;

use core::fmt;

#[doc(hidden)]
pub use computed::{ByFunction, Computed};
#[doc(hidden)]
pub use fixed::{ByValue, Fixed};
#[cfg(feature = "random")]
#[doc(hidden)]
pub use range::{ByRange, Ranged, Sample};

/// A number or time argument of a node: `T` is `Duration` for `timeout`, `u32` for `retry` and `f64` for `chance`.
///
/// An argument is one of these:
///
/// - a value: `wait(secs(1))`
/// - a function or closure of the context that returns a value: `wait(Npc::pause)`, `retry(|npc: &Npc| npc.lives)`
/// - a variable of the context's board, such as a [`Key`](crate::board::Key): `wait(PAUSE)`. The node returns `Error` if the
///   variable is not set.
/// - a range, with the feature `random` and a context that implements [`Random`](crate::Random): `wait(secs(1)..=secs(3))`
///   waits for a random time, and `repeat(1..=3)` runs its child a random number of times. All values are equally
///   likely. A range whose end is less than its start always has the value of its start.
///
/// The value is determined when a run of the node starts, and does not change during the run. A `limit`, whose count spans
/// runs, determines its bound at each start.
///
/// A function that passes on its argument is generic over the marker `M`, which the compiler infers:
///
/// ```
/// use bt_core::argument::{ArgumentIn, IntoArgument};
/// use bt_core::prelude::*;
/// # struct Npc { now: Duration }
/// # impl Clock for Npc { fn now(&self) -> Duration { self.now } }
///
/// fn rest<A, M>(time: A) -> impl Node<Npc>
/// where
///     A: IntoArgument<Duration, M>,
///     A::Argument: ArgumentIn<Npc, Duration>,
/// {
///     tree! { for Npc: wait(time) }
/// }
///
/// let tree = tree! { for Npc: mem_sequence { rest(secs(1)), rest(|npc: &Npc| npc.now) } };
/// # let _ = tree.memory();
/// ```
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Npc { patience: Duration, lives: u32, now: Duration }
/// impl Clock for Npc { fn now(&self) -> Duration { self.now } }
///
/// fn patience(npc: &Npc) -> Duration { npc.patience }
///
/// let tree = tree! { for Npc: repeat(|npc: &Npc| npc.lives) { timeout(patience) { run } } };
/// let (mut npc, mut memory) = (Npc { patience: secs(2), lives: 1, now: secs(0) }, tree.memory());
/// assert_eq!(tree.tick(&mut npc, &mut memory), Status::Running);
/// (npc.patience, npc.now) = (secs(9), secs(3));                  // this run keeps its 2 seconds
/// assert_eq!(tree.tick(&mut npc, &mut memory), Status::Success);
/// ```
#[diagnostic::on_unimplemented(
    message = "expected `{T}`, found `{Self}`",
    label = "not a `{T}`, nor a variable or a function of the context that returns one",
    note = "the argument is a value (a time is written `secs(5)` or `millis(500)`), a variable such as a `Key<{T}>`, a `fn(&Context) -> {T}`, or, with the feature `random`, a range `a..=b`"
)]
pub trait IntoArgument<T, M> {
    /// The argument as a part of the node.
    type Argument: Argument<T>;
    /// Converts the argument.
    #[doc(hidden)]
    fn into_argument(self) -> Self::Argument;
}

/// An [argument](IntoArgument) as a part of a node, for any context.
#[doc(hidden)]
pub trait Argument<T>: fmt::Debug {
    /// The value as stored by a run: nothing if the value is fixed.
    type Drawn: Default + Copy + Send + Sync + 'static;
    /// `true` if the value is known to be different from 0.
    const NOT_ZERO: bool = false;
    /// `true` if there may be no value. The node then returns `Error`.
    const CAN_FAIL: bool = false;
    /// Returns the value of a run.
    fn value(&self, drawn: &Self::Drawn) -> T;
    /// Returns the value if it is the same for all runs.
    fn fixed(&self) -> Option<T> {
        None
    }
}

/// An [argument](IntoArgument) of a node over the context `C`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to have a value in a tree over `{C}`",
    label = "not a `{T}` in a tree over `{C}`",
    note = "the argument of a generic function needs the bounds `A: IntoArgument<{T}, M>` and `A::Argument: ArgumentIn<{C}, {T}>`"
)]
#[expect(unused_variables, reason = "the defaults ignore their arguments")]
pub trait ArgumentIn<C: ?Sized, T>: Argument<T> {
    /// Determines the value of a run that starts; `None` if there is none.
    #[doc(hidden)]
    fn draw(&self, ctx: &mut C) -> Option<Self::Drawn>;
    /// Calls `show` with the reason why there is no value.
    #[doc(hidden)]
    fn fault(&self, ctx: &C, show: &mut dyn FnMut(&dyn fmt::Display)) {}
}

/// The reason why an argument has no value, with the name of the parameter.
pub(crate) struct NoValue<'a> {
    pub(crate) parameter: &'static str,
    pub(crate) reason: &'a dyn fmt::Display,
}

impl fmt::Display for NoValue<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "parameter `{}`: {}", self.parameter, self.reason)
    }
}

/// Calls `show` with the reason why the argument of a parameter has no value.
#[doc(hidden)]
pub fn fault<C: ?Sized, T>(
    argument: &impl ArgumentIn<C, T>,
    parameter: &'static str,
    ctx: &C,
    show: &mut dyn FnMut(&dyn fmt::Display),
) {
    argument.fault(ctx, &mut |reason| show(&NoValue { parameter, reason }));
}
