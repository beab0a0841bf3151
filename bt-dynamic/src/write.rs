//! Writes a description as a file of the editor.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bt_behavior3::{CustomNode, NodeSpec, Project, TreeSpec, is_behavior3, millis};
use bt_core::Tree;
use bt_core::describe::{Described, Description, FileNode, Kind, Parameter};
use bt_words::{ParamType, Word};
use serde_json::{Map, Value, json};

use crate::tree::LoadedTreeOf;
use bt_core::Contexts;

/// Pixels between nodes in the editor.
const WIDE: f64 = 180.0;
const HIGH: f64 = 90.0;

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
    let mut writer =
        Writer { description, nodes: Vec::new(), ids: BTreeSet::new(), custom: BTreeMap::new(), leaves: 0.0 };
    let root = description.nodes().first().map(|root| writer.node(root, "0".to_owned(), None, 0.0).0);
    let more = json!({ "version": "0.3.0", "scope": "tree", "title": title, "description": "", "display": { "camera_x": 0, "camera_y": 0, "camera_z": 1 } });
    writer.nodes.sort_by(|(one, _), (other, _)| one.cmp(other));
    Project::of(TreeSpec {
        id: if title.is_empty() { "tree".to_owned() } else { format!("{title}-tree") },
        root,
        nodes: writer.nodes,
        custom_nodes: writer.custom.into_values().collect(),
        more: object(more),
        ..TreeSpec::default()
    })
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
    /// assert_eq!(registry.load(&written)?.description(), tree.description());
    /// # Ok::<(), bt_dynamic::LoadError>(())
    /// ```
    pub fn to_behavior3(&self) -> Project {
        let mut project = to_behavior3(&self.description(), self.title());
        for tree in &mut project.trees {
            let TreeSpec { id, properties, custom_nodes, more, .. } = &self.version.flat.header;
            if !id.is_empty() {
                tree.id.clone_from(id);
            }
            tree.properties.clone_from(properties);
            tree.custom_nodes.retain(|node| custom_nodes.iter().all(|declared| declared.name != node.name));
            tree.custom_nodes.extend(custom_nodes.iter().cloned());
            tree.more.extend(more.clone());
        }
        project
    }
}

fn json_object(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap_or_default()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

struct Writer<'a> {
    description: &'a Description,
    nodes: Vec<(String, Arc<NodeSpec>)>,
    /// The ids of the nodes so far.
    ids: BTreeSet<String>,
    custom: BTreeMap<String, CustomNode>,
    /// The number of leaves laid out so far.
    leaves: f64,
}

