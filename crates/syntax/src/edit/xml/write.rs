//! A document as the file that it was read from, with its changes.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bt_behavior3::xml::Element;

use super::around::{behind_tag, far, has_line_end, last, lead, near, tail};
use super::element::Tag;
use super::indent::moved;
use super::part::Part;
use super::read::{TREE, trees};
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
            (None, Some(found)) if part.stays() => return found.source().to_owned(),
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
            Some(first) => has_line_end(first.before),
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
        let mut previous = None;
        for (child, at) in part.children.iter().zip(places) {
            // What was in one line with the element before it stays there.
            let before = previous.replace(at);
            let is_behind = at.and_then(|at| at.checked_sub(1)).is_some_and(|old| before == Some(Some(old)));
            while let Some(gone) = gone.next_if(|gone| *gone < at.unwrap_or(0)) {
                out += far(&olds[gone]);
            }
            let is_in_place = at.is_some_and(|at| std::mem::take(&mut left[at]));
            let found = child.found.as_ref();
            let lead =
                found.map_or("", |found| if is_in_place || self.is_gone(found) { lead(found) } else { near(found) });
            let lead = if is_in_lines { lead } else { lead.trim() };
            // Behind another element in its line, a comment belongs to that.
            let is_after = !is_in_lines && !is_in_place && before.is_some();
            let text = format!("{}{}", if is_after { "" } else { lead }, self.text(child, is_in_lines));
            let text = if is_in_place { text } else { moved(&text, child.indent(), &indent) };
            let own_line = if is_in_lines { format!("{}{indent}", self.line) } else { String::new() };
            let above = child.above.iter().flat_map(|comment| [&*own_line, comment]);
            if is_after {
                out.extend([&*text, lead]);
                out.extend(above);
            } else {
                out.extend(above);
                if is_in_lines && !(is_behind && is_in_place) && !text.starts_with(['\n', '\r']) {
                    out += &own_line;
                }
                out += &text;
            }
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
