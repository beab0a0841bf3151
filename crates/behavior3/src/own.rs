//! The known facts of a custom node.

use bt_words::analysis::Requirement;
use bt_words::{Arity, Outcomes, Returns, StatusMap};

/// A custom node, by its kind and the statuses that it can return, for the analysis of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OwnNode {
    /// A leaf that can return these statuses.
    Leaf(Outcomes),
    /// A decorator that returns these statuses for those of its child, and what it requires of the child.
    Decorator(StatusMap, &'static [Requirement]),
    /// A composite that returns this for the statuses of its children.
    Composite(Returns),
    /// A node of which only the number of children is known: it can return anything.
    Unknown(Arity),
}

impl OwnNode {
    /// Returns the number of its children.
    pub const fn arity(self) -> Arity {
        match self {
            Self::Leaf(_) => Arity::Zero,
            Self::Decorator(..) => Arity::One,
            Self::Composite(_) => Arity::Many,
            Self::Unknown(arity) => arity,
        }
    }
}

impl From<Arity> for OwnNode {
    fn from(arity: Arity) -> Self {
        Self::Unknown(arity)
    }
}
