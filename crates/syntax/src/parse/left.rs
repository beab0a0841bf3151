//! Keeps the user's code that an error discards, for editors.

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, Token};

use super::children::children;
use super::list::{List, begins_node};
use crate::ast::{Args, Child, Machine, Node, State, TransitionTo};
use crate::errors::{Errors, Left, Names};
use crate::keyword::is_keyword;
use crate::tokens::{Ident, Input, TokenStream, Tree};

impl Node<'_> {
    /// Keeps the Rust of a node that is not part of the tree.
    pub(crate) fn leave(self, errors: &mut Errors) {
        match self {
            Self::Inner(inner) => {
                match inner.path.word {
                    Some(word) if is_keyword(word.text()) => errors.leave_keyword(word),
                    _ => errors.leave_rust(inner.path.tokens),
                }
                if let Some(args) = inner.args {
                    errors.leave_args(args);
                }
                inner.action.into_iter().for_each(|action| action.leave(errors));
                leave_children(inner.children, errors);
            }
            Self::Machine(machine) => {
                machine.leave_names(errors);
                machine.states.into_iter().chain(machine.any).for_each(|state| state.leave(errors));
            }
            Self::If(branch) => {
                let nodes = [Some(branch.condition), Some(branch.then), branch.otherwise];
                nodes.into_iter().flatten().for_each(|node| node.leave(errors));
            }
            Self::Match(selection) => {
                if let Some(function) = selection.function {
                    errors.leave_rust(function.tokens);
                }
                selection.arms.into_iter().for_each(|arm| arm.node.leave(errors));
            }
            Self::Not { child: node, .. } | Self::Allowing { node, .. } => node.leave(errors),
            Self::Leaf(leaf) => errors.leave_leaf(leaf.tokens),
            Self::Missing(_) | Self::Skipped(_) => {}
        }
    }
}

impl Machine<'_> {
    /// Keeps the names of the states of a machine.
    pub(crate) fn leave_names(&self, errors: &mut Errors) {
        errors.leave_of(self.keyword.span(), || Left::States(self.names()));
    }

    fn names(&self) -> Names {
        let of = self.label.map_or_else(|| "a machine".to_owned(), |label| format!("the machine {:?}", label.value()));
        let lines = |state: &State<'_>, from: &str| -> String {
            let lines = state.transitions.iter().filter_map(|TransitionTo { text, to, .. }| {
                Some(format!("\n- {from}`{} -> {}`", text.written(), to.as_ref()?))
            });
            lines.collect()
        };
        let from_any: String = self.any.iter().map(|any| lines(any, "from any state: ")).collect();
        let declared = self.states.iter().map(|state| {
            let transitions = lines(state, "") + &from_any;
            let leave = if transitions.is_empty() { "No transition leaves it." } else { "Its transitions:" };
            (state.name.to_macro(), format!("A state of {of}. {leave}\n{transitions}"))
        });
        let blocks = self.states.iter().chain(&self.any);
        let targets = blocks.flat_map(|block| &block.transitions).map(|transition| transition.to.map(Ident::to_macro));
        Names { declared: declared.collect(), targets: targets.collect() }
    }
}

impl State<'_> {
    /// Keeps the Rust of a state.
    pub(super) fn leave(self, errors: &mut Errors) {
        let nodes = self.nodes.into_iter().map(|(node, _)| node);
        let guards = self.transitions.into_iter().map(|transition| transition.guard);
        nodes.chain(guards).chain(self.enter).chain(self.exit).for_each(|node| node.leave(errors));
    }
}

impl Errors {
    /// Keeps the Rust in arguments that have not been reported.
    pub(crate) fn leave_args(&mut self, args: Args<'_>) {
        if !args.are_reported {
            self.salvage(args.stream);
        }
    }

    /// Keeps the Rust in tokens that are not a node: all of them, or the parts that look like nodes. A text has none.
    pub(crate) fn salvage(&mut self, tokens: TokenStream<'_>) {
        if tokens.span().is_in_text() {
            return;
        }
        if Parser::parse2(Punctuated::<Expr, Token![,]>::parse_terminated, tokens.to_macro()).is_ok() {
            return self.leave_rust(tokens);
        }
        // The tokens have been reported already.
        self.quietly(|quiet| {
            let input = tokens.input();
            while !input.is_empty() {
                // The `..` before a child is not part of a node.
                if begins_node(&input) && !input.peek("..") {
                    Node::parse(&input, List::Braces, quiet).leave(quiet);
                } else if let Some(Tree::Group(group)) = input.tree() {
                    quiet.salvage(group.stream());
                }
            }
        });
    }
}

/// Keeps the nodes after the expected one, which have been reported.
pub(super) fn leave_rest(input: &Input<'_>, list: List, errors: &mut Errors) {
    input.eat(",");
    errors.quietly(|quiet| leave_children(children(input, list, quiet), quiet));
}

/// Keeps the nodes of children that are not part of the tree.
pub(super) fn leave_children(children: Vec<Child<'_>>, errors: &mut Errors) {
    for child in children {
        child.node.leave(errors);
    }
}
