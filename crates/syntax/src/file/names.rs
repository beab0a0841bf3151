//! The names of arguments that are written without them.

use std::collections::HashMap;
use std::sync::Arc;

use bt_behavior3::{Diagnostic, NodeSpec, Place, Project, TreeSpec};
use bt_words::{Word, file_forms, is_behavior3};
use serde_json::Value;

use super::arguments::{is_reserved, reserved};
use crate::errors::in_one_line;

/// Arguments of a node without names, each with its place.
pub(super) struct Unnamed {
    /// The index of its tree.
    pub(super) tree: usize,
    /// The index of the node in its tree.
    pub(super) node: usize,
    pub(super) values: Vec<(Place, Value)>,
}

/// Names the arguments of all nodes. Returns the errors.
pub(super) fn name(
    project: &mut Project,
    unnamed: Vec<Unnamed>,
    mut parameters: impl FnMut(&str) -> Option<Vec<String>>,
) -> Vec<Diagnostic> {
    let mut known: HashMap<String, Option<Vec<String>>> = HashMap::new();
    let properties = |tree: &TreeSpec| (tree.id.clone(), tree.properties.keys().next().cloned());
    let trees: HashMap<_, _> = project.trees.iter().filter(|tree| !tree.id.is_empty()).map(properties).collect();
    let mut errors = Vec::new();
    for Unnamed { tree, node, values } in unnamed {
        let (_, node) = &mut project.trees[tree].nodes[node];
        let node = Arc::make_mut(node);
        if let (Some(property), Some((place, _))) = (trees.get(&node.name), values.first()) {
            errors.push(Diagnostic::at(*place, of_tree(&node.name, property.as_deref())));
            continue;
        }
        if let Some((place, _)) = values.first().filter(|_| is_behavior3(&node.name)) {
            errors.push(Diagnostic::at(*place, of_behavior3(&node.name)));
            continue;
        }
        let names = known.entry(node.name.clone()).or_insert_with(|| parameters(&node.name)).as_deref();
        for (index, (place, value)) in values.into_iter().enumerate() {
            match named(node, index, names) {
                Ok(name) => {
                    node.properties.insert_at(&name, value, place);
                }
                Err(reason) => {
                    errors.push(Diagnostic::at(place, reason));
                    break;
                }
            }
        }
    }
    errors
}

/// Returns the error for an argument of a tree in the file, which always has a name: properties have no order. `property` is the first of them.
fn of_tree(tree: &str, property: Option<&str>) -> String {
    match property {
        Some(property) => format!("an argument of the tree `{tree}` needs a name; help: write `{property} = value`"),
        None => format!("the tree `{tree}` has no arguments; help: write `tree {tree}(name = default) {{ … }}`"),
    }
}

/// Returns the error for an argument of a node under its name in Behavior3, where it always has a name.
fn of_behavior3(node: &str) -> String {
    let property = file_forms(node).find_map(|form| form.unbounded.or(form.properties.first().copied()));
    let word = Word::of_file(node).map_or("", Word::name);
    match property {
        Some(property) => {
            format!("an argument of `{node}` needs a name; help: write `{word}(…)`, or `{node}({property} = …)`")
        }
        None => format!("`{node}` takes no arguments; help: write `{word}`"),
    }
}

/// Returns the name of an argument.
fn named(node: &NodeSpec, index: usize, names: Option<&[String]>) -> Result<String, String> {
    let name = match names {
        None => (index + 1).to_string(),
        Some([]) => {
            let help = "help: write `name = value`";
            return Err(format!("an argument of `{}` needs a name: no parameters are known; {help}", node.name));
        }
        Some(names) => names.get(index).cloned().ok_or_else(|| {
            let (takes, known) = (names.len(), names.join("`, `"));
            format!("too many arguments for `{}`: it takes {takes}; note: its parameters are `{known}`", node.name)
        })?,
    };
    if is_reserved(&name) {
        return Err(in_one_line(&reserved(&name)));
    }
    if node.properties.contains_key(&name) {
        return Err(format!("duplicate argument `{name}`"));
    }
    Ok(name)
}
