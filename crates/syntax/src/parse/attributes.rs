//! Parses attributes of nodes.

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Ident, Token, token};

use super::tokens::skip;
use crate::ast::{Allowed, Attribute, Node};
use crate::errors::{DOCUMENTATION, Errors, did_you_mean};

/// Parses `#[allow(names)]`, `#[expect(names)]` and `#[disabled]` before a node. Returns the names.
pub(super) fn attributes(input: ParseStream<'_>, errors: &mut Errors) -> Vec<Allowed> {
    let mut names = Vec::new();
    documentation(input, errors);
    while input.peek(Token![#]) && input.peek2(token::Bracket) {
        let hash = input.span();
        skip(input, 1);
        if let Ok(TokenTree::Group(group)) = input.parse::<TokenTree>() {
            match allowed(group.stream()) {
                Some(allowed) => names.extend(allowed),
                None if begins(group.stream(), "cfg") => {
                    errors
                        .at(hash, "`#[cfg(…)]` is only allowed before a child in a list, before its other attributes");
                }
                None => {
                    let help = meant(group.stream(), errors)
                        .unwrap_or_else(|| "\nhelp: write, for example, `#[allow(unreachable)]`".to_owned());
                    errors.at(hash, format!("expected `#[allow(…)]` or `#[expect(…)]` before a node{help}"));
                }
            }
        }
        documentation(input, errors);
    }
    names
}

/// Parses documentation comments, and reports the first.
pub(super) fn documentation(input: ParseStream<'_>, errors: &mut Errors) {
    let begin = input.span();
    let mut has_any = false;
    while input.peek(Token![#]) && input.peek2(token::Bracket) {
        let ahead = input.fork();
        skip(&ahead, 1);
        match ahead.parse() {
            Ok(TokenTree::Group(group)) if begins(group.stream(), "doc") => skip(input, 2),
            _ => break,
        }
        has_any = true;
    }
    if has_any {
        errors.at(begin, DOCUMENTATION);
    }
}

/// Returns the help for a misspelled attribute.
fn meant(attribute: TokenStream, errors: &Errors) -> Option<String> {
    let Some(TokenTree::Ident(word)) = attribute.into_iter().next() else { return None };
    let known = ["allow", errors.either("expect", "disabled")];
    did_you_mean(&word.to_string(), known)
}

fn begins(attribute: TokenStream, name: &str) -> bool {
    matches!(attribute.into_iter().next(), Some(TokenTree::Ident(word)) if word == name)
}

/// Parses the names in `allow(a, b)` or `expect(a, b)`, or `disabled`, which is its own name.
fn allowed(attribute: TokenStream) -> Option<Vec<Allowed>> {
    let parser = |input: ParseStream<'_>| {
        let word = input.call(Ident::parse_any)?;
        if word == "disabled" && input.is_empty() {
            return Ok((Punctuated::from_iter([word]), Attribute::Disabled));
        }
        let names;
        syn::parenthesized!(names in input);
        let names = names.parse_terminated(Ident::parse_any, Token![,])?;
        let attribute = match word.to_string().as_str() {
            "allow" => Attribute::Allow,
            "expect" => Attribute::Expect,
            _ => return Err(input.error("another attribute")),
        };
        if names.is_empty() { Err(input.error("a name")) } else { Ok((names, attribute)) }
    };
    let (names, attribute) = Parser::parse2(parser, attribute).ok()?;
    Some(names.into_iter().map(|name| Allowed { name, attribute }).collect())
}

/// Wraps a node with the lints that are allowed before it.
pub(super) fn allowing(names: Vec<Allowed>, node: Node) -> Node {
    if names.is_empty() { node } else { Node::Allowing { names, node: Box::new(node) } }
}
