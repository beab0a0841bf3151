//! The trees of a document as those that all notations share.

mod builtin;
mod nested;
mod own;

use std::collections::BTreeMap;
use std::sync::Arc;

use bt_behavior3::xml::Element;
use bt_behavior3::{CustomNode, Diagnostic, NodeSpec, Place, Project, TreeSpec, variable};
use bt_words::did_you_mean;
use serde_json::{Map, Value};

use crate::builtin::{CONDITION_NAMES, CONDITIONS, CONDITIONS_NODE, Category};
use crate::document::{DESCRIPTION, Document, Model, Tree};
use crate::names::{self, Names};
use crate::node::{Given, Meaning, has_conditions, meaning, ports, registered};
use crate::plugins;
use crate::program::Program;
use crate::script::Script;
use crate::skips::Skips;

impl Document {
    /// Converts the trees: the tree with this ID, and those that it can contain. `None` selects the tree that the file states as the one to execute, or
    /// the only one. `program` is what is known of the other nodes.
    ///
    /// # Errors
    ///
    /// Returns all errors in the nodes of BehaviorTree.CPP, in scripts, and in what is passed to nested trees. Whether the names of other nodes are known
    /// is not checked.
    pub fn to_project<'d>(&'d self, tree: Option<&str>, program: &'d Program) -> Result<Project, Vec<Diagnostic>> {
        let main = self.tree(tree).map_err(|error| vec![error])?;
        let is_output = |node: &str, port: &str| {
            let models = self.node_model(node).into_iter().flat_map(|model| &model.ports);
            program.is_output(node, port) || models.filter(|model| model.name == port).any(|model| model.is_output)
        };
        let mut lowering = Lowering {
            document: self,
            program,
            is_retained: false,
            main: &main.id,
            names: names::of_trees(self, &is_output),
            skips: Skips::of(self),
            passed: self.passed(),
            nodes: Vec::new(),
            file: None,
            count: 0,
            nested: BTreeMap::new(),
            errors: Vec::new(),
        };
        let others = self.trees.iter().filter(|tree| tree.id != main.id);
        let trees = std::iter::once(main).chain(others).map(|tree| lowering.tree(tree)).collect();
        if !lowering.errors.is_empty() {
            return Err(lowering.errors);
        }
        let declared = self.models.iter().filter(|model| model.category != Category::SubTree).map(declaration);
        Ok(Project { trees, selected: Some(main.id.clone()), custom_nodes: declared.collect(), ..Project::default() })
    }

    /// Returns the names that are passed to each tree anywhere, also if the tree does not use them.
    fn passed(&self) -> BTreeMap<&str, Vec<String>> {
        let mut passed: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for tree in &self.trees {
            let mut left = vec![&tree.root];
            while let Some(element) = left.pop() {
                left.extend(&element.children);
                if let Meaning::Tree(id) = meaning(element) {
                    let names = ports(tree, element).into_iter().map(|port| port.name.to_owned());
                    passed.entry(id).or_default().extend(names);
                }
            }
        }
        for model in self.models.iter().filter(|model| model.category == Category::SubTree) {
            passed.entry(&model.id).or_default().extend(model.ports.iter().map(|port| port.name.clone()));
        }
        passed
    }
}

/// The conversion of trees.
struct Lowering<'d> {
    document: &'d Document,
    program: &'d Program,
    /// Whether the parent of the next node does not reset it as soon as it has ended.
    is_retained: bool,
    main: &'d str,
    names: BTreeMap<&'d str, Names>,
    skips: Skips<'d>,
    passed: BTreeMap<&'d str, Vec<String>>,
    /// The nodes of the tree.
    nodes: Vec<(String, Arc<NodeSpec>)>,
    /// The file of the tree, if it is an included one.
    file: Option<Arc<str>>,
    /// The number of nodes so far, of all trees.
    count: usize,
    /// The number of nodes so far in the tree that are nested trees, by their IDs.
    nested: BTreeMap<&'d str, usize>,
    errors: Vec<Diagnostic>,
}

/// Returns a node that is still to be added.
fn named(name: impl Into<String>) -> NodeSpec {
    NodeSpec { name: name.into(), ..NodeSpec::default() }
}

/// Adds a property that is at a place, if it is in the file.
fn set(node: &mut NodeSpec, name: &str, value: impl Into<Value>, place: Option<Place>) {
    match place {
        Some(place) => node.properties.insert_at(name, value, place),
        None => _ = node.properties.insert(name.to_owned(), value.into()),
    }
}

impl<'d> Lowering<'d> {
    fn tree(&mut self, tree: &'d Tree) -> TreeSpec {
        let errors = std::mem::take(&mut self.errors);
        self.nested.clear();
        self.file = tree.file.map(|file| self.document.files[file].as_str().into());
        let root = self.node(tree, &tree.root);
        let found = std::mem::replace(&mut self.errors, errors);
        self.errors.extend(found.into_iter().map(|error| self.document.in_file(error, tree.file)));
        TreeSpec {
            id: tree.id.clone(),
            root: Some(root),
            properties: self.properties(tree),
            nodes: std::mem::take(&mut self.nodes),
            more: [("title", Some(&tree.id)), ("description", tree.description.as_ref())]
                .into_iter()
                .filter_map(|(field, text)| Some((field.to_owned(), text?.clone().into())))
                .collect(),
            ..TreeSpec::default()
        }
    }

