//! Nodes that are disabled: where they can be, and that they stay disabled.

use std::collections::HashSet;
use std::sync::Arc;

use super::document::Document;
use super::item::is_cfg;
use super::node::{Node, Open, Tree};
use super::way::Way;

impl Document {
    pub(super) fn disable(&mut self, ids: &[u32], disabled: bool) -> Result<Vec<u32>, String> {
        let ids = self.outermost(ids)?;
        for id in &ids {
            self.node_mut(*id)?.disabled = disabled;
        }
        Ok(ids)
    }

    /// Returns `true` if a node above is disabled.
    pub(super) fn is_below_disabled(&self, way: &Way) -> bool {
        let parents = std::iter::successors(way.parent(), |(parent, ..)| parent.parent());
        parents.into_iter().any(|(parent, ..)| self.at(&parent).disabled)
    }

    /// Returns why a node that is disabled now cannot be where it is, among those that have `changed`. `before` is the document before the operation.
    pub(super) fn check_disabled(&self, before: &Self, changed: &[(&Arc<Node>, usize)]) -> Result<(), String> {
        let roots = |document: &Self| -> HashSet<u32> {
            let roots = document.trees.iter().flat_map(Tree::tops);
            roots.filter(|root| root.disabled).map(|root| root.id).collect()
        };
        if !roots(self).is_subset(&roots(before)) {
            return Err("the root cannot be disabled".to_owned());
        }
        for (node, _) in changed {
            let was = if node.disabled { before.node(node.id).ok().filter(|was| was.disabled) } else { None };
            if node.lists.iter().any(|list| list.open == Open::Not && list.children.iter().any(|child| child.disabled))
            {
                return Err("disable the `!` before the node, not the node alone".to_owned());
            }
            self.room().check_disabled(self, node, was.map(|was| &*was.head))?;
        }
        Ok(())
    }
}

/// Gives a node, which leaves another one or takes its place, what decides whether that is part of the tree: `#[cfg(…)]`, and whether it is disabled.
pub(super) fn inherit(node: &mut Node, from: &Node) {
    node.disabled |= from.disabled;
    let conditions = from.attributes.iter().filter(|attribute| is_cfg(attribute));
    let new: Vec<_> = conditions.filter(|attribute| !node.attributes.contains(attribute)).cloned().collect();
    node.attributes.splice(0..0, new);
}
