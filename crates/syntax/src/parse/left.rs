//! Keeps the user's code that an error discards, for editors.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Token};

use super::{List, list, node};
use crate::ast::{Machine, Node, State, TransitionTo};
use crate::errors::{Errors, Left, Names};
use crate::keyword::is_keyword;
use crate::text;

/// Keeps the Rust of a node that is not part of the tree.
pub(crate) fn leave(node: Node, errors: &mut Errors) {
    match node {
        Node::Inner(inner) => {
            errors.leave(match inner.path.word {
                Some(word) if is_keyword(&word) => Left::Keyword(word),
                _ => Left::Rust(inner.path.tokens),
            });
            if let Some(args) = inner.args {
                salvage(args.stream(), errors);
            }
            for node in
                inner.action.map(|action| *action).into_iter().chain(inner.children.into_iter().map(|child| child.node))
            {
                leave(node, errors);
            }
        }
        Node::Machine(machine) => {
            leave_names(&machine, errors);
            machine.states.into_iter().chain(machine.any).for_each(|state| leave_state(state, errors));
        }
        Node::If(branch) => {
            let nodes = [Some(branch.condition), Some(branch.then), branch.otherwise];
            nodes.into_iter().flatten().for_each(|node| leave(node, errors));
        }
        Node::Match(selection) => {
            if let Some(function) = selection.function {
                errors.leave(Left::Rust(function.tokens));
            }
            selection.arms.into_iter().for_each(|arm| leave(arm.node, errors));
        }
        Node::Not { child: node, .. } | Node::Allowing { node, .. } => leave(*node, errors),
        Node::Leaf(leaf) => errors.leave(Left::Leaf(leaf.tokens)),
        Node::Missing(_) | Node::Skipped(_) => {}
    }
}

/// Keeps the Rust in tokens that are not a node: all of them, or the parts that look like nodes.
pub(crate) fn salvage(tokens: TokenStream, errors: &mut Errors) {
    if Parser::parse2(Punctuated::<Expr, Token![,]>::parse_terminated, tokens.clone()).is_ok() {
        return errors.leave(Left::Rust(tokens));
    }
    // The tokens have been reported already.
    errors.quietly(|quiet| {
        let parser = |input: ParseStream<'_>| {
            while !input.is_empty() {
                // The `..` before a child is not part of a node.
                if list::begins_node(input) && !input.peek(Token![..]) {
                    leave(node(input, List::Braces, quiet), quiet);
                } else if let Ok(TokenTree::Group(group)) = input.parse() {
                    salvage(group.stream(), quiet);
                }
            }
            Ok(())
        };
        let _ = Parser::parse2(parser, tokens);
    });
}

/// Keeps the names of the states of a machine.
pub(crate) fn leave_names(machine: &Machine, errors: &mut Errors) {
    let of = machine
        .label
        .as_ref()
        .map_or_else(|| "a machine".to_owned(), |label| format!("the machine {:?}", label.value()));
    let lines = |state: &State, from: &str| -> String {
        let lines = state.transitions.iter().filter_map(|TransitionTo { text, to, .. }| {
            Some(format!("\n- {from}`{} -> {}`", text::written(text.clone()), to.as_ref()?))
        });
        lines.collect()
    };
    let from_any: String = machine.any.iter().map(|any| lines(any, "from any state: ")).collect();
    let declared = machine.states.iter().map(|state| {
        let transitions = lines(state, "") + &from_any;
        let leave = if transitions.is_empty() { "No transition leaves it." } else { "Its transitions:" };
        (state.name.clone(), format!("A state of {of}. {leave}\n{transitions}"))
    });
    let blocks = machine.states.iter().chain(&machine.any);
    let targets = blocks.flat_map(|block| &block.transitions).map(|transition| transition.to.clone());
    errors.leave(Left::States(Names { declared: declared.collect(), targets: targets.collect() }));
}

/// Keeps the Rust of a state.
pub(super) fn leave_state(state: State, errors: &mut Errors) {
    let nodes = state.nodes.into_iter().map(|(node, _)| node);
    let guards = state.transitions.into_iter().map(|transition| transition.guard);
    nodes.chain(guards).chain(state.enter).chain(state.exit).for_each(|node| leave(node, errors));
}

/// Keeps the nodes after the expected one, which have been reported.
pub(super) fn leave_rest(input: ParseStream<'_>, list: List, errors: &mut Errors) {
    let _ = input.parse::<Token![,]>();
    errors.quietly(|quiet| {
        for child in list::children(input, list, quiet) {
            leave(child.node, quiet);
        }
    });
}
