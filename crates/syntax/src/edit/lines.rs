//! The lines of a tree that are written anew: those of nodes that are not as they were read. All others stay as they are in the file.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, MutexGuard, PoisonError};

use super::before::Before;
use super::document::Document;
use super::edits::Edits;
use super::item::nodes_of;
use super::node::{List, Node, Open, Style, Tree};
use super::order::longest;
use super::print;
use super::written::{Known, Place, Written};
use crate::format::comment::indentation;
use crate::format::format_children;
use crate::format::item as format;

/// Writes the lines of a document, and knows those that were written for it, or for a version of it, before.
pub(super) struct Writer<'d> {
    text: &'d str,
    document: &'d Document,
    before: MutexGuard<'d, Written>,
    now: Known,
}

impl<'d> Writer<'d> {
    /// Returns a writer of a document, which was read from a text.
    pub(super) fn new(document: &'d Document, text: &'d str) -> Self {
        let before = document.written.lock().unwrap_or_else(PoisonError::into_inner);
        Self { text, document, before, now: Known::default() }
    }

    /// Returns what changes the lines of a tree. `None` if all of it has to be written.
    pub(super) fn edits(&mut self, tree: &Tree) -> Option<Edits> {
        let read = tree.around.read.as_ref().filter(|read| tree.around.is_like(&read.around))?;
        let edits = self.header(tree, read)?;
        let mut lines = Lines { edits, writer: self };
        let is_written = lines.node(read.root.as_ref()?, tree.root.as_ref()?, None);
        is_written.then_some(lines.edits)
    }

    /// Returns what changes the name, the title and the properties of a tree in a text. `None` if its node may be divided into lines in another way then.
    fn header(&self, tree: &Tree, read: &Tree) -> Option<Edits> {
        let mut edits = Edits::default();
        if tree.is_named_as(read) {
            return Some(edits);
        }
        let (place, old, new) = (tree.around.place.clone()?, print::header(read), print::header(tree));
        let body = self.text[place.clone()].strip_prefix(&*old)?.split_whitespace().collect::<Vec<_>>().join(" ");
        // As in one line, without the commas at the ends of lists.
        let length = body.replace(", }", " }").replace(", >", " >").chars().count();
        let fits = |head: &str| head.chars().count() + 1 + length <= self.document.width;
        let stays = fits(&old) == fits(&new);
        edits.replace(place.start..place.start + old.len(), new);
        stays.then_some(edits)
    }

    /// Returns the lines of nodes; `None` if they cannot be written alone.
    fn lines(&mut self, nodes: &[Arc<Node>], how: (usize, bool), of: &Node, open: Open) -> Option<String> {
        let place: Place = (nodes.first().map_or(0, |first| Arc::as_ptr(first).addr()), how, open, self.document.width);
        let is_same = |(old, _): &(Vec<Arc<Node>>, _)| {
            old.len() == nodes.len() && old.iter().zip(nodes).all(|(old, node)| Arc::ptr_eq(old, node))
        };
        let known = self.before.lines.remove(&place).filter(is_same);
        let known = known.unwrap_or_else(|| (nodes.to_vec(), self.formatted(nodes, how, self.list_of(Some(of), open))));
        self.now.entry(place).insert_entry(known).get().1.clone()
    }

    /// Returns nodes of a list as lines, if they are read as what they are.
    fn formatted(&self, nodes: &[Arc<Node>], how: (usize, bool), list: format::List) -> Option<String> {
        let style = self.document.style();
        let nodes = print::nodes(nodes.iter().map(|node| &**node), style);
        let lines = format_children(&format!("\n{nodes}"), list, how, self.document.width)?;
        let read = print::nodes(&nodes_of(&lines, list).ok()?.nodes, style);
        let is_same = read.split_whitespace().flat_map(str::chars).eq(nodes.split_whitespace().flat_map(str::chars));
        is_same.then(|| lines.trim_end_matches('\n').to_owned())
    }

    /// Returns the list of a node in these delimiters; without a node, that of a root.
    fn list_of(&self, of: Option<&Node>, open: Open) -> format::List {
        format::List {
            is_in_angles: open == Open::Angle,
            is_match: of.is_some_and(|of| Before::of(of, self.document.style()) == Before::Patterns),
            ..format::List::default()
        }
    }

    fn is_end_of_line(&self, at: usize) -> bool {
        self.text[at..].trim_start_matches([' ', '\t']).starts_with('\n')
    }

