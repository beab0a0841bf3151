//! Reports Rust in the place of a node: what to write instead, and where the next node begins.

use proc_macro2::{Group, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, LitStr, Pat, Token, token};

use super::children::{children, skip_child};
use super::leaf::missing;
use super::left::leave_children;
use super::list::{List, at_end, at_separator, close};
use super::tokens::{found, skip, take, take_before};
use crate::ast::Node;
use crate::errors::{Errors, LABEL, REGISTER, REGISTER_VALUE};

/// Reports tokens that do not begin a node, and skips them.
pub(super) fn stray(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Node {
    let span = input.span();
    let word = input.fork().call(Ident::parse_any).map(|word| word.to_string()).unwrap_or_default();
    let is_rust = !word.is_empty() || input.peek(syn::Lit) && !input.peek(LitStr);
    let help = match word.as_str() {
        "for" => errors.either(
            "help: write `repeat(3) { … }` for a number of runs, and `..nodes` for the children of a container",
            "help: write `repeat(3) { … }`",
        ),
        "loop" => "help: write `repeat { … }`, which starts its child again each time it ends",
        "while" => {
            "help: write `if condition { repeat { … } }`, which halts its child when the condition no longer holds"
        }
        "else" => "help: `else` follows the braces of an `if`",
        "let" => errors.either("help: write it before the `tree!`", REGISTER_VALUE),
        "try" => {
            "help: write `finally { body, cleanup }`, or `mem_selector { node, other }` for what follows a failure"
        }
        "return" | "break" | "continue" => "help: write the node alone",
        _ if is_rust => errors.either("help: put an expression in parentheses", REGISTER),
        _ if input.peek(LitStr) => LABEL,
        _ if input.peek(token::Brace) => "help: write a composite before the braces, such as `sequence { … }`",
        _ => "",
    };
    let missing = missing(span, format!("expected a node, found {}\n{help}", found(input)).trim_end(), errors);
    match word.as_str() {
        "let" => {
            after_let(input, list, errors);
            Node::Skipped(span)
        }
        "for" | "while" | "loop" => {
            after_loop(input, list, errors);
            Node::Skipped(span)
        }
        _ => {
            skip_child(input, list, errors);
            missing
        }
    }
}

/// Parses angle brackets that are around nodes alone, `< a, b >`, and reports them.
pub(super) fn in_angles(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Node {
    let open = input.span();
    skip(input, 1);
    leave_children(children(input, List::Angles(list.depth() + 1), errors), errors);
    if close(input, open, "child", errors) {
        let around = "note: angle brackets are around the children of a node, or around the whole tree";
        let help = "help: write a node without them, or a composite before them, such as `sequence < a, b >`";
        errors.at(open, format!("expected a node, found `<`\n{around}\n{help}"));
    }
    Node::Skipped(open)
}

/// Skips a `let` and the nodes of the list after it, which may use the variable.
fn after_let(input: ParseStream<'_>, list: List, errors: &mut Errors) {
    let mut skipped = TokenStream::new();
    let mut is_value = false;
    while !at_end(input, list) {
        let begins_value = input.peek(Token![=]) && !input.peek(Token![=>]);
        let next = take(input, 1);
        if is_value {
            skipped.extend(next);
        }
        is_value |= begins_value;
    }
    leave_scope(skipped, errors);
}

/// Keeps code that may use a variable.
fn leave_scope(skipped: TokenStream, errors: &mut Errors) {
    errors.quietly_unbound(|quiet| quiet.salvage(skipped));
}

/// Skips the head of a loop and its braces.
fn after_loop(input: ParseStream<'_>, list: List, errors: &mut Errors) {
    let mut skipped = take_before(input, |input| input.peek(token::Brace) || at_separator(input, list));
    skipped.extend(take(input, usize::from(input.peek(token::Brace))));
    leave_scope(skipped, errors);
}

/// Returns `true` if a `for` loop of Rust begins here, not `for Context:`.
pub(super) fn is_loop(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    ahead.parse::<Token![for]>().is_ok() && ahead.call(Pat::parse_single).is_ok() && ahead.peek(Token![in])
}

/// Returns the arguments without a `..=` that no end follows, and reports it.
pub(super) fn closed(arguments: Group, errors: &mut Errors) -> Group {
    let tokens: Vec<_> = arguments.stream().into_iter().collect();
    let is = |index: usize, sign: char| matches!(tokens.get(index), Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
    let ends = |index: usize| index >= tokens.len() || is(index, ',');
    let is_open = |index: &usize| is(*index, '.') && is(index + 1, '.') && is(index + 2, '=') && ends(index + 3);
    let Some(open) = (0..tokens.len()).find(is_open) else { return arguments };
    let help = "help: write both ends, as in `secs(1)..=secs(3)`";
    errors.at(tokens[open].span(), format!("expected the end of the range after `..=`\n{help}"));
    let mut closed =
        Group::new(arguments.delimiter(), tokens[..open].iter().chain(&tokens[open + 3..]).cloned().collect());
    closed.set_span(arguments.span());
    closed
}
