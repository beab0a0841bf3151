//! Parses `if condition { node } else { node }` and `mem_if`.

use bt_words::Word;
use proc_macro2::{Group, Span, TokenTree};
use syn::parse::ParseStream;
use syn::{Ident, Token, token};

use super::super::ast::{If, Node};
use super::condition::{RUST, condition, skip_to_brace};
use super::tokens::{found, group, skip};
use super::{label, leave, list, missing, salvage};
use crate::errors::Errors;

/// Returns the word that begins here, if it is `if` or `mem_if`.
pub(super) fn word(input: ParseStream<'_>) -> Option<Word> {
    if input.peek(Token![if]) {
        return Some(Word::If);
    }
    let word = input.fork().parse::<Ident>().ok()?;
    (word == Word::MemIf.name()).then_some(Word::MemIf)
}

/// Parses a node that begins with this word. An `else if` has the word of the first `if`.
pub(super) fn branch(word: Word, input: ParseStream<'_>, errors: &mut Errors) -> Node {
    let (span, name) = (input.span(), word.name());
    skip(input, 1);
    let has_none = input.peek(token::Brace) || input.peek(Token![,]) || input.is_empty();
    let condition = if has_none {
        let at = if input.is_empty() { span } else { input.span() };
        let found = found(input);
        let message = format!("expected a condition after `{name}`, found {found}\nhelp: write `{name} near {{ … }}`");
        missing(at, message, errors)
    } else {
        condition(input, errors)
    };
    if has_none && !input.peek(token::Brace) {
        return condition;
    }
    let label = label(input);
    if is_operator(input) {
        let missing = rust(name, input, errors);
        leave(condition, errors);
        let _ = alternative(word, input, errors).map(|node| leave(node, errors));
        return missing;
    }
    let then = body(name, span, input, errors);
    let otherwise = alternative(word, input, errors);
    Node::If(Box::new(If { word, span, condition, label, then, otherwise }))
}

/// Parses `else { node }` or `else if …`.
fn alternative(word: Word, input: ParseStream<'_>, errors: &mut Errors) -> Option<Node> {
    let span = input.span();
    input.parse::<Token![else]>().ok()?;
    let Some(other) = self::word(input) else {
        return Some(body("else", span, input, errors));
    };
    if other == Word::MemIf {
        let help = if word == Word::MemIf {
            "note: after `mem_if`, the other conditions are ticked once per run, too\nhelp: write `else if`"
        } else {
            "help: write `else { mem_if … }`, or `mem_if` instead of the first `if`"
        };
        errors.at(input.span(), format!("expected `if` after `else`, found `mem_if`\n{help}"));
    }
    Some(branch(word, input, errors))
}

/// Parses the one node in the braces after a word.
fn body(word: &str, span: Span, input: ParseStream<'_>, errors: &mut Errors) -> Node {
    if let Some(braces) = input.peek(token::Brace).then(|| group(input)).flatten() {
        return in_braces(word, &braces, errors);
    }
    let found = found(input);
    let after = if word == "else" { "`else`".to_owned() } else { format!("the condition of `{word}`") };
    let at = if input.is_empty() { span } else { input.span() };
    missing(at, format!("expected `{{` after {after}, found {found}"), errors)
}

/// Reports a Rust expression that is not a condition, and skips the braces after it.
fn rust(word: &str, input: ParseStream<'_>, errors: &mut Errors) -> Node {
    let found = found(input);
    let message = format!("expected `{{` after the condition of `{word}`, found {found}{RUST}");
    let missing = missing(input.span(), message, errors);
    skip_to_brace(input, errors);
    if let Some(braces) = input.peek(token::Brace).then(|| group(input)).flatten() {
        salvage(braces.stream(), errors);
    }
    missing
}

/// Returns `true` if an operator of Rust begins here that does not combine conditions.
fn is_operator(input: ParseStream<'_>) -> bool {
    let signs = "=<>+-*/%^!&|";
    matches!(input.fork().parse(), Ok(TokenTree::Punct(punct)) if signs.contains(punct.as_char()))
}

/// Returns the one node in braces.
pub(super) fn in_braces(word: &str, braces: &Group, errors: &mut Errors) -> Node {
    let mut children = list::in_braces(braces, errors).into_iter();
    let Some(child) = children.next() else {
        let help = "help: `succeed` does nothing and succeeds";
        let message = format!("expected a node in the braces of `{word}`, found nothing\n{help}");
        return missing(braces.span(), message, errors);
    };
    let written = child.cfgs.first().or(child.weight.as_ref());
    if let Some(token) = written.and_then(|tokens| tokens.clone().into_iter().next()) {
        errors.at(token.span(), format!("only a node is allowed in the braces of `{word}`"));
    } else if let Some(dots) = child.dots {
        errors.at(dots, "`..` is only allowed before a child in a list");
    }
    let others: Vec<_> = children.collect();
    if !others.is_empty() {
        let help = "help: put them in a composite, such as `mem_sequence { … }`";
        let found = others.len() + 1;
        errors.at(braces.span(), format!("expected one node in the braces of `{word}`, found {found}\n{help}"));
        for other in others {
            leave(other.node, errors);
        }
    }
    child.node
}
