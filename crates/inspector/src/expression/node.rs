//! A parsed expression.

use serde_json::Value;

use crate::values::Path;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Node {
    /// A shown value.
    Path(Path),
    Literal(Value),
    Not(Box<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    Compare(Box<Node>, Operator, Box<Node>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Operator {
    pub(super) const ALL: [(&'static str, Self); 6] = [
        ("==", Self::Equal),
        ("!=", Self::NotEqual),
        ("<=", Self::LessOrEqual),
        (">=", Self::GreaterOrEqual),
        ("<", Self::Less),
        (">", Self::Greater),
    ];

    pub(super) const fn is_order(self) -> bool {
        !matches!(self, Self::Equal | Self::NotEqual)
    }
}
