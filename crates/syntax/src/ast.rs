//! The syntax of a tree as written, valid or not.

use bt_words::Word;
use syn::{Lifetime, Type};

use crate::tokens::{Group, Ident, Span, Text, TokenStream};

/// A whole `tree!`.
pub struct Tree<'t> {
    pub context: Option<Context<'t>>,
    /// Whether the states of the nodes have to be saved.
    pub is_saved: bool,
    pub root: Node<'t>,
}

/// `for Context:` or `for<'w> Context<'w>:`.
pub struct Context<'t> {
    /// Where the type is.
    pub span: Span<'t>,
    /// The bound lifetimes. The tree is over every choice of them.
    pub lifetimes: Vec<Lifetime>,
    pub ty: Type,
}

/// A node.
pub enum Node<'t> {
    /// `word(args) "label" { children }`.
    Inner(Inner<'t>),
    /// `machine "label" { state … }`.
    Machine(Box<Machine<'t>>),
    /// `if condition { node } else { node }`.
    If(Box<If<'t>>),
    /// `match function { pattern => node }`.
    Match(Box<Match<'t>>),
    /// `!child`.
    Not { bang: Span<'t>, child: Box<Node<'t>> },
    /// `#[allow(names)] node`, `#[expect(names)] node` or `#[disabled] node`.
    Allowing { names: Vec<Allowed<'t>>, node: Box<Node<'t>> },
    /// Other Rust, passed on unchanged.
    Leaf(Leaf<'t>),
    /// A missing node. The parser has reported an error.
    Missing(Span<'t>),
    /// A state outside a machine. The parser has reported an error and skipped it.
    Skipped(Span<'t>),
}

impl<'t> Node<'t> {
    /// Returns the label of a node.
    pub(crate) fn label(&self) -> Option<Text<'t>> {
        match self {
            Self::Inner(inner) => inner.label,
            Self::Machine(machine) => machine.label,
            Self::If(branch) => branch.label,
            Self::Match(selection) => selection.label,
            Self::Leaf(leaf) => leaf.label,
            Self::Allowing { node, .. } => node.label(),
            Self::Not { .. } | Self::Missing(_) | Self::Skipped(_) => None,
        }
    }

    /// Returns `true` if `#[disabled]` is before the node.
    pub(crate) fn is_disabled(&self) -> bool {
        let is_named = |names: &[Allowed<'_>]| names.iter().any(|name| name.attribute == Attribute::Disabled);
        matches!(self, Self::Allowing { names, node } if is_named(names) || node.is_disabled())
    }
}

/// A name in an attribute before a node.
#[derive(Clone, Copy)]
pub struct Allowed<'t> {
    pub name: Ident<'t>,
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
pub struct Inner<'t> {
    pub path: Path<'t>,
    pub args: Option<Args<'t>>,
    /// The action of a `service`. It is not part of `args`.
    pub action: Option<Box<Node<'t>>>,
    pub label: Option<Text<'t>>,
    pub children: Vec<Child<'t>>,
}

/// The arguments of a node.
#[derive(Clone, Copy)]
pub struct Args<'t> {
    pub stream: TokenStream<'t>,
    /// Where they are, with their parentheses.
    pub span: Span<'t>,
    /// Whether an error in them has been reported.
    pub are_reported: bool,
}

impl<'t> From<Group<'t>> for Args<'t> {
    fn from(group: Group<'t>) -> Self {
        Self { stream: group.stream(), span: group.span(), are_reported: false }
    }
}

/// `#[cfg(…)] weight => ..node`, or a part of it.
pub struct Child<'t> {
    /// The conditions of its `#[cfg(…)]` attributes.
    pub cfgs: Vec<TokenStream<'t>>,
    /// The tokens before `=>`. There are none if an error in them has been reported.
    pub weight: Option<TokenStream<'t>>,
    /// The `..` before a container of children.
    pub dots: Option<Span<'t>>,
    pub node: Node<'t>,
}

/// A condition that selects one of two nodes.
pub struct If<'t> {
    pub word: Word,
    /// The location of the word.
    pub span: Span<'t>,
    pub condition: Node<'t>,
    pub label: Option<Text<'t>>,
    pub then: Node<'t>,
    pub otherwise: Option<Node<'t>>,
}

/// A function of the context whose value selects a node.
pub struct Match<'t> {
    pub word: Word,
    /// The location of the word.
    pub span: Span<'t>,
    /// The function, if it is valid.
    pub function: Option<Function<'t>>,
    pub label: Option<Text<'t>>,
    pub arms: Vec<Arm<'t>>,
}

/// A function of the context: a path or another expression, or a closure.
#[derive(Clone)]
pub struct Function<'t> {
    pub tokens: TokenStream<'t>,
    pub closure: Option<syn::ExprClosure>,
}

/// `pattern if guard => node`.
pub struct Arm<'t> {
    /// The pattern, with its `if`. There is none if an error in the arm has been reported.
    pub pattern: TokenStream<'t>,
    pub node: Node<'t>,
}

/// A state machine.
pub struct Machine<'t> {
    pub keyword: Ident<'t>,
    pub label: Option<Text<'t>>,
    pub states: Vec<State<'t>>,
    /// The transitions from any state.
    pub any: Option<State<'t>>,
    /// Whether it contains other items, which have been reported.
    pub has_strays: bool,
}

/// `state name { … }`.
pub struct State<'t> {
    pub allowed: Vec<Allowed<'t>>,
    pub name: Ident<'t>,
    /// Its nodes and their first tokens. A valid state has one node.
    pub nodes: Vec<(Node<'t>, Span<'t>)>,
    pub transitions: Vec<TransitionTo<'t>>,
    pub enter: Option<Node<'t>>,
    pub exit: Option<Node<'t>>,
}

impl<'t> State<'t> {
    /// Returns an empty state.
    pub(crate) const fn of(name: Ident<'t>) -> Self {
        Self { allowed: Vec::new(), name, nodes: Vec::new(), transitions: Vec::new(), enter: None, exit: None }
    }
}

/// `guard -> to`.
pub struct TransitionTo<'t> {
    pub allowed: Vec<Allowed<'t>>,
    pub guard: Node<'t>,
    /// The guard as written.
    pub text: TokenStream<'t>,
    pub span: Span<'t>,
    /// The target. If it is missing, the parser has reported an error.
    pub to: Option<Ident<'t>>,
}

/// A path before a list of children.
pub struct Path<'t> {
    pub tokens: TokenStream<'t>,
    /// The only word of the path, if it has one word: possibly a keyword.
    pub word: Option<Ident<'t>>,
    /// The first token.
    pub span: Span<'t>,
}

/// A leaf.
pub struct Leaf<'t> {
    pub tokens: TokenStream<'t>,
    pub label: Option<Text<'t>>,
    pub span: Span<'t>,
}
