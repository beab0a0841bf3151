//! A text as a file of the editor: with lasting ids, categories, a layout and declarations.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bt_behavior3::bt_words::{Family, file_forms};
use bt_behavior3::{ALLOW, CustomNode, DISABLED, Diagnostic, NodeNames, NodeSpec, Project, TreeSpec, is_behavior3};
use serde_json::{Map, Value, json};

/// Pixels between nodes in the editor.
const WIDE: f64 = 180.0;
const HIGH: f64 = 90.0;

/// Returns what the editor opens.
///
/// # Errors
///
/// Returns the errors of invalid trees.
pub(crate) fn as_file(mut project: Project, names: &NodeNames) -> Result<Project, Vec<Diagnostic>> {
    let (mut declared, mut errors) = (BTreeMap::new(), Vec::new());
    for (_, checked) in project.check_all(names) {
        match checked {
            Ok(checked) => {
                let leaves = checked.nodes.iter().flat_map(|node| node.kind.attached_leaves());
                for leaf in leaves {
                    declare(&mut declared, leaf.name, "action", &Map::new());
                }
            }
            Err(found) => errors.extend(found),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let title = |tree: &TreeSpec| (tree.id.clone(), tree.shown_title().to_owned());
    let trees: BTreeMap<_, _> = project.trees.iter().map(title).collect();
    for tree in &mut project.trees {
        let mut places = BTreeMap::new();
        if let Some(root) = &tree.root {
            let nodes = tree.nodes.iter().map(|(id, node)| (id.as_str(), &**node)).collect();
            place(&nodes, root, 0.0, &mut 0.0, &mut places);
        }
        let disabled = tree.nodes.iter().filter(|(_, node)| node.is_disabled());
        let disabled: BTreeSet<_> = disabled.map(|(id, _)| id.clone()).collect();
        tree.root = tree.root.as_deref().map(lasting);
        for (id, node) in &mut tree.nodes {
            let (x, y) = places.get(id).copied().unwrap_or_default();
            *id = lasting(id);
            let node = Arc::make_mut(node);
            let tree = trees.get(&node.name);
            let enabled = node.children.iter().flatten().filter(|child| !disabled.contains(*child)).count();
            let category = if tree.is_some() { "tree" } else { category(node, enabled) };
            if category != "tree" && !is_behavior3(&node.name) {
                declare(&mut declared, &node.name, category, &node.properties);
            }
            let title = tree.unwrap_or(&node.name).clone();
            finish(node, id, category, title, &json!({ "x": x, "y": y }));
        }
        about(tree);
    }
    match project.trees.as_mut_slice() {
        [tree] => tree.custom_nodes = declared.into_values().collect(),
        _ => project.custom_nodes = declared.into_values().collect(),
    }
    Ok(project)
}

/// Returns the number of a node in a text as an id.
fn lasting(id: &str) -> String {
    id.trim_start_matches('#').to_owned()
}

fn declare(all: &mut BTreeMap<String, CustomNode>, name: &str, category: &str, properties: &Map<String, Value>) {
    let mut properties = properties.clone();
    properties.retain(|name, _| name != ALLOW && name != DISABLED);
    let declared = CustomNode::declare(name, category, "", properties.clone());
    let known = all.entry(name.to_owned()).or_insert(declared);
    // A node with one child here and several there is a composite.
    if category == "composite" {
        known.more.insert("category".to_owned(), category.into());
    }
    for (name, value) in properties {
        known.properties.entry(name).or_insert(value);
    }
}

/// Returns the category in the editor of a node with this number of enabled children.
fn category(node: &NodeSpec, enabled: usize) -> &'static str {
    let family = file_forms(&node.name).next().and_then(|form| form.words.first()).map(|word| word.row().family);
    match (family, enabled) {
        (Some(Family::Composite | Family::Machine), _) => "composite",
        (Some(Family::Decorator | Family::State), _) | (None, 1) => "decorator",
        (Some(Family::Leaf), _) | (None, 0) => "action",
        (None, _) => "composite",
    }
}

/// Adds what only the editor needs.
fn finish(node: &mut NodeSpec, id: &str, category: &str, title: String, display: &Value) {
    let mut more = node.more.to_map();
    more.entry("title").or_insert_with(|| title.into());
    more.insert("category".to_owned(), category.into());
    more.insert("description".to_owned(), "".into());
    more.insert("display".to_owned(), display.clone());
    node.more = more.into();
    node.children = node.children.take().map(|children| children.iter().map(|child| lasting(child)).collect());
    // Beside its child, a decorator can have disabled ones.
    if category == "decorator" && node.children.as_ref().is_some_and(|children| children.len() == 1) {
        node.child = node.children.take().and_then(|children| children.into_iter().next());
    }
    (node.id, node.place) = (id.to_owned(), None);
}

/// Adds the fields of a tree that the editor reads.
fn about(tree: &mut TreeSpec) {
    let camera = json!({ "camera_x": 0, "camera_y": 0, "camera_z": 1 });
    let fields = [("version", json!("0.3.0")), ("scope", json!("tree")), ("title", json!("")), ("display", camera)];
    for (name, value) in fields {
        tree.more.entry(name).or_insert(value);
    }
}

/// Places a node and those below it. Returns its x coordinate. (The depth of a text is limited.)
fn place<'a>(
    nodes: &BTreeMap<&'a str, &'a NodeSpec>,
    id: &str,
    y: f64,
    leaves: &mut f64,
    places: &mut BTreeMap<String, (f64, f64)>,
) -> f64 {
    let children = nodes.get(id).into_iter().flat_map(|node| node.children.iter().flatten());
    let below: Vec<_> = children.map(|child| place(nodes, child, y + HIGH, leaves, places)).collect();
    let x = match (below.first(), below.last()) {
        (Some(first), Some(last)) => f64::midpoint(*first, *last),
        _ => {
            *leaves += 1.0;
            (*leaves - 1.0) * WIDE
        }
    };
    places.insert(id.to_owned(), (x, y));
    x
}
