//! A document as the file that it was read from, with its changes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bt_behavior3::xml::Element;

use super::around::{behind_tag, comments, far, first, last, lead, near, tail};
use super::element::{Shape, Tag};
use super::head::ID;
use super::indent::moved;
use super::place::Gone;
use super::read::{MAIN, TREE, trees};
use super::source::{Found, Texts};
use crate::edit::document::Document;
use crate::edit::node::{Node, Tree};
use crate::file::on_a_thread;

/// Returns the text of a document.
pub(in crate::edit) fn write(document: &Document) -> Result<String, String> {
    on_a_thread(|| {
        let texts = texts(document)?;
        let (text, root) = texts.file();
        let writer = Writer::new(&texts, document);
        let known = trees(root);
        let renamed: Vec<_> = known
            .iter()
            .filter_map(|(element, name)| Some((&**name, &*kept(document, element)?.name)))
            .filter(|(before, now)| before != now)
            .collect();
        let found = writer.found(text.as_ptr(), root.at.start).ok_or("the file has no root")?;
        let mut parts = Vec::new();
        for child in found.children() {
            match (child.element.name.as_str(), kept(document, child.element)) {
                (TREE, Some(tree)) if tree.broken.is_none() => parts.push(writer.tree(tree, Some(child), &known)?),
                (TREE, None) => {}
                _ => parts.push(Part::same(child).with_trees(&renamed)),
            }
        }
        let is_tree = |part: &Part<'_>| part.found.is_some_and(|found| found.element.name == TREE);
        let end = parts.iter().rposition(is_tree).map_or(parts.len(), |last| last + 1);
        let new = document.trees.iter().filter(|tree| tree.around.place.is_none());
        let new = new.map(|tree| writer.tree(tree, None, &known)).collect::<Result<Vec<_>, _>>()?;
        parts.splice(end..end, new);
        let whole = Part { children: parts, ..Part::same(found) }.with_main(document, &known, &renamed);
        let written = writer.text(&whole, writer.is_in_lines);
        let written = format!("{}{written}{}", &text[..root.at.start], &text[root.at.end..]);
        // What was inserted has other ends of lines.
        let has_returns = text.matches("\r\n").count() == text.matches('\n').count();
        Ok(if writer.line == "\r\n" && has_returns {
            written.replace("\r\n", "\n").replace('\n', "\r\n")
        } else {
            written
        })
    })
}

/// Returns nodes as text, each with the comments that belong to it.
pub(in crate::edit) fn copy(document: &Document, nodes: &[&Arc<Node>]) -> Result<String, String> {
    on_a_thread(|| {
        let texts = texts(document)?;
        let writer = Writer::new(&texts, document);
        let mut all = Vec::new();
        for node in nodes {
            let part = writer.part(node, None)?;
            let lead = part.found.map_or("", |found| near(&found));
            let text =
                moved(&format!("{}{}", lead.trim_start(), writer.text(&part, writer.is_in_lines)), part.indent(), "");
            all.push(text);
        }
        Ok(all.join("\n"))
    })
}

/// Returns the texts of all nodes: first that of the file.
fn texts(document: &Document) -> Result<Texts, String> {
    let sources =
        document.nodes().flat_map(|node| node.element.iter().chain(node.gone.iter().map(|gone| &gone.source)));
    let inserted = sources.map(|source| Arc::clone(&source.text));
    Texts::read(std::iter::once(Arc::clone(&document.source)).chain(inserted))
}

/// Returns the tree of an element, unless it was removed.
fn kept<'d>(document: &'d Document, element: &Element) -> Option<&'d Tree> {
    document.trees.iter().find(|tree| tree.around.place.as_ref() == Some(&element.at))
}

/// An element as it is written.
struct Part<'e> {
    /// Where it was in a text; `None` if it is new.
    found: Option<Found<'e>>,
    /// The tag, and what it was in the text; `None` if it stays.
    tag: Option<(Tag, Tag)>,
    children: Vec<Part<'e>>,
    /// The comments of nodes in whose place it is.
    above: Vec<&'e str>,
    below: Vec<&'e str>,
}

impl<'e> Part<'e> {
    const fn new(found: Option<Found<'e>>, tag: Option<(Tag, Tag)>, children: Vec<Self>) -> Self {
        Self { found, tag, children, above: Vec::new(), below: Vec::new() }
    }

    fn same(found: Found<'e>) -> Self {
        Self::new(Some(found), None, found.children().map(Self::same).collect())
    }

