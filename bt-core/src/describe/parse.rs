//! Deserialization of descriptions: source locations as text, nodes in pre-order.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error};
use serde::{Serialize, Serializer};

use crate::describe::{Described, Source};

impl Serialize for Source {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let text = String::deserialize(input)?;
        let mut parts = text.rsplitn(3, ':');
        let (column, line, file) = (parts.next(), parts.next(), parts.next());
        let number = |part: Option<&str>| part.and_then(|part| part.parse().ok());
        match (file, number(line), number(column)) {
            (Some(file), Some(line), Some(column)) => Ok(Self { file: file.to_owned(), line, column }),
            _ => Err(Error::custom(format!("invalid source location `{text}`: expected `file:line:column`"))),
        }
    }
}

/// Deserializes nodes in pre-order, and checks the order: the id of each node is its index, and its parent is the node
/// before it or an ancestor of that node.
pub(super) fn in_order<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<Described>, D::Error> {
    let nodes = Vec::<Described>::deserialize(input)?;
    if nodes.is_empty() {
        return Err(Error::custom("expected at least 1 node, found 0"));
    }
    let mut open = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        while open.last().copied() != node.parent && open.pop().is_some() {}
        if node.id.index() != index {
            return Err(Error::custom(format!("nodes are not in pre-order: expected #{index}, found {}", node.id)));
        }
        if index == 0 && node.parent.is_some() {
            return Err(Error::custom("the first node must be the root, which has no parent"));
        }
        if index > 0 && open.is_empty() {
            let id = node.id;
            return Err(Error::custom(format!(
                "nodes are not in pre-order: the parent of {id} must be the node before it or an ancestor of that node"
            )));
        }
        open.push(node.id);
    }
    Ok(nodes)
}
