//! The statuses of leaves and the choices of random composites, as source of a test.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use crate::describe::Description;
use crate::id::NodeId;
use crate::status::Status;

/// The statuses of leaves and the choices of random composites, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scripts {
    leaves: BTreeMap<NodeId, Scripted<Status>>,
    choices: BTreeMap<NodeId, Scripted<usize>>,
}

/// The path of a node, or `None` if another node has the same; and what it did.
type Scripted<T> = (Option<String>, Vec<T>);

impl Scripts {
    /// Adds a status that a leaf has returned.
    pub fn add_status(&mut self, tree: &Description, leaf: NodeId, status: Status) {
        self.leaves.entry(leaf).or_insert_with(|| (unique_path(tree, leaf), Vec::new())).1.push(status);
    }

    /// Adds a child that a random composite has chosen, as its index among the remaining children.
    pub fn add_choice(&mut self, tree: &Description, composite: NodeId, child: usize) {
        self.choices.entry(composite).or_insert_with(|| (unique_path(tree, composite), Vec::new())).1.push(child);
    }

    /// Returns the lines that make the nodes of a [`TreeTest`](super::TreeTest) repeat this.
    pub fn source(&self) -> String {
        let mut lines = String::new();
        for (node, (path, statuses)) in &self.leaves {
            let script = script(statuses);
            let _ = match path {
                Some(path) => writeln!(lines, "    test.replace({path:?}, {script});"),
                None => writeln!(lines, "    test.replace_node(NodeId::new({}), {script});", node.index()),
            };
        }
        for (node, (path, chosen)) in &self.choices {
            let _ = match path {
                Some(path) => writeln!(lines, "    test.choose({path:?}, {chosen:?});"),
                None => writeln!(lines, "    test.choose_node(NodeId::new({}), {chosen:?});", node.index()),
            };
        }
        lines
    }
}

/// The number of statuses from which on a script is written as runs of equal statuses, and the number of them in a line.
const MANY: usize = 8;

/// Returns a script as source. Its last status is repeated anyway.
fn script(statuses: &[Status]) -> String {
    let repeated = statuses.iter().rev().take_while(|status| Some(*status) == statuses.last()).count();
    let statuses = &statuses[..statuses.len() - repeated.saturating_sub(1)];
    let runs: Vec<_> = statuses.chunk_by(PartialEq::eq).map(|run| (run[0], run.len())).collect();
    if statuses.len() > MANY && runs.len() * 2 < statuses.len() {
        let runs: Vec<_> = runs.iter().map(|(status, times)| format!("vec![Status::{status:?}; {times}]")).collect();
        return format!("[{}].concat()", lines(&runs, 4));
    }
    let each: Vec<_> = statuses.iter().map(|status| format!("Status::{status:?}")).collect();
    format!("[{}]", lines(&each, MANY))
}

/// Joins the elements of an array, with `in_line` elements per line.
pub(super) fn lines(each: &[String], in_line: usize) -> String {
    if each.len() <= in_line {
        return each.join(", ");
    }
    let lines = each.chunks(in_line).map(|line| format!("        {},\n", line.join(", ")));
    format!("\n{}    ", lines.collect::<String>())
}

/// Returns the path of a node, if it names no other node.
fn unique_path(tree: &Description, id: NodeId) -> Option<String> {
    let path = tree.path_of(id);
    let is_unique = tree.find_all(&path).map(|node| node.id).eq([id]);
    is_unique.then_some(path)
}
