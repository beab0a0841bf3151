//! The declarations of node names in a file.

use std::cell::OnceCell;
use std::collections::HashMap;

use bt_behavior3::bt_words::Word;
use bt_behavior3::parts::declaration;
use bt_behavior3::{CustomNode, is_behavior3, is_file_name};
use serde_json::Value;

use super::head::Head;
use super::span::{List, Object};
use crate::edit::document::Document;

/// The categories and the titles of declared nodes, by name.
pub(super) type Declared = HashMap<String, (Option<String>, Option<String>)>;

/// The names that a file declares, and those that its changed nodes need.
pub(super) struct Names<'a> {
    document: &'a Document,
    /// The category and the title of each node that the file declares.
    declared: &'a Declared,
    /// Whether nodes have to be declared: the editor, unlike other readers of a file, does not open others.
    declares: bool,
    /// The titles of the trees.
    trees: HashMap<&'a str, &'a str>,
    /// Those that are declared besides.
    added: Declared,
    has_child: OnceCell<bool>,
}

impl<'a> Names<'a> {
    pub(super) fn new(document: &'a Document, declared: &'a Declared, is_of_editor: bool) -> Self {
        let trees = document.trees.iter().filter(|tree| !tree.name.is_empty());
        let trees = trees.map(|tree| (&*tree.name, tree.title.as_deref().unwrap_or(&tree.name))).collect();
        let declares = is_of_editor || !declared.is_empty();
        Self { document, declared, declares, trees, added: HashMap::new(), has_child: OnceCell::new() }
    }

    /// Returns whether a decorator has its child in the field `child`.
    pub(super) fn has_child(&self) -> bool {
        let find = || {
            let (mut one, mut many) = (false, false);
            for node in self.document.nodes() {
                let Some(origin) = &node.origin else { continue };
                let has =
                    |name: &str| origin.fields.iter().any(|(field, value)| field == name && value.get() != "null");
                one |= has("child");
                many |= has("children") && node.lists.iter().map(|list| list.children.len()).sum::<usize>() == 1 && {
                    let Head { name, .. } = super::shape::Shape::of(&origin.fields).head;
                    self.category(&name, 1) == "decorator"
                };
            }
            one || !many
        };
        *self.has_child.get_or_init(find)
    }

    /// Returns the category and the title of a declared node.
    fn declared(&self, name: &str) -> Option<&(Option<String>, Option<String>)> {
        self.added.get(name).or_else(|| self.declared.get(name))
    }

    /// Returns the category of a node in the editor.
    pub(super) fn category(&self, name: &str, children: usize) -> String {
        if let Some(word) = Word::of_file(name) {
            return declaration(word).category().unwrap_or_default().to_owned();
        }
        if self.trees.contains_key(name) {
            return "tree".to_owned();
        }
        let declared = self.declared(name).and_then(|(category, _)| category.clone());
        declared.unwrap_or_else(|| match children {
            0 => "action".to_owned(),
            1 => "decorator".to_owned(),
            _ => "composite".to_owned(),
        })
    }

    /// Returns the title of a node without a label.
    pub(super) fn title(&self, head: &Head) -> String {
        if let Some(title) = self.trees.get(&*head.name).filter(|_| !is_file_name(&head.name)) {
            return (*title).to_owned();
        }
        let declared = self.declared(&head.name).and_then(|(_, title)| title.clone());
        let declared = declared.filter(|title| !title.is_empty() && !super::shape::is_label(title, head));
        declared.unwrap_or_else(|| head.name.clone())
    }

    /// Returns the declaration that a node needs, once.
    pub(super) fn need(&mut self, head: &Head, children: usize) -> Option<CustomNode> {
        let name = &head.name;
        if !self.declares || is_behavior3(name) || self.trees.contains_key(&**name) || self.declared(name).is_some() {
            return None;
        }
        let category = self.category(name, children);
        let node = match Word::of_file(name) {
            Some(word) => declaration(word),
            None => CustomNode::declare(name, &category, "", head.values.iter().cloned().collect()),
        };
        let title = node.more.get("title").and_then(Value::as_str).map(str::to_owned);
        self.added.insert(name.clone(), (Some(category), title));
        Some(node)
    }
}

/// Returns the declarations in a project or a tree, if there are any.
pub(super) fn declarations(text: &str, object: &Object) -> Option<List> {
    object.list(text, "custom_nodes").filter(|list| !list.items.is_empty())
}
