//! Files of BehaviorTree.CPP as a notation.

use std::sync::Arc;

use bt_behavior3::palette::Entry;
use bt_behavior3::xml::not_in_xml;
use bt_behavior3::{Diagnostic, is_file_name};

use super::element::{check, check_disabled};
use super::head::{
    NOT, Variables, argument, private_variable, replaced, tree_used, use_of_tree, uses_variables, with_tree,
};
use super::paste::{from_text, nodes, uses_of_trees};
use super::read::{is_main, is_version_4, read};
use super::source::argument_at;
use super::write::{copy, write};
use crate::edit::document::{Document, Facts, Room};
use crate::edit::head::Head;
use crate::edit::node::{Node, Style, Tree};
use crate::edit::operation::Operation;
use crate::edit::original::Original;

/// A file of BehaviorTree.CPP.
pub(in crate::edit) struct Xml;

impl Room for Xml {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "xml",
            extension: "xml",
            new_file: Some("<root BTCPP_format=\"4\">\n</root>\n"),
            style: Style::Data,
            is_foreign: true,
            has_places: true,
            // Whether an element without children takes some, its tags do not say.
            tells_lists: false,
            not: NOT,
        }
    }

    fn trees(&self, text: &Original) -> Result<Vec<Tree>, Diagnostic> {
        read(text)
    }

    fn write(&self, document: &Document) -> Result<String, String> {
        write(document)
    }

    fn copy(&self, document: &Document, nodes: &[&Arc<Node>]) -> Option<Result<String, String>> {
        Some(copy(document, nodes))
    }

    fn argument_at(&self, node: &Node, _head: usize, at: usize) -> Option<usize> {
        argument_at(node, at)
    }

    fn words(&self) -> Vec<Entry> {
        Vec::new()
    }

    fn is_word(&self, _name: &str) -> bool {
        false
    }

    fn own_nodes(&self, text: &str) -> Option<Result<Vec<Node>, String>> {
        text.trim_start().starts_with('<').then(|| nodes(text))
    }

    fn adopted(&self, document: &Document, nodes: Vec<Node>) -> Result<Vec<Node>, String> {
        let mut nodes = nodes.into_iter().map(from_text).collect::<Result<Vec<_>, _>>()?;
        for node in &mut nodes {
            uses_of_trees(node, &document.trees);
        }
        Ok(nodes)
    }

    fn replaced(&self, old: &str, new: String) -> String {
        replaced(old, &new)
    }

    fn argument(&self, value: &str) -> String {
        argument(value)
    }

    fn used(&self, node: &Node, _head: &Head) -> Option<String> {
        tree_used(&node.head)
    }

    fn check_name(&self, _document: &Document, name: &str) -> Result<(), String> {
        if is_file_name(name) || name.chars().any(char::is_control) {
            return Err(format!(
                "`{}` is not a valid tree name: it is that of a node, or has control characters",
                name.escape_debug()
            ));
        }
        not_in_xml(name).map_or(Ok(()), Err)
    }

    fn rename(&self, document: &mut Document, index: usize, name: &str) -> Result<(), String> {
        document.rename_uses(index, name, |head| with_tree(head, name))
    }

    fn check_remove(&self, document: &Document, tree: &Tree) -> Result<(), String> {
        let is_main = is_main(document, tree);
        if is_main { Err("the file names the tree as the one to execute".to_owned()) } else { Ok(()) }
    }

    fn check_extract(&self, node: &Node) -> Result<(), String> {
        match variable(node) {
            Some(name) => Err(format!("the nodes use `{name}`, which is a variable of their tree alone")),
            None => Ok(()),
        }
    }

    fn use_of(&self, document: &Document, tree: &Tree, node: &Node) -> String {
        use_of_tree(&tree.name, has_variables(node), is_version_4(&document.source))
    }

    fn inline_obstacle(&self, _document: &Document, tree: &Tree, node: &Node) -> Option<&'static str> {
        match uses_variables(&node.head) {
            Variables::All => None,
            Variables::None if tree.root.as_deref().is_some_and(has_variables) => {
                Some("variables of its own, which `_autoremap = true` would connect")
            }
            Variables::None => None,
            Variables::Some => Some("ports or conditions where it is used"),
        }
    }

    fn check_disabled(&self, document: &Document, node: &Node, was: Option<&str>) -> Result<(), String> {
        if !node.disabled || was == Some(&*node.head) {
            return Ok(());
        }
        if !is_version_4(&document.source) {
            return Err("version 3 of the format has no `_skipIf`, so a node cannot be disabled".to_owned());
        }
        check_disabled(node)
    }

    fn follow(&self, _before: &Document, now: &mut Document, by: (&Operation, &[u32])) -> Result<(), String> {
        match by.0 {
            Operation::Insert { .. }
            | Operation::Wrap { .. }
            | Operation::Replace { .. }
            | Operation::Argument { .. }
            | Operation::Label { .. }
            | Operation::Create { .. } => {}
            Operation::Note { .. } if !is_version_4(&now.source) => {
                return Err("version 3 of the format has no descriptions of nodes".to_owned());
            }
            Operation::Note { .. } => {}
            Operation::Delete { .. }
            | Operation::Duplicate { .. }
            | Operation::Move { .. }
            | Operation::Unwrap { .. }
            | Operation::Annotate { .. }
            | Operation::Disable { .. }
            | Operation::Enable { .. }
            | Operation::Extract { .. }
            | Operation::Inline { .. }
            | Operation::Rename { .. }
            | Operation::Remove { .. } => return Ok(()),
        }
        by.1.iter().try_for_each(|node| check(now.node(*node)?))
    }
}

/// Returns whether a node, or any below it, names variables.
fn has_variables(node: &Node) -> bool {
    uses_variables(&node.head) != Variables::None || node.children().any(|child| has_variables(child))
}

/// Returns a variable of a node, or of any below it, that only its tree has.
fn variable(node: &Node) -> Option<String> {
    private_variable(&node.head).or_else(|| node.children().find_map(|child| variable(child)))
}
