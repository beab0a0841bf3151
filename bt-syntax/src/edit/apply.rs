//! What operations do.

use std::sync::Arc;

use bt_words::{ParamType, Word, is_identifier};

use super::gap;
use super::head::{Form, Head};
use super::item::{self, Nodes};
use super::json;
use super::node::{Around, Document, List, Node, Notation, Open, Tree};
use super::operation::Operation;
use super::print;
use super::way::{Spot, Way};

impl Document {
    /// Changes the document. Returns the nodes that the change is about.
    ///
    /// # Errors
    ///
    /// Returns the reason why that is not possible. Nothing has changed then.
    pub fn apply(&mut self, operation: &Operation) -> Result<Vec<u32>, String> {
        let mut changed = self.clone();
        let nodes = changed.change(operation)?;
        if self.notation == Notation::Rust {
            let mut all = changed.trees.iter().flat_map(Tree::nodes);
            all.find_map(|node| if node.disabled { print::check_comment(node).err() } else { None })
                .map_or(Ok(()), Err)?;
        }
        *self = changed;
        Ok(nodes)
    }

    fn change(&mut self, operation: &Operation) -> Result<Vec<u32>, String> {
        match operation {
            Operation::Insert { text, at } => {
                let spot = self.spot(*at)?;
                let nodes = self.parse(text)?;
                let nodes = nodes.into_iter().map(|node| self.numbered(node)).collect();
                self.put_fitting(nodes, &[], &spot)
            }
            Operation::Delete { nodes } => self.delete(nodes),
            Operation::Duplicate { nodes } => self.duplicate(nodes),
            Operation::Move { nodes, at } => {
                let spot = self.spot(*at)?;
                let nodes = self.outermost(nodes)?;
                self.relocate(&nodes, spot)
            }
            Operation::Wrap { nodes, head } => self.wrap(nodes, head),
            Operation::Unwrap { node } => self.unwrap(*node),
            Operation::Replace { node, head } => {
                let new = self.parse_head(head)?;
                let of = self.node_mut(*node)?;
                let was = Before::of(of);
                of.head = new.head;
                let before = Before::of(of);
                if of.lists.is_empty() {
                    of.lists = new.lists;
                } else if of.children().next().is_none() && new.lists.is_empty() {
                    of.lists.clear();
                }
                for list in &mut of.lists {
                    let siblings = list.children.clone();
                    let fit = |child: &mut Arc<Node>| before.fit(Arc::make_mut(child), &siblings, Some(was));
                    list.children.iter_mut().for_each(fit);
                }
                Ok(vec![*node])
            }
            Operation::Argument { node, index, name, value } => {
                let mut head = Head::of(&self.node(*node)?.head);
                let is_named = match self.notation {
                    Notation::Rust => false,
                    Notation::Text => Word::named(head.last_name()).next().is_none(),
                    Notation::Json => true,
                };
                head.set(*index, name.as_deref(), value.as_deref(), is_named)?;
                let text = head.text();
                self.set_head(*node, &text)
            }
            Operation::Annotate { node, before } => {
                check_before(before)?;
                before.trim().clone_into(&mut self.node_mut(*node)?.before);
                Ok(vec![*node])
            }
            Operation::Label { node, label } => {
                let of = self.node_mut(*node)?;
                if of.head == "!" {
                    return Err("`!` has no label; help: replace it by `invert`".to_owned());
                }
                of.label.clone_from(label);
                Ok(vec![*node])
            }
            Operation::Note { node, text } => {
                let notation = self.notation;
                gap::set_note(&mut self.node_mut(*node)?.above, text, notation);
                Ok(vec![*node])
            }
            Operation::Disable { nodes } => self.disable(nodes, true),
            Operation::Enable { nodes } => self.disable(nodes, false),
            Operation::Extract { node, name } => self.extract(*node, name),
            Operation::Inline { node } => self.inline(*node),
            Operation::Create { name } => self.create(name, None).map(|_| Vec::new()),
            Operation::Rename { tree, name } => self.rename(*tree, name),
            Operation::Remove { tree } => self.remove(*tree),
        }
    }