    /// Returns the indentation of the first line with text after an index, and whether it has tabs.
    fn indentation(&self, at: usize) -> (usize, bool) {
        let before = self.text.len() - self.text[at..].trim_start().len();
        let line = &self.text[self.text[..before].rfind('\n').map_or(0, |end| end + 1)..];
        let (indent, count) = indentation(line);
        (indent, line[..count].contains('\t'))
    }
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        self.before.lines = std::mem::take(&mut self.now);
    }
}

/// The lines of a tree.
struct Lines<'w, 'd> {
    edits: Edits,
    writer: &'w mut Writer<'d>,
}

/// Children that were next to each other, and those that are in their place now.
type Run = (Range<usize>, Range<usize>);

impl Lines<'_, '_> {
    /// Writes what has changed in a node that is in a list `around`, and below it. Returns `false` if all lines of the node have to be written.
    fn node(&mut self, old: &Arc<Node>, new: &Arc<Node>, around: Option<(&Node, Open)>) -> bool {
        if Arc::ptr_eq(old, new) {
            return true;
        }
        let before = self.edits.len();
        let is_begun = old.is_like(new) || self.begin(old, new, around).is_some();
        let mut lists = old.lists.iter().zip(&new.lists);
        let is_written = is_begun && lists.all(|(old_list, list)| self.list(old, old_list, list));
        if !is_written {
            self.edits.truncate(before);
        }
        is_written
    }

    /// Writes the lines of a node before its children, if only these have changed, and the children are in lines of their own.
    fn begin(&mut self, old: &Node, new: &Node, around: Option<(&Node, Open)>) -> Option<()> {
        let ([old_list], [list]) = (&old.lists[..], &new.lists[..]) else { return None };
        let is_comment = self.is_comment(old) || self.is_comment(new);
        let has_same_end = (&old.tail, &old.behind, &old_list.end) == (&new.tail, &new.behind, &list.end);
        let has_same_list =
            (&old_list.before, old_list.open, &old_list.begin) == (&list.before, list.open, &list.begin);
        if is_comment || !has_same_end || !has_same_list || list.open == Open::Not || list.children.is_empty() {
            return None;
        }
        let end = old_list.children.first()?.lines.as_ref()?.start;
        let has_same_comments = old.above == new.above;
        let start = if has_same_comments { old.at?.0 } else { around.and(old.lines.as_ref())?.start };
        let is_in_lines = self.writer.is_end_of_line(end) && (has_same_comments || self.writer.is_end_of_line(start));
        if !is_in_lines || self.may_be_one_line(old, old_list, list, &[]) {
            return None;
        }
        // A comment keeps the list in lines of its own: three, with that of its end.
        let child = Node { head: "x".to_owned(), above: vec!["// x".to_owned()], ..Node::default() };
        let list = List { children: vec![Arc::new(child)], end: Vec::new(), ..list.clone() };
        let above = if has_same_comments { Vec::new() } else { new.above.clone() };
        let node = Node { above, behind: String::new(), tail: String::new(), lists: vec![list], ..new.clone() };
        let how = self.writer.indentation(old.at?.0);
        let of = around.map_or(format::List::default(), |(of, open)| self.writer.list_of(Some(of), open));
        let lines = self.writer.formatted(&[Arc::new(node)], how, of)?;
        let begin = lines.rsplitn(4, '\n').nth(3)?;
        self.edits.replace(start..end, if has_same_comments { begin.trim_start() } else { begin }.to_owned());
        Some(())
    }

    fn list(&mut self, of: &Node, old: &List, new: &List) -> bool {
        let (before, now) = (&old.children, &new.children);
        // Those that are written anew, between those that stay.
        let mut runs: Vec<Run> = Vec::new();
        let mut add = |at: Range<usize>, by: Range<usize>| match runs.last_mut() {
            Some((places, nodes)) if places.end == at.start => (places.end, nodes.end) = (at.end, by.end),
            _ => runs.push((at, by)),
        };
        let (mut at, mut by) = (0, 0);
        for (old_at, new_at) in stay(before, now).into_iter().chain([(before.len(), now.len())]) {
            if at < old_at || by < new_at {
                add(at..old_at, by..new_at);
            }
            if old_at < before.len() && !self.node(&before[old_at], &now[new_at], Some((of, old.open))) {
                add(old_at..old_at + 1, new_at..new_at + 1);
            }
            (at, by) = (old_at + 1, new_at + 1);
        }
        if runs.is_empty() {
            return true;
        }
        let Some(written) = runs.iter().map(|run| self.run(of, old, new, run)).collect::<Option<Vec<_>>>() else {
            return false;
        };
        if new.children.is_empty() || self.may_be_one_line(of, old, new, &written) {
            return false;
        }
        for (place, lines) in written {
            self.edits.replace(place, lines);
        }
        true
    }

