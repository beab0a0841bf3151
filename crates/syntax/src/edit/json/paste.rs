//! Nodes from text, to be inserted.

use std::collections::HashMap;
use std::sync::Arc;

use bt_behavior3::bt_words::Word;
use bt_behavior3::{NodeSpec, TreeSpec};
use proc_macro2::Delimiter;
use serde_json::value::to_raw_value;

use super::head::{Head, word};
use super::read;
use super::shape::DISABLED;
use crate::edit::data::{first, parse};
use crate::edit::document::Document;
use crate::edit::node::{List, Node, Origin};
use crate::errors::Errors;
use crate::file;
use crate::tokens::{Input, Text};

/// Returns the node that a text is, with those below it: as heads of this notation, as the text of a file, or as JSON of a node or a tree.
pub(in crate::edit) fn node(text: &str) -> Result<Node, String> {
    if text.trim_start().starts_with('{') {
        return of_json(text);
    }
    file::on_a_thread(|| match parse(text, of_heads) {
        Ok(node) => Ok(node),
        Err(error) if text.trim_start().starts_with('"') => Err(error),
        Err(_) => of_text(text),
    })
}

/// Returns whether a document has words under the names of `tree!` that Behavior3 has as well: it is not of the editor.
pub(in crate::edit) fn uses_words(document: &Document) -> bool {
    let is_word = |node: &Arc<Node>| {
        Word::named(word(&node.head)).any(|word| word.behavior3().is_some_and(|form| form.name != word.name()))
    };
    document.nodes().any(is_word)
}

/// Gives the words of a node, and of those below it, the names that they have in Behavior3.
pub(in crate::edit) fn in_behavior3(node: &mut Node) {
    if let Ok(head) = Head::parse(&node.head) {
        node.head = head.in_behavior3().text();
    }
    node.children_mut().for_each(in_behavior3);
}

/// Parses a node and those below it: `"walk to"(x = 1) "label" { wait(secs(1)) }`.
fn of_heads(input: &Input<'_>, errors: &mut Errors) -> Option<Node> {
    let node = one(input, errors)?;
    if !input.is_empty() {
        errors.at(input.span(), "expected one node");
        return None;
    }
    Some(node)
}

fn one(input: &Input<'_>, errors: &mut Errors) -> Option<Node> {
    let mut disabled = false;
    if input.eat("#").is_some() {
        let attribute = input.group()?;
        disabled = attribute.stream().is(DISABLED);
        if !disabled {
            errors.at(attribute.span(), format!("expected `#[{DISABLED}]`"));
            return None;
        }
    }
    let head = Head::read(input, errors)?;
    let label = input.text().map(Text::value);
    let mut children = Vec::new();
    let body = input.group_in(Delimiter::Brace).map(|body| body.stream().input());
    while let Some(input) = body.as_ref().filter(|input| !input.is_empty()) {
        let Some(child) = one(input, errors) else { break };
        children.push(Arc::new(child));
        if !input.is_empty() && input.eat(",").is_none() && children.last().is_none_or(|child| child.lists.is_empty()) {
            errors.at(input.span(), "expected `,`");
            break;
        }
    }
    if !errors.is_empty() {
        return None;
    }
    Some(Node { head: head.text(), label, disabled, lists: List::of(children), ..Node::default() })
}

/// Reads the text of a file.
fn of_text(text: &str) -> Result<Node, String> {
    let project = file::read(text, |_| Some(Vec::new())).map_err(first)?;
    match &*project.trees {
        [tree] if tree.id.is_empty() => of_tree(tree),
        _ => Err("expected a node, found a tree".to_owned()),
    }
}

fn of_json(text: &str) -> Result<Node, String> {
    if let Ok(trees) = read::read(text) {
        let root = trees.first().and_then(|tree| tree.root.as_deref());
        return root.map(without_origin).ok_or_else(|| "the tree has no root".to_owned());
    }
    let spec: NodeSpec = serde_json::from_str(text).map_err(|error| error.to_string())?;
    Ok(of_spec(&spec, Vec::new()))
}

