//! Writes the trees of a project as the text of a file.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use bt_words::{Word, is_file_name, is_identifier};
use serde_json::Value;

use crate::checked::{Checked, Node};
use crate::diagnostic::{Diagnostic, Short};
use crate::format::{Project, TreeSpec};
use crate::kind::NodeKind;
use crate::names::NodeNames;
use crate::notation::{Notation, argument, call, is_path, path};
use crate::rust::Writer;
use crate::source::Source;

impl Project {
    /// Returns the trees as text that `bt_syntax::file` reads: a single tree without id, title and properties as its node, others as `tree name { node }`.
    /// The tree that was open last in the editor comes first. [`lost_in_text`](Self::lost_in_text) returns what a text cannot contain.
    ///
    /// # Errors
    ///
    /// Returns the errors of invalid trees, and an error for each name that is not a Rust path, such as `walk to`, and for each
    /// title of a state.
    ///
    /// ```
    /// use bt_behavior3::{Arity, NodeNames, Project};
    ///
    /// let file = r#"{ "title": "guard", "root": "1", "nodes": {
    ///     "1": { "name": "Priority", "children": ["2", "3"] },
    ///     "2": { "name": "GoTo", "properties": { "place": "{door}", "speed": 2 } },
    ///     "3": { "name": "Wait", "properties": { "milliseconds": 500 } }
    /// } }"#;
    /// let names = NodeNames::new([("GoTo", Arity::Zero)]);
    /// let text = Project::read(file)?.to_text(&names).unwrap();
    /// assert_eq!(text, "\
    /// tree guard {
    ///     selector { GoTo(place = var(door), speed = 2), wait(millis(500)) }
    /// }
    /// ");
    /// # Ok::<(), bt_behavior3::ReadError>(())
    /// ```
    pub fn to_text(&self, names: &NodeNames) -> Result<String, Vec<Diagnostic>> {
        let mut checked: Vec<_> = self.check_all(names).collect();
        if self.has_disabled() && checked.iter().all(|(_, checked)| checked.is_ok()) {
            checked = self.checked_all(names, true).collect();
        }
        checked.sort_by_key(|(tree, _)| !self.is_first(tree));
        let of_trees = names_of_trees(checked.iter().map(|(tree, _)| *tree));
        let ids = checked.iter().map(|(tree, _)| &*tree.id).zip(of_trees.iter().cloned()).collect();
        let (mut texts, mut errors) = (Vec::new(), Vec::new());
        for ((spec, checked), name) in checked.into_iter().zip(&of_trees) {
            match checked {
                Err(found) => errors.extend(found),
                Ok(tree) => {
                    errors.extend(tree.nodes.iter().flat_map(unwritable));
                    texts.push(block(spec, &tree, name, &ids));
                }
            }
        }
        if errors.is_empty() { Ok(texts.join("\n")) } else { Err(errors) }
    }

    /// Returns what [`to_text`](Self::to_text) leaves out, each with its number: ids, descriptions, positions, declarations of custom nodes, nodes that are not
    /// connected to the root, properties in titles, `<meters>`, of which the text has the values, and other fields, by their names.
    ///
    /// ```
    /// use bt_behavior3::Project;
    ///
    /// let file = r#"{ "title": "guard", "root": "1", "nodes": {
    ///     "1": { "name": "Wait", "description": "looks around", "display": { "x": 0, "y": 0 }, "properties": { "milliseconds": 500 } }
    /// } }"#;
    /// assert_eq!(Project::read(file)?.lost_in_text(), ["1 id of a node", "1 description", "1 position"]);
    /// # Ok::<(), bt_behavior3::ReadError>(())
    /// ```
    pub fn lost_in_text(&self) -> Vec<String> {
        let mut lost = Lost::default();
        let mut trees: Vec<_> = self.trees.iter().collect();
        trees.sort_by_key(|tree| !self.is_first(tree));
        for (tree, name) in trees.iter().zip(names_of_trees(trees.iter().copied())) {
            let reached = tree.connected();
            lost.add("id of a tree", "ids of trees", usize::from(!tree.id.is_empty() && tree.id != name));
            // The numbers of nodes that were read from text are not in a file.
            let ids = tree.connected_nodes().filter(|node| node.place.is_none()).count();
            lost.add("id of a node", "ids of nodes", ids);
            let others: HashSet<_> = tree.nodes.iter().map(|(id, _)| id.as_str()).collect();
            lost.add("unconnected node", "unconnected nodes", others.difference(&reached).count());
            let titles = tree.connected_nodes().filter(|node| node.title_follows_property()).count();
            lost.add("title that follows a property", "titles that follow a property", titles);
        }
        let nodes = self.trees.iter().flat_map(|tree| tree.connected_nodes().map(|node| node.more.to_map()));
        let trees = self.trees.iter().map(|tree| tree.more.clone());
        for fields in nodes.chain(trees).chain([self.more.clone()]).chain(self.around.clone()) {
            for (name, _) in fields.iter().filter(|(name, value)| *name != "title" && !is_empty(value)) {
                match name.as_str() {
                    "description" => lost.add("description", "descriptions", 1),
                    "display" => lost.add("position", "positions", 1),
                    name => lost.add(&format!("field `{}`", Short(name)), &format!("fields `{}`", Short(name)), 1),
                }
            }
        }
        lost.add("declaration of a custom node", "declarations of custom nodes", self.declared().count());
        lost.shown()
    }
}