impl Writer<'_> {
    /// Writes a node and the nodes below it. Returns its id and its x position.
    fn node(&mut self, node: &Described, id: String, title: Option<&str>, depth: f64) -> (String, f64) {
        let id = self.own_id(node, id);
        let mut children: Vec<_> = self.description.children(node.id).collect();
        if let Some(file) = &node.file {
            children = self.children_in_file(file, children);
        }
        let title = node.label.as_deref().or(title);
        if let (Kind::Subtree, [child]) = (node.kind, children.as_slice()) {
            return self.node(child, id, Some(&node.name), depth);
        }
        let (name, mut properties) = match &node.file {
            Some(file) => (file.name.as_str(), json_object(&file.properties)),
            None => named(node),
        };
        if node.file.is_none() {
            self.add_states(node, &mut properties);
        }
        for leaf in self.description.attachments(node.id) {
            self.declare_leaf(leaf);
        }
        let mut positions = Vec::new();
        let below: Vec<_> = children
            .iter()
            .enumerate()
            .map(|(index, child)| {
                let (id, x) = self.node(child, format!("{id}.{index}"), None, depth + 1.0);
                positions.push(x);
                id
            })
            .collect();
        let x = match (positions.first(), positions.last()) {
            (Some(first), Some(last)) => f64::midpoint(*first, *last),
            _ => {
                self.leaves += 1.0;
                (self.leaves - 1.0) * WIDE
            }
        };
        let category = match node.kind {
            // A subtree registered under a name is a leaf in the file.
            Kind::Composite | Kind::Machine | Kind::Subtree | Kind::Decorator
                if node.file.is_some() && below.is_empty() =>
            {
                "action"
            }
            Kind::Composite | Kind::Machine => "composite",
            Kind::State if below.len() > 1 => "composite",
            Kind::Decorator | Kind::Subtree | Kind::State => "decorator",
            Kind::Condition => "condition",
            Kind::Action | _ => "action",
        };
        if !is_behavior3(name) {
            self.declare(name, category, &properties);
        }
        let (mut one, mut some) = (None, None);
        match category {
            "decorator" => one = below.into_iter().next(),
            "composite" => some = Some(below),
            _ => {}
        }
        let more = match &node.file {
            Some(file) => json_object(&file.more),
            None => object(
                json!({ "category": category, "title": title.unwrap_or(name), "description": "", "display": { "x": x, "y": depth * HIGH } }),
            ),
        };
        let spec = NodeSpec {
            id: id.clone(),
            name: name.to_owned(),
            properties,
            parameters: None,
            children: some,
            child: one,
            more: more.into(),
            place: None,
            arguments: BTreeMap::new(),
            file: None,
        };
        self.nodes.push((id.clone(), spec.into()));
        (id, x)
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

    /// Declares a leaf that a node names in a property, so that the file states what it is.
    fn declare_leaf(&mut self, leaf: &Described) {
        let mut leaf = leaf;
        // The condition `!herded` is below an `invert`.
        while let (Kind::Decorator, Some(below)) = (leaf.kind, self.description.children(leaf.id).next()) {
            leaf = below;
        }
        let category = if leaf.kind == Kind::Condition { "condition" } else { "action" };
        if matches!(leaf.kind, Kind::Condition | Kind::Action) && !bt_behavior3::is_file_name(&leaf.name) {
            self.declare(&leaf.name, category, &Map::new());
        }
    }

    fn declare(&mut self, name: &str, category: &str, properties: &Map<String, Value>) {
        self.custom.entry(name.to_owned()).or_insert_with(|| {
            let description = Word::named(name).next().map_or("", |word| word.row().doc);
            CustomNode::declare(name, category, description, properties.clone())
        });
    }
}

/// Returns the name and the properties of a node in a file; those of Behavior3 if it has such a node.
fn named(node: &Described) -> (&str, Map<String, Value>) {
    match node.kind {
        Kind::State => return (Word::State.name(), Map::new()),
        Kind::Machine => return (Word::Machine.name(), Map::new()),
        _ => {}
    }
    if let Some(named) = word(node).and_then(|word| behavior3(word, node)) {
        return named;
    }
    let is_cases = |name: &str| {
        let params = word(node).map_or(&[][..], |word| word.row().params);
        params.iter().any(|param| param.name == name && param.ty == ParamType::Cases)
    };
    let property = |param: &Parameter| {
        let mut value = value(param.property.as_ref().unwrap_or(&param.value));
        // The last child has no case in a file.
        if let (Value::Array(cases), true) = (&mut value, is_cases(&param.name)) {
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

/// Returns the name and properties of a word in Behavior3, if it has the word and can represent the arguments.
fn behavior3(word: Word, node: &Described) -> Option<(&'static str, Map<String, Value>)> {
    let (form, row) = (word.behavior3()?, word.row());
    let mut properties = Map::new();
    for (index, param) in row.params.iter().enumerate() {
        let text = &node.params.iter().find(|given| given.name == param.name)?.value;
        let value = match param.ty {
            ParamType::Times | ParamType::Runs => json!(text.parse::<u32>().ok()?),
            // A time that has no exact number of milliseconds is text.
            ParamType::Time => {
                let number = millis(text)?;
                let is_exact = millis(&format!("{number}")) == Some(number) && number < 1e15;
                if is_exact { json!(number) } else { json!(text) }
            }
            ParamType::Probability
            | ParamType::Threshold(_)
            | ParamType::Weights
            | ParamType::Scores
            | ParamType::Bonus
            | ParamType::Value
            | ParamType::Cases
            | ParamType::Leaf(_)
            | ParamType::Transitions
            | ParamType::Name => value(text),
        };
        properties.insert(form.property(row, index).to_owned(), value);
    }
    if let Some(unbounded) = form.unbounded {
        properties.insert(unbounded.to_owned(), json!(-1));
    }
    Some((form.name, properties))
}

/// Converts a value formatted with `Debug` to JSON; to a string if it is not valid JSON.
pub(crate) fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}
