//! An element as it is written: what differs from the one that was read.

use std::sync::Arc;

use bt_behavior3::xml::Element;

use super::around::{comments, first, last, near, tail};
use super::element::{Shape, Tag};
use super::head::ID;
use super::place::{Gone, Source};
use super::read::{MAIN, TREE};
use super::source::Found;
use crate::edit::node::{Node, Tree};

/// An element as it is written.
pub(super) struct Part<'e> {
    /// Where it was in a text; `None` if it is new.
    pub(super) found: Option<Found<'e>>,
    /// The tag, and what it was in the text; `None` if it stays.
    pub(super) tag: Option<(Tag, Tag)>,
    /// Whether it stays with all that is in it, which is not listed then.
    is_same: bool,
    pub(super) children: Vec<Part<'e>>,
    /// The comments of nodes in whose place it is.
    pub(super) above: Vec<&'e str>,
    pub(super) below: Vec<&'e str>,
}

impl<'e> Part<'e> {
    pub(super) const fn new(found: Option<Found<'e>>, tag: Option<(Tag, Tag)>, children: Vec<Self>) -> Self {
        Self { found, tag, is_same: false, children, above: Vec::new(), below: Vec::new() }
    }

    /// Returns an element that stays as it is.
    pub(super) fn same(found: Found<'e>) -> Self {
        Self { is_same: true, ..Self::new(Some(found), None, Vec::new()) }
    }

    /// Returns a tree as an element. `known` are those of the file with their names.
    pub(super) fn of_tree(
        tree: &'e Tree,
        found: Option<Found<'e>>,
        known: &[(&Element, String)],
    ) -> Result<Self, String> {
        let read = tree.around.read.as_ref().and_then(|read| read.root.as_ref());
        let before = found.and_then(|found| {
            let at = known.binary_search_by_key(&found.element.at.start, |(element, _)| element.at.start);
            known.get(at.ok()?)
        });
        if let (Some(found), Some((_, before))) = (found, before)
            && tree.has_nodes_as_read()
            && *before == tree.name
        {
            return Ok(Self::same(found));
        }
        let children = tree.root.iter().map(|root| Self::of(root, read)).collect::<Result<Vec<_>, _>>()?;
        let mut part = Self::new(found, None, children);
        match before {
            Some((_, before)) if *before == tree.name => {}
            Some((element, _)) => part.set(ID, element.value(ID), &tree.name),
            None => {
                let tag = Tag { name: TREE.to_owned(), values: vec![(ID.to_owned(), tree.name.clone())] };
                part.tag = Some((tag.clone(), tag));
            }
        }
        Ok(part)
    }

    /// Returns a node as an element. `read` is what was read in its place.
    pub(super) fn of(node: &'e Arc<Node>, read: Option<&Arc<Node>>) -> Result<Self, String> {
        let found = node.element.as_ref().and_then(Source::found);
        if let Some(found) = found.filter(|_| read.is_some_and(|read| Arc::ptr_eq(read, node))) {
            return Ok(Self::same(found));
        }
        let children = node.children_with(read).map(|(read, child)| Self::of(child, read));
        let children = children.collect::<Result<Vec<_>, _>>()?;
        let tag = if let Some(found @ Found { element, .. }) = found {
            let (at, old) = (element.at.start, Shape::of(element));
            let is_of = |read: &&Arc<Node>| read.element.as_ref().is_some_and(|element| element.is(found.text, at));
            let same = read.filter(is_of).filter(|read| read.head == node.head).map(|_| &old.head);
            let shape = Shape::of_node(node, same)?;
            (shape != old).then(|| (shape.tag(Some(element)), old.tag(Some(element))))
        } else {
            let tag = Shape::of_node(node, None)?.tag(None);
            Some((tag.clone(), tag))
        };
        let mut part = Self::new(found, tag, children);
        for Gone { source, is_begin } in &node.gone {
            let Some(found) = source.found() else { continue };
            if *is_begin {
                let all = comments(near(&found)).chain(comments(first(&found)));
                part.above.splice(0..0, all);
            } else {
                part.below.extend(comments(last(&found)).chain(comments(tail(&found))));
            }
        }
        Ok(part)
    }

    /// Renames trees in models.
    pub(super) fn with_trees(mut self, renamed: &[(&str, &str)]) -> Self {
        let of = self.found.map(|found| found.element).filter(|element| element.name == "SubTree");
        if let Some(id) = of.and_then(|element| element.value(ID))
            && let Some((_, now)) = renamed.iter().find(|(before, _)| *before == id)
        {
            self.set(ID, Some(id), now);
        }
        let inside = self.found.into_iter().flat_map(Found::children).map(Self::same);
        self.children = inside.map(|child| child.with_trees(renamed)).collect();
        self.is_same = self.tag.is_none() && self.children.iter().all(|child| child.is_same);
        self
    }

    /// Names the tree to execute: that of a file with only one need not be named, until there is another.
    pub(super) fn with_main(mut self, only: Option<&str>, renamed: &[(&str, &str)]) -> Self {
        let before = self.found.and_then(|found| found.element.value(MAIN));
        let now = match before {
            Some(before) => renamed.iter().find(|(name, _)| *name == before).map(|(_, now)| *now),
            None => only,
        };
        if let Some(now) = now {
            self.set(MAIN, before, now);
        }
        self
    }

    /// Sets an attribute.
    fn set(&mut self, name: &str, before: Option<&str>, now: &str) {
        let tag = |value: Option<&str>| Tag {
            name: self.found.map_or_else(String::new, |found| found.element.name.clone()),
            values: value.map(|value| (name.to_owned(), value.to_owned())).into_iter().collect(),
        };
        self.tag = Some((tag(Some(now)), tag(before)));
    }

    /// Returns its index among the children of an element.
    pub(super) fn place(&self, olds: &[Found<'_>]) -> Option<usize> {
        let element = self.found?.element;
        let at = olds.binary_search_by_key(&element.at.start, |old| old.element.at.start).ok()?;
        std::ptr::eq(element, olds[at].element).then_some(at)
    }

    /// The space before its lines.
    pub(super) fn indent(&self) -> &'e str {
        self.found.map_or("", |found| found.indent())
    }

    /// Returns whether all of it stays as it was.
    pub(super) fn stays(&self) -> bool {
        let Some(found) = self.found else { return false };
        let is_child = |(part, old): (&Self, Found<'_>)| part.place(&[old]).is_some() && part.stays();
        self.is_same
            || self.tag.is_none()
                && self.above.is_empty()
                && self.below.is_empty()
                && self.children.len() == found.element.children.len()
                && self.children.iter().zip(found.children()).all(is_child)
    }
}
