//! Reports the operators of logic between nodes: `a && b`, `not a`.

use super::list::begins_node;
use crate::ast::Node;
use crate::errors::Errors;
use crate::tokens::Input;

/// Parses a logical operator between nodes, and reports it. Returns whether there is one.
pub(super) fn operator(input: &Input<'_>, errors: &mut Errors) -> bool {
    // A closure without parameters begins with `||`, after a comma.
    let operators = [("&&", 2, "sequence"), ("||", 2, "selector"), ("and", 1, "sequence"), ("or", 1, "selector")];
    let Some((operator, tokens, composite)) = operators.into_iter().find(|(operator, ..)| input.peek(operator)) else {
        return false;
    };
    if tokens == 1 && !begins_node(&input.after()) {
        return false;
    }
    let help = format!("help: write `{composite} {{ a, b }}` for `a {operator} b`");
    errors.at(input.span(), format!("`{operator}` is not allowed between nodes\n{help}"));
    input.skip(tokens);
    true
}

/// Reports a node that is the word `not` before another one. Returns whether it is.
pub(super) fn negation(node: &Node<'_>, input: &Input<'_>, errors: &mut Errors) -> bool {
    let Node::Leaf(leaf) = node else { return false };
    let is_before = leaf.tokens.is("not") && begins_node(input);
    if is_before {
        errors.at(leaf.span, "`not` is not allowed before a node\nhelp: write `!`, as in `!near`");
    }
    is_before
}
