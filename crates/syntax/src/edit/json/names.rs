//! The declarations of node names in a file.

use std::collections::HashMap;

use bt_behavior3::bt_words::Word;
use bt_behavior3::parts::declaration;
use bt_behavior3::{CustomNode, is_behavior3, is_file_name};
use serde_json::Value;

use super::head::Head;
use super::read::Outline;
use super::span::{List, Object};
use crate::edit::document::Document;
use crate::edit::node::Tree;

/// The names that a file declares, and those that its changed nodes need.
pub(super) struct Names {
    /// The category and the title of each declared node.
    declared: HashMap<String, (Option<String>, Option<String>)>,
    /// The titles of the trees.
    trees: HashMap<String, String>,
    /// Whether a decorator has its child in the field `child`.
    pub(super) has_child: bool,
    /// Whether nodes have to be declared.
    declares: bool,
}

impl Names {
    /// Reads the names. The editor, unlike other readers of a file, does not open nodes that are not declared.
    pub(super) fn new(document: &Document, outline: &Outline, is_of_editor: bool) -> Self {
        let text = &*document.source;
        let objects = std::iter::once(&outline.object).chain(outline.objects.iter().flatten());
        let mut declared = HashMap::new();
        for item in objects.filter_map(|object| declarations(text, object)).flat_map(|list| list.items) {
            let Some(object) = Object::read(text, item) else { continue };
            let field = |name| object.text(text, name);
            declared.extend(field("name").map(|name| (name, (field("category"), field("title")))));
        }
        let trees = document.trees.iter().filter(|tree| !tree.name.is_empty());
        let title = |tree: &Tree| tree.title.clone().unwrap_or_else(|| tree.name.clone());
        let trees = trees.map(|tree| (tree.name.clone(), title(tree))).collect();
        let declares = is_of_editor || !declared.is_empty();
        let mut names = Self { declared, trees, has_child: false, declares };
        let (mut one, mut many) = (false, false);
        for node in document.nodes() {
            let Some(origin) = &node.origin else { continue };
            let has = |name: &str| origin.fields.iter().any(|(field, value)| field == name && value.get() != "null");
            one |= has("child");
            many |= has("children") && node.lists.iter().map(|list| list.children.len()).sum::<usize>() == 1 && {
                let Head { name, .. } = super::shape::Shape::of(&origin.fields).head;
                names.category(&name, 1) == "decorator"
            };
        }
        names.has_child = one || !many;
        names
    }

    /// Returns the category of a node in the editor.
    pub(super) fn category(&self, name: &str, children: usize) -> String {
        if let Some(word) = Word::of_file(name) {
            return declaration(word).category().unwrap_or_default().to_owned();
        }
        if self.trees.contains_key(name) {
            return "tree".to_owned();
        }
        let declared = self.declared.get(name).and_then(|(category, _)| category.clone());
        declared.unwrap_or_else(|| match children {
            0 => "action".to_owned(),
            1 => "decorator".to_owned(),
            _ => "composite".to_owned(),
        })
    }

    /// Returns the title of a node without a label.
    pub(super) fn title(&self, head: &Head) -> String {
        if let Some(title) = self.trees.get(&head.name).filter(|_| !is_file_name(&head.name)) {
            return title.clone();
        }
        let declared = self.declared.get(&head.name).and_then(|(_, title)| title.clone());
        let declared = declared.filter(|title| !title.is_empty() && !super::shape::is_label(title, head));
        declared.unwrap_or_else(|| head.name.clone())
    }

    /// Returns the declaration that a node needs, once.
    pub(super) fn need(&mut self, head: &Head, children: usize) -> Option<CustomNode> {
        let name = &head.name;
        if !self.declares || is_behavior3(name) || self.trees.contains_key(name) || self.declared.contains_key(name) {
            return None;
        }
        let category = self.category(name, children);
        let node = match Word::of_file(name) {
            Some(word) => declaration(word),
            None => CustomNode::declare(name, &category, "", head.values.iter().cloned().collect()),
        };
        let title = node.more.get("title").and_then(Value::as_str).map(str::to_owned);
        self.declared.insert(name.clone(), (Some(category), title));
        Some(node)
    }
}

/// Returns the declarations in a project or a tree, if there are any.
pub(super) fn declarations(text: &str, object: &Object) -> Option<List> {
    object.list(text, "custom_nodes").filter(|list| !list.items.is_empty())
}