/// Returns the root of a tree that was read from text.
fn of_tree(tree: &TreeSpec) -> Result<Node, String> {
    let by_id: HashMap<_, _> = tree.nodes.iter().map(|(id, node)| (id.as_str(), &**node)).collect();
    let root = tree.root.as_deref().and_then(|root| below(root, &by_id));
    root.ok_or_else(|| "expected a node".to_owned())
}

/// Returns a node by its id, with those below it. The text of a file has no circles.
fn below(id: &str, by_id: &HashMap<&str, &NodeSpec>) -> Option<Node> {
    let spec = by_id.get(id)?;
    let children = spec.children.iter().flatten().filter_map(|child| below(child, by_id)).map(Arc::new).collect();
    Some(of_spec(spec, children))
}

fn of_spec(spec: &NodeSpec, children: Vec<Arc<Node>>) -> Node {
    let fields = serde_json::to_value(spec).unwrap_or_default();
    let fields = fields.as_object().into_iter().flatten();
    let fields = fields.filter_map(|(name, value)| Some((name.clone(), to_raw_value(value).ok()?))).collect();
    let node = read::node(Arc::new(Origin { id: String::new(), fields }), children);
    Node { origin: None, ..node }
}

/// Returns a node as a new one.
fn without_origin(node: &Node) -> Node {
    let children = node.children().map(|child| Arc::new(without_origin(child))).collect();
    Node { id: 0, origin: None, lists: List::of(children), ..node.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(node: &Node) -> String {
        let label = node.label.as_ref().map(|label| format!(" {label:?}")).unwrap_or_default();
        let disabled = if node.disabled { "#[disabled] " } else { "" };
        let below: Vec<_> = node.children().map(|child| shown(child)).collect();
        let below = if below.is_empty() { String::new() } else { format!(" {{ {} }}", below.join(", ")) };
        format!("{disabled}{}{label}{below}", node.head)
    }

    fn of(text: &str) -> String {
        node(text).map_or_else(|error| format!("error: {error}"), |node| shown(&node))
    }

    #[test]
    fn a_node_is_read_with_those_below_it() {
        for (text, node) in [
            ("wait(secs(2))", "wait(time = secs(2))"),
            ("Wait(secs(2))", "Wait(milliseconds = 2000)"),
            (
                "\"walk to\"(x = 1) \"there\" { near(at = var(door)), }",
                "\"walk to\"(x = 1) \"there\" { near(at = var(door)) }",
            ),
            ("selector { a { b } c, #[disabled] d(x = 2), }", "selector { a { b }, c, #[disabled] d(x = 2) }"),
            ("cooldown(time = 1000) { a }", "cooldown(time = 1000) { a }"),
            ("cooldown(secs(1)) { !a }", "cooldown(time = secs(1)) { invert { a } }"),
            ("if (near) { a } else { b }", "if { near, a, b }"),
            ("random_selector { 2 => a, b }", "random_selector(weights = [2, 1]) { a, b }"),
            ("match mood { \"calm\" => a, _ => b }", "match(cases = [\"calm\"], on = \"mood\") { a, b }"),
            (
                r#"{"name": "a b", "properties": {"x": 1, "disabled": true}, "title": "t"}"#,
                "#[disabled] \"a b\"(x = 1) \"t\"",
            ),
            (
                r#"{"root": "1", "nodes": {"1": {"name": "Inverter", "child": "2"}, "2": {"name": "a"}}}"#,
                "Inverter { a }",
            ),
        ] {
            assert_eq!(of(text), node, "{text}");
        }
    }

    #[test]
    fn what_is_no_node_is_an_error() {
        for (text, error) in [
            ("", "expected a node, found an empty file"),
            ("near(10)", "an argument of `near` needs a name: no parameters are known; help: write `name = value`"),
            ("\"a\"(10)", "an argument of `a` needs a name"),
            ("\"a\" { b c }", "expected `,`"),
            ("tree a { b }", "expected a node, found a tree"),
            ("|npc| npc.a()", "a file cannot contain a closure"),
            (r#"{"x": 1}"#, "missing field `name`"),
            (r#"{"root": null, "nodes": {}}"#, "the tree has no root"),
        ] {
            let found = of(text);
            assert!(found.starts_with(&format!("error: {error}")), "{text}: {found}");
        }
    }
}
