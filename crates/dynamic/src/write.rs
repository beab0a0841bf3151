//! Writes a description as a file of the editor.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bt_behavior3::parts::finished;
use bt_behavior3::{NodeSpec, Project, TreeSpec, is_file_name};
use bt_core::Tree;
use bt_core::describe::{Described, Description, FileNode, Kind, Parameter};
use bt_words::{ParamType, Word};
use serde_json::{Map, Value, json};

use crate::tree::LoadedTreeOf;
use bt_core::Contexts;

/// Writes a tree as a file of the Behavior3 editor, with ids derived from the structure, a tidy layout, and declarations of all nodes that are not built into Behavior3.
///
/// Words that Behavior3 also has are written with its names. A named subtree is written as its nodes, with its name as title. The
/// states of a machine are nodes, and their transitions are properties. A machine can be loaded if its conditions, `enter:` and
/// `exit:` actions are names of leaves.
///
/// ```
/// use bt_dynamic::Registry;
/// use bt_core::prelude::*;
///
/// #[action]
/// fn walk(steps: &mut u32, by: u32) { *steps += by }
///
/// let tree = tree! { for u32: selector "on foot" { sequence { fail, #[allow(unreachable)] run } limit(3) { walk(2) } } };
/// let file = bt_dynamic::to_behavior3(&tree.description(), "walker").write();
/// assert!(file.contains(r#""name": "Limiter""#));
///
/// let mut registry = Registry::<u32>::new();
/// registry.add::<walk>("walk");
/// let loaded = registry.load(&file)?;
/// assert_eq!(loaded.description().to_string(), tree.description().to_string());
/// # Ok::<(), bt_dynamic::LoadError>(())
/// ```
pub fn to_behavior3(description: &Description, title: &str) -> Project {
    written(description, title, &TreeSpec::default())
}

/// Writes a tree with the fields of the one that it was loaded from.
fn written(description: &Description, title: &str, header: &TreeSpec) -> Project {
    let mut writer = Writer { description, nodes: Vec::new(), ids: BTreeSet::new(), leaves: BTreeMap::new() };
    let root = description.nodes().first().map(|root| writer.node(root, "0".to_owned(), None));
    writer.nodes.sort_by(|(one, _), (other, _)| one.cmp(other));
    let TreeSpec { id, properties, custom_nodes, more, .. } = header.clone();
    let mut tree = TreeSpec { id, root, properties, nodes: writer.nodes, custom_nodes, more };
    if tree.id.is_empty() {
        tree.id = if title.is_empty() { "tree".to_owned() } else { format!("{title}-tree") };
    }
    tree.more.entry("title").or_insert_with(|| title.into());
    finished(Project::of(tree), &writer.leaves)
}

impl<F: Contexts> LoadedTreeOf<F> {
    /// Returns this tree as a file of the Behavior3 editor, with all fields of the file that it was loaded from. Nested trees are written as nodes.
    ///
    /// ```
    /// use bt_dynamic::Registry;
    /// use bt_core::prelude::*;
    ///
    /// let mut registry = Registry::<u32>::new();
    /// registry.add_leaf("Walk", |steps: &mut u32| *steps += 1);
    /// let file = r#"{ "id": "t-7", "title": "walker", "description": "on foot", "root": "1", "nodes": {
    ///     "1": { "name": "Walk", "title": "go", "description": "slowly", "display": { "x": 120, "y": 40 } }
    /// } }"#;
    /// let tree = registry.load(file)?;
    /// let written = tree.to_behavior3().write();
    /// for kept in ["t-7", "on foot", "slowly", "120"] {
    ///     assert!(written.contains(kept));
    /// }
    /// assert_eq!(registry.load(&written)?.to_behavior3().write(), written);
    /// # Ok::<(), bt_dynamic::LoadError>(())
    /// ```
    pub fn to_behavior3(&self) -> Project {
        written(&self.description(), self.title(), &self.version.flat.header)
    }
}

fn json_object(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap_or_default()
}

struct Writer<'a> {
    description: &'a Description,
    nodes: Vec<(String, Arc<NodeSpec>)>,
    /// The ids of the nodes so far.
    ids: BTreeSet<String>,
    /// The categories of the leaves, by name.
    leaves: BTreeMap<String, &'static str>,
}

