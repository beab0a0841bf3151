//! Nodes of a tree that its root does not reach.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::format::TreeSpec;
use crate::spec::NodeSpec;

impl TreeSpec {
    /// Returns the nodes that the root reaches.
    pub(crate) fn connected_nodes(&self) -> impl Iterator<Item = &NodeSpec> {
        let connected = self.connected();
        self.nodes.iter().filter(move |(id, _)| connected.contains(id.as_str())).map(|(_, node)| &**node)
    }

    /// Returns the ids of the nodes that the root reaches.
    pub(crate) fn connected(&self) -> HashSet<&str> {
        self.reached_from(self.root.as_deref())
    }

    /// Returns the ids of these nodes and of those below them.
    pub(crate) fn reached_from<'a>(&'a self, ids: impl IntoIterator<Item = &'a str>) -> HashSet<&'a str> {
        let nodes: HashMap<&str, &NodeSpec> = self.nodes.iter().map(|(id, node)| (id.as_str(), &**node)).collect();
        let mut reached = HashSet::new();
        for id in ids {
            reach(&nodes, &mut reached, id);
        }
        reached
    }

    /// Returns an error for each part that is not connected to the root, at its topmost node. These nodes are ignored when the tree is loaded.
    /// Returns none if there is no root.
    pub fn unconnected(&self) -> Vec<Diagnostic> {
        let nodes: HashMap<&str, &NodeSpec> = self.nodes.iter().map(|(id, node)| (id.as_str(), &**node)).collect();
        let mut reached = HashSet::new();
        let mut reach = |from: &str| reach(&nodes, &mut reached, from);
        // A root that is missing is an error of its own.
        if self.root.as_deref().map(&mut reach).unwrap_or_default() == 0 {
            return Vec::new();
        }
        let below: HashSet<_> = self.nodes.iter().flat_map(|(_, node)| node.children()).collect();
        // In a circle, no node is the topmost.
        let (tops, others): (Vec<_>, Vec<_>) = self.nodes.iter().partition(|(id, _)| !below.contains(id.as_str()));
        let parts = tops.into_iter().chain(others).map(|(id, node)| (id, node, reach(id)));
        let error = |(id, node, count): (&String, &Arc<NodeSpec>, usize)| {
            let with = match count {
                0 => return None,
                1 => String::new(),
                2 => ", with 1 node below it".to_owned(),
                _ => format!(", with {} nodes below it", count - 1),
            };
            Some(node.diagnostic(id, format!("not connected to the root{with}")))
        };
        parts.filter_map(error).collect()
    }
}

/// Adds the nodes that a node reaches, and itself. Returns how many were not reached before.
fn reach<'a>(nodes: &HashMap<&'a str, &'a NodeSpec>, reached: &mut HashSet<&'a str>, from: &str) -> usize {
    let (before, mut next) = (reached.len(), vec![from]);
    while let Some(id) = next.pop() {
        let found = nodes.get_key_value(id).filter(|(id, _)| reached.insert(**id));
        next.extend(found.into_iter().flat_map(|(_, node)| node.children()));
    }
    reached.len() - before
}
