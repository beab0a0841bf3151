//! The composites that have a rule in `bt-core`: some words, and those of the user.

use bt_core::composite::{If, Match, MemIf, MemMatch, MemUtilitySelector, UtilitySelector};

use crate::custom::{AnyRule, Rule};
use crate::policy::Typed;
use crate::values::{DynCases, DynScores};
use bt_core::Contexts;

/// A composite with its rule.
pub(crate) enum CompositeRule<F: Contexts> {
    /// A composite of the user.
    Own(AnyRule<F>),
    If(Typed<If>),
    MemIf(Typed<MemIf>),
    Match(Typed<Match<DynCases<F>>>),
    MemMatch(Typed<MemMatch<DynCases<F>>>),
    UtilitySelector(Typed<UtilitySelector<DynScores<F>>>),
    MemUtilitySelector(Typed<MemUtilitySelector<DynScores<F>>>),
}

impl<F: Contexts> CompositeRule<F> {
    /// Returns the rule.
    pub(crate) fn rule(&self) -> &dyn Rule<F> {
        match self {
            Self::Own(rule) => &**rule,
            Self::If(rule) => rule,
            Self::MemIf(rule) => rule,
            Self::Match(rule) => rule,
            Self::MemMatch(rule) => rule,
            Self::UtilitySelector(rule) => rule,
            Self::MemUtilitySelector(rule) => rule,
        }
    }

    /// Returns `true` if it has a slot for its state.
    pub(crate) fn has_slot(&self) -> bool {
        match self {
            Self::Own(_) | Self::MemUtilitySelector(_) => true,
            Self::If(_) | Self::MemIf(_) | Self::Match(_) | Self::MemMatch(_) | Self::UtilitySelector(_) => false,
        }
    }
}
