//! The problems of a document that the loader and the macro report.

use std::collections::HashSet;
use std::ops::Range;

use bt_behavior3::{Diagnostic, NodeNames, Place, Project};
use serde::Serialize;

use super::document::{Document, Read, Room};
use super::node::{Node, Tree};
use crate::format::Plain;
use crate::lex::offset;

/// An error or a warning about a node, or about a tree.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Problem {
    /// The node, unless it is about a tree as a whole.
    pub node: Option<u32>,
    /// The index of the affected argument of the node.
    pub argument: Option<usize>,
    pub message: String,
    /// Whether the tree can run despite the problem.
    #[serde(rename = "warning")]
    pub is_warning: bool,
}

/// Returns errors in the text of a document as its problems.
pub(super) fn located(document: &Document, text: &str, errors: &[Diagnostic]) -> Vec<Problem> {
    at_nodes(document, &Plain::of(text).text, errors.iter().map(|error| (error, false)))
}

/// Returns errors, and warnings with `true`, as problems of the nodes at their places.
fn at_nodes<'e>(document: &Document, text: &str, found: impl Iterator<Item = (&'e Diagnostic, bool)>) -> Vec<Problem> {
    let places = Places::of(document, text).ok();
    let problem = |(error, is_warning): (&Diagnostic, bool)| {
        let found = places.as_ref().map(|places| places.find(error, is_warning));
        found.filter(|problem| problem.node.is_some()).unwrap_or_else(|| {
            // It says which tree it is about.
            Problem { message: error.to_string(), is_warning, ..of_diagnostic(error, None) }
        })
    };
    found.map(problem).collect()
}

/// Returns all problems of a document with this text, whose trees were read as data, if they can be.
pub(super) fn check(document: &Document, text: &str, read: Option<&Read>, names: &NodeNames) -> Vec<Problem> {
    let plain = Plain::of(text).text;
    // Another package finds them as well.
    let is_known = document.notation.is_foreign() && read.is_some();
    let broken = document.broken().filter(|_| !is_known).map(|error| of_diagnostic(error, None));
    let found = match read {
        Some(Ok(project)) => of_project(project, names),
        Some(Err(errors)) => errors.iter().map(|error| (error.clone(), false)).collect(),
        None => document.room().problems(&plain),
    };
    let found = found.iter().map(|(error, is_warning)| (error, *is_warning));
    let found = if found.len() == 0 { Vec::new() } else { at_nodes(document, &plain, found) };
    unique(broken.chain(found))
}

/// Returns each problem once: a tree that is used in several places is checked in each.
fn unique(problems: impl IntoIterator<Item = Problem>) -> Vec<Problem> {
    let mut seen = HashSet::new();
    problems.into_iter().filter(|problem| seen.insert(problem.clone())).collect()
}

/// Returns the errors and the warnings of all trees.
fn of_project(project: &Project, names: &NodeNames) -> Vec<(Diagnostic, bool)> {
    let mut all = Vec::new();
    for (tree, checked) in project.check_all(names) {
        match checked {
            Ok(checked) => all.extend(checked.warnings.into_iter().map(|warning| (warning, true))),
            Err(errors) => all.extend(errors.into_iter().map(|error| (error, false))),
        }
        for (_, error) in tree.misspelled(names) {
            if all.iter().all(|(known, is_warning)| *is_warning || known.place != error.place) {
                all.push((error, false));
            }
        }
    }
    all
}

fn of_diagnostic(error: &Diagnostic, node: Option<u32>) -> Problem {
    let message = match error.place {
        Some(place) if node.is_none() => format!("{place}: {}", error.reason),
        _ => error.reason.clone(),
    };
    Problem { node, argument: None, message, is_warning: false }
}

/// Where the nodes of a document are in its text.
struct Places<'t> {
    room: &'static dyn Room,
    text: &'t str,
    /// Where the tree of each node is.
    trees: Vec<Option<Range<usize>>>,
    /// The nodes of the text, and those of the document, in the same order.
    read: Vec<std::sync::Arc<Node>>,
    nodes: Vec<std::sync::Arc<Node>>,
}

impl<'t> Places<'t> {
    /// Reads the text of a document.
    fn of(document: &Document, text: &'t str) -> Result<Self, Diagnostic> {
        let room = document.room();
        let written = document.written_trees(text)?;
        let nodes = |trees: &[Tree]| trees.iter().flat_map(Tree::nodes).cloned().collect();
        let place = |tree: &Tree| vec![tree.around.place.clone(); tree.nodes().len()];
        let trees = written.iter().flat_map(place).collect();
        Ok(Self { room, text, trees, read: nodes(&written), nodes: nodes(&document.trees) })
    }

    fn find(&self, error: &Diagnostic, is_warning: bool) -> Problem {
        if self.room.facts().has_places { self.problem(error, is_warning) } else { self.by_id(error, is_warning) }
    }

    /// Returns the problem at a place of the text: of the last node that begins before it.
    fn problem(&self, error: &Diagnostic, is_warning: bool) -> Problem {
        let of = |place: Place| {
            let at = offset(self.text, place);
            let is_in_tree = |index: usize| self.trees[index].as_ref().is_none_or(|tree| tree.contains(&at));
            let inside = self.read.iter().enumerate().filter(|(index, _)| is_in_tree(*index));
            let starts = inside.filter_map(|(index, node)| Some((index, node.at?)));
            let (index, (_, head)) =
                starts.filter(|(_, (start, _))| *start <= at).max_by_key(|(_, (start, _))| *start)?;
            let node = self.nodes.get(index)?;
            Some((node.id, self.room.argument_at(&self.read[index], head, at)))
        };
        let found = error.place.and_then(of);
        let argument = found.and_then(|(_, argument)| argument);
        Problem { argument, is_warning, ..of_diagnostic(error, found.map(|(node, _)| node)) }
    }

    /// Returns the problem of a node of a file of the editor.
    fn by_id(&self, error: &Diagnostic, is_warning: bool) -> Problem {
        // In a nested tree, its id has those of the nodes around it before it.
        let id = error.id.rsplit('/').next().unwrap_or_default();
        let is_meant = |node: &std::sync::Arc<Node>| node.origin.as_ref().is_some_and(|origin| origin.id == id);
        let node = self.read.iter().position(is_meant).and_then(|index| self.nodes.get(index)).map(|node| node.id);
        Problem { is_warning, ..of_diagnostic(error, node) }
    }
}
