//! Leaves that return any status.

use bt_core::describe::{Described, Description, Kind};
use bt_core::{NodeId, Outcomes, Status};

use crate::choices::choose_status;

/// What free leaves choose from, by node.
#[derive(Clone)]
pub(crate) struct FreeNodes {
    /// The statuses of each node; empty if the node is not free.
    statuses: Vec<Vec<Status>>,
}

const ALL: [Status; 4] = [Status::Success, Status::Failure, Status::Running, Status::Error];

/// Returns the statuses that a node can return.
pub(crate) fn all_of(returns: Outcomes) -> impl Iterator<Item = Status> {
    ALL.into_iter().filter(move |status| returns.contains((*status).into()))
}

impl FreeNodes {
    /// Creates the statuses for a tree in which no node is free.
    pub(crate) fn none(description: &Description) -> Self {
        Self { statuses: vec![Vec::new(); description.nodes().len()] }
    }

    /// Frees leaves. `None` stands for all statuses that a leaf can return.
    ///
    /// # Panics
    ///
    /// Panics if a node is not a leaf, or cannot return a status.
    #[track_caller]
    pub(crate) fn add<'a>(&mut self, nodes: impl Iterator<Item = &'a Described>, statuses: Option<&[Status]>) {
        for node in nodes {
            assert!(is_leaf(node), "`{}` is not a leaf: free the leaves below it", node.call());
            let statuses = match statuses {
                Some(given) => given.to_vec(),
                None => all_of(node.returns).collect(),
            };
            if let Some(refused) = statuses.iter().find(|status| !node.returns.contains((**status).into())) {
                panic!("`{}` cannot return `{refused:?}`: it only returns {}", node.call(), node.returns);
            }
            assert!(!statuses.is_empty(), "`{}` needs at least one status", node.call());
            self.statuses[node.id.index()] = statuses;
        }
    }

    /// Returns `true` if a node is free.
    pub(crate) fn is_free(&self, node: NodeId) -> bool {
        !self.statuses[node.index()].is_empty()
    }

    /// Returns the status of a node, if it is free.
    #[inline]
    pub(crate) fn status(&self, at: NodeId) -> Option<Status> {
        match &*self.statuses[at.index()] {
            [] => None,
            statuses => Some(choose_status(statuses)),
        }
    }
}

/// Returns `true` if a node is a leaf.
pub(crate) fn is_leaf(node: &Described) -> bool {
    matches!(node.kind, Kind::Action | Kind::Condition)
}

/// Returns `true` if a text matches a pattern, in which each `*` stands for any text.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return pattern == text };
    let Some(rest) = text.strip_prefix(before) else { return false };
    let mut ends = rest.char_indices().map(|(index, _)| index).chain([rest.len()]);
    ends.any(|end| matches(after, &rest[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_text() {
        for (pattern, text) in
            [("*", ""), ("look*", "look"), ("*_door", "close_door"), ("a*c*e", "abcde"), ("ä*", "äß")]
        {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("look", "look_around"), ("look*", "Look"), ("*_door", "doors"), ("a*c*e", "ace_")] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }
}