impl Writer<'_> {
    /// Writes a node and the nodes below it. Returns its id.
    fn node(&mut self, node: &Described, id: String, title: Option<&str>) -> String {
        let id = self.own_id(node, id);
        let mut children: Vec<_> = self.description.children(node.id).collect();
        if let Some(file) = &node.file {
            children = self.children_in_file(file, children);
        }
        let title = node.label.as_deref().or(title);
        if let (Kind::Subtree, [child]) = (node.kind, children.as_slice()) {
            return self.node(child, id, Some(&node.name));
        }
        let (name, mut properties) = match &node.file {
            Some(file) => (file.name.as_str(), json_object(&file.properties)),
            None => named(node),
        };
        if node.file.is_none() {
            self.add_states(node, &mut properties);
        }
        for leaf in self.description.attachments(node.id) {
            self.add_leaf(leaf);
        }
        let below = children.iter().enumerate();
        let below: Vec<_> = below.map(|(index, child)| self.node(child, format!("{id}.{index}"), None)).collect();
        if node.kind == Kind::Condition {
            self.leaves.insert(name.to_owned(), "condition");
        }
        let title = title.filter(|_| node.file.is_none()).unwrap_or_default();
        let mut spec = NodeSpec::new(id.clone(), name, title, "");
        if let Some(file) = &node.file {
            spec.more = json_object(&file.more).into();
        }
        spec.properties = properties.into();
        spec.set_children(below);
        self.nodes.push((id.clone(), spec.into()));
        id
    }

    /// Adds the transitions and actions of a machine or state, which are properties in files.
    fn add_states(&self, node: &Described, properties: &mut Map<String, Value>) {
        let word = match node.kind {
            Kind::Machine => Word::Machine,
            Kind::State => Word::State,
            _ => return,
        };
        for param in word.row().params {
            let value = match param.ty {
                ParamType::Name => Some(json!(node.name)),
                ParamType::Transitions if node.transitions.is_empty() => None,
                ParamType::Transitions => {
                    let transitions = node.transitions.iter();
                    Some(transitions.map(|transition| format!("{} -> {}", transition.on, transition.to)).collect())
                }
                ParamType::Leaf(role) => {
                    self.description.attachments(node.id).find(|leaf| leaf.role == role).map(|leaf| json!(leaf.name))
                }
                ParamType::Times
                | ParamType::Runs
                | ParamType::Time
                | ParamType::Probability
                | ParamType::Threshold(_)
                | ParamType::Weights
                | ParamType::Scores
                | ParamType::Bonus
                | ParamType::Value
                | ParamType::Cases => None,
            };
            if let Some(value) = value {
                properties.insert(param.name.to_owned(), value);
            }
        }
    }

    /// Returns the id of a node in the file if it is still free; otherwise an id derived from the structure.
    fn own_id(&mut self, node: &Described, structural: String) -> String {
        let from_file = node.file.as_ref().map(|file| file.id.clone()).filter(|id| !self.ids.contains(id));
        let mut id = from_file.unwrap_or(structural);
        while !self.ids.insert(id.clone()) {
            id.push('\'');
        }
        id
    }

    /// Returns the nodes that are also nodes of the file. Skips the inner nodes of a name with several words, and the nodes of a registered subtree.
    fn children_in_file<'b>(&self, file: &FileNode, children: Vec<&'b Described>) -> Vec<&'b Described>
    where
        Self: 'b,
    {
        let description = self.description;
        let mut all = Vec::new();
        for child in children {
            match &child.file {
                Some(own) if own.id == file.id && own.name == file.name => {
                    let below: Vec<_> = description.children(child.id).collect();
                    all.extend(self.children_in_file(file, below));
                }
                Some(_) => all.push(child),
                None => {}
            }
        }
        all
    }

    /// Adds a leaf that a node names in a property, so that the file states what it is.
    fn add_leaf(&mut self, leaf: &Described) {
        let mut leaf = leaf;
        // The condition `!herded` is below an `invert`.
        while let (Kind::Decorator, Some(below)) = (leaf.kind, self.description.children(leaf.id).next()) {
            leaf = below;
        }
        let category = if leaf.kind == Kind::Condition { "condition" } else { "action" };
        if matches!(leaf.kind, Kind::Condition | Kind::Action) && !is_file_name(&leaf.name) {
            self.leaves.entry(leaf.name.clone()).or_insert(category);
        }
    }
}

/// Returns the name and the properties of a node in a file.
fn named(node: &Described) -> (&str, Map<String, Value>) {
    match node.kind {
        Kind::State => return (Word::State.name(), Map::new()),
        Kind::Machine => return (Word::Machine.name(), Map::new()),
        _ => {}
    }
    let cases = word(node).and_then(|word| word.row().param(ParamType::Cases));
    let property = |param: &Parameter| {
        let mut value = value(param.property.as_ref().unwrap_or(&param.value));
        // The last child has no case in a file.
        if let (Value::Array(cases), true) = (&mut value, cases.is_some_and(|cases| cases.name == param.name)) {
            cases.pop();
        }
        (param.name.clone(), value)
    };
    (&node.name, node.params.iter().map(property).collect())
}

/// Returns the word of a described node, if it is in the vocabulary.
fn word(node: &Described) -> Option<Word> {
    let has = |word: &Word, name: &str| word.row().params.iter().any(|param| param.name == name);
    let fits = |word: &Word| {
        Kind::of(word.row().family) == node.kind && node.params.iter().all(|param| has(word, &param.name))
    };
    Word::named(&node.name).filter(fits).min_by_key(|word| word.row().params.len())
}

/// Converts a value formatted with `Debug` to JSON; to a string if it is not valid JSON.
pub(crate) fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}
