//! Properties with a value for each child, which follow the children: weights, scores, cases.

use std::collections::HashMap;
use std::sync::Arc;

use bt_words::{ParamType, Word};

use crate::edit::head::{Head, split};
use crate::edit::node::{Document, Node};

/// Makes these properties of the nodes of a changed document fit their children, which were others before.
pub(in crate::edit) fn follow(before: &Document, changed: &mut Document) {
    let nodes = changed.trees.iter().flat_map(crate::edit::Tree::nodes);
    let mut heads = Vec::new();
    for node in nodes.filter(|node| node.head.contains('[')) {
        let Ok(old) = before.node(node.id) else { continue };
        let ids = |node: &Arc<Node>| node.children().map(|child| child.id).collect::<Vec<_>>();
        let (from, to) = (ids(old), ids(node));
        // Other arguments were given together with the children.
        if from != to && old.head == node.head {
            heads.extend(followed(&node.head, &from, &to).map(|head| (node.id, head)));
        }
    }
    for (id, head) in heads {
        if let Ok(node) = changed.node_mut(id) {
            node.head = head;
        }
    }
}

/// Returns a head whose lists fit the children `to`, if they did fit `from`.
fn followed(head: &str, from: &[u32], to: &[u32]) -> Option<String> {
    let mut head = Head::of(head);
    let mut has_changed = false;
    for argument in &mut head.arguments {
        let Some(ty) = argument.name.as_deref().and_then(of_children) else { continue };
        let Some(inside) = argument.text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) else { continue };
        // Any other case selects the last child.
        let without = usize::from(ty == ParamType::Cases);
        let values = split(inside);
        if values.len() + without != from.len() {
            continue;
        }
        let known: HashMap<_, _> = from.iter().zip(values.iter().map(|value| value.text.as_str())).collect();
        let default = match ty {
            ParamType::Weights => "1",
            ParamType::Cases => "\"\"",
            _ => "0",
        };
        let count = to.len().saturating_sub(without);
        let values: Vec<_> = to[..count].iter().map(|id| known.get(id).copied().unwrap_or(default)).collect();
        argument.text = format!("[{}]", values.join(", "));
        has_changed = true;
    }
    has_changed.then(|| head.text())
}

/// Returns the type of a property with a value for each child.
fn of_children(name: &str) -> Option<ParamType> {
    let params = Word::ALL.iter().flat_map(|word| word.row().params);
    let mut named = params.filter(|param| param.name == name).map(|param| param.ty);
    named.find(|ty| matches!(ty, ParamType::Weights | ParamType::Scores | ParamType::Cases))
}
