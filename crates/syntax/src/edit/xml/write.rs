//! A document as the file that it was read from, with its changes.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bt_behavior3::xml::Element;

use super::around::{behind_tag, comments, far, first, last, lead, near, tail};
use super::element::{Shape, Tag};
use super::head::ID;
use super::indent::moved;
use super::place::{Gone, Source};
use super::read::{MAIN, TREE, trees};
use super::source::Found;
use crate::edit::document::Document;
use crate::edit::node::{Node, Tree};
use crate::file::on_a_thread;

/// Returns the text of a document.
pub(in crate::edit) fn write(document: &Document) -> Result<String, String> {
    on_a_thread(|| {
        let found = root(document)?;
        let (text, root) = (found.text, found.element);
        let (writer, known) = (Writer::new(found, document), trees(root));
        let places = document.trees.iter().filter_map(|tree| Some((tree.around.place.as_ref()?.start, tree)));
        let places: HashMap<usize, &Tree> = places.collect();
        let kept = |element: &Element| places.get(&element.at.start).copied();
        let renamed: Vec<_> = known
            .iter()
            .filter_map(|(element, name)| Some((&**name, &*kept(element)?.name)))
            .filter(|(before, now)| before != now)
            .collect();
        let mut parts = Vec::new();
        for child in found.children() {
            match (child.element.name.as_str(), kept(child.element)) {
                (TREE, Some(tree)) if tree.broken.is_none() => parts.push(Part::of_tree(tree, Some(child), &known)?),
                (TREE, None) => {}
                _ => parts.push(Part::same(child).with_trees(&renamed)),
            }
        }
        let is_tree = |part: &Part<'_>| part.found.is_some_and(|found| found.element.name == TREE);
        let end = parts.iter().rposition(is_tree).map_or(parts.len(), |last| last + 1);
        let new = document.trees.iter().filter(|tree| tree.around.place.is_none());
        let new = new.map(|tree| Part::of_tree(tree, None, &known)).collect::<Result<Vec<_>, _>>()?;
        parts.splice(end..end, new);
        let first = known.first().and_then(|(element, _)| kept(element)).filter(|_| document.trees.len() > 1);
        let is_only = known.len() == 1;
        let main = first.filter(|_| is_only).map(|tree| tree.name.as_str());
        let whole = Part::new(Some(found), None, parts).with_main(main, &renamed);
        let written = writer.text(&whole, writer.is_in_lines);
        let written = format!("{}{written}{}", &text[..root.at.start], &text[root.at.end..]);
        // What was inserted has other ends of lines.
        let has_returns = || text.matches("\r\n").count() == text.matches('\n').count();
        Ok(if writer.line == "\r\n" && has_returns() {
            written.replace("\r\n", "\n").replace('\n', "\r\n")
        } else {
            written
        })
    })
}

/// Returns nodes as text, each with the comments that belong to it.
pub(in crate::edit) fn copy(document: &Document, nodes: &[&Arc<Node>]) -> Result<String, String> {
    on_a_thread(|| {
        let writer = Writer::new(root(document)?, document);
        let mut all = Vec::new();
        for node in nodes {
            let part = Part::of(node, None)?;
            let lead = part.found.map_or("", |found| near(&found));
            let text =
                moved(&format!("{}{}", lead.trim_start(), writer.text(&part, writer.is_in_lines)), part.indent(), "");
            all.push(text);
        }
        Ok(all.join("\n"))
    })
}

/// Returns the root of the file.
fn root(document: &Document) -> Result<Found<'_>, String> {
    Found::root(&document.source).map_err(|error| error.to_string())
}

/// An element as it is written.
struct Part<'e> {
    /// Where it was in a text; `None` if it is new.
    found: Option<Found<'e>>,
    /// The tag, and what it was in the text; `None` if it stays.
    tag: Option<(Tag, Tag)>,
    /// Whether it stays with all that is in it, which is not listed then.
    is_same: bool,
    children: Vec<Part<'e>>,
    /// The comments of nodes in whose place it is.
    above: Vec<&'e str>,
    below: Vec<&'e str>,
}

impl<'e> Part<'e> {
    const fn new(found: Option<Found<'e>>, tag: Option<(Tag, Tag)>, children: Vec<Self>) -> Self {
        Self { found, tag, is_same: false, children, above: Vec::new(), below: Vec::new() }
    }

