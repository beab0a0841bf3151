//! Where lists of children end.

use proc_macro2::{Delimiter, Span};
use syn::Token;
use syn::buffer::Cursor;
use syn::parse::ParseStream;

use super::rust::begins_path;
use super::tokens::skip;
use crate::ast::Node;
use crate::errors::Errors;

/// The end of a list of children.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    /// The end of the tokens: a group in braces, or the whole macro.
    Braces,
    /// A `>`. The number counts this list and the surrounding lists that end with `>`.
    Angles(usize),
    /// The same, in a state of a machine: `->` ends a guard.
    Transitions(usize),
}

impl List {
    /// Returns the number of `>` that end this list and the surrounding lists.
    pub(super) fn depth(self) -> usize {
        match self {
            Self::Braces => 0,
            Self::Angles(depth) | Self::Transitions(depth) => depth,
        }
    }
}

/// Parses the `>` at the end of a list in angle brackets. Returns whether there is one.
pub(super) fn close(input: ParseStream<'_>, open: Span, last: &str, errors: &mut Errors) -> bool {
    let is_closed = input.peek(Token![>]);
    if is_closed {
        skip(input, 1);
    } else {
        errors.at(open, format!("unclosed `<`: expected `>` after the last {last}"));
    }
    is_closed
}

/// Returns `true` if a child needs no comma after it: if it has a list of children.
pub(super) fn ends_with_brace(node: Option<&Node>) -> bool {
    match node {
        Some(Node::Inner(_) | Node::Machine(_) | Node::If(_) | Node::Match(_) | Node::Skipped(_)) => true,
        Some(Node::Not { child, .. } | Node::Allowing { node: child, .. }) => ends_with_brace(Some(child)),
        _ => false,
    }
}

pub(super) fn at_end(input: ParseStream<'_>, list: List) -> bool {
    input.is_empty() || list != List::Braces && input.peek(Token![>])
}

pub(super) fn at_separator(input: ParseStream<'_>, list: List) -> bool {
    at_end(input, list) || input.peek(Token![,])
}

/// Returns `true` if a node may begin here.
pub(super) fn begins_node(input: ParseStream<'_>) -> bool {
    begins_path(input)
        || input.peek(Token![if])
        || input.peek(Token![match])
        || input.peek(Token![!])
        || input.peek(Token![|])
        || input.peek(Token![&])
        || input.peek(Token![..])
}

/// Returns `true` if the braces after a path contain struct fields, not children.
pub(super) fn is_struct(input: ParseStream<'_>) -> bool {
    fn colon(at: Cursor<'_>) -> Option<Cursor<'_>> {
        at.punct().filter(|(sign, _)| sign.as_char() == ':').map(|(_, rest)| rest)
    }
    let fields = || {
        let (inside, ..) = input.cursor().group(Delimiter::Brace)?;
        colon(inside.ident()?.1)
    };
    fields().is_some_and(|value| !value.eof() && colon(value).is_none())
}
