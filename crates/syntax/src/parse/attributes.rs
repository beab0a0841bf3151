//! Parses attributes of nodes.

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Ident, Token, token};

use super::tokens::skip;
use crate::ast::{Allowed, Attribute, Node};
use crate::errors::Errors;

/// Parses `#[allow(names)]`, `#[expect(names)]` and `#[disabled]` before a node. Returns the names.
pub(super) fn attributes(input: ParseStream<'_>, errors: &mut Errors) -> Vec<Allowed> {
    let mut names = Vec::new();
    while input.peek(Token![#]) && input.peek2(token::Bracket) {
        let hash = input.span();
        skip(input, 1);
        if let Ok(TokenTree::Group(group)) = input.parse::<TokenTree>() {
            match allowed(group.stream()) {
                Some(allowed) => names.extend(allowed),
                None if is_cfg(group.stream()) => errors.at(
                    hash,
                    "`#[cfg(…)]` is only allowed before a child in a list, before its other attributes",
                ),
                None => errors.at(
                    hash,
                    "expected `#[allow(…)]` or `#[expect(…)]` before a node\nhelp: write, for example, `#[allow(unreachable)]`",
                ),
            }
        }
    }
    names
}

fn is_cfg(attribute: TokenStream) -> bool {
    matches!(attribute.into_iter().next(), Some(TokenTree::Ident(word)) if word == "cfg")
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
