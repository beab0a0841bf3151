//! The variables of nested trees, whose names begin with `_`: other trees and the program cannot read or write them.

use std::collections::BTreeMap;

use bt_words::did_you_mean;
use serde_json::Value;

use crate::checked::Node;
use crate::diagnostic::{Diagnostic, Short};
use crate::kind::NodeKind;
use crate::names::NodeNames;
use crate::script;
use crate::source::variables;

/// Returns an error for each variable of a nested tree that a word reads and no node can write.
pub(crate) fn check<'n>(nodes: &'n [Node], names: &NodeNames) -> Vec<Diagnostic> {
    // The nodes that use a variable. The variables are by nested tree, which is the ids of the nodes that contain it.
    let mut trees: BTreeMap<&str, BTreeMap<&str, Vec<&Node>>> = BTreeMap::new();
    for node in nodes {
        let is_inner = node.parent.is_some_and(|parent| nodes[parent].origin() == node.origin());
        // The nodes of a nested tree read and write what is passed to it.
        let is_tree = matches!(node.kind, NodeKind::Tree(_));
        let of_property = |(property, value): (&String, &'n Value)| match value.as_str() {
            Some(text) if names.is_script(node.name(), property) => script::names(text).map(|(_, name)| name).collect(),
            _ => variables(value),
        };
        for name in node.properties().iter().filter(|_| !is_inner && !is_tree).flat_map(of_property) {
            if let Some((tree, name)) = local(name, &node.id) {
                let nodes = trees.entry(tree).or_default().entry(name).or_default();
                // A node may read a variable several times.
                if nodes.last().is_none_or(|last| !std::ptr::eq(*last, node)) {
                    nodes.push(node);
                }
            }
        }
    }
    let can_write = |nodes: &[&Node]| nodes.iter().any(|node| node.kind == NodeKind::Own);
    let mut errors = Vec::new();
    for (tree, variables) in &trees {
        for (name, nodes) in variables.iter().filter(|(_, nodes)| !can_write(nodes)) {
            let written = variables.iter().filter(|(_, nodes)| can_write(nodes)).map(|(name, _)| *name);
            let meant = did_you_mean(name, written);
            let reason = format!("variable `{{{}}}` is read, but no node writes it{meant}", Short(name));
            errors.extend(
                nodes
                    .iter()
                    .map(|node| node.diagnostic(node.fault_of_variable(&[*tree, *name].concat(), reason.clone()))),
            );
        }
    }
    errors
}

/// Returns the nested tree that a variable belongs to, and the variable's name in it; `None` if the node is not in such a
/// tree.
pub fn local<'a>(name: &'a str, node: &str) -> Option<(&'a str, &'a str)> {
    let (tree, name) = name.split_at(name.rfind('/')? + 1);
    (name.starts_with('_') && node.starts_with(tree)).then_some((tree, name))
}
