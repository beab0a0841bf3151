//! A document as the file that it was read from, with its changes.

use std::collections::HashMap;
use std::sync::Arc;

use bt_behavior3::xml::Element;

use super::element::{Shape, Tag};
use super::head::ID;
use super::indent::moved;
use super::read::{TREE, trees};
use super::source::{Found, Texts, line_end};
use crate::edit::node::{Document, Node, Tree};
use crate::file::on_a_thread;

/// The attribute of `<root>` that names the tree to execute.
const MAIN: &str = "main_tree_to_execute";

/// Returns the text of a document.
pub(in crate::edit) fn write(document: &Document) -> Result<String, String> {
    on_a_thread(|| {
        let texts = texts(document)?;
        let (text, root) = texts.file();
        let writer = Writer::new(&texts);
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
pub(in crate::edit) fn copy(document: &Document, nodes: &[&Node]) -> Result<String, String> {
    on_a_thread(|| {
        let texts = texts(document)?;
        let writer = Writer::new(&texts);
        let mut all = Vec::new();
        for node in nodes {
            let part = writer.part(node)?;
            let lead = part.found.map_or("", |found| lead(&found));
            let text =
                moved(&format!("{}{}", lead.trim_start(), writer.text(&part, writer.is_in_lines)), part.indent(), "");
            all.push(text);
        }
        Ok(all.join("\n"))
    })
}

/// Returns the texts of all nodes: first that of the file.
fn texts(document: &Document) -> Result<Texts, String> {
    let nodes = document.trees.iter().flat_map(Tree::nodes);
    let inserted = nodes.filter_map(|node| Some(Arc::clone(&node.element.as_ref()?.text)));
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
}

impl<'e> Part<'e> {
    fn same(found: Found<'e>) -> Self {
        Self { found: Some(found), tag: None, children: found.children().map(Self::same).collect() }
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
        let tag = |value: Option<&str>| {
            let name = (name.to_owned(), value.map(str::to_owned));
            Tag {
                name: self.found.map_or_else(String::new, |found| found.element.name.clone()),
                attributes: name.1.map(|value| (name.0, value)).into_iter().collect(),
            }
        };
        self.tag = Some((tag(Some(now)), tag(before)));
    }

    /// The space before its lines.
    fn indent(&self) -> &'e str {
        self.found.map_or("", |found| found.indent())
    }
}

struct Writer<'e> {
    elements: HashMap<(*const u8, usize), Found<'e>>,
    /// The end of a line.
    line: &'static str,
    /// Whether the file has several lines.
    is_in_lines: bool,
    /// The space by which a child is indented.
    unit: &'e str,
}

impl<'e> Writer<'e> {
    fn new(texts: &'e Texts) -> Self {
        let (text, root) = texts.file();
        let elements = texts.elements();
        let line = match () {
            () if text[root.at.clone()].contains("\r\n") => "\r\n",
            () => "\n",
        };
        let is_in_lines = text[root.at.clone()].contains('\n') || root.children.is_empty();
        let indent = |element: &Element| elements.get(&(text.as_ptr(), element.at.start)).map(Found::indent);
        let unit = root.children.first().and_then(indent).filter(|unit| !unit.is_empty()).unwrap_or("  ");
        Self { elements, line, is_in_lines, unit }
    }

    fn found(&self, text: *const u8, at: usize) -> Option<Found<'e>> {
        self.elements.get(&(text, at)).copied()
    }

    fn tree(&self, tree: &Tree, found: Option<Found<'e>>, known: &[(&Element, String)]) -> Result<Part<'e>, String> {
        let children = tree.root.iter().map(|root| self.part(root)).collect::<Result<Vec<_>, _>>()?;
        let mut part = Part { found, tag: None, children };
        let before = found.and_then(|found| known.iter().find(|(element, _)| element.at == found.element.at));
        match before {
            Some((_, before)) if *before == tree.name => {}
            Some((element, _)) => part.set(ID, element.value(ID), &tree.name),
            None => {
                let attributes = vec![(ID.to_owned(), tree.name.clone())];
                let tag = Tag { name: TREE.to_owned(), attributes };
                part.tag = Some((tag.clone(), tag));
            }
        }
        Ok(part)
    }

    fn part(&self, node: &Node) -> Result<Part<'e>, String> {
        let found = node.element.as_ref().and_then(|source| self.found(source.text.as_ptr(), source.at));
        let children = node.children().map(|child| self.part(child)).collect::<Result<Vec<_>, _>>()?;
        let shape = Shape::of_node(node)?;
        let tag = match found {
            Some(found) if found.is(&shape) => None,
            Some(found) => {
                let before = Shape::of(found.element).tag(Some(found.element), children.len());
                Some((shape.tag(Some(found.element), children.len()), before))
            }
            None => {
                let tag = shape.tag(None, children.len());
                Some((tag.clone(), tag))
            }
        };
        Ok(Part { found, tag, children })
    }

    /// Returns an element as text, in lines that are indented as in its text. The elements in a new one are in one line if that one is.
    fn text(&self, part: &Part<'e>, is_in_lines: bool) -> String {
        let tags = match (&part.tag, part.found) {
            (Some((tag, before)), Some(found)) => tag.tags(before, &found),
            (Some((tag, _)), None) => tag.new_tags(),
            (None, Some(found)) if is_same(part) => return found.source().to_owned(),
            (None, Some(found)) => {
                let same = Tag { name: found.element.name.clone(), attributes: Vec::new() };
                same.tags(&same, &found)
            }
            (None, None) => return String::new(),
        };
        let inside = self.inside(part, is_in_lines);
        let was_empty = part.found.is_some_and(|found| found.element.children.is_empty());
        let is_short = part.found.is_none_or(|found| found.element.inside.is_none() || !was_empty);
        if part.children.is_empty() && is_short && inside.trim().is_empty() {
            format!("{}/>", tags.begin)
        } else {
            format!("{}>{inside}{}", tags.begin, tags.end)
        }
    }

    /// Returns what is between the tags of an element.
    fn inside(&self, part: &Part<'e>, is_in_lines: bool) -> String {
        let olds: Vec<_> = part.found.into_iter().flat_map(Found::children).collect();
        let all = part.found.and_then(|found| Some(&found.text[found.element.inside.clone()?])).unwrap_or_default();
        // What is in the line of the tag belongs to it.
        let first = olds.first().map_or(all, |first| first.before);
        let head = line_end(first).map_or("", |end| &first[..end]);
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
        for child in &part.children {
            let lead = child.found.map_or("", |found| lead(&found));
            let lead = if is_in_lines { lead } else { lead.trim() };
            let text = moved(&format!("{lead}{}", self.text(child, is_in_lines)), child.indent(), &indent);
            if is_in_lines && !text.starts_with(['\n', '\r']) {
                out += self.line;
                out += &indent;
            }
            out += &text;
            out += child.found.map_or("", |found| tail(&found));
        }
        // What is before the last tag stays.
        let rest = match olds.last() {
            Some(last) => &last.after[line_end(last.after).unwrap_or(0)..],
            None => &all[head.len()..],
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

/// Returns what is before an element from the next line on: comments, and space.
fn lead<'e>(found: &Found<'e>) -> &'e str {
    &found.before[line_end(found.before).unwrap_or(0)..]
}

/// Returns what is behind an element in its line.
fn tail<'e>(found: &Found<'e>) -> &'e str {
    line_end(found.after).map_or("", |end| &found.after[..end])
}

/// Returns whether all is as it was.
fn is_same(part: &Part<'_>) -> bool {
    let Some(found) = part.found else { return false };
    let is_child = |(part, old): (&Part<'_>, Found<'_>)| {
        let is_there = |found: Found<'_>| std::ptr::eq(found.element, old.element);
        part.found.is_some_and(is_there) && is_same(part)
    };
    part.tag.is_none()
        && part.children.len() == found.element.children.len()
        && part.children.iter().zip(found.children()).all(is_child)
}
