//! The trees of a document, which can use each other.

use std::sync::Arc;

use bt_behavior3::Diagnostic;
use bt_words::{is_file_name, is_identifier};

use super::disabled::inherit;
use super::document::{Document, New};
use super::gap;
use super::head::{Form, Head};
use super::item::is_cfg;
use super::node::{Node, Style, Tree};
use super::print;
use super::structure::without_origin;
use super::xml;

impl Document {
    /// Returns why trees cannot be read.
    pub(super) fn broken(&self) -> impl Iterator<Item = &Diagnostic> {
        self.trees.iter().filter_map(|tree| tree.broken.as_ref())
    }

    /// Returns the tree that a node uses by its name, or by a call of its function.
    pub(super) fn used(&self, node: &Node, head: &Head) -> Option<usize> {
        if head.form != Form::Call || !node.lists.is_empty() {
            return None;
        }
        let (room, name) = (self.room(), self.room().used(node, head)?);
        self.trees.iter().position(|tree| room.name_of(tree).is_some_and(|of_tree| of_tree == name))
    }

    /// Returns the id of the tree that a node names, also where it cannot be inlined: a function with parameters. `used` is the tree that it uses.
    pub(super) fn named(&self, node: &Node, head: &Head, used: Option<usize>) -> Option<u32> {
        let index = used.or_else(|| {
            let is_named = |tree: &Tree| !tree.name.is_empty() && tree.name == head.last_name();
            let has_name = !self.notation.is_foreign() && node.lists.is_empty();
            self.trees.iter().position(is_named).filter(|_| has_name)
        });
        index.map(|index| self.trees[index].id)
    }

    fn check_name(&self, name: &str) -> Result<(), String> {
        // Data has titles, which are shown in the place of names.
        let has_title = |tree: &Tree| self.style().is_data() && tree.title.as_deref() == Some(name);
        if self.trees.iter().any(|tree| tree.name == name || has_title(tree)) {
            return Err(format!("a tree `{name}` already exists"));
        }
        self.room().check_name(self, name)?;
        if name.trim().is_empty() {
            return Err("expected a name of the tree, found nothing".to_owned());
        }
        Ok(())
    }

    /// Returns why a tree cannot have a name that nodes of `tree!` cannot have, or that one has.
    pub(super) fn check_identifier(&self, name: &str) -> Result<(), String> {
        if !is_identifier(name) || is_file_name(name) {
            return Err(format!(
                "`{name}` is not a valid tree name: expected letters, digits and `_`, and no keyword of Rust or word of trees"
            ));
        }
        if self.nodes().any(|node| Head::of(&node.head).name == name) {
            return Err(format!("`{name}` is already the name of a node"));
        }
        Ok(())
    }

    /// Adds a tree. Returns its index.
    pub(super) fn create(&mut self, new: New) -> Result<usize, String> {
        self.check_name(&new.name)?;
        self.room().create(self, new)
    }

    /// Adds a tree after all others. Returns its index.
    pub(super) fn push(&mut self, name: String, title: Option<String>, root: Option<Arc<Node>>) -> usize {
        let id = self.new_id();
        self.trees.push(Tree { id, title, root, ..Tree::new(name, None) });
        self.trees.len() - 1
    }