    fn numbered(&mut self, node: Node) -> Arc<Node> {
        let mut node = Arc::new(node);
        self.number(&mut node);
        node
    }

    /// Reads nodes that are inserted.
    fn parse(&self, text: &str) -> Result<Vec<Node>, String> {
        if self.notation == Notation::Json && text.trim_start().starts_with('{') {
            return Ok(vec![json::node(text)?]);
        }
        let help = "help: write a node, such as `wait(secs(2))` or `sequence { a, b }`";
        let Nodes { mut nodes, begin, end } = item::typed(text)
            .map_err(|unknown| format!("expected nodes, found other text {}; {help}", shown(text, unknown.at)))?;
        let Some(last) = nodes.last_mut() else { return Err(format!("expected a node, found nothing; {help}")) };
        last.behind = end
            .into_iter()
            .chain([std::mem::take(&mut last.behind)])
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join(" ");
        if last.behind.contains("//") && last.behind.contains('\n') {
            last.behind.clear();
        }
        if !begin.is_empty() {
            nodes[0].above.insert(0, begin);
        }
        let mut checked = nodes.iter().map(check_heads);
        checked.find_map(Result::err).map_or(Ok(()), Err)?;
        if self.notation == Notation::Json {
            return nodes.into_iter().map(of_file).collect();
        }
        Ok(nodes)
    }

    /// Reads the head of a node, with an empty list if it takes children.
    fn parse_head(&self, text: &str) -> Result<Node, String> {
        let mut nodes = self.parse(text)?;
        let is_alone = nodes.len() == 1 && nodes[0].children().next().is_none();
        let Some(mut node) = nodes.pop().filter(|_| is_alone) else {
            return Err(format!("expected one node without children, found `{}`", text.trim()));
        };
        let takes_children =
            Word::named(Head::of(&node.head).last_name()).any(|word| word.row().arity() != bt_words::Arity::Zero);
        if node.lists.is_empty() && takes_children {
            node.lists.push(List::default());
        }
        Ok(node)
    }

    /// Replaces the text of a head, which has to be one.
    fn set_head(&mut self, id: u32, text: &str) -> Result<Vec<u32>, String> {
        let lists = !self.node(id)?.lists.is_empty();
        let read = item::typed(&if lists { format!("{text} {{ }}") } else { text.to_owned() }).ok();
        let head = read.filter(|read| read.nodes.len() == 1).map(|mut read| read.nodes.remove(0));
        match head {
            Some(Node { head, before, label: None, .. }) if head == text && before.is_empty() => {
                self.node_mut(id)?.head = head;
                Ok(vec![id])
            }
            _ => Err(format!(
                "`{text}` is not the beginning of a node: a delimiter is not closed, or it is more than a value"
            )),
        }
    }

    /// Puts nodes into a place, with a weight where their neighbors have one. `was` is what was before them under their old parents.
    fn put_fitting(&mut self, mut nodes: Vec<Arc<Node>>, was: &[Before], spot: &Spot) -> Result<Vec<u32>, String> {
        let (before, siblings) = match spot {
            Spot::List { parent, list, .. } => {
                let of = self.node(*parent)?;
                // A file of the editor has them in a property of the parent.
                let before = if self.notation == Notation::Json { Before::Nothing } else { Before::of(of) };
                (before, of.lists.get(*list).map(|list| list.children.clone()).unwrap_or_default())
            }
            Spot::Root(_) => (Before::Nothing, Vec::new()),
        };
        for (index, node) in nodes.iter_mut().enumerate() {
            before.fit(Arc::make_mut(node), &siblings, was.get(index).copied());
        }
        let ids = nodes.iter().map(|node| node.id).collect();
        self.put(nodes, spot)?;
        Ok(ids)
    }

