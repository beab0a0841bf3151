//! Nodes from text, to be inserted.

use std::sync::Arc;

use bt_behavior3::xml::Element;

use super::head::{Head, NOT, as_tree};
use super::read::{TREE, node, trees};
use super::source::root;
use crate::edit::gap;
use crate::edit::item::OFF;
use crate::edit::node::{List, Node, Style, Tree};
use crate::edit::original::Original;

const HELP: &str = "help: write a node of XML, such as `Repeat(num_cycles = 3) { Walk }`";

/// Returns `true` for a text that begins as XML does. A tree can be in angle brackets, too: `< selector < a, b > >`.
pub fn is_xml(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with('<') && ["<?", "<!", "/>", "</"].iter().any(|sign| text.contains(sign))
}

/// Returns the nodes of an XML text: elements, a tree, or a file with one tree.
pub(in crate::edit) fn nodes(text: &str) -> Result<Vec<Node>, String> {
    let text = &*text.trim().replace("\r\n", "\n");
    // A declaration can only be the begin of a text.
    let text = if text.starts_with("<?") { text.split_once("?>").map_or(text, |(_, rest)| rest) } else { text };
    let text = Original::new(&format!("<root>\n{text}\n</root>"));
    let root = root(&text).map_err(|error| format!("the text is not XML: {}", error.reason))?;
    let found: Vec<&Element> = match &root.children[..] {
        [file] if file.name == "root" => match &trees(file)[..] {
            [(tree, _)] => tree.children.iter().collect(),
            trees => return Err(format!("expected one tree, found {}", trees.len())),
        },
        [tree] if tree.name == TREE => tree.children.iter().collect(),
        all => all.iter().collect(),
    };
    Ok(found.into_iter().map(|element| node(element, &text)).collect())
}

/// Returns a node of the text of a tree as one of XML.
pub(in crate::edit) fn from_text(node: Node) -> Result<Node, String> {
    let is_not = node.head == "!";
    let head = if is_not {
        NOT.to_owned()
    } else {
        Head::parse(&node.head).map_err(|reason| format!("`{}`: {reason}; {HELP}", node.head))?.text()
    };
    let is_plain = |list: &List| list.before.is_empty();
    let other = node.attributes.iter().find(|attribute| *attribute != OFF);
    if !node.before.is_empty() || !node.tail.is_empty() || !node.lists.iter().all(is_plain) || other.is_some() {
        return Err(format!("`{}`: XML has only names, ports and children; {HELP}", node.head));
    }
    let children: Vec<_> =
        node.children().map(|child| from_text(Node::clone(child)).map(Arc::new)).collect::<Result<_, _>>()?;
    Ok(Node {
        head,
        label: node.label,
        above: gap::note(&node.above, Style::Text).lines().map(str::to_owned).collect(),
        disabled: node.disabled || !node.attributes.is_empty(),
        lists: if node.lists.is_empty() { Vec::new() } else { vec![List { children, ..List::default() }] },
        ..Node::default()
    })
}

/// Makes nodes that have the name of a tree the use of that tree.
pub(in crate::edit) fn uses_of_trees(node: &mut Node, trees: &[Tree]) {
    let name = Head::parse(&node.head).map(|head| head.name).unwrap_or_default();
    if node.lists.is_empty() && trees.iter().any(|tree| tree.name == name) {
        node.head = as_tree(&node.head);
    }
    node.children_mut().for_each(|child| uses_of_trees(child, trees));
}
