//! The parts of a tree as variables of the expansion.

use proc_macro2::{Ident, Span, TokenStream};

use super::island;
use super::shape::{self, Attached, PartKind, Score, Shape, shape};
use super::template::Template;
use crate::ast::Function;
use crate::plan::{Args, Guard, Located, Node, Transition, Tree};

/// A part of a tree.
pub struct Bound {
    /// Its number in the tree, in the order of the source.
    pub number: usize,
    pub kind: PartKind,
    /// Whether the part is a node that cannot be taken apart, and so is a leaf together with the nodes below it.
    pub is_island: bool,
    /// The key, the literals, and the user's expressions.
    pub template: Template,
    /// The variable that holds it, in the expansion.
    pub variable: Ident,
    /// The location of the user's node.
    pub span: Span,
    pub compiled: Compiled,
}

/// The compiled form of a part.
#[allow(clippy::large_enum_variant, reason = "a tree has few parts; the size depends on a feature of proc-macro2")]
pub enum Compiled {
    /// A leaf, whose Rust is the only part of the template; or an island, which has no template.
    Node(Located),
    /// A decorator of the vocabulary. Its argument is the only part of the template.
    Policy { keyword: Ident },
    /// A custom node. The first part of the template are its arguments, the second the expressions before its children, if there are any.
    Own { path: TokenStream, children: usize },
    /// A score: the only part of the template.
    Score { context: Option<TokenStream> },
    /// A function, which is the only part of the template, and patterns.
    Selection { context: Option<TokenStream>, function: Function, patterns: Vec<TokenStream> },
}

impl Bound {
    /// Returns `true` if the part can be created again with other literals, and has a literal that requires this.
    pub fn has_maker(&self) -> bool {
        self.template.has_maker()
    }
}

/// Replaces each part of a valid tree by a variable, except the nodes of the user. Returns the parts.
pub fn bind(tree: &mut Tree) -> Vec<Bound> {
    let mut binder = Binder { parts: Vec::new() };
    binder.node(&mut tree.root);
    binder.parts
}

/// How a node is bound.
enum Action {
    Below,
    Leaf(Template),
    Island,
    Decorator(Template),
    Own(PartKind, Template),
    Utility(Vec<Option<Template>>),
    Match(Template),
}

fn action(node: &Located) -> Action {
    match shape(node) {
        Shape::Word { .. } | Shape::Service { .. } | Shape::Machine { .. } => Action::Below,
        Shape::Leaf(template) => Action::Leaf(template),
        Shape::Decorator { template, .. } => Action::Decorator(template),
        Shape::Own { kind, template, .. } => Action::Own(kind, template),
        Shape::Utility { scores, .. } => Action::Utility(
            { scores.into_iter() }
                .map(|score| match score {
                    Score::Constant(_) => None,
                    Score::Part(template) => Some(template),
                })
                .collect(),
        ),
        Shape::Match { selection, .. } => Action::Match(selection),
        Shape::Island => Action::Island,
    }
}

/// Returns whether something attached is compiled as a whole, and whether it is after `!`.
const fn form(attached: &Attached<'_>) -> (bool, bool) {
    (attached.is_island, attached.negated)
}

struct Binder {
    parts: Vec<Bound>,
}

impl Binder {
    /// Adds a part. Returns its variable.
    fn add(&mut self, kind: PartKind, template: Template, span: Span, compiled: Compiled) -> Ident {
        let number = self.parts.len();
        let variable = Ident::new(&format!("__part{number}"), Span::mixed_site().located_at(span));
        let of = variable.clone();
        self.parts.push(Bound { number, kind, is_island: false, template, variable, span, compiled });
        of
    }

    fn node(&mut self, located: &mut Located) {
        match action(located) {
            Action::Leaf(template) => self.whole(located, template),
            Action::Island => self.island(located),
            Action::Decorator(template) => {
                if let Node::Decorator { keyword, args, .. } = &mut located.node {
                    let compiled = Compiled::Policy { keyword: keyword.clone() };
                    *args = Args::Bound(self.add(PartKind::Decorator, template, located.span, compiled));
                }
                self.below(&mut located.node, Vec::new());
            }
            Action::Own(kind, template) => {
                if let Node::Own { path, children, .. } = &located.node {
                    let compiled = Compiled::Own { path: path.clone(), children: children.len() };
                    self.add(kind, template, located.span, compiled);
                }
                self.below(&mut located.node, Vec::new());
            }
            Action::Match(template) => {
                if let Node::Match { context, function, patterns, bound, .. } = &mut located.node {
                    let (context, function, patterns) = (context.clone(), function.clone(), patterns.clone());
                    let compiled = Compiled::Selection { context, function, patterns };
                    *bound = Some(self.add(PartKind::Selection, template, located.span, compiled));
                }
                self.below(&mut located.node, Vec::new());
            }
            Action::Utility(scores) => self.below(&mut located.node, scores),
            Action::Below => self.below(&mut located.node, Vec::new()),
        }
    }

    /// Replaces a whole node by a variable.
    fn whole(&mut self, located: &mut Located, template: Template) {
        let compiled = Compiled::Node(located.clone());
        let variable = self.add(PartKind::Leaf, template, located.span, compiled);
        let node = Box::new(std::mem::replace(&mut located.node, Node::Broken));
        located.node = Node::Bound { variable, node };
    }

    /// Binds the parts below a node. `scores` are those of the children that are parts.
    fn below(&mut self, node: &mut Node, scores: Vec<Option<Template>>) {
        match node {
            Node::Composite { children, .. }
            | Node::Random { children, .. }
            | Node::Match { children, .. }
            | Node::Own { children, .. } => children.iter_mut().for_each(|child| self.node(child)),
            Node::Utility { context, children, bound, .. } => {
                for ((child, score), bound) in children.iter_mut().zip(scores).zip(bound) {
                    let compiled = Compiled::Score { context: context.clone() };
                    *bound = score.map(|score| self.add(PartKind::Score, score, child.span, compiled));
                    self.node(child);
                }
            }
            Node::Machine { states, any, .. } => {
                for state in states {
                    self.node(&mut state.node);
                    self.guards(&mut state.transitions);
                    for hook in state.enter.iter_mut().chain(&mut state.exit) {
                        self.attached(form(&shape::action(hook)), hook);
                    }
                }
                self.guards(any);
            }
            Node::Decorator { child, .. } => self.node(child),
            Node::Service { action, child, .. } => {
                self.attached(form(&shape::action(action)), action);
                self.node(child);
            }
            // They are leaves or islands.
            Node::Leaf { .. }
            | Node::Within { .. }
            | Node::Spread(_)
            | Node::Cfg { .. }
            | Node::Bound { .. }
            | Node::Broken => {}
        }
    }

    fn guards(&mut self, transitions: &mut [Transition]) {
        for transition in transitions {
            if let Guard::Condition(condition) = &mut transition.guard {
                self.attached(form(&shape::attached(condition)), condition);
            }
        }
    }

    /// Binds what is not a child: a leaf, possibly after `!`, or more.
    fn attached(&mut self, (is_island, negated): (bool, bool), node: &mut Located) {
        match &mut node.node {
            _ if is_island => self.island(node),
            Node::Decorator { child, .. } if negated => self.node(child),
            _ => self.node(node),
        }
    }

    fn island(&mut self, located: &mut Located) {
        let template = Template::of_text(island::text(located));
        self.whole(located, template);
        if let Some(part) = self.parts.last_mut() {
            part.is_island = true;
        }
    }
}
