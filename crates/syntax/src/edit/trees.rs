//! The trees of a document, which can use each other.

use std::sync::Arc;

use bt_behavior3::{Project, is_file_name};
use bt_words::{Word, is_identifier};

use super::disabled::{inherit, is_cfg};
use super::function;
use super::gap;
use super::head::{Form, Head};
use super::node::{Angles, Around, Document, Node, Notation, Tree};
use super::print;
use super::structure::without_origin;
use super::xml::{self, Variables};

impl Document {
    /// Returns the tree that a node uses by its name, or by a call of its function.
    pub(super) fn used(&self, node: &Node) -> Option<usize> {
        let head = Head::of(&node.head);
        if head.form != Form::Call || !node.lists.is_empty() {
            return None;
        }
        let of_xml = if self.notation == Notation::Xml { Some(xml::tree_used(&node.head)?) } else { None };
        let name = of_xml.as_deref().unwrap_or(head.last_name());
        let is_meant = |tree: &Tree| match &tree.around.function {
            _ if self.notation != Notation::Rust => tree.name == name,
            Some(function) => function.is_plain && function.name == name && node.head.ends_with("()"),
            None => false,
        };
        self.trees.iter().position(is_meant)
    }

    /// Returns the id of the tree that a node names, also where it cannot be inlined: a function with parameters.
    pub(super) fn named(&self, node: &Node) -> Option<u32> {
        let index = self.used(node).or_else(|| {
            let head = Head::of(&node.head);
            let is_named = |tree: &Tree| !tree.name.is_empty() && tree.name == head.last_name();
            let has_name = self.notation != Notation::Xml && node.lists.is_empty();
            self.trees.iter().position(is_named).filter(|_| has_name)
        });
        index.map(|index| self.trees[index].id)
    }

    fn check_name(&self, name: &str) -> Result<(), String> {
        let is_free = !self
            .trees
            .iter()
            .any(|tree| tree.name == name || self.notation == Notation::Json && tree.title.as_deref() == Some(name));
        if !is_free {
            return Err(format!("a tree `{name}` already exists"));
        }
        if !self.notation.is_data() && (!is_identifier(name) || Word::named(name).next().is_some()) {
            return Err(format!(
                "`{name}` is not a valid tree name: expected letters, digits and `_`, and no keyword of Rust or word of `tree!`"
            ));
        }
        if self.notation == Notation::Xml && (is_file_name(name) || name.chars().any(char::is_control)) {
            return Err(format!(
                "`{}` is not a valid tree name: it is that of a node, or has control characters",
                name.escape_debug()
            ));
        }
        if name.trim().is_empty() {
            return Err("expected a name of the tree, found nothing".to_owned());
        }
        let mut nodes = self.trees.iter().flat_map(Tree::nodes);
        if !self.notation.is_data() && nodes.any(|node| Head::of(&node.head).name == name) {
            return Err(format!("`{name}` is already the name of a node"));
        }
        if self.notation == Notation::Rust && function::has(&self.source, name) {
            return Err(format!("the source already has a function `{name}`"));
        }
        Ok(())
    }

