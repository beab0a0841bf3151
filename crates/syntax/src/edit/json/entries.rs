//! Properties with an entry for each child: weights, scores and cases. They follow the children when these are moved.

use std::collections::HashMap;
use std::sync::Arc;

use bt_behavior3::bt_words::ParamType;
use bt_behavior3::parts::lists;
use serde_json::Value;

use super::head::{Head, word};
use crate::edit::document::Document;
use crate::edit::node::Node;
use crate::file;

/// Gives the entries of children to those that a change has left, and new ones to new children.
pub(in crate::edit) fn follow(before: &Document, after: &mut Document) {
    let others = after.changed_since(before).into_iter().map(|(node, _)| node);
    let has_list: Vec<_> = others.filter(|node| list(&node.head).is_some()).cloned().collect();
    if has_list.is_empty() {
        return;
    }
    let old: HashMap<u32, &Arc<Node>> = before.nodes().map(|node| (node.id, node)).collect();
    let has_changed =
        |node: &&Arc<Node>| old.get(&node.id).is_some_and(|old| old.head == node.head && ids(old) != ids(node));
    let changed: Vec<_> = has_list.iter().filter(has_changed).collect();
    let heads: HashMap<u32, String> = file::on_a_thread(|| {
        changed.iter().filter_map(|node| Some((node.id, head(old[&node.id], node, &old)?))).collect()
    });
    for (id, head) in heads {
        if let Ok(node) = after.node_mut(id) {
            node.head = head;
        }
    }
}

fn ids(node: &Node) -> Vec<u32> {
    node.children().map(|child| child.id).collect()
}

/// Returns the property of a word that has an entry for each child.
fn list(head: &str) -> Option<(&'static str, ParamType)> {
    lists(word(head)).next()
}

/// Returns the head of a node with the entries of its children; `None` if it had none for each.
fn head(before: &Node, after: &Node, old: &HashMap<u32, &Arc<Node>>) -> Option<String> {
    let (property, ty) = list(&before.head)?;
    let mut head = Head::parse(&before.head).ok()?;
    let entries = head.values.iter_mut().find(|(name, _)| name == property)?.1.as_array_mut()?;
    let was = ids(before);
    let is_of_cases = ty == ParamType::Cases;
    // The last child of a `match` is for all other values.
    let count = if is_of_cases { was.len().checked_sub(1)? } else { was.len() };
    if entries.len() != count {
        return None;
    }
    let now: Vec<_> = after.children().collect();
    let of = |id: u32| was.iter().position(|child| *child == id).and_then(|index| entries.get(index));
    let is_gone = |id: u32| !now.iter().any(|child| child.id == id);
    let entry = |index: usize, child: &Node| -> Option<&Value> {
        if was.contains(&child.id) {
            return of(child.id);
        }
        // A node around a child is in its place, one that was inside another in that of the other, and one in place of another as well.
        let around = child.children().map(|child| child.id).find(|id| of(*id).is_some() && is_gone(*id));
        let inside = was.iter().copied().find(|id| {
            is_gone(*id) && old.get(id).is_some_and(|other| other.children().any(|below| below.id == child.id))
        });
        let place = was.get(index).copied().filter(|id| was.len() == now.len() && is_gone(*id));
        of(around.or(inside).or(place)?)
    };
    let wanted = now.len().saturating_sub(usize::from(is_of_cases));
    let mut new: Vec<Value> = Vec::with_capacity(wanted);
    for (index, child) in now.iter().take(wanted).enumerate() {
        let value = entry(index, child).cloned().filter(|value| !is_of_cases || !new.contains(value));
        let value = value.unwrap_or_else(|| match ty {
            ParamType::Cases => {
                let is_new = |case: &Value| !entries.contains(case) && !new.contains(case);
                (1..u32::MAX).map(|number| Value::from(format!("case {number}"))).find(is_new).unwrap_or_default()
            }
            ParamType::Scores => 0.into(),
            _ => 1.into(),
        });
        new.push(value);
    }
    *entries = new;
    Some(head.text())
}

#[cfg(test)]
mod tests {
    use crate::edit::{At, Document, Notation, Operation};