    /// Returns the place of children in a list, and the lines that replace theirs. `None` if other text is in these lines.
    fn run(&mut self, of: &Node, old: &List, new: &List, (at, by): &Run) -> Option<(Range<usize>, String)> {
        let place = |index: usize| old.children.get(index)?.lines.clone();
        let end_before = |index: usize| Some(place(index.checked_sub(1)?)?.end);
        let start = place(at.start).map(|first| first.start).or_else(|| end_before(at.start))?;
        let end = if at.is_empty() { start } else { end_before(at.end)? };
        if !self.writer.is_end_of_line(start) || !self.writer.is_end_of_line(end) {
            return None;
        }
        // They are indented as what is there, or before it.
        let how = self.writer.indentation(place(at.start).or_else(|| place(at.start.checked_sub(1)?))?.start);
        let lines = self.writer.lines(&new.children[by.clone()], how, of, old.open)?;
        Some((start..end, lines))
    }

    /// Returns `true` if the children of a node that were not may be in one line with it now, with these changes.
    fn may_be_one_line(&self, of: &Node, old: &List, new: &List, written: &[(Range<usize>, String)]) -> bool {
        let has_comment =
            |child: &Arc<Node>| !child.above.is_empty() || !child.behind.is_empty() || self.is_comment(child);
        if !new.begin.is_empty() || !new.end.is_empty() || new.children.iter().any(has_comment) {
            return false;
        }
        let (text, width) = (self.writer.text, self.writer.document.width);
        let place = |child: Option<&Arc<Node>>| child.and_then(|child| child.lines.clone()).unwrap_or_default();
        let (mut from, mut parts) = (place(old.children.first()).start, Vec::new());
        for (place, lines) in written {
            parts.extend([&text[from..place.start], lines]);
            from = place.end;
        }
        parts.push(&text[from..place(old.children.last()).end]);
        let signs = parts.iter().flat_map(|part| part.chars()).filter(|sign| !sign.is_whitespace());
        if signs.take(width + 1).count() > width {
            return false;
        }
        // What was not formatted stays so.
        let was = Node { above: Vec::new(), behind: String::new(), ..of.clone() };
        let how = of.at.map_or((0, false), |(begin, _)| self.writer.indentation(begin));
        let formatted = self.writer.formatted(&[Arc::new(was)], how, format::List::default());
        formatted.is_none_or(|lines| lines.trim().contains('\n'))
    }

    /// Returns `true` for a node that is written as a comment.
    fn is_comment(&self, node: &Node) -> bool {
        node.disabled && self.writer.document.style() == Style::Source
    }
}

/// Returns the indices of children that stay, before and now: as many as possible in the same order.
fn stay(before: &[Arc<Node>], now: &[Arc<Node>]) -> Vec<(usize, usize)> {
    let is_same = |(before, now): &(&Arc<Node>, &Arc<Node>)| before.id == now.id;
    let first = before.iter().zip(now).take_while(is_same).count();
    let last = before[first..].iter().rev().zip(now[first..].iter().rev()).take_while(is_same).count();
    let (end, new_end) = (before.len() - last, now.len() - last);
    let known: HashMap<u32, usize> = (first..end).map(|at| (before[at].id, at)).collect();
    let found: Vec<_> = (first..new_end).filter_map(|by| Some((*known.get(&now[by].id)?, by))).collect();
    let in_order = longest(&found.iter().map(|(at, _)| *at).collect::<Vec<_>>());
    let middle = found.into_iter().enumerate().filter(|(index, _)| in_order.contains(index)).map(|(_, pair)| pair);
    let mut all: Vec<_> = (0..first).zip(0..).chain(middle).chain((end..before.len()).zip(new_end..)).collect();
    // The last child may have no comma.
    all.pop_if(|(at, by)| *at + 1 == before.len() && *by + 1 < now.len());
    all
}