    /// Adds a tree. The only tree of a text gets a name.
    pub(super) fn create(&mut self, name: &str, root: Option<Arc<Node>>) -> Result<usize, String> {
        self.check_name(name)?;
        let angles = self
            .trees
            .first()
            .and_then(|tree| tree.around.angles.as_ref())
            .map(|_| Angles { are_body: self.notation == Notation::Text, ..Angles::default() });
        if let [only] = &mut self.trees[..]
            && self.notation == Notation::Text
            && only.name.is_empty()
        {
            if let Some(Angles { above, below, are_body }) = &mut only.around.angles {
                *are_body = true;
                if let Some(root) = &mut only.root {
                    Arc::make_mut(root).above.splice(0..0, std::mem::take(above));
                }
                let outside = std::mem::take(above).into_iter().chain(std::mem::take(below));
                only.around.end.extend(outside);
            }
            if only.root.is_none() && only.broken.is_none() {
                name.clone_into(&mut only.name);
                only.root = root;
                return Ok(0);
            }
            if only.broken.is_some() {
                return Err("the tree of the file cannot be read".to_owned());
            }
            if name == "main" { "root" } else { "main" }.clone_into(&mut only.name);
        }
        if self.notation == Notation::Rust {
            let help = "help: write a function with a tree, `fn guard() -> impl Node<Npc> { tree! { … } }`";
            let first = self.trees.iter().position(|tree| tree.around.function.is_some());
            return self.add_function(
                name,
                root,
                first.ok_or(format!("the source has no function with a tree; {help}"))?,
            );
        }
        let id = self.new_id();
        // A project names the tree that its file was.
        if self.notation == Notation::Json
            && let [only] = &mut self.trees[..]
            && only.name.is_empty()
        {
            "main".clone_into(&mut only.name);
        }
        let (name, title) = match self.notation {
            Notation::Json => (self.new_tree_id(id), Some(name.to_owned())),
            Notation::Rust | Notation::Text | Notation::Xml => (name.to_owned(), None),
        };
        let around = Around { angles, ..Around::default() };
        self.trees.push(Tree { id, name, title, root, loose: Vec::new(), broken: None, around });
        Ok(self.trees.len() - 1)
    }

    /// Adds a tree in a function after that of another one.
    fn add_function(&mut self, name: &str, root: Option<Arc<Node>>, beside: usize) -> Result<usize, String> {
        let around = &self.trees[beside].around;
        let function = around.function.as_ref().ok_or("the tree is in no function")?;
        let nodes = root.as_ref().map_or_else(String::new, |root| print::nodes([&**root], Notation::Rust));
        let function = function.next(name, &nodes, &around.context)?;
        let angles = around.angles.as_ref().map(|_| Angles::default());
        let end = function.end;
        let is_behind = |tree: &Tree| tree.around.place.as_ref().is_some_and(|place| place.start > end);
        let index = self.trees.iter().position(is_behind).unwrap_or(self.trees.len());
        let id = self.new_id();
        let around = Around { function: Some(Arc::new(function)), angles, ..Around::default() };
        let tree = Tree { id, name: name.to_owned(), title: None, root, loose: Vec::new(), broken: None, around };
        self.trees.insert(index, tree);
        Ok(index)
    }

    /// Returns the names of the properties of a tree, which its nodes can read.
    fn properties(&self, index: usize) -> Vec<String> {
        let tree = &self.trees[index];
        match self.notation {
            // The variables of a tree are its own in XML.
            Notation::Rust | Notation::Xml => Vec::new(),
            Notation::Text => {
                let arguments = Head::of(&format!("tree{}", tree.around.properties)).arguments;
                arguments.into_iter().map(|argument| argument.name.unwrap_or(argument.text)).collect()
            }
            Notation::Json => {
                let project = Project::read(&self.source).unwrap_or_default();
                let spec = project.trees.iter().find(|spec| spec.id == tree.name);
                spec.into_iter().flat_map(|spec| spec.properties.keys().cloned()).collect()
            }
        }
    }

    /// Returns an id for a new tree of a file.
    fn new_tree_id(&self, number: u32) -> String {
        let is_new = |id: &String| !self.trees.iter().any(|tree| tree.name == *id);
        (number..u32::MAX).map(|number| format!("tree-{number}")).find(is_new).unwrap_or_default()
    }

