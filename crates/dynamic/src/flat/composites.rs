//! The composites with a rule: those of the vocabulary, with one row for each, and those of the user.

use bt_core::composite::Children;
use bt_core::engine::ErasedState;
use bt_core::{End, Status, composite};

use crate::flat::host::{Host, HostContext, Hosts};
use crate::flat::values::{LoadedCases, LoadedScores, LoadedWeights};
use crate::nodes::policy::Typed;
use crate::nodes::rule::Rule;
use crate::nodes::shape::{RuleFlags, RuleShape, Shapes};

/// What has to have happened in a node before it starts a child.
pub(crate) enum Before {
    /// Nothing.
    Nothing,
    /// The children before it have run.
    Children,
    /// The first child has chosen it.
    Condition,
    /// An expression has chosen it.
    Selection,
    /// A transition has entered it, unless it is the first.
    Transition,
    /// The body has ended, unless it is that.
    Body,
}

/// Calls a macro with further tokens and a row for each composite: its word, its rule, what has to have happened before it starts a child,
/// and the expression that creates the rule from arguments.
macro_rules! composites {
    ($callback:ident $($extra:tt)*) => {
        $callback! {
            ($($extra)*)
            KeptSequence(composite::KeptSequence) after(Children) = |_making, _args| composite::KeptSequence;
            RandomSelector(composite::RandomSelector<LoadedWeights>) after(Nothing) = |_making, args| composite::RandomSelector::new(LoadedWeights(args.weights().map(<[f64]>::to_vec)));
            RandomSequence(composite::RandomSequence<LoadedWeights>) after(Nothing) = |_making, args| composite::RandomSequence::new(LoadedWeights(args.weights().map(<[f64]>::to_vec)));
            Parallel(composite::Parallel<composite::AtLeast, composite::AtLeast>) after(Nothing) = |_making, args| composite::Parallel::of(args.thresholds()?);
            MemParallel(composite::MemParallel<composite::AtLeast, composite::AtLeast>) after(Nothing) = |_making, args| composite::MemParallel::of(args.thresholds()?);
            UtilitySelector(composite::UtilitySelector<LoadedScores>) after(Nothing) = |making, args| composite::UtilitySelector::new(making.keep(args), making.scores(args)?);
            MemUtilitySelector(composite::MemUtilitySelector<LoadedScores>) after(Nothing) = |making, args| composite::MemUtilitySelector::new(making.scores(args)?);
            Match(composite::Match<LoadedCases>) after(Selection) = |making, args| composite::Match::new(making.cases(args)?);
            MemMatch(composite::MemMatch<LoadedCases>) after(Selection) = |making, args| composite::MemMatch::new(making.cases(args)?);
            If(composite::If) after(Condition) = |_making, _args| composite::If::new();
            MemIf(composite::MemIf) after(Condition) = |_making, _args| composite::MemIf::new();
        }
    };
}
pub(crate) use composites;

macro_rules! built_in {
    (() $($word:ident($rule:ty) after($before:ident) = |$making:ident, $args:ident| $make:expr;)+) => {
        /// The rule of a composite.
        pub(crate) enum CompositeRule {
            /// A composite of the user, by its number.
            Own(u32),
            $($word(Typed<$rule>)),+
        }

        impl CompositeRule {
            /// Returns the rule.
            pub(crate) fn shape<'s>(&'s self, shapes: &'s dyn Shapes) -> &'s dyn RuleShape {
                match self {
                    Self::Own(rule) => shapes.rule(*rule),
                    $(Self::$word(rule) => rule),+
                }
            }

            /// Returns what has to have happened before the rule starts a child.
            pub(crate) fn before(&self) -> Before {
                match self {
                    // What a composite of the user does is not known.
                    Self::Own(_) => Before::Children,
                    $(Self::$word(_) => Before::$before),+
                }
            }

            /// Returns what the rule does with its children.
            fn flags(&self, shapes: &dyn Shapes) -> RuleFlags {
                match self {
                    Self::Own(rule) => shapes.rule(*rule).flags(),
                    $(Self::$word(_) => RuleFlags::of::<$rule>()),+
                }
            }

            /// Calls the rule, with a new state if `opening`.
            #[inline(always)]
            pub(crate) fn tick(
                &self,
                opening: bool,
                children: &mut impl for<'h> Children<HostContext<'h>>,
                slot: &mut ErasedState,
                host: &mut dyn Host,
            ) -> Status {
                match self {
                    Self::Own(rule) => host.tick_rule(*rule, opening, children, slot),
                    $(Self::$word(rule) => rule.tick_over(opening, children, slot, &mut HostContext(host))),+
                }
            }

            pub(crate) fn close(&self, slot: &mut ErasedState, host: &mut dyn Host, end: End) {
                match self {
                    Self::Own(rule) => host.close_rule(*rule, slot, end),
                    $(Self::$word(rule) => Rule::<Hosts>::close(rule, slot, &mut HostContext(host), end)),+
                }
            }
        }
    };
}

composites!(built_in);

/// A composite: its rule, and what that does with its children.
pub(crate) struct CompositeOp {
    pub(crate) rule: CompositeRule,
    pub(crate) flags: RuleFlags,
}

impl CompositeOp {
    pub(crate) fn new(rule: CompositeRule, shapes: &dyn Shapes) -> Self {
        Self { flags: rule.flags(shapes), rule }
    }
}
