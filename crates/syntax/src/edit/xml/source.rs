//! The element of a text that a node was read from.

use std::collections::HashMap;
use std::sync::Arc;

use bt_behavior3::Diagnostic;
use bt_behavior3::xml::{self, Element};

use super::head::Head;
use super::place::Gone;
use crate::edit::node::Node;

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
    /// What is before it and after it in its parent: comments and space.
    pub(super) before: &'e str,
    pub(super) after: &'e str,
}

/// The texts of the nodes of a document, read.
pub(super) struct Texts(Vec<(Arc<str>, Element)>);

impl Texts {
    /// Reads texts, which are well-formed. The first one is that of the file.
    pub(super) fn read(texts: impl IntoIterator<Item = Arc<str>>) -> Result<Self, String> {
        let mut all: Vec<(Arc<str>, Element)> = Vec::new();
        for text in texts {
            if !all.iter().any(|(known, _)| Arc::ptr_eq(known, &text)) {
                let root = read(&text).map_err(|error| error.to_string())?;
                all.push((text, root));
            }
        }
        Ok(Self(all))
    }

    pub(super) fn file(&self) -> (&str, &Element) {
        let (text, root) = &self.0[0];
        (text, root)
    }

    /// Returns the elements by their texts and where they begin.
    pub(super) fn elements(&self) -> HashMap<(*const u8, usize), Found<'_>> {
        let mut found = HashMap::new();
        for (text, root) in &self.0 {
            let whole = Found { text, element: root, parent: root.at.start, before: "", after: "" };
            found.insert((text.as_ptr(), root.at.start), whole);
            add(whole, &mut found);
        }
        found
    }
}

fn add<'e>(parent: Found<'e>, found: &mut HashMap<(*const u8, usize), Found<'e>>) {
    for child in parent.children() {
        found.insert((child.text.as_ptr(), child.element.at.start), child);
        add(child, found);
    }
}

impl<'e> Found<'e> {
    pub(super) fn source(&self) -> &'e str {
        &self.text[self.element.at.clone()]
    }

    /// Returns the elements in it.
    pub(super) fn children(self) -> impl Iterator<Item = Self> {
        let inside = self.element.inside.clone().unwrap_or_default();
        let children = &self.element.children;
        children.iter().enumerate().map(move |(index, element)| {
            let start = index.checked_sub(1).map_or(inside.start, |before| children[before].at.end);
            let end = children.get(index + 1).map_or(inside.end, |next| next.at.start);
            let (before, after) = (&self.text[start..element.at.start], &self.text[element.at.end..end]);
            Self { text: self.text, element, parent: self.element.at.start, before, after }
        })
    }

    /// Returns the space at the begin of its line.
    pub(super) fn indent(&self) -> &'e str {
        let line = self.text[..self.element.at.start].rfind('\n').map_or(0, |end| end + 1);
        let rest = &self.text[line..];
        &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
    }
}

/// Reads the outermost element of a text.
pub(super) fn read(text: &str) -> Result<Element, Diagnostic> {
    let expected = || Diagnostic::of_tree("", "expected XML".to_owned());
    xml::read(text).map_err(|errors| errors.into_iter().next().unwrap_or_else(expected))
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
