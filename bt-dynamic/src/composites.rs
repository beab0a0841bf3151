//! The composites with a rule: those of the vocabulary, with one row for each, and those of the user.

use bt_core::composite;

use crate::policy::Typed;
use crate::rule::{AnyRule, Rule};
use crate::values::{LoadedCases, LoadedScores, LoadedWeights};
use bt_core::Contexts;

/// Calls a macro with further tokens and a row for each composite: its word, its rule, and the expression that creates the rule from arguments.
macro_rules! composites {
    ($callback:ident $($extra:tt)*) => {
        $callback! {
            ($($extra)*)
            KeptSequence(composite::KeptSequence) = |_making, _args| composite::KeptSequence;
            RandomSelector(composite::RandomSelector<LoadedWeights<F>>) = |making, args| composite::RandomSelector::new(making.weights(args));
            RandomSequence(composite::RandomSequence<LoadedWeights<F>>) = |making, args| composite::RandomSequence::new(making.weights(args));
            Parallel(composite::Parallel<composite::AtLeast, composite::AtLeast>) = |_making, args| composite::Parallel::of(args.thresholds()?);
            MemParallel(composite::MemParallel<composite::AtLeast, composite::AtLeast>) = |_making, args| composite::MemParallel::of(args.thresholds()?);
            UtilitySelector(composite::UtilitySelector<LoadedScores<F>>) = |making, args| composite::UtilitySelector::new(making.keep(args), making.scores(args)?);
            MemUtilitySelector(composite::MemUtilitySelector<LoadedScores<F>>) = |making, args| composite::MemUtilitySelector::new(making.scores(args)?);
            Match(composite::Match<LoadedCases<F>>) = |making, args| composite::Match::new(making.cases(args)?);
            MemMatch(composite::MemMatch<LoadedCases<F>>) = |making, args| composite::MemMatch::new(making.cases(args)?);
            If(composite::If) = |_making, _args| composite::If::new();
            MemIf(composite::MemIf) = |_making, _args| composite::MemIf::new();
        }
    };
}
pub(crate) use composites;

macro_rules! built_in {
    (() $($word:ident($rule:ty) = |$making:ident, $args:ident| $make:expr;)+) => {
        /// A composite with its rule.
        pub(crate) enum CompositeRule<F: Contexts> {
            /// A composite of the user.
            Own(AnyRule<F>),
            $($word(Typed<$rule>)),+
        }

        impl<F: Contexts> CompositeRule<F> {
            /// Returns the rule.
            pub(crate) fn rule(&self) -> &dyn Rule<F> {
                match self {
                    Self::Own(rule) => &**rule,
                    $(Self::$word(rule) => rule),+
                }
            }

            /// Returns `true` if what it remembers refers to children by index. What a rule of the user does with a child depends on its index.
            pub(crate) fn counts_children(&self) -> bool {
                // The position of a `kept_sequence` follows its running child.
                let is_kept = matches!(self, Self::KeptSequence(_));
                let rule = self.rule();
                matches!(self, Self::Own(_)) || (rule.has_state() || rule.keeps_marks()) && !is_kept
            }
        }
    };
}

composites!(built_in);
