//! Where lists of children end.

use super::rust::begins_path;
use crate::ast::Node;
use crate::errors::Errors;
use crate::tokens::{Input, Span};

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
pub(super) fn close(input: &Input<'_>, open: Span<'_>, last: &str, errors: &mut Errors) -> bool {
    let is_closed = input.eat(">").is_some();
    if !is_closed {
        errors.at(open, format!("unclosed `<`: expected `>` after the last {last}"));
    }
    is_closed
}

/// Returns `true` if a child needs no comma after it: if it has a list of children.
pub(super) fn ends_with_brace(node: Option<&Node<'_>>) -> bool {
    match node {
        Some(Node::Inner(_) | Node::Machine(_) | Node::If(_) | Node::Match(_) | Node::Skipped(_)) => true,
        Some(Node::Not { child, .. } | Node::Allowing { node: child, .. }) => ends_with_brace(Some(child)),
        _ => false,
    }
}

pub(super) fn at_end(input: &Input<'_>, list: List) -> bool {
    input.is_empty() || list != List::Braces && input.peek(">")
}

pub(super) fn at_separator(input: &Input<'_>, list: List) -> bool {
    at_end(input, list) || input.peek(",")
}

/// Returns `true` if a node may begin here.
pub(super) fn begins_node(input: &Input<'_>) -> bool {
    begins_path(input) || ["if", "match", "!", "|", "&", ".."].into_iter().any(|begin| input.peek(begin))
}

/// Returns `true` if the braces after a path contain struct fields, not children.
pub(super) fn is_struct(input: &Input<'_>) -> bool {
    let Some(braces) = input.peek_group().filter(|_| input.peek("{")) else { return false };
    let inside = braces.stream().input();
    inside.word().is_some() && inside.eat(":").is_some() && !inside.is_empty() && !inside.peek(":")
}