impl Project {
    fn is_first(&self, tree: &TreeSpec) -> bool {
        self.tree(None).is_some_and(|first| std::ptr::eq(first, tree))
    }
}

/// What a notation cannot contain: for one, for several, and how many, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct Lost(Vec<(String, String, usize)>);

impl Lost {
    /// Adds a number of things of one kind.
    pub fn add(&mut self, one: &str, several: &str, count: usize) {
        match self.0.iter_mut().find(|(known, ..)| known == one) {
            Some((.., known)) => *known += count,
            None if count > 0 => self.0.push((one.to_owned(), several.to_owned(), count)),
            None => {}
        }
    }

    /// Adds the nodes of a tree that are disabled, by their names.
    pub fn add_disabled(&mut self, tree: &TreeSpec) {
        for (_, node) in tree.nodes.iter().filter(|(_, node)| node.is_disabled()) {
            let name = Short(&node.name);
            self.add(&format!("disabled node `{name}`"), &format!("disabled nodes `{name}`"), 1);
        }
    }

    /// Returns each kind with its number.
    pub fn shown(self) -> Vec<String> {
        let shown = |(one, several, count)| format!("{count} {}", if count == 1 { one } else { several });
        self.0.into_iter().map(shown).collect()
    }
}

/// Returns `true` for a field without content.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Returns a name for each tree: its id, or else its title, as a name of Rust that neither another tree nor a word has.
fn names_of_trees<'a>(trees: impl Iterator<Item = &'a TreeSpec>) -> Vec<String> {
    let mut names = BTreeSet::new();
    let name = |tree: &TreeSpec| {
        let sign = |sign: char| if sign.is_alphanumeric() { sign } else { '_' };
        let shown = [&*tree.id, tree.title()].into_iter().find(|name| is_identifier(name));
        let mut name = shown.map_or_else(|| tree.title().chars().map(sign).collect(), str::to_owned);
        if !is_identifier(&name) {
            name.insert_str(0, "tree_");
        }
        while is_file_name(&name) || !names.insert(name.clone()) {
            name.push('_');
        }
        name
    };
    trees.map(name).collect()
}

/// Returns the text of one tree.
fn block(spec: &TreeSpec, tree: &Checked, name: &str, trees: &BTreeMap<&str, String>) -> String {
    let writer = Writer { tree, notation: Notation::File, trees };
    if spec.id.is_empty() && spec.title().is_empty() && spec.properties.is_empty() && trees.len() == 1 {
        return writer.written(0);
    }
    // A property without a default is required.
    let property = |name, default: &Value| if default.is_null() { path(name) } else { argument(name, default) };
    let properties = spec.properties.iter().map(|(name, default)| property(name, default));
    let head = call(path(name), properties);
    let title = Some(spec.shown_title()).filter(|title| *title != name && !title.is_empty());
    let title = title.map(|title| format!(" {title:?}")).unwrap_or_default();
    format!("tree {head}{title} {{\n{}}}\n", writer.written(1))
}

/// Returns an error for each name of a node that a text cannot contain.
fn unwritable(node: &Node) -> Vec<Diagnostic> {
    let args = node.kind.args();
    let mut names: Vec<&str> = node.kind.attached_leaves().map(|leaf| leaf.name).collect();
    match &node.kind {
        NodeKind::Own => names.push(node.name()),
        NodeKind::Word(Word::State, args) => names.push(args.name()),
        NodeKind::Word(..) | NodeKind::Tree(_) => {}
    }
    names.extend(args.transitions().iter().map(|transition| &*transition.to));
    if let Some(Source::Registered(name)) = args.value() {
        names.push(name);
    }
    let path = "is not a Rust path, as a name in a text must be; help: register it under another name";
    let reasons = names.into_iter().filter(|name| !is_path(name)).map(|name| format!("`{}` {path}", Short(name)));
    let has_label = node.kind.word() == Some(Word::State) && node.title.is_some();
    let label = has_label.then(|| "a state in a text cannot have a label: its name is shown".to_owned());
    // The nodes of a nested tree are its own.
    reasons.chain(label).filter(|_| !node.id.contains('/')).map(|reason| node.diagnostic(reason)).collect()
}