    pub(super) fn extract(&mut self, id: u32, name: &str) -> Result<Vec<u32>, String> {
        let way = self.way(id)?;
        if way.parent().is_none() {
            return Err("the root is already a tree".to_owned());
        }
        let node = Arc::clone(self.at(&way));
        let text = print::nodes([&*node], Style::Text);
        let properties = self.room().properties(self, &self.trees[way.tree]);
        if let Some(name) = properties.iter().find(|name| text.contains(&format!("var({name})"))) {
            return Err(format!("the nodes read `{name}`, a property of their tree"));
        }
        self.room().check_extract(&node)?;
        let root = Node {
            before: String::new(),
            above: Vec::new(),
            behind: String::new(),
            disabled: false,
            attributes: node.attributes.iter().filter(|attribute| !is_cfg(attribute)).cloned().collect(),
            ..Node::clone(&node)
        };
        let index = self.create(New { name: name.to_owned(), root: Some(Arc::new(root)), beside: Some(way.tree) })?;
        let head = self.room().use_of(self, &self.trees[index], &node);
        let way = self.way(id)?;
        let use_id = self.new_id();
        let title = self.trees[index].title.clone();
        *self.at_mut(&way) = Node {
            id: use_id,
            above: node.above.clone(),
            behind: node.behind.clone(),
            before: node.before.clone(),
            attributes: node.attributes.iter().filter(|attribute| is_cfg(attribute)).cloned().collect(),
            disabled: node.disabled,
            head,
            label: title,
            ..Node::default()
        };
        Ok(vec![use_id])
    }

    pub(super) fn inline(&mut self, id: u32) -> Result<Vec<u32>, String> {
        let way = self.way(id)?;
        let node = Arc::clone(self.at(&way));
        let Some(index) = self.used(&node, &Head::of(&node.head)) else {
            return Err(format!("`{}` is not a tree of this document", node.head));
        };
        let tree = self.trees[index].clone();
        if let Some(what) = self.room().inline_obstacle(self, &tree, &node) {
            return Err(format!("the tree `{}` has {what}, so it cannot be inlined", tree.name));
        }
        let Some(root) = tree.root else { return Err(format!("the tree `{}` has no node", tree.name)) };
        let mut root = Node::clone(&root);
        without_origin(&mut root);
        let mut root = Node {
            before: node.before.clone(),
            above: node.above.iter().chain(&root.above).cloned().collect(),
            behind: gap::joined([&root.behind, &node.behind]),
            label: node.label.clone().filter(|label| tree.title.as_ref() != Some(label)).or(root.label),
            ..root
        };
        inherit(&mut root, &node);
        let mut root = [self.numbered(root)];
        xml::leave(&node, &mut root);
        let new = root[0].id;
        self.replace_at(&way, Node::clone(&root[0]));
        Ok(vec![new])
    }

    pub(super) fn rename(&mut self, tree: u32, name: &str) -> Result<Vec<u32>, String> {
        let index = self.tree_index(tree)?;
        if self.style() == Style::Source {
            return Err("a tree of a source has the name of its function; help: rename the function".to_owned());
        }
        if self.trees[index].name == name {
            return Ok(Vec::new());
        }
        self.check_name(name)?;
        self.room().rename(self, index, name)?;
        Ok(Vec::new())
    }

    /// Gives a tree a name, and the nodes that use it heads with that name.
    pub(super) fn rename_uses(
        &mut self,
        index: usize,
        name: &str,
        head: impl Fn(&str) -> String,
    ) -> Result<(), String> {
        for id in self.uses(index) {
            let of = self.node_mut(id)?;
            of.head = head(&of.head);
        }
        name.clone_into(&mut self.trees[index].name);
        Ok(())
    }

    pub(super) fn remove(&mut self, tree: u32) -> Result<Vec<u32>, String> {
        let index = self.tree_index(tree)?;
        if self.style() == Style::Source && self.trees[index].around.place.is_some() {
            return Err("a tree of a source is part of its function; help: delete the function".to_owned());
        }
        self.room().check_remove(self, &self.trees[index])?;
        if let Some(user) = self.uses(index).first() {
            let head = &self.node(*user)?.head;
            return Err(format!("the tree is used by a node, `{head}`; help: inline or delete it first"));
        }
        if self.trees.len() == 1 {
            return Err("the only tree of a file cannot be removed".to_owned());
        }
        let removed = self.trees.remove(index);
        self.removed.extend(removed.around.place);
        Ok(Vec::new())
    }

    /// Returns the nodes that use a tree.
    pub(super) fn uses(&self, index: usize) -> Vec<u32> {
        self.nodes().filter(|node| self.used(node, &Head::of(&node.head)) == Some(index)).map(|node| node.id).collect()
    }
}
