//! The element of a text that a node was read from.

use std::sync::Arc;

use bt_behavior3::Diagnostic;
use bt_behavior3::xml::{self, Element};

use super::head::Head;
use super::place::{Gone, Source};
use crate::edit::node::Node;
use crate::edit::original::Original;

/// Leaves the comments of a node with those that take its place.
pub(in crate::edit) fn leave(node: &Node, others: &mut [Arc<Node>]) {
    let leave = |other: Option<&mut Arc<Node>>, is_begin: bool| {
        let Some(other) = other else { return };
        let of = &mut Arc::make_mut(other).gone;
        of.extend(node.element.clone().map(|source| Gone { source, is_begin }));
        of.extend(node.gone.iter().filter(|outer| outer.is_begin == is_begin).cloned());
    };
    leave(others.first_mut(), true);
    leave(others.last_mut(), false);
}

/// An element with the text around it.
#[derive(Clone, Copy)]
pub(super) struct Found<'e> {
    pub(super) text: &'e str,
    pub(super) element: &'e Element,
    /// Where the element begins that it is in.
    pub(super) parent: usize,
    /// Whether it is the first in its parent.
    pub(super) is_first: bool,
    /// What is before it and after it in its parent: comments and space.
    pub(super) before: &'e str,
    pub(super) after: &'e str,
}

impl<'e> Found<'e> {
    /// Returns the outermost element of a text.
    pub(super) fn root(text: &'e Original) -> Result<Self, Diagnostic> {
        let element = root(text)?;
        Ok(Self { text, element, parent: element.at.start, is_first: true, before: "", after: "" })
    }

    pub(super) fn source(&self) -> &'e str {
        &self.text[self.element.at.clone()]
    }

    /// Returns the elements in it.
    pub(super) fn children(self) -> impl Iterator<Item = Self> {
        (0..self.element.children.len()).map(move |index| self.child(index))
    }

    fn child(self, index: usize) -> Self {
        let (Self { text, element: around, .. }, inside) = (self, self.element.inside.clone().unwrap_or_default());
        let element = &around.children[index];
        let start = index.checked_sub(1).map_or(inside.start, |before| around.children[before].at.end);
        let end = around.children.get(index + 1).map_or(inside.end, |next| next.at.start);
        let (before, after) = (&text[start..element.at.start], &text[element.at.end..end]);
        Self { text, element, parent: around.at.start, is_first: index == 0, before, after }
    }

    /// Returns the space at the begin of its line.
    pub(super) fn indent(&self) -> &'e str {
        let line = self.text[..self.element.at.start].rfind('\n').map_or(0, |end| end + 1);
        let rest = &self.text[line..];
        &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
    }
}

impl Source {
    /// Returns the element with the text around it.
    pub(super) fn found(&self) -> Option<Found<'_>> {
        let mut found = Found::root(&self.text).ok()?;
        while found.element.at.start != self.at {
            let behind = found.element.children.partition_point(|child| child.at.start <= self.at);
            found = found.child(behind.checked_sub(1)?);
        }
        Some(found)
    }
}

/// Returns the outermost element of a text.
pub(super) fn root(text: &Original) -> Result<&Element, Diagnostic> {
    let expected = || Diagnostic::of_tree("", "expected XML".to_owned());
    let first = |errors: Vec<Diagnostic>| errors.into_iter().next().unwrap_or_else(expected);
    let found = text.found(|text| xml::read(text).map_err(first));
    found.ok_or_else(expected)?.as_ref().map_err(Clone::clone)
}

/// Returns the index of the argument of a node whose attribute is at an offset of its text.
pub(in crate::edit) fn argument_at(node: &Node, at: usize) -> Option<usize> {
    let source = node.element.as_ref()?;
    let name = attribute_at(source.text.get(source.at..)?, at.checked_sub(source.at)?)?;
    Head::parse(&node.head).ok()?.values.iter().position(|(port, _)| port == name)
}

/// Returns the name of the attribute of a tag that an offset is in.
fn attribute_at(tag: &str, at: usize) -> Option<&str> {
    let (mut quote, mut before, mut start) = (None, '<', None);
    for (index, sign) in tag.char_indices().take_while(|(index, _)| *index <= at) {
        match quote {
            Some(open) => quote = Some(open).filter(|open| *open != sign),
            None if matches!(sign, '"' | '\'') => quote = Some(sign),
            None if sign == '>' => return None,
            None if before.is_whitespace() && !sign.is_whitespace() && sign != '=' => start = Some(index),
            None => {}
        }
        before = sign;
    }
    let name = &tag[start?..];
    Some(&name[..name.find(|sign: char| sign == '=' || sign.is_whitespace())?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_is_in_an_attribute() {
        let tag = "<A x = 'a y=\"1' \n y=\"1 + 2\"/> <B z='1'/>";
        for (part, name) in [
            ("A", None),
            ("x =", Some("x")),
            ("a y", Some("x")),
            ("1' ", Some("x")),
            ("y=\"1 +", Some("y")),
            ("+ 2", Some("y")),
            ("z=", None),
        ] {
            assert_eq!(attribute_at(tag, tag.find(part).expect("it is there")), name, "{part}");
        }
    }
}
