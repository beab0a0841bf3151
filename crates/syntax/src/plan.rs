//! A valid tree. Invalid parts have been reported, and corrected or removed.

use bt_words::Flags;
use proc_macro2::{Ident, Span, TokenStream};
use syn::LitStr;

/// A whole tree.
#[derive(Clone)]
pub struct Tree {
    pub context: Option<Context>,
    pub root: Located,
}

/// The type after `for`.
#[derive(Clone)]
pub struct Context {
    /// The type, with `'_` for each of its bound lifetimes.
    pub ty: TokenStream,
    /// The family of the types with all lifetimes, if any are bound.
    pub family: Option<TokenStream>,
}

/// A node and its position in the source.
#[derive(Clone)]
pub struct Located {
    pub node: Node,
    pub label: Option<LitStr>,
    pub text: String,
    /// The first token.
    pub span: Span,
    /// The allowed lints, and the properties of the source.
    pub flags: Flags,
    /// Whether the state of the node has to be saved.
    pub is_saved: bool,
}

/// A node.
#[allow(clippy::large_enum_variant, reason = "a tree has few nodes; the size depends on a feature of proc-macro2")]
#[derive(Clone)]
pub enum Node {
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
        /// The variables of the expansion that hold scores.
        bound: Vec<Option<Ident>>,
        children: Vec<Located>,
    },
    /// A `match`, with a pattern for each child.
    Match {
        keyword: Ident,
        context: Option<TokenStream>,
        function: Function,
        patterns: Vec<TokenStream>,
        /// The variable of the expansion that holds the function and the patterns.
        bound: Option<Ident>,
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
    /// A tree over a part of the context. With `every`, the context has every lifetime.
    Within { keyword: Ident, part: TokenStream, every: bool, child: Box<Located> },
    /// A leaf: the user's Rust. With `every`, the leaf is checked for every lifetime of the context.
    Leaf { rust: TokenStream, every: bool },
    /// A container of children: the user's Rust.
    Spread(TokenStream),
    /// A child that exists under these conditions, as a separate tree.
    Cfg { cfgs: Vec<TokenStream>, child: Box<Located> },
    /// A variable of the expansion that holds this node.
    Bound { variable: Ident, node: Box<Node> },
    /// A node with an error.
    Broken,
}

/// A function of the context: a path or another expression, or a closure.
#[derive(Clone)]
pub struct Function {
    pub tokens: TokenStream,
    pub closure: Option<syn::ExprClosure>,
}

/// The arguments of a decorator of the vocabulary.
#[derive(Clone)]
pub enum Args {
    None,
    /// A number of times, written as a literal.
    Times(u32, Span),
    /// An expression.
    Rust(TokenStream),
    /// A variable of the expansion that holds the policy.
    Bound(Ident),
}

/// A state of a machine.
#[derive(Clone)]
pub struct State {
    pub flags: Flags,
    pub name: Ident,
    pub node: Located,
    pub transitions: Vec<Transition>,
    pub enter: Option<Located>,
    pub exit: Option<Located>,
}

/// A transition of a machine.
#[derive(Clone)]
pub struct Transition {
    pub flags: Flags,
    /// The first token.
    pub span: Span,
    pub guard: Guard,
    /// The guard as shown in descriptions.
    pub text: String,
    pub target: Target,
}

/// When a transition may be followed.
#[derive(Clone)]
pub enum Guard {
    /// The node of the state has succeeded (`true`) or failed.
    End(bool),
    /// A condition holds.
    Condition(Box<Located>),
}

/// Where a transition leads.
#[derive(Clone)]
pub enum Target {
    /// To the state of this index and name.
    State(usize, Ident),
    /// Out of the machine, with success (`true`) or failure.
    Out(bool),
}

/// A threshold of a parallel.
#[derive(Clone)]
pub enum Threshold {
    /// `all` or `one`, as written or by default.
    Word(Ident),
    /// A literal number.
    Number(usize),
    /// An expression.
    Computed(TokenStream),
}

impl Node {
    /// Returns the node itself, also if a variable holds it.
    pub fn written(&self) -> &Self {
        match self {
            Self::Bound { node, .. } => node.written(),
            node => node,
        }
    }

    /// Returns the children, without what is attached to the node.
    pub fn children_mut(&mut self) -> Vec<&mut Located> {
        match self {
            Self::Composite { children, .. }
            | Self::Random { children, .. }
            | Self::Utility { children, .. }
            | Self::Match { children, .. }
            | Self::Own { children, .. } => children.iter_mut().collect(),
            Self::Machine { states, .. } => states.iter_mut().map(|state| &mut state.node).collect(),
            Self::Decorator { child, .. }
            | Self::Service { child, .. }
            | Self::Cfg { child, .. }
            | Self::Within { child, .. } => vec![child],
            Self::Leaf { .. } | Self::Spread(_) | Self::Bound { .. } | Self::Broken => Vec::new(),
        }
    }
}

impl Located {
    /// Marks the leaves of a condition, so that the check reports a leaf that can be running.
    pub fn mark_condition(&mut self) {
        match &mut self.node {
            Node::Composite { children, .. } => children.iter_mut().for_each(Self::mark_condition),
            Node::Decorator { keyword, child, .. } if keyword == "invert" => child.mark_condition(),
            _ => self.flags = self.flags.or(Flags::CONDITION),
        }
    }

    /// Passes the type after `for` to the nodes that need it.
    pub fn give_context(&mut self, given: &Context) {
        match &mut self.node {
            Node::Utility { context, .. } | Node::Match { context, .. } => *context = Some(given.ty.clone()),
            Node::Machine { states, any, .. } => {
                for state in states {
                    let hooks = state.enter.as_mut().into_iter().chain(&mut state.exit);
                    hooks.chain(guards(&mut state.transitions)).for_each(|node| node.give_context(given));
                }
                guards(any).for_each(|node| node.give_context(given));
            }
            Node::Service { action, .. } => action.give_context(given),
            // A part has another context, and a leaf nothing below it.
            Node::Leaf { every, .. } | Node::Within { every, .. } => return *every = given.family.is_some(),
            Node::Composite { .. }
            | Node::Random { .. }
            | Node::Own { .. }
            | Node::Decorator { .. }
            | Node::Cfg { .. }
            | Node::Spread(_)
            | Node::Bound { .. }
            | Node::Broken => {}
        }
        self.node.children_mut().into_iter().for_each(|child| child.give_context(given));
    }

    /// Marks the node and all nodes below it, whose states have to be saved.
    pub fn mark_saved(&mut self) {
        self.is_saved = true;
        self.node.children_mut().into_iter().for_each(Self::mark_saved);
    }

    /// Returns `true` if the node stands for any number of children in a list.
    pub fn varies(&self) -> bool {
        matches!(self.node, Node::Spread(_) | Node::Cfg { .. })
    }
}

/// Returns the conditions of transitions.
fn guards(transitions: &mut [Transition]) -> impl Iterator<Item = &mut Located> {
    transitions.iter_mut().filter_map(|transition| match &mut transition.guard {
        Guard::Condition(condition) => Some(&mut **condition),
        Guard::End(_) => None,
    })
}
