//! Numbers of nodes and trees, for commands.

use std::fmt::Write as _;

use super::document::Document;
use super::node::Node;

/// The numbers of nodes and trees, counted from 1 in the order of the file. A number does not change; new nodes get the next numbers.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    nodes: Vec<u32>,
    trees: Vec<u32>,
}

impl Numbers {
    pub fn of(document: &Document) -> Self {
        let mut numbers = Self::default();
        numbers.add(document);
        numbers
    }

    /// Numbers the new nodes and trees of a document. Returns the numbers of the new nodes.
    pub fn add(&mut self, document: &Document) -> std::ops::RangeInclusive<usize> {
        let first = self.nodes.len() + 1;
        for tree in &document.trees {
            add(&mut self.trees, tree.id);
            tree.nodes().iter().for_each(|node| add(&mut self.nodes, node.id));
        }
        first..=self.nodes.len()
    }

    /// Returns the number of a node.
    pub fn number(&self, node: u32) -> Option<usize> {
        self.nodes.iter().position(|id| *id == node).map(|index| index + 1)
    }

    /// Returns the id of the node with a number, if the document has it.
    pub(super) fn node(&self, number: usize, document: &Document) -> Result<u32, String> {
        let id = number.checked_sub(1).and_then(|index| self.nodes.get(index)).copied();
        let id = id.ok_or_else(|| match (self.nodes.len(), document.broken().next()) {
            (0, Some(reason)) => format!("the tree cannot be read: {reason}"),
            (0, None) => {
                let at = if document.trees.is_empty() { "create NAME" } else { "insert in tree 1" };
                format!("the document has no nodes; help: write `{at} NODE`")
            }
            (count, _) => format!("unknown node {number}; note: the nodes are 1 to {count}"),
        })?;
        let is_there = document.nodes().any(|node| node.id == id);
        if is_there { Ok(id) } else { Err(format!("node {number} was removed by an earlier operation")) }
    }

    /// Returns the id of the tree with a number, if the document has it.
    pub(super) fn tree(&self, number: usize, document: &Document) -> Result<u32, String> {
        let id = number.checked_sub(1).and_then(|index| self.trees.get(index)).copied();
        let id = id.ok_or_else(|| format!("unknown tree {number}; note: the trees are 1 to {}", self.trees.len()))?;
        let is_there = document.trees.iter().any(|tree| tree.id == id);
        if is_there { Ok(id) } else { Err(format!("tree {number} was removed by an earlier operation")) }
    }
}

fn add(all: &mut Vec<u32>, id: u32) {
    if !all.contains(&id) {
        all.push(id);
    }
}

/// Lists the nodes of a document with their numbers, a line for each.
pub fn list(document: &Document, numbers: &Numbers) -> String {
    let mut list = List { text: String::new(), numbers, width: numbers.nodes.len().to_string().len() };
    for (index, tree) in document.trees.iter().enumerate() {
        if document.trees.len() > 1 || !tree.name.is_empty() {
            let title = tree.title.as_deref().filter(|title| *title != tree.name);
            let title = title.map_or_else(String::new, |title| format!(" {title:?}"));
            let _ = writeln!(list.text, "tree {} {}{title}", index + 1, tree.name);
        }
        if let Some(reason) = &tree.broken {
            let _ = writeln!(list.text, "{:list$}  not understood: {reason}", "", list = list.width);
        }
        if let Some(node) = &tree.root {
            list.add(node, 0);
        }
        if !tree.loose.is_empty() {
            let _ = writeln!(list.text, "{:list$}  not connected:", "", list = list.width);
        }
        tree.loose.iter().for_each(|node| list.add(node, 1));
    }
    list.text
}

struct List<'a> {
    text: String,
    numbers: &'a Numbers,
    width: usize,
}

impl List<'_> {
    fn add(&mut self, node: &Node, depth: usize) {
        let indent = "  ".repeat(depth);
        let number = self.numbers.number(node.id).map_or_else(String::new, |number| number.to_string());
        let _ = write!(self.text, "{number:>width$}  {indent}", width = self.width);
        if !node.before.is_empty() {
            let _ = write!(self.text, "{} => ", one_line(&node.before));
        }
        self.text += &one_line(&node.head);
        if let Some(label) = &node.label {
            let _ = write!(self.text, " {label:?}");
        }
        if !node.tail.is_empty() {
            let _ = write!(self.text, " {}", one_line(&node.tail));
        }
        self.text += if node.disabled { " (disabled)\n" } else { "\n" };
        for of_list in &node.lists {
            if !of_list.before.is_empty() {
                let _ = writeln!(self.text, "{:width$}  {indent}{}", "", one_line(&of_list.before), width = self.width);
            }
            of_list.children.iter().for_each(|child| self.add(child, depth + 1));
        }
    }
}

/// Returns a text of several lines as one.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
