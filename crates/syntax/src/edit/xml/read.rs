//! A file of BehaviorTree.CPP as a document.

use std::sync::Arc;

use bt_behavior3::xml::Element;
use bt_behavior3::{Diagnostic, xml};

use super::element::Shape;
use super::head::ID;
use super::place::Source;
use super::source::root;
use crate::edit::document::Document;
use crate::edit::node::{List, Node, Tree};
use crate::edit::original::Original;

/// The element of a tree.
pub(super) const TREE: &str = "BehaviorTree";
/// The attribute of `<root>` that names the tree to execute.
pub(super) const MAIN: &str = "main_tree_to_execute";

/// Reads the trees of a file. One without exactly one node is broken, unless it is empty.
pub(super) fn read(source: &Original) -> Result<Vec<Tree>, Diagnostic> {
    let root = root(source)?;
    if let Some(encoding) = other_encoding(source) {
        return Err(root.error(format!("the file states the encoding `{encoding}`; help: save it as UTF-8 to edit it")));
    }
    if root.name != "root" {
        return Err(root.error(format!("expected <root>, found <{}>", root.name)));
    }
    let tree = |(element, name): (&Element, String)| {
        let mut tree = Tree::new(name, Some(element.at.clone()));
        match &element.children[..] {
            [] => {}
            [only] => tree.root = Some(Arc::new(node(only, source))),
            all => {
                let reason = format!("expected 1 node in tree `{}`, found {}", tree.name, all.len());
                tree.broken = Some(element.error(reason));
            }
        }
        tree
    };
    Ok(trees(root).into_iter().map(tree).collect())
}

/// Returns `true` if a file is not of version 3, in which nodes have no conditions and descriptions.
pub(in crate::edit) fn is_version_4(source: &Original) -> bool {
    root(source)
        .ok()
        .and_then(|root| root.value("BTCPP_format").map(|format| !format.trim().starts_with('3')))
        .unwrap_or(false)
}

/// Returns `true` if a file names a tree as the one to execute.
pub(in crate::edit) fn is_main(document: &Document, tree: &Tree) -> bool {
    let Ok(root) = root(&document.source) else { return false };
    let is_it = |(element, name): &(&Element, String)| {
        tree.around.place.as_ref() == Some(&element.at) && root.value(MAIN) == Some(name)
    };
    trees(root).iter().any(is_it)
}

/// Returns the encoding that a file states, if it is another one than UTF-8.
fn other_encoding(source: &str) -> Option<&str> {
    let (declaration, _) = source.trim_start_matches('\u{feff}').strip_prefix("<?xml")?.split_once("?>")?;
    let (_, value) = declaration.split_once("encoding")?;
    let encoding = value.split(['"', '\'']).nth(1)?;
    let is_known = ["utf-8", "utf8", "us-ascii", "ascii"].iter().any(|known| encoding.eq_ignore_ascii_case(known));
    (!is_known).then_some(encoding)
}

/// Returns the elements of trees with their names.
pub(super) fn trees(root: &Element) -> Vec<(&Element, String)> {
    let mut trees: Vec<(&Element, String)> = Vec::new();
    for element in root.children.iter().filter(|element| element.name == TREE) {
        let free = || xml::unnamed(|name| trees.iter().any(|(_, known)| known == name));
        let name = element.value(ID).map_or_else(free, str::to_owned);
        trees.push((element, name));
    }
    trees
}

/// Returns a node of a text, with those below it.
pub(super) fn node(element: &Element, text: &Original) -> Node {
    let Shape { head, label, note, is_disabled } = Shape::of(element);
    let children: Vec<_> = element.children.iter().map(|child| Arc::new(node(child, text))).collect();
    let has_list = !children.is_empty() || element.inside.is_some();
    Node {
        head: head.text(),
        label,
        above: note,
        disabled: is_disabled,
        lists: if has_list { vec![List { children, ..List::default() }] } else { Vec::new() },
        element: Some(Source { text: text.clone(), at: element.at.start }),
        at: Some((element.at.start, element.at.start + 1)),
        ..Node::default()
    }
}
