//! Parses nodes without children, and fragments of a `macro_rules!`.

use proc_macro2::Delimiter;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, Token};

use super::arguments::arguments;
use super::list::List;
use super::rust::{begins_path, calls, path};
use crate::ast::{Leaf, Node, Path};
use crate::errors::Errors;
use crate::keyword;
use crate::tokens::{Group, Input, Span, TokenStream, Tree};

/// Parses an expression fragment of a `macro_rules!`: a node if it has the syntax of one, other Rust otherwise. A path is parsed like written
/// code, since children or arguments may follow it.
pub(super) fn fragment<'t>(input: &Input<'t>) -> Option<Node<'t>> {
    let Some(Tree::Group(group)) = input.peek_tree() else { return None };
    if group.delimiter() != Delimiter::None {
        return None;
    }
    let rust = group.stream().to_macro();
    if syn::parse2::<syn::Path>(rust.clone()).is_ok() || syn::parse2::<Expr>(rust).is_err() {
        return None;
    }
    let (span, begin) = (input.span(), input.fork());
    input.skip(1);
    if input.peek(".") || input.peek("?") {
        calls(input);
        return Some(leaf(input.since(&begin), span));
    }
    let (mut quiet, inside) = (Errors::default(), group.stream().input());
    let node = Node::parse_bare(&inside, List::Braces, &mut quiet);
    Some(if inside.is_empty() && quiet.is_empty() { node } else { leaf(group.stream(), span) })
}

/// Parses `(expression)`. The expression is passed on without the parentheses.
pub(super) fn in_parentheses<'t>(input: &Input<'t>, errors: &mut Errors) -> Node<'t> {
    let (span, begin) = (input.span(), input.fork());
    let Some(group) = input.group() else { return Node::Missing(span) };
    if group.stream().is_empty() {
        return missing(span, "expected an expression in parentheses, found nothing", errors);
    }
    if input.peek(".") {
        calls(input);
        return leaf(input.since(&begin), span);
    }
    if let Some(node) = node_in_parentheses(group, errors) {
        return node;
    }
    if is_tuple(group.stream()) {
        errors.salvage(group.stream());
        let message = "expected one expression in parentheses, found a tuple\nhelp: put several nodes in a composite, such as `sequence { … }`";
        return missing(group.span(), message, errors);
    }
    leaf(group.stream(), span)
}

/// Returns `true` for several expressions, or one before a comma.
pub(super) fn is_tuple(stream: TokenStream<'_>) -> bool {
    let several = Punctuated::<Expr, Token![,]>::parse_terminated;
    stream.trees().any(|token| token.is_punct(','))
        && Parser::parse2(several, stream.to_macro()).is_ok_and(|found| found.len() > 1 || found.trailing_punct())
}

/// Parses a node with children in parentheses, which are for Rust, and reports it.
fn node_in_parentheses<'t>(group: Group<'t>, errors: &mut Errors) -> Option<Node<'t>> {
    let input = group.stream().input();
    let has_children = input.peek2("{") || input.after().peek_text();
    let word = input.peek_name().filter(|word| has_children && keyword::is_keyword(word.text()))?;
    let message = format!("expected Rust in parentheses, found the node `{word}`\nhelp: remove the parentheses");
    errors.at(group.span_open(), message);
    Some(Node::parse(&input, List::Braces, errors))
}

/// Parses a path, its arguments and method calls.
pub(super) fn plain<'t>(input: &Input<'t>, errors: &mut Errors) -> Node<'t> {
    let (begin, path) = (input.fork(), path(input));
    let mut is_reported = false;
    if input.peek("!") && input.peek2("(") {
        input.skip(2);
    } else if let Some(args) = input.group_in(Delimiter::Parenthesis) {
        is_reported = arguments(path.word, args.into(), errors).are_reported;
    }
    calls(input);
    if is_reported { reported(&path, errors) } else { leaf(input.since(&begin), path.span) }
}

/// Returns what is in the place of a leaf whose arguments have been reported.
pub(super) fn reported<'t>(path: &Path<'t>, errors: &mut Errors) -> Node<'t> {
    errors.leave_rust(path.tokens);
    Node::Missing(path.span)
}

/// Parses `&path`: a subtree that is used several times.
pub(super) fn borrowed<'t>(input: &Input<'t>, errors: &mut Errors) -> Node<'t> {
    let (span, begin) = (input.span(), input.fork());
    input.skip(1);
    if !begins_path(input) {
        return missing(span, "expected a name after `&`\nhelp: put any other expression in parentheses", errors);
    }
    path(input);
    input.group_in(Delimiter::Parenthesis);
    calls(input);
    leaf(input.since(&begin), span)
}

/// Returns Rust as a leaf.
pub(super) fn leaf<'t>(tokens: TokenStream<'t>, span: Span<'t>) -> Node<'t> {
    Node::Leaf(Leaf { tokens, label: None, span })
}

/// Reports what is in the place of a node.
pub(super) fn missing<'t>(span: Span<'t>, message: impl std::fmt::Display, errors: &mut Errors) -> Node<'t> {
    errors.at(span, message);
    Node::Missing(span)
}
