//! The command `bt diff`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bt_behavior3::{NodeSpec, Project, TreeSpec};
use serde_json::{Value, json};

use crate::Output;
use crate::command::DiffArguments;
use crate::input::{checked, name, project};

/// A difference between two versions of a tree.
struct Difference {
    id: String,
    /// The name and the title of the node.
    node: String,
    kind: &'static str,
    /// What has changed; empty if the kind says all.
    details: Vec<String>,
}

/// Compares two versions of a tree. Nodes are the same if they have the same id.
pub(crate) fn run(arguments: &DiffArguments) -> Result<Output, String> {
    let DiffArguments { old, new, tree, names, .. } = arguments;
    // An invalid tree is an error, not a difference.
    let mut errors = Vec::new();
    for file in [old, new] {
        errors.extend(checked(file, tree.as_deref(), names).err());
    }
    if !errors.is_empty() {
        return Err(errors.join("\n"));
    }
    let (before, after) = (project(old)?, project(new)?);
    let select = |project: &'_ Project, path| {
        project.tree(tree.as_deref()).cloned().ok_or_else(|| format!("{}: no tree", name(path)))
    };
    let differences = differences(&select(&before, old)?, &select(&after, new)?);
    let is_good = differences.is_empty();
    if arguments.json {
        let differences: Vec<_> = differences
            .iter()
            .map(|one| json!({ "id": one.id, "node": one.node, "kind": one.kind, "details": one.details }))
            .collect();
        let text = serde_json::to_string_pretty(&differences).map_err(|error| error.to_string())?;
        return Ok(Output { text: text + "\n", is_good });
    }
    let mut text = String::new();
    for Difference { id, node, kind, details } in &differences {
        let _ = writeln!(
            text,
            "{kind}: node {id} ({node}){}",
            if details.is_empty() { "" } else { ": " }.to_owned() + &details.join(", ")
        );
    }
    Ok(Output { text, is_good })
}

/// A node with its place.
struct Placed<'a> {
    spec: &'a NodeSpec,
    parent: Option<&'a str>,
}

fn differences(old: &TreeSpec, new: &TreeSpec) -> Vec<Difference> {
    let (before, after) = (placed(old), placed(new));
    let mut all = Vec::new();
    let mut add = |id: &str, spec: &NodeSpec, kind, details| {
        all.push(Difference { id: id.to_owned(), node: called(spec), kind, details });
    };
    for (id, node) in &before {
        if !after.contains_key(id) {
            add(id, node.spec, "removed", Vec::new());
        }
    }
    for (id, node) in &after {
        let Some(was) = before.get(id) else {
            let below = node.parent.map(|parent| format!("below node {parent}"));
            add(id, node.spec, "added", below.into_iter().collect());
            continue;
        };
        if was.parent != node.parent {
            let place =
                |parent: Option<&str>| parent.map_or_else(|| "the root".to_owned(), |id| format!("below node {id}"));
            add(id, node.spec, "moved", vec![format!("{} -> {}", place(was.parent), place(node.parent))]);
        }
        let changes = changes(was.spec, node.spec);
        if !changes.is_empty() {
            add(id, node.spec, "changed", changes);
        }
        let common = |of: &NodeSpec, other: &NodeSpec| {
            let others = children(other);
            children(of).into_iter().filter(|child| others.contains(child)).map(str::to_owned).collect::<Vec<_>>()
        };
        let (first, second) = (common(was.spec, node.spec), common(node.spec, was.spec));
        if first != second {
            add(id, node.spec, "reordered", vec![format!("{} -> {}", first.join(" "), second.join(" "))]);
        }
    }
    all
}

fn placed(tree: &TreeSpec) -> BTreeMap<&str, Placed<'_>> {
    let parents: BTreeMap<&str, &str> =
        tree.nodes.iter().flat_map(|(id, node)| children(node).into_iter().map(move |child| (child, &**id))).collect();
    tree.nodes.iter().map(|(id, node)| (&**id, Placed { spec: node, parent: parents.get(&**id).copied() })).collect()
}

fn children(node: &NodeSpec) -> Vec<&str> {
    node.child.iter().chain(node.children.iter().flatten()).map(String::as_str).collect()
}

fn title(node: &NodeSpec) -> Option<String> {
    let title = node.title();
    (!title.is_empty() && title != node.name).then(|| title.into_owned())
}

fn called(node: &NodeSpec) -> String {
    title(node).map_or_else(|| node.name.clone(), |title| format!("{} {title:?}", node.name))
}

/// Returns what has changed in a node itself.
fn changes(old: &NodeSpec, new: &NodeSpec) -> Vec<String> {
    let mut changes = Vec::new();
    if old.name != new.name {
        changes.push(format!("name: {} -> {}", old.name, new.name));
    }
    let text = |title: Option<String>| title.map_or_else(|| "none".to_owned(), |title| format!("{title:?}"));
    if title(old) != title(new) {
        changes.push(format!("title: {} -> {}", text(title(old)), text(title(new))));
    }
    let mut names: Vec<_> = old.properties.keys().chain(new.properties.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let value = |node: &NodeSpec| node.properties.get(name).map_or_else(|| "none".to_owned(), Value::to_string);
        if old.properties.get(name) != new.properties.get(name) {
            changes.push(format!("{name}: {} -> {}", value(old), value(new)));
        }
    }
    changes
}
