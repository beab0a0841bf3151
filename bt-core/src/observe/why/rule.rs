//! The rule by which a composite selects its children, where the order of events does not show it.

use bt_words::{Arity, ParamType, Word};

use crate::describe::{Described, Kind};

/// The rule by which a composite selects the children that it ticks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// One after the other, as in a `sequence`; the outcome of the last one decides.
    InOrder,
    /// By the outcome of the first child, as in an `if`.
    ByFirst,
    /// By a value, as in a `match`.
    ByValue,
    /// All of them, as in a `parallel`.
    All,
    /// The second after the first, which decides, as in a `finally`.
    ThenCleanup,
}

impl Rule {
    pub(super) fn of(node: &Described) -> Self {
        if node.kind != Kind::Composite {
            return Self::InOrder;
        }
        let rows = Word::named(&node.name).map(Word::row);
        let of_row = |row: &'static bt_words::Row| {
            let has = |is: fn(&ParamType) -> bool| row.params.iter().any(|param| is(&param.ty));
            if row.arity() == Arity::Branches {
                Self::ByFirst
            } else if row.arity() == Arity::BodyAndCleanup {
                Self::ThenCleanup
            } else if has(|ty| matches!(ty, ParamType::Cases)) {
                Self::ByValue
            } else if has(|ty| matches!(ty, ParamType::Threshold(_))) {
                Self::All
            } else {
                Self::InOrder
            }
        };
        rows.map(of_row).find(|rule| *rule != Self::InOrder).unwrap_or(Self::InOrder)
    }
}
