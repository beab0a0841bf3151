//! Parses nodes without children, and fragments of a `macro_rules!`.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, LitStr, Token, token};

use super::arguments::arguments;
use super::list::List;
use super::rust::{begins_path, calls, path};
use super::tokens::{group, skip, take};
use crate::ast::{Leaf, Node};
use crate::errors::Errors;
use crate::{keyword, text};

/// Parses an expression fragment of a `macro_rules!`: a node if it has the syntax of one, other Rust otherwise. A path is parsed like written
/// code, since children or arguments may follow it.
pub(super) fn fragment(input: ParseStream<'_>) -> Option<Node> {
    let TokenTree::Group(group) = input.fork().parse().ok()? else { return None };
    let is_path = syn::parse2::<syn::Path>(group.stream()).is_ok();
    if group.delimiter() != Delimiter::None || is_path || syn::parse2::<Expr>(group.stream()).is_err() {
        return None;
    }
    let span = input.span();
    skip(input, 1);
    if input.peek(Token![.]) || input.peek(Token![?]) {
        let mut tokens = TokenStream::from(TokenTree::Group(group));
        calls(input, &mut tokens);
        return Some(leaf(tokens, span));
    }
    let mut quiet = Errors::default();
    let parser = |input: ParseStream<'_>| Ok((Node::parse_bare(input, List::Braces, &mut quiet), input.is_empty()));
    let node = Parser::parse2(parser, group.stream());
    match node {
        Ok((node, true)) if quiet.is_empty() => Some(node),
        _ => Some(leaf(group.stream(), span)),
    }
}

/// Parses `(expression)`. The expression is passed on without the parentheses.
pub(super) fn in_parentheses(input: ParseStream<'_>, errors: &mut Errors) -> Node {
    let span = input.span();
    let Ok(TokenTree::Group(group)) = input.parse::<TokenTree>() else { return Node::Missing(span) };
    if group.stream().is_empty() {
        return missing(span, "expected an expression in parentheses, found nothing", errors);
    }
    if input.peek(Token![.]) {
        let mut tokens = TokenStream::from(TokenTree::Group(group));
        calls(input, &mut tokens);
        return leaf(tokens, span);
    }
    if let Some(node) = node_in_parentheses(&group, errors) {
        return node;
    }
    let several = Punctuated::<Expr, Token![,]>::parse_terminated;
    if Parser::parse2(several, group.stream()).is_ok_and(|found| found.len() > 1 || found.trailing_punct()) {
        errors.salvage(group.stream());
        let message = "expected one expression in parentheses, found a tuple\nhelp: put several nodes in a composite, such as `sequence { … }`";
        return missing(group.span(), message, errors);
    }
    leaf(group.stream(), span)
}

/// Parses a node with children in parentheses, which are for Rust, and reports it.
fn node_in_parentheses(group: &Group, errors: &mut Errors) -> Option<Node> {
    let parser = |input: ParseStream<'_>| {
        let has_children = input.peek2(token::Brace) || input.peek2(LitStr);
        let word = input.fork().parse::<Ident>().ok().filter(|word| has_children && keyword::is_keyword(word));
        let node = word.map(|word| {
            let message =
                format!("expected Rust in parentheses, found the node `{word}`\nhelp: remove the parentheses");
            errors.at(group.span_open(), message);
            Node::parse(input, List::Braces, errors)
        });
        let _ = input.parse::<TokenStream>();
        Ok(node)
    };
    Parser::parse2(parser, group.stream()).ok().flatten()
}

/// Parses a path, its arguments and method calls.
pub(super) fn plain(input: ParseStream<'_>, errors: &mut Errors) -> Node {
    let path = path(input);
    let mut tokens = path.tokens;
    if input.peek(Token![!]) && input.peek2(token::Paren) {
        tokens.extend(take(input, 2));
    } else if input.peek(token::Paren) {
        let args = group(input).map(|args| arguments(path.word.as_ref(), args, errors));
        tokens.extend(args.map(TokenTree::Group));
    }
    calls(input, &mut tokens);
    leaf(tokens, path.span)
}

/// Parses `&path`: a subtree that is used several times.
pub(super) fn borrowed(input: ParseStream<'_>, errors: &mut Errors) -> Node {
    let span = input.span();
    let mut tokens: TokenStream = take(input, 1).into_iter().collect();
    if !begins_path(input) {
        return missing(span, "expected a name after `&`\nhelp: put any other expression in parentheses", errors);
    }
    tokens.extend(path(input).tokens);
    tokens.extend(if input.peek(token::Paren) { take(input, 1) } else { Vec::new() });
    calls(input, &mut tokens);
    leaf(tokens, span)
}

/// Returns Rust as a leaf.
pub(super) fn leaf(tokens: TokenStream, span: Span) -> Node {
    let text = text::name(&tokens);
    Node::Leaf(Leaf { tokens, text, label: None, span })
}

/// Reports what is in the place of a node.
pub(super) fn missing(span: Span, message: impl std::fmt::Display, errors: &mut Errors) -> Node {
    errors.at(span, message);
    Node::Missing(span)
}

/// Parses a label.
pub(super) fn label(input: ParseStream<'_>) -> Option<LitStr> {
    // A failed attempt would consume another literal. To find out which one it is takes long.
    if input.cursor().literal().is_some() && input.peek(LitStr) { input.parse().ok() } else { None }
}