    /// Renames trees in models.
    fn with_trees(mut self, renamed: &[(&str, &str)]) -> Self {
        let of = self.found.map(|found| found.element).filter(|element| element.name == "SubTree");
        if let Some(id) = of.and_then(|element| element.value(ID))
            && let Some((_, now)) = renamed.iter().find(|(before, _)| *before == id)
        {
            self.set(ID, Some(id), now);
        }
        self.children = self.children.into_iter().map(|child| child.with_trees(renamed)).collect();
        self
    }

    /// Names the tree to execute: a file of one tree need not.
    fn with_main(mut self, document: &Document, known: &[(&Element, String)], renamed: &[(&str, &str)]) -> Self {
        let before = self.found.and_then(|found| found.element.value(MAIN));
        let now = match before {
            Some(before) => renamed.iter().find(|(name, _)| *name == before).map(|(_, now)| *now),
            None if known.len() == 1 && document.trees.len() > 1 => {
                kept(document, known[0].0).map(|tree| tree.name.as_str())
            }
            None => None,
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

    /// Returns whether it is an element of a text.
    fn is(&self, old: &Found<'_>) -> bool {
        self.found.is_some_and(|found| std::ptr::eq(found.element, old.element))
    }

    /// The space before its lines.
    fn indent(&self) -> &'e str {
        self.found.map_or("", |found| found.indent())
    }
}

struct Writer<'e> {
    elements: HashMap<(*const u8, usize), Found<'e>>,
    /// The elements that are nodes and trees.
    nodes: HashSet<(*const u8, usize)>,
    /// The end of a line.
    line: &'static str,
    /// Whether the file has several lines.
    is_in_lines: bool,
    /// The space by which a child is indented.
    unit: &'e str,
}

impl<'e> Writer<'e> {
    fn new(texts: &'e Texts, document: &Document) -> Self {
        let (text, root) = texts.file();
        let places = document.trees.iter().filter_map(|tree| tree.around.place.as_ref());
        let nodes = document.nodes().filter_map(|node| node.element.as_ref());
        let nodes = nodes.map(|source| (source.text.as_ptr(), source.at));
        let nodes = nodes.chain(places.map(|place| (text.as_ptr(), place.start))).collect();
        let elements = texts.elements();
        let line = if text[root.at.clone()].contains("\r\n") { "\r\n" } else { "\n" };
        let is_in_lines = text[root.at.clone()].contains('\n') || root.children.is_empty();
        let indent = |element: &Element| elements.get(&(text.as_ptr(), element.at.start)).map(Found::indent);
        let unit = root.children.first().and_then(indent).filter(|unit| !unit.is_empty()).unwrap_or("  ");
        Self { elements, nodes, line, is_in_lines, unit }
    }

