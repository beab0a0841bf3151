//! A valid tree. Invalid parts have been reported, and corrected or removed.

use bt_words::Flags;
use proc_macro2::{Ident, Span, TokenStream};
use syn::LitStr;

use super::ast::Function;

/// A whole tree.
pub(crate) struct Tree {
    pub(crate) context: Option<TokenStream>,
    pub(crate) root: Located,
}

/// A node and its position in the source.
pub(crate) struct Located {
    pub(crate) node: Node,
    pub(crate) label: Option<LitStr>,
    pub(crate) text: String,
    /// The first token.
    pub(crate) span: Span,
    /// The allowed lints, and the properties of the source.
    pub(crate) flags: Flags,
}

/// A node.
pub(crate) enum Node {
    /// A composite with at least one child.
    Composite { keyword: Ident, args: Vec<Threshold>, children: Vec<Located> },
    /// A random composite, with the weights of its children if any child has one.
    Random { keyword: Ident, weights: Option<Vec<TokenStream>>, children: Vec<Located> },
    /// A utility selector, with its bonus if it takes one, and the scores of its children.
    Utility {
        keyword: Ident,
        context: Option<TokenStream>,
        keep: Option<TokenStream>,
        scores: Vec<TokenStream>,
        children: Vec<Located>,
    },
    /// A `match`, with a pattern for each child.
    Match {
        keyword: Ident,
        context: Option<TokenStream>,
        function: Function,
        patterns: Vec<TokenStream>,
        children: Vec<Located>,
    },
    /// A state machine with at least one state.
    Machine { keyword: Ident, states: Vec<State>, any: Vec<Transition> },
    /// A decorator of the vocabulary.
    Decorator { keyword: Ident, args: Args, child: Box<Located> },
    /// A `service`: its period and its action.
    Service { keyword: Ident, every: TokenStream, action: Box<Located>, child: Box<Located> },
    /// A custom decorator or composite, with the expressions before its children if it has any.
    Own { path: TokenStream, args: TokenStream, annotations: Option<Vec<TokenStream>>, children: Vec<Located> },
    /// A tree over a part of the context.
    Within { keyword: Ident, part: TokenStream, child: Box<Located> },
    /// A leaf: the user's Rust.
    Leaf(TokenStream),
    /// A container of children: the user's Rust.
    Spread(TokenStream),
    /// A child that exists under these conditions. It is a tree of its own.
    Cfg { cfgs: Vec<TokenStream>, child: Box<Located> },
    /// A node with an error.
    Broken,
}

/// The arguments of a decorator of the vocabulary.
pub(crate) enum Args {
    None,
    /// A number of times, written as a literal.
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
    /// The first token.
    pub(crate) span: Span,
    pub(crate) guard: Guard,
    /// The guard as shown in descriptions.
    pub(crate) text: String,
    pub(crate) target: Target,
}

/// When a transition may be followed.
pub(crate) enum Guard {
    /// The node of the state has succeeded (`true`) or failed.
    End(bool),
    /// A condition holds.
    Condition(Box<Located>),
}

/// Where a transition leads.
pub(crate) enum Target {
    /// To the state of this index and name.
    State(usize, Ident),
    /// Out of the machine, with success (`true`) or failure.
    Out(bool),
}

/// A threshold of a parallel.
pub(crate) enum Threshold {
    /// `all` or `one`, as written or by default.
    Word(Ident),
    /// A literal number.
    Number(usize),
    /// An expression.
    Computed(TokenStream),
}

impl Located {
    /// Marks the leaves of a condition, so that the check reports the one that can be running.
    pub(crate) fn mark_condition(&mut self) {
        match &mut self.node {
            Node::Composite { children, .. } => children.iter_mut().for_each(Self::mark_condition),
            Node::Decorator { keyword, child, .. } if keyword == "invert" => child.mark_condition(),
            _ => self.flags = self.flags.or(Flags::CONDITION),
        }
    }

    /// Passes the type after `for` to the nodes whose functions need it.
    pub(crate) fn give_context(&mut self, given: &TokenStream) {
        match &mut self.node {
            Node::Utility { context, children, .. } | Node::Match { context, children, .. } => {
                *context = Some(given.clone());
                for child in children {
                    child.give_context(given);
                }
            }
            Node::Composite { children, .. } | Node::Random { children, .. } | Node::Own { children, .. } => {
                for child in children {
                    child.give_context(given);
                }
            }
            Node::Machine { states, .. } => {
                for state in states {
                    state.node.give_context(given);
                }
            }
            Node::Decorator { child, .. } | Node::Service { child, .. } | Node::Cfg { child, .. } => {
                child.give_context(given);
            }
            // A part has another context.
            Node::Within { .. } | Node::Leaf(_) | Node::Spread(_) | Node::Broken => {}
        }
    }

    /// Returns `true` if it is in a list of children, but need not be one child there.
    pub(crate) fn varies(&self) -> bool {
        matches!(self.node, Node::Spread(_) | Node::Cfg { .. })
    }
}
