//! A tree in which nothing is wrong any more: what was has been reported and mended or left out.

use bt_words::Flags;
use proc_macro2::{Ident, Span, TokenStream};
use syn::LitStr;

/// A whole tree.
pub(crate) struct Tree {
    pub(crate) context: Option<TokenStream>,
    pub(crate) root: Located,
}

/// A node and how it stands in the source.
pub(crate) struct Located {
    pub(crate) node: Node,
    pub(crate) label: Option<LitStr>,
    pub(crate) text: String,
    /// Where it begins.
    pub(crate) span: Span,
    /// What is not an error here, and what is written here.
    pub(crate) flags: Flags,
}

/// A node.
pub(crate) enum Node {
    /// A composite of at least one child. `args` come before the children.
    Composite { keyword: Ident, args: Vec<Threshold>, children: Vec<Located> },
    /// A random composite, and the weights of its children if any has one.
    Random { keyword: Ident, weights: Option<Vec<TokenStream>>, children: Vec<Located> },
    /// A finite state machine of at least one state.
    Machine { keyword: Ident, states: Vec<State>, any: Vec<Transition> },
    /// One of our decorators.
    Decorator { keyword: Ident, args: Args, child: Box<Located> },
    /// A `service`: how often, and what is done then.
    Service { keyword: Ident, every: TokenStream, action: Box<Located>, child: Box<Located> },
    /// A decorator of the user's.
    Own { path: TokenStream, args: TokenStream, child: Box<Located> },
    /// A leaf: Rust of the user's.
    Leaf(TokenStream),
    /// Where an error was.
    Broken,
}

/// The arguments of one of our decorators.
pub(crate) enum Args {
    None,
    /// A number of times that is written.
    Times(u32, Span),
    /// An expression.
    Rust(TokenStream),
}

/// A state of a machine.
pub(crate) struct State {
    pub(crate) flags: Flags,
    pub(crate) name: Ident,
    pub(crate) node: Located,
    pub(crate) transitions: Vec<Transition>,
    pub(crate) enter: Option<Located>,
    pub(crate) exit: Option<Located>,
}

/// A transition of a machine.
pub(crate) struct Transition {
    pub(crate) flags: Flags,
    /// Where it begins.
    pub(crate) span: Span,
    pub(crate) guard: Guard,
    /// The guard as it is shown.
    pub(crate) text: String,
    pub(crate) target: Target,
}

/// When a transition may be followed.
pub(crate) enum Guard {
    /// When the state's node has ended, with success or not.
    End(bool),
    /// When a condition holds.
    Condition(Box<Located>),
}

/// Where a transition leads.
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
