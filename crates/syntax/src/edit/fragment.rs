//! The text of new nodes.

use std::sync::Arc;

use bt_words::file_forms;

use super::document::Document;
use super::gap;
use super::head::{Form, Head};
use super::item::{self, Nodes};
use super::node::{List, Node, Open, Style, Tree};
use super::print;

impl Document {
    /// Reads nodes that are inserted.
    pub(super) fn parse(&self, text: &str) -> Result<Vec<Node>, String> {
        if let Some(own) = self.room().own_nodes(text) {
            return own;
        }
        let help = "help: write a node, such as `wait(secs(2))` or `sequence { a, b }`";
        let Nodes { mut nodes, begin, end, .. } = item::typed(text)
            .map_err(|unknown| format!("expected nodes, found other text {}; {help}", shown(text, unknown.at)))?;
        let Some(last) = nodes.last_mut() else { return Err(format!("expected a node, found nothing; {help}")) };
        last.behind = gap::joined(end.iter().chain([&last.behind]));
        if last.behind.contains("//") && last.behind.contains('\n') {
            last.behind.clear();
        }
        if !begin.is_empty() {
            nodes[0].above.insert(0, begin);
        }
        let mut checked = nodes.iter().map(check_heads);
        checked.find_map(Result::err).map_or(Ok(()), Err)?;
        self.room().adopted(self, nodes)
    }

    /// Gives new nodes of a source or a text the delimiters of the lists around them.
    pub(super) fn in_style(&self, node: Node, open: Open) -> Node {
        if self.style().is_data() || open == Open::Brace { node } else { with_open(node, open) }
    }

    /// Reads the head of a node, with an empty list if it takes children.
    pub(super) fn parse_head(&self, text: &str) -> Result<Node, String> {
        let mut nodes = self.parse(text)?;
        let is_alone = nodes.len() == 1 && nodes[0].children().next().is_none();
        let Some(mut node) = nodes.pop().filter(|_| is_alone) else {
            return Err(format!("expected one node without children, found `{}`", text.trim()));
        };
        let head = Head::of(&node.head);
        let mut words = file_forms(head.last_name()).filter_map(|form| form.words.first());
        let takes_children =
            !self.notation.is_foreign() && words.any(|word| word.row().arity() != bt_words::Arity::Zero);
        if node.lists.is_empty() && takes_children {
            node.lists.push(List::default());
        }
        Ok(node)
    }

    /// Replaces the text of a head, which has to be one.
    pub(super) fn set_head(&mut self, id: u32, text: &str) -> Result<Vec<u32>, String> {
        let lists = !self.node(id)?.lists.is_empty();
        let read = item::typed(&if lists { format!("{text} {{ }}") } else { text.to_owned() }).ok();
        let head = read.filter(|read| read.nodes.len() == 1).map(|mut read| read.nodes.remove(0));
        match head {
            Some(Node { head, before, label: None, .. }) if head == text && before.is_empty() => {
                self.node_mut(id)?.head = head;
                Ok(vec![id])
            }
            _ => Err(format!(
                "`{text}` is not the beginning of a node: a delimiter is not closed, or other text follows"
            )),
        }
    }
}

/// Gives new nodes the delimiters of the tree that they come into, if their Rust can be in these: `<` and `>` may compare in it.
pub(super) fn with_open(node: Node, open: Open) -> Node {
    fn set(node: &mut Node, open: Open) {
        let head = Head::of(&node.head);
        // `if` and `match` are those of Rust, whose lists are in braces.
        let is_choice = head.form == Form::Keyword && head.name != "state";
        for list in &mut node.lists {
            if list.open != Open::Not && !is_choice {
                list.open = open;
            }
            list.children.iter_mut().for_each(|child| set(Arc::make_mut(child), open));
        }
    }
    let mut new = node.clone();
    set(&mut new, open);
    let text = print::nodes([&new], Style::Text);
    let is_read = item::nodes(&text).is_ok_and(|read| print::nodes(&read.nodes, Style::Text) == text);
    if is_read { new } else { node }
}

/// Returns the delimiters of a tree: those around its root, or those of its root, also after a `!`.
pub(super) fn open_of(tree: &Tree) -> Open {
    if tree.around.angles.is_some() {
        return Open::Angle;
    }
    let first = |node: &Arc<Node>| node.lists.first().map(|list| (list.open, list.children.first().cloned()));
    let mut list = tree.root.as_ref().and_then(first);
    while let Some((Open::Not, child)) = list {
        list = child.as_ref().and_then(first);
    }
    list.map_or(Open::Brace, |(open, _)| open)
}

fn check_heads(node: &Node) -> Result<(), String> {
    if node.head.is_empty() {
        return Err("expected the name of a node before its children".to_owned());
    }
    node.children().try_for_each(|child| check_heads(child))
}

pub(super) fn check_before(before: &str) -> Result<(), String> {
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
