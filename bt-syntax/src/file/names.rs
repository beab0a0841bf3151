//! The names of arguments that are written without them.

use std::collections::HashMap;
use std::sync::Arc;

use bt_behavior3::{Diagnostic, NodeSpec, Place, Project};
use serde_json::Value;

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
    // Arguments of a tree in the file always have names: its properties have no order.
    known.extend(
        project.trees.iter().filter(|tree| !tree.id.is_empty()).map(|tree| (tree.id.clone(), Some(Vec::new()))),
    );
    let mut errors = Vec::new();
    for Unnamed { tree, node, values } in unnamed {
        let (_, node) = &mut project.trees[tree].nodes[node];
        let node = Arc::make_mut(node);
        let names = known.entry(node.name.clone()).or_insert_with(|| parameters(&node.name)).as_deref();
        for (index, (place, value)) in values.into_iter().enumerate() {
            match named(node, index, names) {
                Ok(name) => {
                    node.arguments.insert(name.clone(), vec![place]);
                    node.properties.insert(name, value);
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
    if node.properties.contains_key(&name) {
        return Err(format!("duplicate argument `{name}`"));
    }
    Ok(name)
}