    fn found(&self, text: *const u8, at: usize) -> Option<Found<'e>> {
        self.elements.get(&(text, at)).copied()
    }

    /// Returns whether the element that an element was in is no node any more.
    fn is_gone(&self, found: &Found<'_>) -> bool {
        !self.nodes.contains(&(found.text.as_ptr(), found.parent))
    }

    fn tree(&self, tree: &Tree, found: Option<Found<'e>>, known: &[(&Element, String)]) -> Result<Part<'e>, String> {
        let read = tree.around.read.as_ref().and_then(|read| read.root.as_ref());
        let children = tree.root.iter().map(|root| self.part(root, read)).collect::<Result<Vec<_>, _>>()?;
        let mut part = Part::new(found, None, children);
        let before = found.and_then(|found| known.iter().find(|(element, _)| element.at == found.element.at));
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
    fn part(&self, node: &Arc<Node>, read: Option<&Arc<Node>>) -> Result<Part<'e>, String> {
        let found = node.element.as_ref().and_then(|source| self.found(source.text.as_ptr(), source.at));
        if let Some(found) = found.filter(|_| read.is_some_and(|read| Arc::ptr_eq(read, node))) {
            return Ok(Part::same(found));
        }
        let children = node.children_with(read).map(|(read, child)| self.part(child, read));
        let children = children.collect::<Result<Vec<_>, _>>()?;
        let shape = Shape::of_node(node)?;
        let tag = match found {
            Some(found) if found.is(&shape) => None,
            Some(found) => {
                let before = Shape::of(found.element).tag(Some(found.element));
                Some((shape.tag(Some(found.element)), before))
            }
            None => {
                let tag = shape.tag(None);
                Some((tag.clone(), tag))
            }
        };
        let mut part = Part::new(found, tag, children);
        for Gone { source, is_begin } in &node.gone {
            let Some(found) = self.found(source.text.as_ptr(), source.at) else { continue };
            if *is_begin {
                let all = comments(near(&found)).chain(comments(first(&found)));
                part.above.splice(0..0, all);
            } else {
                part.below.extend(comments(last(&found)).chain(comments(tail(&found))));
            }
        }
        Ok(part)
    }

    /// Returns an element as text, in lines that are indented as in its text. The elements in a new one are in one line if that one is.
    fn text(&self, part: &Part<'e>, is_in_lines: bool) -> String {
        let tags = match (&part.tag, part.found) {
            (Some((tag, before)), Some(found)) => tag.tags(before, &found),
            (Some((tag, _)), None) => tag.new_tags(),
            (None, Some(found)) if is_same(part) => return found.source().to_owned(),
            (None, Some(found)) => {
                let same = Tag::new(&found.element.name);
                same.tags(&same, &found)
            }
            (None, None) => return String::new(),
        };
        let inside = self.inside(part, is_in_lines);
        let was_empty = part.found.is_some_and(|found| found.element.children.is_empty());
        let is_short = part.found.is_none_or(|found| found.element.inside.is_none() || !was_empty);
        if part.children.is_empty() && is_short && inside.trim().is_empty() {
            return format!("{}/>", tags.begin);
        }
        let was_short = part.found.is_some_and(|found| found.element.inside.is_none());
        let begin = if was_short { tags.begin.trim_end() } else { &tags.begin };
        format!("{begin}>{inside}{}", tags.end)
    }

    /// Returns what is between the tags of an element.
    fn inside(&self, part: &Part<'e>, is_in_lines: bool) -> String {
        let olds: Vec<_> = part.found.into_iter().flat_map(Found::children).collect();
        let all = part.found.and_then(|found| Some(&found.text[found.element.inside.clone()?])).unwrap_or_default();
        let head = part.found.as_ref().map_or("", behind_tag);
        let is_in_lines = match olds.first() {
            Some(first) => first.before.contains('\n'),
            None => is_in_lines,
        };
        let own = part.indent();
        let indent = match olds.first() {
            Some(first) => first.indent().to_owned(),
            None => format!("{own}{}", self.unit),
        };
        let mut out = head.to_owned();
        // The children that are not written yet: comments that do not belong to one that has gone stay.
        let mut left: Vec<_> = olds.iter().map(|old| Some(*old)).collect();
        let is_kept = |old: &Found<'_>| part.children.iter().any(|child| child.is(old));
        for child in &part.children {
            let at = olds.iter().position(|old| child.is(old));
            for old in left.iter_mut().take(at.unwrap_or(0)).filter_map(|old| old.take_if(|old| !is_kept(old))) {
                out += far(&old);
            }
            let is_in_place = at.is_some_and(|at| left[at].take().is_some());
            let found = child.found.as_ref();
            let lead =
                found.map_or("", |found| if is_in_place || self.is_gone(found) { lead(found) } else { near(found) });
            let lead = if is_in_lines { lead } else { lead.trim() };
            let text = format!("{lead}{}", self.text(child, is_in_lines));
            let text = if is_in_place { text } else { moved(&text, child.indent(), &indent) };
            let own_line = if is_in_lines { format!("{}{indent}", self.line) } else { String::new() };
            out.extend(child.above.iter().flat_map(|comment| [&*own_line, comment]));
            if is_in_lines && !text.starts_with(['\n', '\r']) {
                out += &own_line;
            }
            out += &text;
            out += found.map_or("", tail);
            out.extend(child.below.iter().flat_map(|comment| [&*own_line, comment]));
        }
        out.extend(left.iter().flatten().filter(|old| !is_kept(old)).map(far));
        // What is before the last tag stays.
        let rest = match &part.found {
            Some(found) if !olds.is_empty() => last(found),
            _ => &all[head.len()..],
        };
        if part.found.is_some() && !(olds.is_empty() && rest.is_empty()) {
            out += rest;
        } else if is_in_lines && !part.children.is_empty() {
            out += self.line;
            out += own;
        }
        out
    }
}

/// Returns whether all is as it was.
fn is_same(part: &Part<'_>) -> bool {
    let Some(found) = part.found else { return false };
    let is_child = |(part, old): (&Part<'_>, Found<'_>)| part.is(&old) && is_same(part);
    part.tag.is_none()
        && part.above.is_empty()
        && part.below.is_empty()
        && part.children.len() == found.element.children.len()
        && part.children.iter().zip(found.children()).all(is_child)
}

#[cfg(test)]
impl super::place::Source {
    /// Returns the element with the comments that belong to it.
    pub(in crate::edit) fn with_comments(&self) -> String {
        let texts = Texts::read([Arc::clone(&self.text)]).expect("it is XML");
        let found = texts.elements()[&(self.text.as_ptr(), self.at)];
        format!("{}{}{}", near(&found), found.source(), tail(&found))
    }
}
