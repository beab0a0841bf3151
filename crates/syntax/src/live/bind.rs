//! The parts of a tree as variables of the expansion.

use proc_macro2::{Ident, Span, TokenStream};

use super::island;
use super::shape::{self, Attached, PartKind, Score, Shape, shape};
use super::template::Template;
use crate::plan::Function;
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
        match shape(located) {
            Shape::Leaf(template) => self.whole(located, template),
            Shape::Island => self.island(located),
            Shape::Decorator { template, .. } => {
                if let Node::Decorator { keyword, args, .. } = &mut located.node {
                    let compiled = Compiled::Policy { keyword: keyword.clone() };
                    *args = Args::Bound(self.add(PartKind::Decorator, template, located.span, compiled));
                }
                self.below(&mut located.node, Vec::new());
            }
            Shape::Own { kind, template, .. } => {
                if let Node::Own { path, children, .. } = &located.node {
                    let compiled = Compiled::Own { path: path.clone(), children: children.len() };
                    self.add(kind, template, located.span, compiled);
                }
                self.below(&mut located.node, Vec::new());
            }
            Shape::Match { selection, .. } => {
                if let Node::Match { context, function, patterns, bound, .. } = &mut located.node {
                    let (context, function, patterns) = (context.clone(), function.clone(), patterns.clone());
                    let compiled = Compiled::Selection { context, function, patterns };
                    *bound = Some(self.add(PartKind::Selection, selection, located.span, compiled));
                }
                self.below(&mut located.node, Vec::new());
            }
            Shape::Utility { scores, .. } => {
                let part = |score| if let Score::Part(template) = score { Some(template) } else { None };
                let scores = scores.into_iter().map(part).collect();
                self.below(&mut located.node, scores);
            }
            Shape::Word { .. } | Shape::Service { .. } | Shape::Machine { .. } => {
                self.below(&mut located.node, Vec::new());
            }
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
            Node::Service { action, child, .. } => {
                self.attached(form(&shape::action(action)), action);
                self.node(child);
            }
            // Others with parts that are no children are leaves or islands.
            other => other.children_mut().into_iter().for_each(|child| self.node(child)),
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