    fn delete(&mut self, ids: &[u32]) -> Result<Vec<u32>, String> {
        let ids = self.outermost(ids)?;
        let mut neighbor = None;
        for id in ids {
            let way = self.with_not(id)?;
            let node = Arc::clone(self.at(&way));
            neighbor = way.parent().map(|(parent, ..)| self.at(&parent).id);
            let behind = Some(node.behind.clone()).filter(|text| !text.is_empty());
            neighbor = self.leave(&way, node.above.iter().cloned().chain(behind).collect()).or(neighbor);
            self.take(node.id)?;
        }
        Ok(neighbor.into_iter().filter(|id| self.way(*id).is_ok()).collect())
    }

    fn duplicate(&mut self, ids: &[u32]) -> Result<Vec<u32>, String> {
        let mut copies = Vec::new();
        for id in self.outermost(ids)? {
            let way = self.with_not(id)?;
            let mut copy = Node { origin: None, ..Node::clone(self.at(&way)) };
            without_origin(&mut copy);
            let mut copy = self.numbered(copy);
            let Some((list, index)) = self.list_mut(&way) else {
                return Err("a root has no neighbors; help: put a composite around it".to_owned());
            };
            if let Some(label) = &copy.label {
                let is_new = |label: &String| !list.children.iter().any(|child| child.label.as_ref() == Some(label));
                let label = (2..u32::MAX).map(|number| format!("{label} {number}")).find(is_new);
                Arc::make_mut(&mut copy).label = label;
            }
            copies.push(copy.id);
            list.children.insert(index + 1, copy);
        }
        Ok(copies)
    }

    fn relocate(&mut self, ids: &[u32], mut spot: Spot) -> Result<Vec<u32>, String> {
        if let Spot::List { parent, list, before } = &mut spot {
            let to = self.way(*parent)?;
            for id in ids {
                if self.way(*id)?.contains(&to) {
                    return Err("a node cannot be moved into itself".to_owned());
                }
            }
            // The next neighbor that stays.
            let children = self.at(&to).lists.get(*list).map_or(&[][..], |list| &list.children);
            let at = before.and_then(|id| children.iter().position(|child| child.id == id)).unwrap_or(children.len());
            *before = children[at..].iter().map(|child| child.id).find(|id| !ids.contains(id));
        }
        let (mut taken, mut was) = (Vec::new(), Vec::new());
        for id in ids {
            let parent = self.with_not(*id)?.parent();
            was.push(parent.map_or(Before::Nothing, |(parent, ..)| Before::of(self.at(&parent))));
            // Comments that a blank line divides from the node stay.
            let way = self.way(*id)?;
            let of = self.at_mut(&way);
            let own = gap::own(&of.above);
            let far = of.above.drain(..own).collect();
            self.leave(&way, far);
            taken.push(self.take(*id)?);
        }
        self.put_fitting(taken, &was, &spot)
    }

    /// Leaves comments of a node, which is about to go, where it is: above the next node. Returns that one. Nodes of files have none.
    fn leave(&mut self, way: &Way, comments: Vec<String>) -> Option<u32> {
        let comments = if self.notation == Notation::Json { Vec::new() } else { comments };
        match self.list_mut(way) {
            Some((list, index)) => {
                let next = list.children.get_mut(index + 1).map(Arc::make_mut);
                let id = next.as_ref().map(|next| next.id);
                next.map_or(&mut list.end, |next| &mut next.above).splice(0..0, comments);
                id
            }
            None if way.is_loose() => None,
            None => {
                self.trees[way.tree].around.end.splice(0..0, comments);
                None
            }
        }
    }