    pub(super) fn extract(&mut self, id: u32, name: &str) -> Result<Vec<u32>, String> {
        let way = self.way(id)?;
        if way.parent().is_none() {
            return Err("the root is already a tree".to_owned());
        }
        let node = Arc::clone(self.at(&way));
        let text = print::nodes([&*node], Notation::Text);
        if let Some(name) = self.properties(way.tree).iter().find(|name| text.contains(&format!("var({name})"))) {
            return Err(format!("the nodes read `{name}`, a property of their tree"));
        }
        if self.notation == Notation::Xml
            && let Some(name) = private_variable(&node)
        {
            return Err(format!("the nodes use `{name}`, which is a variable of their tree alone"));
        }
        let root = Node {
            before: String::new(),
            above: Vec::new(),
            behind: String::new(),
            disabled: false,
            attributes: node.attributes.iter().filter(|attribute| !is_cfg(attribute)).cloned().collect(),
            ..Node::clone(&node)
        };
        let root = Some(Arc::new(root));
        let index = match self.notation {
            Notation::Rust => {
                self.check_name(name)?;
                self.add_function(name, root, way.tree)?
            }
            Notation::Text | Notation::Json | Notation::Xml => self.create(name, root)?,
        };
        let tree = &self.trees[index];
        let name = match &tree.around.function {
            Some(function) => function.call(),
            None if self.notation == Notation::Xml => {
                xml::use_of_tree(&tree.name, has_variables(&node), xml::is_version_4(&self.source))
            }
            None => quoted(&tree.name),
        };
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
            head: name,
            label: title,
            ..Node::default()
        };
        Ok(vec![use_id])
    }

    pub(super) fn inline(&mut self, id: u32) -> Result<Vec<u32>, String> {
        let way = self.way(id)?;
        let node = Arc::clone(self.at(&way));
        let Some(index) = self.used(&node) else {
            return Err(format!("`{}` is not a tree of this document", node.head));
        };
        let tree = self.trees[index].clone();
        let in_the_way = match self.notation {
            Notation::Xml => match xml::uses_variables(&node.head) {
                Variables::All => None,
                Variables::None => tree
                    .root
                    .as_deref()
                    .filter(|root| has_variables(root))
                    .map(|_| "variables of its own, which `_autoremap = true` would connect"),
                Variables::Some => Some("ports or conditions where it is used"),
            },
            Notation::Rust | Notation::Text | Notation::Json => {
                let is_fixed = self.properties(index).is_empty() && Head::of(&node.head).arguments.is_empty();
                (!is_fixed).then_some("arguments")
            }
        };
        if let Some(what) = in_the_way {
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
        if self.notation == Notation::Rust {
            return Err("a tree of a source has the name of its function; help: rename the function".to_owned());
        }
        if self.trees[index].name == name {
            return Ok(Vec::new());
        }
        self.check_name(name)?;
        if self.notation == Notation::Json {
            let old = self.trees[index].title.replace(name.to_owned());
            // The editor shows the title at the nodes that use the tree.
            for id in self.uses(index) {
                let of = self.node_mut(id)?;
                if of.label.is_some() && of.label == old {
                    of.label = Some(name.to_owned());
                }
            }
            return Ok(Vec::new());
        }
        let is_xml = self.notation == Notation::Xml;
        for id in self.uses(index) {
            let of = self.node_mut(id)?;
            if is_xml {
                of.head = xml::with_tree(&of.head, name);
                continue;
            }
            let mut head = Head::of(&of.head);
            name.clone_into(&mut head.name);
            of.head = head.text();
        }
        name.clone_into(&mut self.trees[index].name);
        Ok(Vec::new())
    }

    pub(super) fn remove(&mut self, tree: u32) -> Result<Vec<u32>, String> {
        let index = self.tree_index(tree)?;
        if self.notation == Notation::Rust && self.trees[index].around.place.is_some() {
            return Err("a tree of a source is part of its function; help: delete the function".to_owned());
        }
        if self.notation == Notation::Xml && xml::is_main(self, &self.trees[index]) {
            return Err("the file names the tree as the one to execute".to_owned());
        }
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
    fn uses(&self, index: usize) -> Vec<u32> {
        let nodes = self.trees.iter().flat_map(Tree::nodes);
        nodes.filter(|node| self.used(node) == Some(index)).map(|node| node.id).collect()
    }
}

/// Returns whether a node of XML, or any below it, names variables.
fn has_variables(node: &Node) -> bool {
    xml::uses_variables(&node.head) != Variables::None || node.children().any(|child| has_variables(child))
}

/// Returns a variable of a node of XML, or of any below it, that only its tree has.
fn private_variable(node: &Node) -> Option<String> {
    xml::private_variable(&node.head).or_else(|| node.children().find_map(|child| private_variable(child)))
}

/// Returns a name as written in a head: in quotes if the name is not a Rust path.
fn quoted(name: &str) -> String {
    let is_path = name.split("::").all(is_identifier);
    if is_path { name.to_owned() } else { format!("{name:?}") }
}
