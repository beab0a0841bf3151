//! The syntax of a tree as written, valid or not.

use bt_words::Word;
use proc_macro2::{Group, Ident, Span, TokenStream};
use syn::{Lifetime, LitStr, Type};

/// A whole `tree!`.
pub(crate) struct Tree {
    pub(crate) context: Option<Context>,
    /// Whether the states of the nodes have to be saved.
    pub(crate) is_saved: bool,
    pub(crate) root: Node,
}

/// `for Context:` or `for<'w> Context<'w>:`.
pub(crate) struct Context {
    /// The lifetimes of which the tree is over every one.
    pub(crate) lifetimes: Vec<Lifetime>,
    pub(crate) ty: Type,
}

/// A node.
pub(crate) enum Node {
    /// `word(args) "label" { children }`.
    Inner(Inner),
    /// `machine "label" { state … }`.
    Machine(Box<Machine>),
    /// `if condition { node } else { node }`.
    If(Box<If>),
    /// `match function { pattern => node }`.
    Match(Box<Match>),
    /// `!child`.
    Not { bang: Span, child: Box<Node> },
    /// `#[allow(names)] node` or `#[expect(names)] node`.
    Allowing { names: Vec<Allowed>, node: Box<Node> },
    /// Other Rust, passed on unchanged.
    Leaf(Leaf),
    /// A missing node. The parser has reported an error.
    Missing(Span),
    /// A state outside a machine. The parser has reported an error and skipped it.
    Skipped(Span),
}

/// A name in `#[allow(…)]`, or in `#[expect(…)]`.
pub(crate) struct Allowed {
    pub(crate) name: Ident,
    pub(crate) expected: bool,
}

/// A node with a list of children.
pub(crate) struct Inner {
    pub(crate) path: Path,
    pub(crate) args: Option<Group>,
    /// The action of a `service`. It is not part of `args`.
    pub(crate) action: Option<Box<Node>>,
    pub(crate) label: Option<LitStr>,
    pub(crate) children: Vec<Child>,
}

/// `#[cfg(…)] weight => ..node`, or a part of it.
pub(crate) struct Child {
    /// The conditions of its `#[cfg(…)]` attributes.
    pub(crate) cfgs: Vec<TokenStream>,
    pub(crate) weight: Option<TokenStream>,
    /// The `..` before a container of children.
    pub(crate) dots: Option<Span>,
    pub(crate) node: Node,
}

/// A condition that selects one of two nodes.
pub(crate) struct If {
    pub(crate) word: Word,
    /// The location of the word.
    pub(crate) span: Span,
    pub(crate) condition: Node,
    pub(crate) label: Option<LitStr>,
    pub(crate) then: Node,
    pub(crate) otherwise: Option<Node>,
}

/// A function of the context whose value selects a node.
pub(crate) struct Match {
    pub(crate) word: Word,
    /// The location of the word.
    pub(crate) span: Span,
    /// The function, if it is valid.
    pub(crate) function: Option<Function>,
    pub(crate) label: Option<LitStr>,
    pub(crate) arms: Vec<Arm>,
}

/// A function of the context: a path or another expression, or a closure.
pub(crate) struct Function {
    pub(crate) tokens: TokenStream,
    pub(crate) closure: Option<syn::ExprClosure>,
}

/// `pattern if guard => node`.
pub(crate) struct Arm {
    /// The pattern, with its `if`.
    pub(crate) pattern: TokenStream,
    pub(crate) node: Node,
}

/// A state machine.
pub(crate) struct Machine {
    pub(crate) keyword: Ident,
    pub(crate) label: Option<LitStr>,
    pub(crate) states: Vec<State>,
    /// The transitions from any state.
    pub(crate) any: Option<State>,
    /// Whether it contains something else, which has been reported.
    pub(crate) has_strays: bool,
}

/// `state name { … }`.
pub(crate) struct State {
    pub(crate) allowed: Vec<Allowed>,
    pub(crate) name: Ident,
    /// Its nodes and their first tokens. A valid state has one node.
    pub(crate) nodes: Vec<(Node, Span)>,
    pub(crate) transitions: Vec<TransitionTo>,
    pub(crate) enter: Option<Node>,
    pub(crate) exit: Option<Node>,
}

/// `guard -> to`.
pub(crate) struct TransitionTo {
    pub(crate) allowed: Vec<Allowed>,
    pub(crate) guard: Node,
    /// The guard as written.
    pub(crate) text: TokenStream,
    pub(crate) span: Span,
    /// The target. If it is missing, the parser has reported an error.
    pub(crate) to: Option<Ident>,
}

/// A path before a list of children.
pub(crate) struct Path {
    pub(crate) tokens: TokenStream,
    /// The only word of the path, if it has one word: possibly a keyword.
    pub(crate) word: Option<Ident>,
    /// The first token.
    pub(crate) span: Span,
}

/// A leaf.
pub(crate) struct Leaf {
    pub(crate) tokens: TokenStream,
    /// The name, for a leaf that has no name of its own.
    pub(crate) text: String,
    pub(crate) label: Option<LitStr>,
    pub(crate) span: Span,
}
