//! A tree in which nothing is wrong any more: what was has been reported and mended or left out.

use proc_macro2::{Ident, Span, TokenStream};
use syn::LitStr;

/// A whole tree.
pub(crate) struct Tree {
    pub(crate) context: Option<TokenStream>,
    pub(crate) root: Placed,
}

/// A node and how it stands in the source.
pub(crate) struct Placed {
    pub(crate) node: Node,
    pub(crate) label: Option<LitStr>,
    pub(crate) text: String,
    /// Where it begins.
    pub(crate) span: Span,
}

/// A node.
pub(crate) enum Node {
    /// A composite of at least one child. `args` come before the children.
    Composite { keyword: Ident, args: Vec<Threshold>, children: Vec<Placed> },
    /// A random composite, and the weights of its children if any has one.
    Random { keyword: Ident, weights: Option<Vec<TokenStream>>, children: Vec<Placed> },
    /// A finite state machine of at least one state.
    Machine { keyword: Ident, states: Vec<State>, any: Vec<Arrow> },
    /// One of our decorators.
    Decorator { keyword: Ident, args: TokenStream, child: Box<Placed> },
    /// A decorator of the user's.
    Own { path: TokenStream, args: TokenStream, child: Box<Placed> },
    /// A leaf: Rust of the user's.
    Leaf(TokenStream),
    /// Where an error was.
    Broken,
}

/// A state of a machine.
pub(crate) struct State {
    pub(crate) name: Ident,
    pub(crate) node: Placed,
    pub(crate) arrows: Vec<Arrow>,
    pub(crate) enter: Option<Placed>,
    pub(crate) exit: Option<Placed>,
}

/// An arrow of a machine.
pub(crate) struct Arrow {
    pub(crate) guard: Guard,
    /// The guard as it is shown.
    pub(crate) text: String,
    pub(crate) target: Target,
}

/// When an arrow may be followed.
pub(crate) enum Guard {
    /// When the state's node has ended, with success or not.
    End(bool),
    /// When a condition holds.
    Condition(Box<Placed>),
}

/// Where an arrow leads.
pub(crate) enum Target {
    /// To the state of this index and name.
    State(usize, Ident),
    /// Out of the machine, with success or not.
    Out(bool),
}

/// A threshold of a parallel.
pub(crate) enum Threshold {
    /// `all` or `one`, as the user wrote it or as it is by default.
    Word(Ident),
    /// A number in the source.
    Number(usize),
    /// An expression.
    Computed(TokenStream),
}
