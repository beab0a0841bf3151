//! The syntax of a tree as written, valid or not.

use bt_words::Word;
use proc_macro2::{Group, Ident, Span, TokenStream};
use syn::{Lifetime, LitStr, Type};

/// A whole `tree!`.
pub struct Tree {
    pub context: Option<Context>,
    /// Whether the states of the nodes have to be saved.
    pub is_saved: bool,
    pub root: Node,
}

/// `for Context:` or `for<'w> Context<'w>:`.
pub struct Context {
    /// The bound lifetimes. The tree is over every choice of them.
    pub lifetimes: Vec<Lifetime>,
    pub ty: Type,
}

/// A node.
pub enum Node {
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
    /// `#[allow(names)] node`, `#[expect(names)] node` or `#[disabled] node`.
    Allowing { names: Vec<Allowed>, node: Box<Node> },
    /// Other Rust, passed on unchanged.
    Leaf(Leaf),
    /// A missing node. The parser has reported an error.
    Missing(Span),
    /// A state outside a machine. The parser has reported an error and skipped it.
    Skipped(Span),
}

impl Node {
    /// Returns the label of a node.
    pub(crate) fn label(&self) -> Option<&LitStr> {
        match self {
            Self::Inner(inner) => inner.label.as_ref(),
            Self::Machine(machine) => machine.label.as_ref(),
            Self::If(branch) => branch.label.as_ref(),
            Self::Match(selection) => selection.label.as_ref(),
            Self::Leaf(leaf) => leaf.label.as_ref(),
            Self::Allowing { node, .. } => node.label(),
            Self::Not { .. } | Self::Missing(_) | Self::Skipped(_) => None,
        }
    }

    /// Returns `true` if `#[disabled]` is before the node.
    pub(crate) fn is_disabled(&self) -> bool {
        let is_named = |names: &[Allowed]| names.iter().any(|name| name.attribute == Attribute::Disabled);
        matches!(self, Self::Allowing { names, node } if is_named(names) || node.is_disabled())
    }
}

/// A name in an attribute before a node.
#[derive(Clone)]
pub struct Allowed {
    pub name: Ident,
    pub attribute: Attribute,
}

/// The attributes before a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Attribute {
    /// `#[allow(name)]`.
    Allow,
    /// `#[expect(name)]`.
    Expect,
    /// `#[disabled]` in a file: the name is that of the attribute.
    Disabled,
}

/// A node with a list of children.
pub struct Inner {
    pub path: Path,
    pub args: Option<Group>,
    /// The action of a `service`. It is not part of `args`.
    pub action: Option<Box<Node>>,
    pub label: Option<LitStr>,
    pub children: Vec<Child>,
}

/// `#[cfg(…)] weight => ..node`, or a part of it.
pub struct Child {
    /// The conditions of its `#[cfg(…)]` attributes.
    pub cfgs: Vec<TokenStream>,
    pub weight: Option<TokenStream>,
    /// The `..` before a container of children.
    pub dots: Option<Span>,
    pub node: Node,
}

/// A condition that selects one of two nodes.
pub struct If {
    pub word: Word,
    /// The location of the word.
    pub span: Span,
    pub condition: Node,
    pub label: Option<LitStr>,
    pub then: Node,
    pub otherwise: Option<Node>,
}

/// A function of the context whose value selects a node.
pub struct Match {
    pub word: Word,
    /// The location of the word.
    pub span: Span,
    /// The function, if it is valid.
    pub function: Option<Function>,
    pub label: Option<LitStr>,
    pub arms: Vec<Arm>,
}

/// A function of the context: a path or another expression, or a closure.
#[derive(Clone)]
pub struct Function {
    pub tokens: TokenStream,
    pub closure: Option<syn::ExprClosure>,
}

/// `pattern if guard => node`.
pub struct Arm {
    /// The pattern, with its `if`.
    pub pattern: TokenStream,
    pub node: Node,
}

/// A state machine.
pub struct Machine {
    pub keyword: Ident,
    pub label: Option<LitStr>,
    pub states: Vec<State>,
    /// The transitions from any state.
    pub any: Option<State>,
    /// Whether it contains other items, which have been reported.
    pub has_strays: bool,
}

/// `state name { … }`.
pub struct State {
    pub allowed: Vec<Allowed>,
    pub name: Ident,
    /// Its nodes and their first tokens. A valid state has one node.
    pub nodes: Vec<(Node, Span)>,
    pub transitions: Vec<TransitionTo>,
    pub enter: Option<Node>,
    pub exit: Option<Node>,
}

impl State {
    /// Returns an empty state.
    pub(crate) const fn of(name: Ident) -> Self {
        Self { allowed: Vec::new(), name, nodes: Vec::new(), transitions: Vec::new(), enter: None, exit: None }
    }
}

/// `guard -> to`.
pub struct TransitionTo {
    pub allowed: Vec<Allowed>,
    pub guard: Node,
    /// The guard as written.
    pub text: TokenStream,
    pub span: Span,
    /// The target. If it is missing, the parser has reported an error.
    pub to: Option<Ident>,
}

/// A path before a list of children.
pub struct Path {
    pub tokens: TokenStream,
    /// The only word of the path, if it has one word: possibly a keyword.
    pub word: Option<Ident>,
    /// The first token.
    pub span: Span,
}

/// A leaf.
pub struct Leaf {
    pub tokens: TokenStream,
    /// The name, for a leaf that has no name of its own.
    pub text: String,
    pub label: Option<LitStr>,
    pub span: Span,
}
