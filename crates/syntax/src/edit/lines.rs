//! The lines of a tree that are written anew: those of nodes that are not as they were read. All others stay as they are in the file.

use std::ops::Range;
use std::sync::{Arc, MutexGuard, PoisonError};

use super::before::Before;
use super::document::Document;
use super::edits::Edits;
use super::item::nodes_of;
use super::node::{List, Node, Open, Tree};
use super::print;
use super::written::{Place, Written};
use crate::format::comment::indentation;
use crate::format::format_children;
use crate::format::item as format;

/// Writes the lines of a document, and knows those that were written for it, or for a version of it, before.
pub(super) struct Writer<'d> {
    text: &'d str,
    document: &'d Document,
    before: MutexGuard<'d, Written>,
    now: Written,
}

impl<'d> Writer<'d> {
    /// Returns a writer of a document, which was read from a text.
    pub(super) fn new(document: &'d Document, text: &'d str) -> Self {
        let before = document.written.lock().unwrap_or_else(PoisonError::into_inner);
        Self { text, document, before, now: Written::default() }
    }

    /// Returns what changes the lines of a tree. `None` if all of it has to be written.
    pub(super) fn edits(&mut self, tree: &Tree) -> Option<Edits> {
        let read = tree.around.read.as_ref().filter(|read| tree.is_around_as(read))?;
        let mut lines = Lines { edits: Edits::default(), writer: self };
        let is_written = lines.node(read.root.as_ref()?, tree.root.as_ref()?);
        is_written.then_some(lines.edits)
    }

    /// Returns the lines of nodes; `None` if they cannot be written alone.
    fn lines(&mut self, nodes: &[Arc<Node>], how: (usize, bool), of: &Node, open: Open) -> Option<String> {
        let place: Place = (nodes.first().map_or(0, |first| Arc::as_ptr(first).addr()), how, open, self.document.width);
        let is_same = |(old, _): &(Vec<Arc<Node>>, _)| {
            old.len() == nodes.len() && old.iter().zip(nodes).all(|(old, node)| Arc::ptr_eq(old, node))
        };
        let known = self.before.0.remove(&place).filter(is_same);
        let known = known.unwrap_or_else(|| (nodes.to_vec(), self.formatted(nodes, how, of, open)));
        self.now.0.entry(place).insert_entry(known).get().1.clone()
    }

    fn formatted(&self, nodes: &[Arc<Node>], how: (usize, bool), of: &Node, open: Open) -> Option<String> {
        let style = self.document.style();
        let list = format::List {
            is_in_angles: open == Open::Angle,
            is_match: Before::of(of, style) == Before::Patterns,
            ..format::List::default()
        };
        let nodes = print::nodes(nodes.iter().map(|node| &**node), style);
        let lines = format_children(&format!("\n{nodes}"), list, how, self.document.width)?;
        // What is read from them has to be what they were written from.
        let read = print::nodes(&nodes_of(&lines, list).ok()?.nodes, style);
        let is_same = read.split_whitespace().flat_map(str::chars).eq(nodes.split_whitespace().flat_map(str::chars));
        is_same.then(|| lines.trim_end_matches('\n').to_owned())
    }
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        *self.before = std::mem::take(&mut self.now);
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
    /// Writes what has changed below a node. Returns `false` if the lines of the node itself have to be written.
    fn node(&mut self, old: &Arc<Node>, new: &Arc<Node>) -> bool {
        let before = self.edits.len();
        let mut lists = old.lists.iter().zip(&new.lists);
        let is_written =
            Arc::ptr_eq(old, new) || old.is_like(new) && lists.all(|(old_list, list)| self.list(old, old_list, list));
        if !is_written {
            self.edits.truncate(before);
        }
        is_written
    }

    fn list(&mut self, of: &Node, old: &List, new: &List) -> bool {
        let (before, now) = (&old.children, &new.children);
        let mut first = before.iter().zip(now).take_while(|(before, now)| before.id == now.id).count();
        // The last child may have no comma.
        first -= usize::from(first == before.len() && first < now.len() && first > 0);
        let rest = before[first..].iter().rev().zip(now[first..].iter().rev());
        let last = rest.take_while(|(before, now)| before.id == now.id).count();
        let stay = (0..first).zip(0..first);
        let others = (before.len() - last..before.len()).zip(now.len() - last..);
        let mut runs: Vec<Run> = stay
            .chain(others)
            .filter(|(at, by)| !self.node(&before[*at], &now[*by]))
            .map(|(at, by)| (at..at + 1, by..by + 1))
            .collect();
        let middle = (first..before.len() - last, first..now.len() - last);
        if !(middle.0.is_empty() && middle.1.is_empty()) {
            let at = runs.partition_point(|(at, _)| at.start < first);
            runs.insert(at, middle);
        }
        if runs.is_empty() {
            return true;
        }
        let Some(written) = runs.iter().map(|run| self.run(of, old, new, run)).collect::<Option<Vec<_>>>() else {
            return false;
        };
        if self.may_be_one_line(old, new, &written) {
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
        let all = self.writer.text;
        let is_end_of_line = |at: usize| all[at..].trim_start_matches([' ', '\t']).starts_with('\n');
        if !is_end_of_line(start) || !is_end_of_line(end) {
            return None;
        }
        // They are indented as what is there, or before it.
        let text = &all[place(at.start).or_else(|| place(at.start.checked_sub(1)?))?.start..].trim_start();
        let line = all[..all.len() - text.len()].rfind('\n').map_or(0, |end| end + 1);
        let (indent, count) = indentation(&all[line..]);
        let has_tabs = all[line..][..count].contains('\t');
        let lines = self.writer.lines(&new.children[by.clone()], (indent, has_tabs), of, old.open)?;
        Some((start..end, lines))
    }

    /// Returns `true` if the children of a list may be in one line, with these changes.
    fn may_be_one_line(&self, old: &List, new: &List, written: &[(Range<usize>, String)]) -> bool {
        let has_comment = |child: &Arc<Node>| !child.above.is_empty() || !child.behind.is_empty();
        if !new.begin.is_empty() || !new.end.is_empty() || new.children.iter().any(has_comment) {
            return false;
        }
        let place = |child: Option<&Arc<Node>>| child.and_then(|child| child.lines.clone()).unwrap_or_default();
        let (mut from, mut parts) = (place(old.children.first()).start, Vec::new());
        for (place, lines) in written {
            parts.extend([&self.writer.text[from..place.start], lines]);
            from = place.end;
        }
        parts.push(&self.writer.text[from..place(old.children.last()).end]);
        let signs = parts.iter().flat_map(|part| part.chars()).filter(|sign| !sign.is_whitespace());
        signs.take(self.writer.document.width + 1).count() <= self.writer.document.width
    }
}