    fn wrap(&mut self, ids: &[u32], head: &str) -> Result<Vec<u32>, String> {
        let is_not = head.trim() == "!";
        let mut around = if is_not {
            Node { head: "!".to_owned(), lists: vec![List { open: Open::Not, ..List::default() }], ..Node::default() }
        } else {
            self.parse_head(head)?
        };
        if around.lists.is_empty() {
            if Head::of(&around.head).form != Form::Call {
                return Err(format!("expected a node that takes children, found `{}`", around.head));
            }
            // A node of the user.
            around.lists.push(List::default());
        }
        let ids = self.outermost(ids)?;
        let first = self.way(ids[0])?;
        if is_not && ids.len() > 1 {
            return Err("`!` has one child; help: wrap the nodes in a `sequence` first".to_owned());
        }
        if let Some((parent, list, index)) = first.parent() {
            let children = &self.at(&parent).lists[list].children;
            let neighbors = children.iter().skip(index).take(ids.len()).map(|child| child.id);
            if !neighbors.eq(ids.iter().copied()) {
                return Err("only neighbors can get one node around them; help: move them together".to_owned());
            }
        } else if ids.len() > 1 {
            return Err("only neighbors can get one node around them; help: move them together".to_owned());
        }
        let is_json = self.notation == Notation::Json;
        let mut children: Vec<_> =
            ids.iter().map(|id| Arc::clone(self.at(&self.way(*id).unwrap_or_else(|_| first.clone())))).collect();
        let inside = Arc::make_mut(&mut children[0]);
        around.before = std::mem::take(&mut inside.before);
        let is_cfg = |attribute: &String| attribute.starts_with("#[cfg");
        around.attributes = inside.attributes.extract_if(.., |attribute| is_cfg(attribute)).collect();
        if !is_json {
            around.above = std::mem::take(&mut inside.above);
        }
        if ids.len() == 1 {
            around.behind = std::mem::take(&mut inside.behind);
        }
        let before = Before::of(&around);
        for child in &mut children {
            before.fit(Arc::make_mut(child), &[], None);
        }
        around.lists[0].children = children;
        around.id = self.new_id();
        let id = around.id;
        match self.list_mut(&first) {
            Some((list, index)) => _ = list.children.splice(index..index + ids.len(), [Arc::new(around)]).count(),
            None => *self.at_mut(&first) = around,
        }
        Ok(vec![id])
    }

    fn unwrap(&mut self, id: u32) -> Result<Vec<u32>, String> {
        let way = self.way(id)?;
        let node = Arc::clone(self.at(&way));
        let mut children: Vec<_> = node.children().cloned().collect();
        if children.is_empty() {
            return Err(format!("`{}` has no children", node.head));
        }
        let ids: Vec<_> = children.iter().map(|child| child.id).collect();
        let first = Arc::make_mut(&mut children[0]);
        if self.notation != Notation::Json {
            first.above.splice(
                0..0,
                node.above.iter().cloned().chain(Some(node.lists[0].begin.clone()).filter(|text| !text.is_empty())),
            );
        }
        let last = Arc::make_mut(children.last_mut().ok_or("no children")?);
        last.behind =
            [&*last.behind, &*node.behind].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
        for child in &mut children {
            Arc::make_mut(child).before.clone_from(&node.before);
        }
        match self.list_mut(&way) {
            Some((list, _)) if list.open == Open::Not && ids.len() > 1 => {
                Err("`!` has one child; help: unwrap the `!` first".to_owned())
            }
            Some((list, index)) => {
                list.children.splice(index..=index, children);
                Ok(ids)
            }
            None if ids.len() > 1 => {
                Err(format!("a tree has one root, and `{}` has {} children", node.head, ids.len()))
            }
            None => {
                *self.at_mut(&way) = Node::clone(&children[0]);
                Ok(ids)
            }
        }
    }

    fn disable(&mut self, ids: &[u32], disabled: bool) -> Result<Vec<u32>, String> {
        let ids = self.outermost(ids)?;
        for id in &ids {
            let way = self.way(*id)?;
            match way.parent() {
                None if disabled => return Err("the root cannot be left out".to_owned()),
                Some((parent, list, _)) if self.at(&parent).lists[list].open == Open::Not => {
                    return Err("disable the `!` before the node, not the node alone".to_owned());
                }
                _ => {}
            }
            self.at_mut(&way).disabled = disabled;
        }
        Ok(ids)
    }

    /// Returns the tree that a node uses by its name.
    pub(super) fn used(&self, node: &Node) -> Option<usize> {
        let head = Head::of(&node.head);
        let name = head.last_name();
        let is_use = !name.is_empty() && node.lists.is_empty() && self.notation != Notation::Rust;
        self.trees.iter().position(|tree| is_use && tree.name == name)
    }

