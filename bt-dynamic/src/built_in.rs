//! The decorators of the vocabulary, with one row for each.

use bt_core::decorator::{
    Chance, Cooldown, DecoratorShape, Delay, Force, Fresh, Invert, Limit, Repeat, RepeatTimes, RepeatWhileSuccess,
    Retry, RunOnce, SucceedOnce, Timeout, UntilFailure, UntilSuccess, WaitUntil,
};

use crate::packed::Packed;

/// Calls a macro with further tokens and a row for each decorator: its word, its policy, and the expression that creates the policy from arguments.
macro_rules! decorators {
    ($callback:ident $($extra:tt)*) => {
        $callback! {
            ($($extra)*)
            Invert(Invert) = |_args| keywords::invert();
            ForceSuccess(Force<true>) = |_args| keywords::force_success();
            ForceFailure(Force<false>) = |_args| keywords::force_failure();
            Repeat(Repeat) = |_args| keywords::repeat();
            RepeatTimes(RepeatTimes<u32>) = |args| keywords::repeat_times(args.number()?);
            Retry(Retry<u32>) = |args| keywords::retry(args.number()?);
            RepeatWhileSuccess(RepeatWhileSuccess<u32>) = |args| keywords::repeat_while_success(args.number()?);
            UntilFailure(UntilFailure) = |_args| keywords::until_failure();
            UntilSuccess(UntilSuccess) = |_args| keywords::until_success();
            WaitUntil(WaitUntil) = |_args| keywords::wait_until();
            Limit(Limit) = |args| keywords::limit(args.number()?);
            RunOnce(RunOnce) = |_args| keywords::run_once();
            SucceedOnce(SucceedOnce) = |_args| keywords::succeed_once();
            Fresh(Fresh) = |_args| keywords::fresh();
            Timeout(Timeout) = |args| keywords::timeout(args.time()?);
            Delay(Delay) = |args| keywords::delay(args.time()?);
            Cooldown(Cooldown) = |args| keywords::cooldown(args.time()?);
            Chance(Chance) = |args| keywords::chance(args.probability()?);
        }
    };
}
pub(crate) use decorators;

macro_rules! built_in {
    (($d:tt) $($word:ident($policy:ty) = |$args:ident| $make:expr;)+) => {
        /// The policy of a decorator of the vocabulary.
        pub(crate) enum BuiltIn { $($word($policy)),+ }

        impl BuiltIn {
            /// Returns the number of memory words for its state.
            pub(crate) const fn words(&self) -> usize {
                match self { $(Self::$word(policy) => state_words(policy)),+ }
            }

            /// Returns `true` if everything below forgets what it kept when a run starts.
            pub(crate) const fn forgets(&self) -> bool {
                match self { $(Self::$word(_) => <$policy>::FORGETS),+ }
            }
        }

        /// Evaluates an expression with the policy of any decorator of the vocabulary.
        macro_rules! with_policy {
            ($d op:expr, $d name:ident => $d value:expr) => {
                match $d op { $($crate::built_in::BuiltIn::$word($d name) => $d value),+ }
            };
        }
        pub(crate) use with_policy;
    };
}

decorators!(built_in $);

/// Returns the number of memory words for the state of a policy: its `Open`, then its `Kept`.
const fn state_words<P: DecoratorShape<Open: Packed, Kept: Packed>>(_: &P) -> usize {
    <P::Open as Packed>::WORDS + <P::Kept as Packed>::WORDS
}
