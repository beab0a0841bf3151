//! The problems of a document that the loader and the macro report.

use std::ops::Range;

use bt_behavior3::{Diagnostic, NodeNames, Place, Project};
use serde::Serialize;

use super::head::Head;
use super::node::{Document, Node, Notation, Tree};
use super::source;
use super::xml;
use crate::format::Plain;
use crate::lex::offset;
use crate::{file, live};

/// An error or a warning about a node, or about a tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Problem {
    /// The node; `None` for a tree as a whole.
    pub node: Option<u32>,
    /// The index of the affected argument of the node.
    pub argument: Option<usize>,
    pub message: String,
    /// Whether the tree can run despite the problem.
    #[serde(rename = "warning")]
    pub is_warning: bool,
}

/// The parameters of a leaf, decorator or composite, by its name.
pub type Parameters<'p> = &'p (dyn Fn(&str) -> Option<Vec<String>> + Sync);

/// Returns errors in the text of a document as its problems.
pub(super) fn located(document: &Document, text: &str, errors: &[Diagnostic]) -> Vec<Problem> {
    let plain = Plain::of(text).text;
    let places = Places::of(document, &plain).ok();
    errors.iter().map(|error| problem(document, places.as_ref(), error, false)).collect()
}

/// Returns the problems of trees that were read from the text of a document.
pub(super) fn of_read(
    document: &Document,
    text: &str,
    read: &Result<Project, Vec<Diagnostic>>,
    names: &NodeNames,
) -> Vec<Problem> {
    let project = match read {
        Ok(project) => project,
        Err(errors) => return located(document, text, errors),
    };
    let plain = Plain::of(text).text;
    let places = Places::of(document, &plain).ok();
    let all = of_project(project, names);
    let mut problems: Vec<_> =
        all.iter().map(|(error, is_warning)| problem(document, places.as_ref(), error, *is_warning)).collect();
    problems.dedup();
    problems
}

fn problem(document: &Document, places: Option<&Places<'_>>, error: &Diagnostic, is_warning: bool) -> Problem {
    let found = places.map(|places| places.find(document.notation, error, is_warning));
    found.filter(|problem| problem.node.is_some()).unwrap_or_else(|| {
        // It says which tree it is about.
        Problem { message: error.to_string(), is_warning, ..of_diagnostic(error, None) }
    })
}

/// Returns all problems of a document with this text.
pub(super) fn check(document: &Document, text: &str, names: &NodeNames, parameters: Parameters<'_>) -> Vec<Problem> {
    let plain = Plain::of(text).text;
    let places = match Places::of(document, &plain) {
        Ok(places) => places,
        Err(error) => return vec![of_diagnostic(&error, None)],
    };
    let broken = document.trees.iter().filter_map(|tree| tree.broken.as_ref());
    let mut problems: Vec<_> = broken.map(|error| of_diagnostic(error, None)).collect();
    let mut add = |error: &Diagnostic, is_warning| problems.push(places.find(document.notation, error, is_warning));
    let project = match document.notation {
        Notation::Rust => {
            for found in live::find(&plain).unwrap_or_default().iter().filter(|found| !found.is_in_macro) {
                match live::read(found) {
                    Ok(read) => read.mistakes.iter().for_each(|found| add(&found.diagnostic, true)),
                    Err(errors) => errors.iter().for_each(|error| add(error, false)),
                }
            }
            return problems;
        }
        Notation::Text => file::read(&plain, parameters),
        Notation::Json => Project::read(&plain).map_err(|error| vec![Diagnostic::of_tree("", error.to_string())]),
        // What its nodes mean is not known here.
        Notation::Xml => return problems,
    };
    match project {
        Ok(project) => of_project(&project, names).iter().for_each(|(error, is_warning)| add(error, *is_warning)),
        Err(errors) => errors.iter().for_each(|error| add(error, false)),
    }
    problems.dedup();
    problems
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
        let written = source::read_trees(document.notation, text)?;
        let nodes = |trees: &[Tree]| trees.iter().flat_map(Tree::nodes).cloned().collect();
        let place = |tree: &Tree| vec![tree.around.place.clone(); tree.nodes().len()];
        let trees = written.iter().flat_map(place).collect();
        Ok(Self { text, trees, read: nodes(&written), nodes: nodes(&document.trees) })
    }

    fn find(&self, notation: Notation, error: &Diagnostic, is_warning: bool) -> Problem {
        match notation {
            Notation::Json => self.by_id(error, is_warning),
            Notation::Rust | Notation::Text | Notation::Xml => self.problem(notation, error, is_warning),
        }
    }

    /// Returns the problem at a place of the text: of the last node that begins before it.
    fn problem(&self, notation: Notation, error: &Diagnostic, is_warning: bool) -> Problem {
        let of = |place: Place| {
            let at = offset(self.text, place);
            let is_in_tree = |index: usize| self.trees[index].as_ref().is_none_or(|tree| tree.contains(&at));
            let inside = self.read.iter().enumerate().filter(|(index, _)| is_in_tree(*index));
            let starts = inside.filter_map(|(index, node)| Some((index, node.at?)));
            let (index, (_, head)) =
                starts.filter(|(_, (start, _))| *start <= at).max_by_key(|(_, (start, _))| *start)?;
            let node = self.nodes.get(index)?;
            let read = &self.read[index];
            let argument = match notation {
                Notation::Xml => xml::argument_at(read, at),
                Notation::Rust | Notation::Text | Notation::Json => argument(read, at.checked_sub(head)),
            };
            Some((node.id, argument))
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

/// Returns the argument at an index of the text of a head.
fn argument(node: &Node, at: Option<usize>) -> Option<usize> {
    let (at, head) = (at?, Head::of(&node.head));
    let mut from = 0;
    head.arguments.iter().position(|argument| {
        let begin = node.head[from..].find(&*argument.text).map_or(from, |found| from + found);
        let name =
            argument.name.as_ref().and_then(|name| node.head[from..begin].rfind(&**name).map(|found| from + found));
        from = begin + argument.text.len();
        (name.unwrap_or(begin)..from).contains(&at)
    })
}
