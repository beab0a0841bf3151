//! Parses `if condition { node } else { node }` and `mem_if`.

use bt_words::Word;
use proc_macro2::Delimiter;

use super::children;
use super::condition::{condition, not_a_condition};
use super::leaf::missing;
use super::left::leave_children;
use super::list::{List, at_separator};
use super::tokens::{self, found};
use crate::ast::{If, Node};
use crate::errors::Errors;
use crate::tokens::{Ident, Input, Span, Tree};

/// Returns the word that begins here, if it is `if` or `mem_if`.
pub(super) fn word(input: &Input<'_>) -> Option<Word> {
    tokens::word(input, [Word::If, Word::MemIf])
}

/// Parses a node that begins with this word. An `else if` has the word of the first `if`.
pub(super) fn branch<'t>(word: Word, input: &Input<'t>, list: List, errors: &mut Errors) -> Node<'t> {
    let span = input.span();
    input.skip(1);
    after(word, span, input, list, errors)
}

/// Parses what follows the word.
fn after<'t>(word: Word, span: Span<'t>, input: &Input<'t>, list: List, errors: &mut Errors) -> Node<'t> {
    let name = word.name();
    let has_none = input.peek("{") || input.peek(",") || input.is_empty();
    let begin = input.fork();
    let condition = if has_none {
        let at = if input.is_empty() { span } else { input.span() };
        let found = found(input);
        // A condition in braces, as in other notations.
        let braced = input.peek_group().filter(|_| input.peek("{") && input.peek2("{"));
        let written = braced.map_or_else(|| "near".to_owned(), |group| group.stream().written());
        let help = format!("help: write `{name} {written} {{ … }}`");
        let missing = missing(at, format!("expected a condition after `{name}`, found {found}\n{help}"), errors);
        input.skip(usize::from(braced.is_some()));
        missing
    } else {
        condition(input, errors)
    };
    if has_none && !input.peek("{") {
        return condition;
    }
    let label = input.text();
    if !input.peek("{") {
        let missing = if not_a_condition(name, &begin, input, errors) {
            Node::Skipped(span)
        } else {
            condition.leave(errors);
            missing_brace(name, span, input, list, errors)
        };
        skip_braces(input, errors);
        errors.quietly(|quiet| {
            if let Some(node) = alternative(word, input, list, quiet) {
                node.leave(quiet);
            }
        });
        return missing;
    }
    let then = body(name, span, input, list, errors);
    let otherwise = alternative(word, input, list, errors);
    Node::If(Box::new(If { word, span, condition, label, then, otherwise }))
}

/// Parses `else { node }` or `else if …`.
fn alternative<'t>(word: Word, input: &Input<'t>, list: List, errors: &mut Errors) -> Option<Node<'t>> {
    let span = input.span();
    if let Some(word @ ("elif" | "elsif" | "elseif")) = input.peek_name().map(Ident::text) {
        errors.at(span, format!("expected `else if`, found `{word}`"));
        input.skip(1);
        return Some(self::after(Word::If, span, input, list, errors));
    }
    input.eat("else")?;
    let Some(other) = self::word(input) else {
        return Some(body("else", span, input, list, errors));
    };
    if other == Word::MemIf {
        let help = if word == Word::MemIf {
            "note: after `mem_if`, the other conditions are ticked once per run, too\nhelp: write `else if`"
        } else {
            "help: write `else { mem_if … }`, or `mem_if` instead of the first `if`"
        };
        errors.at(input.span(), format!("expected `if` after `else`, found `mem_if`\n{help}"));
    }
    Some(branch(word, input, list, errors))
}

/// Parses the one node in the braces after a word. A node without braces is reported.
fn body<'t>(word: &str, span: Span<'t>, input: &Input<'t>, list: List, errors: &mut Errors) -> Node<'t> {
    if input.peek("{") {
        return in_braces(word, input, errors);
    }
    let missing = no_brace(word, span, input, errors);
    if !at_separator(input, list) {
        errors.quietly(|quiet| Node::parse(input, list, quiet).leave(quiet));
    }
    missing
}

/// Reports that a word is not followed by a body in braces.
fn no_brace<'t>(word: &str, span: Span<'t>, input: &Input<'t>, errors: &mut Errors) -> Node<'t> {
    let found = found(input);
    let (after, help) = match word {
        "else" => ("`else`".to_owned(), "`else { node }`".to_owned()),
        _ if input.peek(",") && before_brace(input) => {
            (format!("the condition of `{word}`"), format!("`{word} one && other {{ node }}`"))
        }
        _ => (format!("the condition of `{word}`"), format!("`{word} condition {{ node }}`")),
    };
    let at = if input.is_empty() { span } else { input.span() };
    errors.at(at, format!("expected `{{` after {after}, found {found}\nhelp: write {help}"));
    Node::Skipped(at)
}

/// Returns `true` if there are braces after it.
fn before_brace(input: &Input<'_>) -> bool {
    let ahead = input.fork();
    ahead.take_before(|input| input.peek("{"));
    !ahead.is_empty()
}

/// Reports a missing brace, and skips to the next one.
fn missing_brace<'t>(word: &str, span: Span<'t>, input: &Input<'t>, list: List, errors: &mut Errors) -> Node<'t> {
    let missing = no_brace(word, span, input, errors);
    if input.peek("<") {
        errors.quietly(|quiet| leave_children(children::in_angles(input, list, quiet), quiet));
    }
    let ends = |input: &Input<'t>| at_separator(input, list) || input.peek("{") || input.peek("else");
    // An operator without its left side is no Rust.
    input.take_before(|input| ends(input) || !matches!(input.peek_tree(), Some(Tree::Punct(_))));
    errors.salvage(input.take_before(ends));
    missing
}

/// Skips a body in braces, and keeps its content for editors.
fn skip_braces(input: &Input<'_>, errors: &mut Errors) {
    if let Some(braces) = input.group_in(Delimiter::Brace) {
        errors.salvage(braces.stream());
    }
}

/// Returns the one node in braces.
pub(super) fn in_braces<'t>(word: &str, input: &Input<'t>, errors: &mut Errors) -> Node<'t> {
    let at = input.span();
    let Some((braces, children)) = children::only_in_braces(input, errors) else { return Node::Missing(at) };
    let mut children = children.into_iter();
    let Some(child) = children.next() else {
        let help = "help: `succeed` does nothing and succeeds";
        let message = format!("expected a node in the braces of `{word}`, found nothing\n{help}");
        return missing(braces, message, errors);
    };
    let written = child.cfgs.first().or(child.weight.as_ref());
    if let Some(tokens) = written.filter(|tokens| !tokens.is_empty()) {
        errors.at(tokens.begin(), format!("only a node is allowed in the braces of `{word}`"));
    } else if let Some(dots) = child.dots {
        errors.at(dots, "`..` is only allowed before a child in a list");
    }
    let others: Vec<_> = children.collect();
    if !others.is_empty() {
        let help = "help: put them in a composite, such as `mem_sequence { … }`";
        let found = others.len() + 1;
        errors.at(braces, format!("expected one node in the braces of `{word}`, found {found}\n{help}"));
        leave_children(others, errors);
    }
    child.node
}