    fn same(found: Found<'e>) -> Self {
        Self { is_same: true, ..Self::new(Some(found), None, Vec::new()) }
    }

    fn of_tree(tree: &'e Tree, found: Option<Found<'e>>, known: &[(&Element, String)]) -> Result<Self, String> {
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
    fn of(node: &'e Arc<Node>, read: Option<&Arc<Node>>) -> Result<Self, String> {
        let found = node.element.as_ref().and_then(Source::found);
        if let Some(found) = found.filter(|_| read.is_some_and(|read| Arc::ptr_eq(read, node))) {
            return Ok(Self::same(found));
        }
        let children = node.children_with(read).map(|(read, child)| Self::of(child, read));
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
    fn with_trees(mut self, renamed: &[(&str, &str)]) -> Self {
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
    fn with_main(mut self, only: Option<&str>, renamed: &[(&str, &str)]) -> Self {
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
    fn place(&self, olds: &[Found<'_>]) -> Option<usize> {
        let element = self.found?.element;
        let at = olds.binary_search_by_key(&element.at.start, |old| old.element.at.start).ok()?;
        std::ptr::eq(element, olds[at].element).then_some(at)
    }

    /// The space before its lines.
    fn indent(&self) -> &'e str {
        self.found.map_or("", |found| found.indent())
    }
}

struct Writer<'e> {
    document: &'e Document,
    /// The elements that are nodes and trees.
    nodes: OnceCell<HashSet<(*const u8, usize)>>,
    /// The end of a line.
    line: &'static str,
    /// Whether the file has several lines.
    is_in_lines: bool,
    /// The space by which a child is indented.
    unit: &'e str,
}

impl<'e> Writer<'e> {
    fn new(root: Found<'e>, document: &'e Document) -> Self {
        let line = if root.source().contains("\r\n") { "\r\n" } else { "\n" };
        let is_in_lines = root.source().contains('\n') || root.element.children.is_empty();
        let indent = root.children().next().map(|first| first.indent());
        let unit = indent.filter(|unit| !unit.is_empty()).unwrap_or("  ");
        Self { document, nodes: OnceCell::new(), line, is_in_lines, unit }
    }

    /// Returns whether the element that an element was in is no node any more.
    fn is_gone(&self, found: &Found<'_>) -> bool {
        let nodes = self.nodes.get_or_init(|| {
            let Document { source, trees, .. } = self.document;
            let places = trees.iter().filter_map(|tree| tree.around.place.as_ref());
            let nodes = self.document.nodes().filter_map(|node| node.element.as_ref());
            let nodes = nodes.map(|source| (source.text.as_ptr(), source.at));
            nodes.chain(places.map(|place| (source.as_ptr(), place.start))).collect()
        });
        !nodes.contains(&(found.text.as_ptr(), found.parent))
    }

    /// Returns an element as text, in lines that are indented as in its text. The elements in a new one are in one line if that one is.
    fn text(&self, part: &Part<'e>, is_in_lines: bool) -> String {
        let tags = match (&part.tag, part.found) {
            (Some((tag, before)), Some(found)) => tag.tags(before, &found),
            (Some((tag, _)), None) => tag.new_tags(),
            (None, Some(found)) if part.is_same || is_same(part) => return found.source().to_owned(),
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
        let places: Vec<_> = part.children.iter().map(|child| child.place(&olds)).collect();
        // The children that are not written yet, and those that have gone: comments that do not belong to one of these stay.
        let (mut left, mut gone): (Vec<_>, _) = (vec![false; olds.len()], vec![true; olds.len()]);
        for at in places.iter().flatten() {
            (left[*at], gone[*at]) = (true, false);
        }
        let mut gone = gone.into_iter().enumerate().filter(|(_, is_gone)| *is_gone).map(|(at, _)| at).peekable();
        for (child, at) in part.children.iter().zip(places) {
            while let Some(gone) = gone.next_if(|gone| *gone < at.unwrap_or(0)) {
                out += far(&olds[gone]);
            }
            let is_in_place = at.is_some_and(|at| std::mem::take(&mut left[at]));
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
        out.extend(gone.map(|gone| far(&olds[gone])));
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
    let is_child =
        |(part, old): (&Part<'_>, Found<'_>)| part.place(&[old]).is_some() && (part.is_same || is_same(part));
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
        let found = self.found().expect("it is XML");
        format!("{}{}{}", near(&found), found.source(), tail(&found))
    }
}
