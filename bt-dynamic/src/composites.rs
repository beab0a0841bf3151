//! The composites with a rule: those of the vocabulary, with one row for each, and those of the user.

use bt_core::composite::{
    AtLeast, If, KeptSequence, Match, MemIf, MemMatch, MemParallel, MemUtilitySelector, Parallel, RandomSelector,
    RandomSequence, UtilitySelector,
};

use crate::policy::Typed;
use crate::rule::{AnyRule, Rule};
use crate::values::{DynCases, DynScores, DynWeights};
use bt_core::Contexts;

/// Calls a macro with further tokens and a row for each composite: its word, its rule, and the expression that creates the rule from arguments.
macro_rules! composites {
    ($callback:ident $($extra:tt)*) => {
        $callback! {
            ($($extra)*)
            KeptSequence(KeptSequence) = |_making, _args| KeptSequence;
            RandomSelector(RandomSelector<DynWeights<F>>) = |making, args| RandomSelector::new(making.weights(args));
            RandomSequence(RandomSequence<DynWeights<F>>) = |making, args| RandomSequence::new(making.weights(args));
            Parallel(Parallel<AtLeast, AtLeast>) = |_making, args| Parallel::of(args.thresholds()?);
            MemParallel(MemParallel<AtLeast, AtLeast>) = |_making, args| MemParallel::of(args.thresholds()?);
            UtilitySelector(UtilitySelector<DynScores<F>>) = |making, args| UtilitySelector::new(making.keep(args), making.scores(args)?);
            MemUtilitySelector(MemUtilitySelector<DynScores<F>>) = |making, args| MemUtilitySelector::new(making.scores(args)?);
            Match(Match<DynCases<F>>) = |making, args| Match::new(making.cases(args)?);
            MemMatch(MemMatch<DynCases<F>>) = |making, args| MemMatch::new(making.cases(args)?);
            If(If) = |_making, _args| If::new();
            MemIf(MemIf) = |_making, _args| MemIf::new();
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
                matches!(self, Self::Own(_)) || self.rule().remembers()
            }
        }
    };
}

composites!(built_in);
