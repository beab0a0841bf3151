//! Documents of the editor, read, changed and written.

mod files;
mod operations;
mod projects;
mod random;
mod sentences;

use std::sync::Arc;

use super::super::node::{List, Node, Tree};
use crate::edit::{Document, Notation};

/// Returns the name and the properties that a text means: `wait(secs(2))`, `goto(speed = 1, place = var(door))`, `"walk to"(x = 1)`.
pub(super) fn parse_head(text: &str) -> Result<(String, serde_json::Map<String, serde_json::Value>), String> {
    let super::head::Head { name, values } = crate::file::on_a_thread(|| super::head::Head::parse(text))?;
    Ok((name, values.into_iter().collect()))
}

/// Returns a document.
fn read(text: &str) -> Document {
    Document::read(Notation::JSON, text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn write(document: &Document) -> String {
    document.write().unwrap_or_else(|error| panic!("{error}"))
}

/// A node of a document, by its number, in the parts that a test changes.
fn changed(node: &Arc<Node>, change: &mut impl FnMut(&mut Node)) -> Arc<Node> {
    let mut new = (**node).clone();
    for list in &mut new.lists {
        list.children = list.children.iter().map(|child| changed(child, change)).collect();
    }
    change(&mut new);
    Arc::new(new)
}

/// Changes the nodes of a tree, from the leaves to the root.
fn change(tree: &mut Tree, mut change: impl FnMut(&mut Node)) {
    tree.root = tree.root.as_ref().map(|root| changed(root, &mut change));
    tree.loose = tree.loose.iter().map(|root| changed(root, &mut change)).collect();
}

/// Changes the node of a tree with an id in the file.
fn change_one(tree: &mut Tree, id: &str, mut of: impl FnMut(&mut Node)) {
    let mut found = false;
    change(tree, |node| {
        if node.origin.as_ref().is_some_and(|origin| origin.id == id) {
            found = true;
            of(node);
        }
    });
    assert!(found, "no node {id}");
}

fn children(node: &mut Node) -> &mut Vec<Arc<Node>> {
    if node.lists.is_empty() {
        node.lists.push(List::default());
    }
    &mut node.lists[0].children
}

/// Returns a new node with the next number of a document.
fn new(document: &mut Document, head: &str) -> Arc<Node> {
    document.next += 1;
    Arc::new(Node { id: document.next - 1, ..super::paste::node(head).unwrap_or_else(|error| panic!("{error}")) })
}

/// Returns a node as text, with its properties in the order of their names.
fn shown(node: &Node) -> String {
    let (name, properties) = parse_head(&node.head).unwrap_or_else(|error| panic!("{}: {error}", node.head));
    // A label with the name of a property, which the node gets, is no longer one.
    let head = super::head::Head { name: name.clone(), values: properties.clone().into_iter().collect() };
    let disabled = if node.disabled { "#[disabled] " } else { "" };
    let label = node.label.as_ref().filter(|label| super::shape::is_label(label, &head));
    let label = label.map(|label| format!(" {label:?}")).unwrap_or_default();
    let above = if node.above.is_empty() { String::new() } else { format!(" {:?}", node.above) };
    let text = format!("{disabled}{name}{}{label}{above}", serde_json::Value::Object(properties));
    let below: Vec<_> = node.children().map(|child| shown(child)).collect();
    if below.is_empty() { text } else { format!("{text} {{ {} }}", below.join(", ")) }
}

/// Returns what a document says, without what is only in its file.
fn said(document: &Document) -> Vec<String> {
    let said = |tree: &Tree| {
        let root = tree.root.as_ref().map(|root| shown(root));
        let mut loose: Vec<_> = tree.loose.iter().map(|node| shown(node)).collect();
        // They are in the order of the file.
        loose.sort();
        format!("{:?} {:?} {:?} {root:?} {loose:?}", tree.name, tree.title, tree.broken)
    };
    document.trees.iter().map(said).collect()
}