    fn check_name(&self, name: &str) -> Result<(), String> {
        if self.notation == Notation::Rust {
            return Err("a source gets new trees by new functions; help: write `fn name() -> impl Node<Context> { tree! { … } }`".to_owned());
        }
        let is_free = !self
            .trees
            .iter()
            .any(|tree| tree.name == name || self.notation == Notation::Json && tree.title.as_deref() == Some(name));
        if !is_free {
            return Err(format!("there is a tree `{name}` already"));
        }
        if self.notation == Notation::Text && (!is_identifier(name) || Word::named(name).next().is_some()) {
            return Err(format!(
                "`{name}` is no name of a tree: expected letters, digits and `_`, and no word of `tree!`"
            ));
        }
        if name.trim().is_empty() {
            return Err("expected a name of the tree, found nothing".to_owned());
        }
        Ok(())
    }

    /// Adds a tree. The only tree of a text gets a name.
    fn create(&mut self, name: &str, root: Option<Arc<Node>>) -> Result<usize, String> {
        self.check_name(name)?;
        if let [only] = &mut self.trees[..]
            && self.notation == Notation::Text
            && only.name.is_empty()
        {
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
        let id = self.new_id();
        let (name, title) = match self.notation {
            Notation::Json => (self.new_tree_id(id), Some(name.to_owned())),
            Notation::Rust | Notation::Text => (name.to_owned(), None),
        };
        self.trees.push(Tree { id, name, title, root, loose: Vec::new(), broken: None, around: Around::default() });
        Ok(self.trees.len() - 1)
    }

    /// Returns an id for a new tree of a file.
    fn new_tree_id(&self, number: u32) -> String {
        let is_new = |id: &String| !self.trees.iter().any(|tree| tree.name == *id);
        (number..u32::MAX).map(|number| format!("tree-{number}")).find(is_new).unwrap_or_default()
    }

    fn extract(&mut self, id: u32, name: &str) -> Result<Vec<u32>, String> {
        let way = self.way(id)?;
        if way.parent().is_none() {
            return Err("the root is a tree already".to_owned());
        }
        let node = Arc::clone(self.at(&way));
        let root = Node {
            before: String::new(),
            above: Vec::new(),
            behind: String::new(),
            disabled: false,
            ..Node::clone(&node)
        };
        let index = self.create(name, Some(Arc::new(root)))?;
        let name = quoted(&self.trees[index].name);
        let use_id = self.new_id();
        *self.at_mut(&way) = Node {
            id: use_id,
            above: node.above.clone(),
            behind: node.behind.clone(),
            before: node.before.clone(),
            disabled: node.disabled,
            head: name,
            ..Node::default()
        };
        Ok(vec![use_id])
    }

    fn inline(&mut self, id: u32) -> Result<Vec<u32>, String> {
        let way = self.way(id)?;
        let node = Arc::clone(self.at(&way));
        let Some(tree) = self.used(&node).map(|index| self.trees[index].clone()) else {
            return Err(format!("`{}` is no tree of this document", node.head));
        };
        if !tree.around.properties.is_empty() || !Head::of(&node.head).arguments.is_empty() {
            return Err(format!("the tree `{}` has arguments, which its nodes cannot have", tree.name));
        }
        let Some(root) = tree.root else { return Err(format!("the tree `{}` has no node", tree.name)) };
        let mut root = Node::clone(&root);
        without_origin(&mut root);
        let root = Node {
            before: node.before.clone(),
            above: node.above.iter().chain(&root.above).cloned().collect(),
            behind: [&*root.behind, &*node.behind]
                .into_iter()
                .filter(|text| !text.is_empty())
                .collect::<Vec<_>>()
                .join(" "),
            disabled: node.disabled,
            label: node.label.clone().or(root.label),
            ..root
        };
        let root = self.numbered(root);
        let new = root.id;
        *self.at_mut(&way) = Node::clone(&root);
        Ok(vec![new])
    }

    fn rename(&mut self, tree: u32, name: &str) -> Result<Vec<u32>, String> {
        let index = self.tree_index(tree)?;
        if self.trees[index].name == name {
            return Ok(Vec::new());
        }
        self.check_name(name)?;
        if self.notation == Notation::Json {
            self.trees[index].title = Some(name.to_owned());
            return Ok(Vec::new());
        }
        let uses: Vec<_> = self.uses(index);
        for id in uses {
            let of = self.node_mut(id)?;
            let mut head = Head::of(&of.head);
            name.clone_into(&mut head.name);
            of.head = head.text();
        }
        name.clone_into(&mut self.trees[index].name);
        Ok(Vec::new())
    }

    fn remove(&mut self, tree: u32) -> Result<Vec<u32>, String> {
        let index = self.tree_index(tree)?;
        if self.notation == Notation::Rust {
            return Err("a tree of a source goes with its function; help: delete the function".to_owned());
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

/// What stands before the children of a node, with `=>`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Weights,
    Scores,
    Patterns,
    /// The arguments of an own composite.
    Any,
}

impl Before {
    fn of(node: &Node) -> Self {
        let head = Head::of(&node.head);
        let types = || Word::named(head.last_name()).flat_map(|word| word.row().params).map(|param| param.ty);
        let has = |wanted: ParamType| types().any(|ty| ty == wanted);
        let is_word = Word::named(head.last_name()).next().is_some();
        match is_word {
            _ if has(ParamType::Cases) => Self::Patterns,
            _ if has(ParamType::Scores) => Self::Scores,
            _ if has(ParamType::Weights) => Self::Weights,
            true => Self::Nothing,
            false => Self::Any,
        }
    }

    /// Makes what is before a child fit its new parent.
    fn fit(self, child: &mut Node, siblings: &[Arc<Node>], was: Option<Self>) {
        if was.is_some_and(|was| was != self && (was == Self::Patterns || self == Self::Patterns))
            || self == Self::Nothing
        {
            child.before.clear();
        }
        let has_weights = siblings.iter().any(|sibling| !sibling.before.is_empty());
        let default = match self {
            Self::Patterns => "_",
            Self::Scores => "0.0",
            Self::Weights if has_weights => "1",
            Self::Weights | Self::Any | Self::Nothing => "",
        };
        if child.before.is_empty() {
            default.clone_into(&mut child.before);
        }
    }
}

fn check_heads(node: &Node) -> Result<(), String> {
    if node.head.is_empty() {
        return Err("expected the name of a node before its children".to_owned());
    }
    node.children().try_for_each(|child| check_heads(child))
}

/// Returns a node of a text as one of a file of the editor.
fn of_file(node: Node) -> Result<Node, String> {
    let bare = Node { before: String::new(), above: Vec::new(), behind: String::new(), ..node };
    let text = print::nodes([&bare], Notation::Text);
    let read = json::node(text.trim().trim_end_matches(','))?;
    let above = gap::note(&node.above, Notation::Text).lines().map(str::to_owned).collect();
    Ok(Node { above, ..read })
}

fn without_origin(node: &mut Node) {
    node.origin = None;
    for child in node.lists.iter_mut().flat_map(|list| &mut list.children) {
        without_origin(Arc::make_mut(child));
    }
}

/// Returns a name as a head has it: in quotes if it is no path of Rust.
pub(super) fn quoted(name: &str) -> String {
    let is_path = name.split("::").all(is_identifier);
    if is_path { name.to_owned() } else { format!("{name:?}") }
}

fn check_before(before: &str) -> Result<(), String> {
    let text = format!("{before} => a");
    match item::typed(&text) {
        _ if before.trim().is_empty() => Ok(()),
        Ok(Nodes { nodes, .. }) if nodes.len() == 1 && nodes[0].before == before.trim() && nodes[0].head == "a" => {
            Ok(())
        }
        _ => Err(format!("expected a value or a pattern before `=>`, found `{before}`")),
    }
}

fn shown(text: &str, at: usize) -> String {
    let rest: String = text.get(at..).unwrap_or(text).trim().chars().take(30).collect();
    format!("`{rest}`")
}
