//! Parses lists of children.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::parse::ParseStream;
use syn::{ExprClosure, Token, token};

use super::attributes::documentation;
use super::habit::{self, Reported, block_weight, comparison, reversed};
use super::leaf::leaf;
use super::list::{List, at_end, at_separator, begins_node, close, ends_with_brace};
use super::rust::{angles, begins_path, calls};
use super::tokens::{braced, found, ident, may_precede, skip, take, take_until};
use crate::ast::{Child, Node};
use crate::errors::Errors;

/// Parses children in braces.
pub(super) fn in_braces(input: ParseStream<'_>, errors: &mut Errors) -> Vec<Child> {
    reporting(input, Reported::default(), errors).map(|(_, children)| children).unwrap_or_default()
}

/// Parses what has to be one child in braces, and returns their span, too. It is for the caller to report several.
pub(super) fn only_in_braces(input: ParseStream<'_>, errors: &mut Errors) -> Option<(Span, Vec<Child>)> {
    reporting(input, Reported::in_list_of_one(), errors)
}

fn reporting(input: ParseStream<'_>, reported: Reported, errors: &mut Errors) -> Option<(Span, Vec<Child>)> {
    braced(input, |input| children_after(input, List::Braces, reported, errors))
}

/// Parses children in angle brackets.
pub(super) fn in_angles(input: ParseStream<'_>, around: List, errors: &mut Errors) -> Vec<Child> {
    let open = input.span();
    skip(input, 1);
    let children = children(input, List::Angles(around.depth() + 1), errors);
    close(input, open, "child", errors);
    children
}

/// Parses children up to the end of their list, which is not consumed.
pub(super) fn children(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Vec<Child> {
    children_after(input, list, Reported::default(), errors)
}

/// Parses children after some have been reported.
fn children_after(input: ParseStream<'_>, list: List, mut reported: Reported, errors: &mut Errors) -> Vec<Child> {
    let mut children = Vec::new();
    while !at_end(input, list) {
        documentation(input, errors);
        if at_end(input, list) {
            break;
        }
        if input.peek(Token![,]) {
            errors.at(input.span(), "expected a node, found `,`");
            skip(input, 1);
            continue;
        }
        let (cfgs, mut weight) = (cfgs(input), weight(input).or_else(|| block_weight(input, errors)));
        habit::name(input, errors, &mut reported);
        let dots = input.peek(Token![..]).then(|| input.span());
        skip(input, if dots.is_some() { 2 } else { 0 });
        let stray = match reversed(&mut weight, input, list, errors, &mut reported) {
            None if begins_path(input) => comparison(input, list, errors),
            found => found,
        };
        let node = match stray {
            Some(stray) => stray,
            None if dots.is_some() && input.peek(token::Bracket) => array(input),
            None => Node::parse(input, list, errors),
        };
        children.push(Child { cfgs, weight, dots, node });
        let braced = ends_with_brace(children.last().map(|child| &child.node));
        if input.peek(Token![,]) {
            skip(input, 1);
        } else if let Some((operator, tokens, composite)) = operator(input) {
            let help = format!("help: write `{composite} {{ a, b }}` for `a {operator} b`");
            errors.at(input.span(), format!("`{operator}` is not allowed between nodes\n{help}"));
            skip(input, tokens);
        } else if let Some(not) = negation(children.last()).filter(|_| begins_node(input)) {
            errors.at(not, "`not` is not allowed before a node\nhelp: write `!`, as in `!near`");
            children.pop();
        } else if !at_end(input, list) && !braced {
            let (found, begins_node) = (found(input), begins_node(input));
            if !begins_node || !std::mem::replace(&mut reported.comma, true) {
                errors.at(input.span(), format!("expected `,` before the next child, found {found}"));
            }
            if !begins_node {
                skip_child(input, list, errors);
                let _ = input.parse::<Token![,]>();
            }
        }
    }
    children
}

/// Skips to the next child, and keeps the skipped code for editors.
pub(super) fn skip_child(input: ParseStream<'_>, list: List, errors: &mut Errors) {
    let mut skipped = TokenStream::new();
    while !at_separator(input, list) {
        // The `>` of an arrow does not end a list.
        let is_arrow = input.peek(Token![->]) || input.peek(Token![=>]);
        skipped.extend(take(input, 1 + usize::from(is_arrow)));
    }
    errors.salvage(skipped);
}

/// Returns a logical operator, the number of its tokens, and the composite that means it.
fn operator(input: ParseStream<'_>) -> Option<(&'static str, usize, &'static str)> {
    // A closure without parameters begins with `||`, after a comma.
    if input.peek(Token![&&]) {
        return Some(("&&", 2, "sequence"));
    }
    if input.peek(Token![||]) {
        return Some(("||", 2, "selector"));
    }
    let operators = [("and", "sequence"), ("or", "selector")];
    let found = ident(input).and_then(|word| operators.into_iter().find(|(operator, _)| word == operator));
    let (operator, composite) = found?;
    let ahead = input.fork();
    skip(&ahead, 1);
    begins_node(&ahead).then_some((operator, 1, composite))
}

/// Returns the span of a child that is the word `not`.
fn negation(child: Option<&Child>) -> Option<Span> {
    match &child?.node {
        Node::Leaf(leaf) if leaf.text == "not" => Some(leaf.span),
        _ => None,
    }
}

/// Parses an array after `..`: `[flee, fight]`, possibly with method calls.
fn array(input: ParseStream<'_>) -> Node {
    let span = input.span();
    let mut tokens = take(input, 1).into_iter().collect();
    calls(input, &mut tokens);
    leaf(tokens, span)
}

/// Parses `#[cfg(…)]` before a child. Returns the conditions.
fn cfgs(input: ParseStream<'_>) -> Vec<TokenStream> {
    let mut cfgs = Vec::new();
    while input.peek(Token![#]) {
        let ahead = input.fork();
        skip(&ahead, 1);
        let Ok(TokenTree::Group(attribute)) = ahead.parse() else { break };
        let mut tokens = attribute.stream().into_iter();
        match (tokens.next(), tokens.next()) {
            (Some(TokenTree::Ident(word)), Some(TokenTree::Group(condition))) if word == "cfg" => {
                skip(input, 2);
                cfgs.push(condition.stream());
            }
            _ => break,
        }
    }
    cfgs
}

/// Parses `weight =>` before a child; returns `None` if there is no `=>` before the next comma, angle bracket or brace. A weight that is a closure
/// can contain these.
fn weight(input: ParseStream<'_>) -> Option<TokenStream> {
    if input.peek(Token![|]) || input.peek(Token![||]) || input.peek(Token![move]) {
        let ahead = input.fork();
        let is_weight = ahead.parse::<ExprClosure>().is_ok() && ahead.peek(Token![=>]);
        return is_weight.then(|| {
            let closure = take_until(input, &ahead);
            skip(input, 2);
            closure
        });
    }
    if !may_precede("=<", input) {
        return None;
    }
    let ahead = input.fork();
    let mut weight = TokenStream::new();
    while !ahead.peek(Token![=>]) {
        if ahead.peek(Token![::]) {
            weight.extend(take(&ahead, 2));
            if ahead.peek(Token![<]) {
                angles(&ahead, &mut weight);
            }
            continue;
        }
        match ahead.parse::<TokenTree>().ok()? {
            TokenTree::Punct(punct) if matches!(punct.as_char(), ',' | '|' | '<' | '>') => return None,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return None,
            token => weight.extend([token]),
        }
    }
    let arrow = 2;
    skip(input, weight.clone().into_iter().count() + arrow);
    Some(weight)
}