    fn document(head: &str) -> (Document, Vec<u32>) {
        let nodes = r#""2": {"name": "a"}, "3": {"name": "b"}, "4": {"name": "c"}"#;
        let text = format!(r#"{{"root": "1", "nodes": {{"1": {{{head}, "children": ["2", "3", "4"]}}, {nodes}}}}}"#);
        let document = Document::read(Notation::JSON, &text).expect("a file of the editor");
        let ids = document.trees[0].nodes().iter().map(|node| node.id).collect();
        (document, ids)
    }

    fn head(document: &Document, operation: &Operation) -> String {
        let mut document = document.clone();
        document.apply(operation).unwrap_or_else(|error| panic!("{operation:?}: {error}"));
        document.write().unwrap_or_else(|error| panic!("{operation:?}: {error}"));
        document.trees[0].nodes()[0].head.clone()
    }

    #[test]
    fn weights_follow_their_children() {
        let (document, ids) = document(r#""name": "random_selector", "properties": {"weights": [1, 2.5, 3]}"#);
        let head = |operation| head(&document, &operation);
        let weights = |list: &str| format!("random_selector(weights = [{list}])");
        assert_eq!(head(Operation::Delete { nodes: vec![ids[2]] }), weights("1, 3"));
        assert_eq!(head(Operation::Insert { text: "d".into(), at: At::Before(ids[2]) }), weights("1, 1, 2.5, 3"));
        assert_eq!(head(Operation::Move { nodes: vec![ids[3]], at: At::Before(ids[1]) }), weights("3, 1, 2.5"));
        assert_eq!(head(Operation::Wrap { nodes: vec![ids[2]], head: "Inverter".into() }), weights("1, 2.5, 3"));
        assert_eq!(head(Operation::Wrap { nodes: vec![ids[2], ids[3]], head: "Sequence".into() }), weights("1, 2.5"));
        assert_eq!(head(Operation::Extract { node: ids[2], name: "t".into() }), weights("1, 2.5, 3"));
        assert_eq!(head(Operation::Duplicate { nodes: vec![ids[1]] }), weights("1, 1, 2.5, 3"));
        assert_eq!(head(Operation::Disable { nodes: vec![ids[1]] }), weights("1, 2.5, 3"));
        let mut wrapped = document.clone();
        let around = wrapped.apply(&Operation::Wrap { nodes: vec![ids[2], ids[3]], head: "Sequence".into() });
        let around = around.expect("neighbors")[0];
        assert_eq!(super::tests::head(&wrapped, &Operation::Unwrap { node: around }), weights("1, 2.5, 2.5"));
    }

    #[test]
    fn cases_and_scores_follow_their_children() {
        let (document, ids) = self::document(r#""name": "match", "properties": {"on": "{mood}", "cases": ["x", 2]}"#);
        let cases = |list: &str| format!("match(on = var(mood), cases = [{list}])");
        let head = |operation| head(&document, &operation);
        assert_eq!(head(Operation::Delete { nodes: vec![ids[1]] }), cases("2"));
        assert_eq!(head(Operation::Delete { nodes: vec![ids[3]] }), cases("\"x\""));
        assert_eq!(head(Operation::Insert { text: "d".into(), at: At::Before(ids[1]) }), cases("\"case 1\", \"x\", 2"));
        assert_eq!(head(Operation::Insert { text: "d".into(), at: At::After(ids[3]) }), cases("\"x\", 2, \"case 1\""));
        assert_eq!(head(Operation::Move { nodes: vec![ids[3]], at: At::Before(ids[1]) }), cases("\"case 1\", \"x\""));
        let (document, ids) =
            self::document(r#""name": "utility_selector", "properties": {"scores": ["hunger", 2, "{x}"]}"#);
        let inserted = super::tests::head(&document, &Operation::Insert { text: "d".into(), at: At::After(ids[1]) });
        assert_eq!(inserted, "utility_selector(scores = [\"hunger\", 0, 2, var(x)])");
    }

    #[test]
    fn a_list_that_does_not_fit_stays() {
        for properties in ["", r#", "properties": {"weights": [1]}"#, r#", "properties": {"weights": "{x}"}"#] {
            let (document, ids) = document(&format!(r#""name": "random_selector"{properties}"#));
            let before = document.trees[0].nodes()[0].head.clone();
            assert_eq!(head(&document, &Operation::Delete { nodes: vec![ids[2]] }), before);
        }
    }
}
