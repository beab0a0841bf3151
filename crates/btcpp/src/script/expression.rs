//! The expressions of a script.

use bt_core::board::Untyped;

/// An expression. The depth of nested expressions is limited by the parser.
#[derive(Clone, Debug)]
pub(super) enum Expression {
    Literal(Untyped),
    Name(Name),
    Unary(Unary, Box<Expression>),
    /// Operators that are evaluated from left to right. The list keeps a long chain flat.
    Chain(Box<Expression>, Vec<(Binary, Expression)>),
    /// Comparisons that all have to hold.
    Compare(Box<Expression>, Vec<(Compare, Expression)>),
    Choose(Box<Choose>),
    Assign(Box<Assign>),
}

/// A variable or a constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    /// The index of the variable in the script.
    pub(super) variable: usize,
    /// `true` for a bare name, which a constant may have.
    pub(super) is_bare: bool,
}

/// `condition ? then : otherwise`
#[derive(Clone, Debug)]
pub(super) struct Choose {
    pub(super) condition: Expression,
    pub(super) then: Expression,
    pub(super) otherwise: Expression,
}

/// An assignment. Its target is `None` if the left side is not a variable, which is an error when it is evaluated.
#[derive(Clone, Debug)]
pub(super) struct Assign {
    pub(super) target: Option<usize>,
    pub(super) operator: Assignment,
    pub(super) value: Expression,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unary {
    Negate,
    Complement,
    Not,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Binary {
    Plus,
    Minus,
    Times,
    Divide,
    Join,
    BitAnd,
    BitOr,
    BitXor,
    And,
    Or,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compare {
    Equal,
    NotEqual,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Assignment {
    /// Creates the variable if it does not exist.
    Create,
    Set,
    /// Combines the value of the variable with the right side.
    Combine(Binary),
}

impl Unary {
    pub(super) const fn symbol(self) -> &'static str {
        match self {
            Self::Negate => "-",
            Self::Complement => "~",
            Self::Not => "!",
        }
    }
}

impl Binary {
    /// Returns how tightly the operator binds.
    pub(super) const fn power(self) -> u8 {
        match self {
            Self::Or => 6,
            Self::And => 8,
            Self::BitOr | Self::BitXor => 12,
            Self::BitAnd => 14,
            Self::Plus | Self::Minus | Self::Join => 16,
            Self::Times | Self::Divide => 18,
        }
    }
}
