//! The decorators of the vocabulary, with one row for each.

use std::time::Duration;

use bt_core::decorator::{
    ByEvent, Chance, Cooldown, DecoratorShape, Delay, Force, Fresh, Invert, Limit, Repeat, RepeatTimes,
    RepeatWhileSuccess, Retry, RunOnce, SucceedOnce, Timeout, UntilFailure, UntilSuccess, WaitUntil,
};

use crate::flat::packed::Packed;
use crate::flat::values::LoadedAmount;

/// Calls a macro with further tokens and a row for each decorator: its word, its policy, the number that it stores while it runs, and the expression
/// that creates the policy from arguments. A `limit` stores none: it compares its count with the present number. A `cooldown` stores its time after
/// the length of the present run.
macro_rules! decorators {
    ($callback:ident $($extra:tt)*) => {
        $callback! {
            ($($extra)*)
            Invert(Invert) keeps(none) = |_making, _args| keywords::invert();
            ForceSuccess(Force<true>) keeps(none) = |_making, _args| keywords::force_success();
            ForceFailure(Force<false>) keeps(none) = |_making, _args| keywords::force_failure();
            Repeat(Repeat) keeps(none) = |_making, _args| keywords::repeat();
            RepeatTimes(RepeatTimes<LoadedAmount<u32>>) keeps(times) = |making, args| keywords::repeat_times(making.amount(args.number()?)?);
            Retry(Retry<LoadedAmount<u32>>) keeps(times) = |making, args| keywords::retry(making.amount(args.number()?)?);
            RepeatWhileSuccess(RepeatWhileSuccess<LoadedAmount<u32>>) keeps(times) = |making, args| keywords::repeat_while_success(making.amount(args.number()?)?);
            UntilFailure(UntilFailure) keeps(none) = |_making, _args| keywords::until_failure();
            UntilSuccess(UntilSuccess) keeps(none) = |_making, _args| keywords::until_success();
            WaitUntil(WaitUntil) keeps(none) = |_making, _args| keywords::wait_until();
            Limit(Limit<LoadedAmount<u32>>) keeps(none) = |making, args| keywords::limit(making.amount(args.number()?)?);
            RunOnce(RunOnce) keeps(none) = |_making, _args| keywords::run_once();
            SucceedOnce(SucceedOnce) keeps(none) = |_making, _args| keywords::succeed_once();
            ByEvent(ByEvent) keeps(none) = |_making, _args| keywords::by_event();
            Fresh(Fresh) keeps(none) = |_making, _args| keywords::fresh();
            Timeout(Timeout<LoadedAmount<Duration>>) keeps(time at 0) = |making, args| keywords::timeout(making.amount(args.time()?)?);
            Delay(Delay<LoadedAmount<Duration>>) keeps(time at 0) = |making, args| keywords::delay(making.amount(args.time()?)?);
            Cooldown(Cooldown<LoadedAmount<Duration>>) keeps(time at Duration::WORDS) = |making, args| keywords::cooldown(making.amount(args.time()?)?);
            Chance(Chance<LoadedAmount<f64>>) keeps(none) = |making, args| keywords::chance(making.amount(args.probability()?)?);
        }
    };
}
pub(crate) use decorators;

macro_rules! built_in {
    (($d:tt) $($word:ident($policy:ty) keeps($($number:tt)+) = |$making:ident, $args:ident| $make:expr;)+) => {
        /// The policy of a decorator of the vocabulary.
        pub(crate) enum BuiltIn { $($word($policy)),+ }

        impl BuiltIn {
            /// Returns the number of memory words for its state.
            pub(crate) fn words(&self) -> usize {
                match self { $(Self::$word(_) => state_words::<$policy>()),+ }
            }

            /// Returns `true` if everything below forgets what it kept when a run starts.
            pub(crate) fn forgets(&self) -> bool {
                match self { $(Self::$word(_) => <$policy>::FORGETS),+ }
            }
        }

        /// Evaluates an expression with the policy of any decorator of the vocabulary.
        macro_rules! with_policy {
            ($d op:expr, $d name:ident => $d value:expr) => {
                match $d op { $($crate::flat::built_in::BuiltIn::$word($d name) => $d value),+ }
            };
        }
        pub(crate) use with_policy;
    };
}

decorators!(built_in $);

/// Returns the number of memory words for the state of a policy: its `Open`, then its `Kept`.
pub(crate) const fn state_words<P: DecoratorShape<Open: Packed, Kept: Packed>>() -> usize {
    <P::Open as Packed>::WORDS + <P::Kept as Packed>::WORDS
}
