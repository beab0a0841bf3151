//! Declares the nodes of a registry for the Behavior3 editor.

use bt_behavior3::palette::Entry;
use bt_behavior3::{CustomNode, Project};

use crate::load::known::Known;
use crate::load::palette::own;
use crate::load::stock::Stock;

/// Returns the declarations of all nodes.
pub(crate) fn declarations(known: &Known, stock: &mut dyn Stock) -> Vec<CustomNode> {
    own(known, stock).iter().map(Entry::declaration).collect()
}

/// Adds the declarations that a project lacks.
pub(crate) fn declare(known: &Known, stock: &mut dyn Stock, project: &mut Project) {
    let mut missing = declarations(known, stock);
    missing.retain(|node| project.declared().all(|declared| declared.name != node.name));
    match project.trees.as_mut_slice() {
        [tree] => tree.custom_nodes.append(&mut missing),
        _ => project.custom_nodes.append(&mut missing),
    }
}

/// Returns the names of the properties of a node, in the order in which it reads them: that of its parameters.
#[cfg(feature = "text")]
pub(crate) fn parameters(maker: usize, stock: &mut dyn Stock) -> Vec<String> {
    let nothing = serde_json::Map::new();
    let mut properties = bt_core::file::Properties::new(&nothing);
    stock.make(maker, &mut properties);
    properties.names().iter().map(|name| (*name).to_owned()).collect()
}
