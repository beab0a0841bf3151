//! Reports Rust in the place of a node: what to write instead, and where the next node begins.

use syn::Pat;

use super::children::{children, skip_child};
use super::leaf::missing;
use super::left::leave_children;
use super::list::{List, at_end, at_separator, close};
use super::tokens::found;
use crate::ast::{Args, Node};
use crate::errors::{Errors, LABEL, REGISTER, REGISTER_VALUE};
use crate::tokens::{Ident, Input, Literal, TokenStream};

const EXPRESSION: &str = "help: put an expression in parentheses";
const NUMBER: &str = "help: write the name of a node; only a child of a `random_selector`, a `random_sequence` or a `utility_selector` has a number: `3 => node`";

/// Reports tokens that do not begin a node, and skips them.
pub(super) fn stray<'t>(input: &Input<'t>, list: List, errors: &mut Errors) -> Node<'t> {
    let span = input.span();
    let word = input.peek_word().map(Ident::text).unwrap_or_default();
    let is_rust = !word.is_empty() || input.peek_value() && !input.peek_text();
    let help = match word {
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
        "fn" => errors.either("help: write it before the `tree!`", "help: write `tree name { node }`"),
        "return" | "break" | "continue" => "help: write the node alone",
        "true" => "help: write `succeed`",
        "false" => "help: write `fail`",
        _ if input.peek("#") || input.peek("--") => "help: a comment begins with `//`",
        _ if word.is_empty() && is_rust => {
            let is_number =
                |literal: Literal<'_>| literal.text().bytes().all(|sign| sign.is_ascii_digit() || sign == b'.');
            let help = if input.peek_literal().is_some_and(is_number) { NUMBER } else { "" };
            errors.either(EXPRESSION, help)
        }
        _ if is_rust => errors.either(EXPRESSION, REGISTER),
        _ if input.peek_text() => LABEL,
        _ if input.peek("{") => "help: write a composite before the braces, such as `sequence { … }`",
        _ => "",
    };
    let missing = missing(span, format!("expected a node, found {}\n{help}", found(input)).trim_end(), errors);
    match word {
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
pub(super) fn in_angles<'t>(input: &Input<'t>, list: List, errors: &mut Errors) -> Node<'t> {
    let open = input.span();
    input.skip(1);
    leave_children(children(input, List::Angles(list.depth() + 1), errors), errors);
    if close(input, open, "child", errors) {
        let around = "note: angle brackets are around the children of a node, or around the whole tree";
        let help = "help: write a node without them, or a composite before them, such as `sequence < a, b >`";
        errors.at(open, format!("expected a node, found `<`\n{around}\n{help}"));
    }
    Node::Skipped(open)
}

/// Skips a `let` and the nodes of the list after it, which may use the variable.
fn after_let(input: &Input<'_>, list: List, errors: &mut Errors) {
    input.take_before(|input| at_end(input, list) || input.peek("=") && !input.peek("=>"));
    input.eat("=");
    leave_scope(input.take_before(|input| at_end(input, list)), errors);
}

/// Keeps code that may use a variable.
fn leave_scope(skipped: TokenStream<'_>, errors: &mut Errors) {
    errors.quietly_unbound(|quiet| quiet.salvage(skipped));
}

/// Skips the head of a loop and its braces.
fn after_loop(input: &Input<'_>, list: List, errors: &mut Errors) {
    let begin = input.fork();
    input.take_before(|input| input.peek("{") || at_separator(input, list));
    input.skip(usize::from(input.peek("{")));
    leave_scope(input.since(&begin), errors);
}

/// Returns `true` if a `for` loop of Rust begins here, not `for Context:`.
pub(super) fn is_loop(input: &Input<'_>) -> bool {
    let ahead = input.fork();
    if ahead.eat("for").is_none() {
        return false;
    }
    let pattern = ahead.take_before(|input| input.peek("in"));
    !ahead.is_empty() && pattern.input().rust(Pat::parse_single).is_some_and(|(_, end)| end.is_empty())
}

/// Reports a `..=` in arguments that no end follows, and in a file a `..`, which Rust allows.
pub(super) fn closed<'t>(arguments: Args<'t>, errors: &mut Errors) -> Args<'t> {
    let input = arguments.stream.input();
    input.take_before(|input| {
        let ahead = input.fork();
        let is_range = ahead.eat("..=").is_some() || errors.is_file() && ahead.eat("..").is_some();
        is_range && (ahead.is_empty() || ahead.peek(","))
    });
    if input.is_empty() {
        return arguments;
    }
    let sign = if input.peek("..=") { "..=" } else { ".." };
    let help = "help: write both ends, as in `secs(1)..=secs(3)`";
    errors.at(input.span(), format!("expected the end of the range after `{sign}`\n{help}"));
    Args { are_reported: true, ..arguments }
}