    /// Returns the properties of a tree: all its variables, of which those that it is not passed are its own.
    fn properties(&self, tree: &Tree) -> Map<String, Value> {
        if tree.id == self.main {
            return Map::new();
        }
        let used = &self.names[tree.id.as_str()].used;
        let private = |name: &str| format!("{{.{name}}}");
        let passed = self.passed.get(tree.id.as_str()).into_iter().flatten();
        // Names with `_` are those of its own variables already.
        let all = used.iter().filter(|name| !name.starts_with('_')).chain(passed);
        all.map(|name| (name.clone(), private(name).into())).collect()
    }

    /// Adds a node and those below it. Returns its id.
    fn node(&mut self, tree: &'d Tree, element: &'d Element) -> String {
        let mut id = match meaning(element) {
            Meaning::Builtin(builtin) => self.builtin(tree, element, builtin),
            Meaning::Tree(nested) => self.nested(tree, element, nested),
            Meaning::Own(name) => self.own(tree, element, name),
        };
        self.check_attributes(element);
        if has_conditions(element) {
            let mut node = named(CONDITIONS_NODE);
            for (attribute, name) in CONDITIONS.iter().zip(CONDITION_NAMES) {
                if let Some(given) = element.attribute(attribute) {
                    self.check_script(attribute, &given.value, given.value_place);
                    node.properties.insert_at(name, &*given.value, given.value_place);
                }
            }
            node.set_children(vec![id]);
            id = self.add(node, element, false);
        }
        id
    }

    /// Reports misspelled attributes of any node. Others with `_` belong to other programs.
    fn check_attributes(&mut self, element: &Element) {
        let known = || CONDITIONS.into_iter().chain(["_autoremap"]);
        for attribute in element.attributes.iter().filter(|attribute| attribute.name.starts_with('_')) {
            let name = attribute.name.as_str();
            let meant = did_you_mean(name, known());
            if !meant.is_empty() && name != "__autoremap" && known().all(|known| known != name) {
                self.errors.push(Diagnostic::at(attribute.place, format!("unknown attribute `{name}`{meant}")));
            }
        }
    }

    fn children(&mut self, tree: &'d Tree, element: &'d Element) -> Vec<String> {
        let parent = match meaning(element) {
            Meaning::Builtin(builtin) => builtin.name(),
            Meaning::Own(name) | Meaning::Tree(name) => name,
        };
        let mut child = |(index, child)| {
            self.is_retained = plugins::is_retaining(parent, index);
            self.node(tree, child)
        };
        element.children.iter().enumerate().map(&mut child).collect()
    }

    /// Adds a node. `has_title` if it has the name of the element.
    fn add(&mut self, node: NodeSpec, element: &Element, has_title: bool) -> String {
        self.count += 1;
        let id = format!("#{}", self.count);
        self.add_as(id, node, element, has_title)
    }

    /// Adds a node with an id.
    fn add_as(&mut self, id: String, node: NodeSpec, element: &Element, has_title: bool) -> String {
        let texts = [("title", "name"), ("description", DESCRIPTION)];
        let given = texts.into_iter().filter(|_| has_title).filter_map(|(field, attribute)| {
            let text = element.value(attribute).filter(|text| !text.is_empty())?;
            Some((field.to_owned(), text.into()))
        });
        let more = node.more.to_map().into_iter().chain(given).collect::<Map<_, _>>().into();
        let (place, file) = (Some(element.place), self.file.clone());
        self.nodes.push((id.clone(), Arc::new(NodeSpec { id: id.clone(), place, file, more, ..node })));
        id
    }

    /// Returns the value of a port in the outermost tree, in which `{@name}` is another name of `{name}`.
    fn outer(&self, tree: &Tree, value: &str) -> String {
        match variable(value).and_then(|name| name.strip_prefix('@')) {
            Some(name) if tree.id == self.main => format!("{{{name}}}"),
            _ => value.to_owned(),
        }
    }

    fn check_script(&mut self, attribute: &str, text: &str, place: Place) {
        if let Err(error) = Script::parse(text) {
            // A line break in an attribute is a space.
            let before = text.get(..error.at).unwrap_or(text).chars().count();
            let column = place.column.saturating_add(u32::try_from(before).unwrap_or(u32::MAX));
            let reason = format!("script `{attribute}`: {}", error.reason);
            self.errors.push(Diagnostic::at(Place { column, ..place }, reason));
        }
    }

    /// Reports a port that a node does not have.
    fn unknown_port(&mut self, port: &Given<'_>, node: &str, known: &[&str]) {
        let meant = did_you_mean(port.name, known.iter().copied());
        let note = match known.join("`, `") {
            _ if !meant.is_empty() => meant,
            names if names.is_empty() => "; note: it has no ports".to_owned(),
            names => format!("; note: its ports are `{names}`"),
        };
        let reason = format!("unknown port `{}` of {node}{note}", port.name);
        self.errors.push(Diagnostic::at(port.place, reason));
    }
}

/// Returns the model of a node as a declaration of the editor.
fn declaration(model: &Model) -> CustomNode {
    let ports = model.ports.iter().map(|port| (port.name.clone(), port.default.as_deref().unwrap_or_default().into()));
    CustomNode::declare(&registered(&model.id), name_of(model.category), "", ports.collect())
}

/// Returns the name of a category in files of the editor.
const fn name_of(category: Category) -> &'static str {
    match category {
        Category::Control => "composite",
        Category::Decorator => "decorator",
        Category::Condition => "condition",
        Category::Action | Category::SubTree => "action",
    }
}
