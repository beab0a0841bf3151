//! Parses lists of children.

use proc_macro2::Delimiter;
use syn::ExprClosure;
use syn::parse::Parse;

use super::attributes::{documentation, misplaced};
use super::habit::{self, Reported, block_weight, comparison, reversed};
use super::leaf::leaf;
use super::list::{List, at_end, at_separator, begins_node, close, ends_with_brace};
use super::logic;
use super::rust::{angles, begins_path, calls, most, with_syn};
use super::tokens::{braced, found, may_precede};
use crate::ast::{Child, Node};
use crate::errors::Errors;
use crate::tokens::{Input, Span, TokenStream, Tree};

/// Parses children in braces.
pub(super) fn in_braces<'t>(input: &Input<'t>, errors: &mut Errors) -> Vec<Child<'t>> {
    reporting(input, Reported::default(), errors).map(|(_, children)| children).unwrap_or_default()
}

/// Parses what has to be one child in braces, and returns their span, too. It is for the caller to report several.
pub(super) fn only_in_braces<'t>(input: &Input<'t>, errors: &mut Errors) -> Option<(Span<'t>, Vec<Child<'t>>)> {
    reporting(input, Reported::in_list_of_one(), errors)
}

fn reporting<'t>(input: &Input<'t>, reported: Reported, errors: &mut Errors) -> Option<(Span<'t>, Vec<Child<'t>>)> {
    braced(input, |input| children_after(input, List::Braces, reported, errors))
}

/// Parses children in angle brackets.
pub(super) fn in_angles<'t>(input: &Input<'t>, around: List, errors: &mut Errors) -> Vec<Child<'t>> {
    let open = input.span();
    input.skip(1);
    let children = children(input, List::Angles(around.depth() + 1), errors);
    close(input, open, "child", errors);
    children
}

/// Parses children up to the end of their list, which is not consumed.
pub(super) fn children<'t>(input: &Input<'t>, list: List, errors: &mut Errors) -> Vec<Child<'t>> {
    children_after(input, list, Reported::default(), errors)
}

/// Parses children after some have been reported.
fn children_after<'t>(input: &Input<'t>, list: List, mut reported: Reported, errors: &mut Errors) -> Vec<Child<'t>> {
    let mut children = Vec::new();
    while !at_end(input, list) {
        documentation(input, errors);
        if at_end(input, list) {
            break;
        }
        if input.peek(",") {
            errors.at(input.span(), "expected a node, found `,`");
            input.skip(1);
            continue;
        }
        let cfgs = cfgs(input);
        misplaced(input, errors);
        let mut weight = weight(input, errors).or_else(|| block_weight(input, errors));
        weight = weight.or_else(|| habit::weight(input, errors, &mut reported));
        let named = habit::name(input, errors, &mut reported);
        let dots = input.peek("..").then(|| input.span());
        input.skip(if dots.is_some() { 2 } else { 0 });
        let stray = match named.or_else(|| reversed(&mut weight, input, list, errors, &mut reported)) {
            None if begins_path(input) => comparison(input, list, errors),
            found => found,
        };
        let node = match stray {
            Some(stray) => stray,
            None if dots.is_some() && input.peek("[") => array(input),
            None => Node::parse(input, list, errors),
        };
        children.push(Child { cfgs, weight, dots, node });
        let braced = ends_with_brace(children.last().map(|child| &child.node));
        if input.peek(",") {
            input.skip(1);
        } else if habit::behind(input, list, &mut reported, errors) {
            // What follows is the next child.
        } else if logic::operator(input, errors) {
            // The same.
        } else if children.last().is_some_and(|child| logic::negation(&child.node, input, errors)) {
            children.pop();
        } else if !at_end(input, list) && !braced {
            let (found, begins_node) = (found(input), begins_node(input));
            if !begins_node || !std::mem::replace(&mut reported.comma, true) {
                errors.at(input.span(), format!("expected `,` before the next child, found {found}"));
            }
            if !begins_node {
                skip_child(input, list, errors);
                input.eat(",");
            }
        }
    }
    children
}

/// Skips to the next child, and keeps the skipped code for editors.
pub(super) fn skip_child(input: &Input<'_>, list: List, errors: &mut Errors) {
    let begin = input.fork();
    while !at_separator(input, list) {
        // The `>` of an arrow does not end a list.
        input.skip(1 + usize::from(input.peek("->") || input.peek("=>")));
    }
    errors.salvage(input.since(&begin));
}

/// Parses an array after `..`: `[flee, fight]`, possibly with method calls.
fn array<'t>(input: &Input<'t>) -> Node<'t> {
    let (span, begin) = (input.span(), input.fork());
    input.skip(1);
    calls(input);
    leaf(input.since(&begin), span)
}

/// Parses `#[cfg(…)]` before a child. Returns the conditions.
fn cfgs<'t>(input: &Input<'t>) -> Vec<TokenStream<'t>> {
    let mut cfgs = Vec::new();
    while input.peek("#")
        && let Some(attribute) = input.after().group()
    {
        let inside = attribute.stream().input();
        let Some(condition) = inside.eat("cfg").and_then(|_| inside.group()) else { break };
        input.eat("#");
        input.group();
        cfgs.push(condition.stream());
    }
    cfgs
}

/// Parses `weight =>` before a child; returns `None` if there is no `=>` before the next comma, angle bracket or brace. A weight that is a closure
/// can contain these.
fn weight<'t>(input: &Input<'t>, errors: &mut Errors) -> Option<TokenStream<'t>> {
    let arrow = 2;
    let ahead = if input.peek("|") || input.peek("move") {
        let closure = most(input).input();
        closure.take_before(|input| input.peek("=>"));
        if closure.is_empty() {
            return None;
        }
        with_syn(input, ExprClosure::parse)?.1
    } else if may_precede("=<", input) {
        before_arrow(input)?
    } else {
        return None;
    };
    ahead.peek("=>").then(|| {
        let weight = input.take_until(&ahead);
        if weight.is_empty() {
            let help = "help: write a value, or remove `=>`";
            errors.at(input.span(), format!("expected a value before `=>`, found nothing\n{help}"));
        }
        input.skip(arrow);
        weight
    })
}

/// Returns the reader at the `=>` after a weight that is no closure.
fn before_arrow<'t>(input: &Input<'t>) -> Option<Input<'t>> {
    let ahead = input.fork();
    while !ahead.peek("=>") {
        if ahead.eat("::").is_some() {
            if ahead.peek("<") {
                angles(&ahead);
            }
            continue;
        }
        match ahead.tree()? {
            Tree::Punct(punct) if matches!(punct.as_char(), ',' | '|' | '<' | '>') => return None,
            Tree::Group(group) if group.delimiter() == Delimiter::Brace => return None,
            Tree::Punct(_) | Tree::Group(_) | Tree::Ident(_) | Tree::Literal(_) => {}
        }
    }
    Some(ahead)
}
