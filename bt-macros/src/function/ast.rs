//! The parts of a valid `#[action]` or `#[condition]`.

use proc_macro2::Ident;
use syn::{Attribute, Expr, Generics, ItemFn, LitStr, Type};

use super::Form;
use super::future::Future;

/// A leaf with parameters.
pub(crate) struct Function {
    pub(crate) form: Form,
    /// Whether its outcome changes only by events.
    pub(crate) is_event: bool,
    /// The function as written, without attributes.
    pub(crate) body: ItemFn,
    /// The `cfg` attributes, for every generated item.
    pub(crate) cfgs: Vec<Attribute>,
    /// The documentation, for the public items.
    pub(crate) docs: Vec<Attribute>,
    /// The name of the context parameter.
    pub(crate) ctx: Ident,
    pub(crate) context: Type,
    /// The output of the function, or the meaning of its future's output.
    pub(crate) answer: Type,
    /// Whether its `Err` is a failure.
    pub(crate) fails: bool,
    pub(crate) future: Option<Future>,
    pub(crate) params: Vec<Param>,
    pub(crate) open: Vec<Open>,
    /// The types of the states that are kept across runs.
    pub(crate) kept: Vec<Type>,
    /// The arguments after the context, in order.
    pub(crate) order: Vec<Argument>,
    /// The generics of the struct that holds the parameters.
    pub(crate) held: Generics,
}

impl Function {
    /// Returns `true` for an action whose state is that of its output, or its future.
    pub(crate) fn has_output_state(&self) -> bool {
        self.form == Form::Action && self.open.is_empty()
    }
}

/// A parameter that the node holds.
pub(crate) struct Param {
    pub(crate) name: Ident,
    /// The type in the struct.
    pub(crate) ty: Type,
    /// How it is passed to the function.
    pub(crate) handed: Handed,
    /// The default.
    pub(crate) default: Option<Expr>,
    /// The unit.
    pub(crate) unit: Option<LitStr>,
}

/// How a parameter is passed to the function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handed {
    /// As a copy.
    Copied,
    /// As a reference.
    Lent,
    /// As a value that may be read from a board.
    Read(Input),
    /// As an empty `Option`, whose value is then written to a board.
    Written,
}

/// How an `#[input]` is passed to the function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Input {
    /// As an `Option`.
    pub(crate) is_optional: bool,
    /// As a reference, possibly to the text or the slice in the value.
    pub(crate) lent: Option<Lent>,
}

/// The target of a reference to an `#[input]`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lent {
    Value,
    /// The content of the value: the text of a `String`, or the slice of a `Vec`.
    Content,
}

impl Handed {
    /// Returns `true` for an `#[input]`.
    pub(crate) fn is_read(self) -> bool {
        matches!(self, Self::Read(_))
    }
}

/// State that exists while the node is running.
pub(crate) struct Open {
    pub(crate) ty: Type,
    /// The initial value, if it is not the default.
    pub(crate) start: Option<Expr>,
}

/// One argument: the index of a parameter or of a state, or the id of the node.
pub(crate) enum Argument {
    Param(usize),
    Open(usize),
    Kept(usize),
    /// The id of the node.
    At,
}
