//! Documents as data for a page.

use std::collections::HashMap;

use bt_behavior3::palette::{Entry, Kind, Param, Type};
use bt_words::Word;
use serde::Serialize;

use super::document::Document;
use super::gap;
use super::head::{Form, Head};
use super::item::is_transition;
use super::node::{List, Node, Open, Tree};
use super::print::is_hook;
use crate::format::Plain;
use crate::lex::place;

/// A tree as a page shows it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TreeView {
    pub id: u32,
    pub name: String,
    pub title: Option<String>,
    /// The reason why the tree cannot be changed.
    pub broken: Option<String>,
    pub root: Option<NodeView>,
    pub loose: Vec<NodeView>,
}

/// A node as a page shows it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NodeView {
    pub id: u32,
    pub name: String,
    pub kind: NodeKind,
    pub head: String,
    pub arguments: Vec<ArgumentView>,
    pub before: String,
    pub label: Option<String>,
    pub note: String,
    pub disabled: bool,
    /// The place of its head in the current text of the file: line and column.
    pub place: Option<String>,
    /// Its id in a file of the editor.
    pub fileid: Option<String>,
    pub lists: Vec<ListView>,
    /// The tree of the document that it names.
    pub uses: Option<u32>,
    /// The names of operations that depend on the node: `unwrap`, `extract`, `inline`.
    pub can: Vec<&'static str>,
}

/// A list of children as a page shows it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ListView {
    pub before: String,
    pub children: Vec<NodeView>,
}

/// An argument as a page shows it, or a parameter without an argument.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ArgumentView {
    pub name: Option<String>,
    /// The text; empty for a parameter without an argument.
    pub text: String,
    #[serde(rename = "type")]
    pub ty: Type,
    pub unit: Option<String>,
}

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum NodeKind {
    Composite,
    Decorator,
    Leaf,
    /// `if`, `match`.
    Choice,
    Machine,
    State,
    Transition,
    /// The action on entering or leaving a state.
    Hook,
    /// A closure or another expression.
    Rust,
}

/// Returns the trees of a document. `palette` describes nodes by name.
pub(super) fn view(document: &Document, text: &str, palette: &[Entry]) -> Vec<TreeView> {
    let entries = palette.iter().map(|entry| (&*entry.name, entry)).collect();
    let viewer = Viewer { document, entries, places: places(document, text) };
    let tree = |tree: &Tree| TreeView {
        id: tree.id,
        name: tree.name.clone(),
        title: tree.title.clone(),
        broken: tree.broken.as_ref().map(|error| {
            error.place.map_or_else(|| error.reason.clone(), |place| format!("{place}: {}", error.reason))
        }),
        root: tree.root.as_ref().map(|root| viewer.node(root, None)),
        loose: tree.loose.iter().map(|node| viewer.node(node, None)).collect(),
    };
    document.trees.iter().map(tree).collect()
}

/// Returns where nodes are in the text of the document.
fn places(document: &Document, text: &str) -> HashMap<u32, String> {
    if !document.room().facts().has_places {
        return HashMap::new();
    }
    let plain = Plain::of(text).text;
    let Ok(trees) = document.written_trees(&plain) else { return HashMap::new() };
    let ids = document.nodes().map(|node| node.id);
    let mut lines = Lines::of(&plain);
    let written = trees.iter().flat_map(Tree::nodes).map(|node| node.at.map(|(_, head)| lines.place(head)));
    ids.zip(written.collect::<Vec<_>>()).filter_map(|(id, place)| Some((id, place?))).collect()
}

/// Places of a text, which are asked for in order.
struct Lines<'t> {
    text: &'t str,
    line: usize,
    begin: usize,
}

impl<'t> Lines<'t> {
    const fn of(text: &'t str) -> Self {
        Self { text, line: 1, begin: 0 }
    }

    fn place(&mut self, at: usize) -> String {
        if at < self.begin {
            return place(self.text, at).to_string();
        }
        let before = &self.text[self.begin..at];
        self.line += before.matches('\n').count();
        self.begin += before.rfind('\n').map_or(0, |end| end + 1);
        format!("{}:{}", self.line, self.text[self.begin..at].chars().count() + 1)
    }
}

struct Viewer<'d> {
    document: &'d Document,
    entries: HashMap<&'d str, &'d Entry>,
    places: HashMap<u32, String>,
}

impl Viewer<'_> {
    fn node(&self, node: &Node, parent: Option<NodeKind>) -> NodeView {
        let head = Head::of(&node.head);
        let name = if node.head == "!" { "invert" } else { head.last_name() };
        let (kind, used) = (self.kind(node, &head, parent), self.document.used(node, &head));
        NodeView {
            id: node.id,
            name: if name.is_empty() { node.head.clone() } else { name.to_owned() },
            kind,
            head: node.head.clone(),
            arguments: self.arguments(name, &head),
            before: node.before.clone(),
            label: node.label.clone(),
            note: gap::note(&node.above, self.document.style()),
            disabled: node.disabled,
            place: self.places.get(&node.id).cloned(),
            fileid: node.origin.as_ref().map(|origin| origin.id.clone()),
            lists: self.lists(node, kind),
            uses: self.document.named(node, &head, used),
            can: can(node, parent, used),
        }
    }

    fn lists(&self, node: &Node, kind: NodeKind) -> Vec<ListView> {
        let list = |list: &List| ListView {
            before: list.before.clone(),
            children: list.children.iter().map(|child| self.node(child, Some(kind))).collect(),
        };
        if !self.document.room().facts().tells_lists && node.children().next().is_none() {
            let empty = ListView { before: String::new(), children: Vec::new() };
            return if matches!(kind, NodeKind::Composite | NodeKind::Decorator) { vec![empty] } else { Vec::new() };
        }
        node.lists.iter().map(list).collect()
    }

    fn kind(&self, node: &Node, head: &Head, parent: Option<NodeKind>) -> NodeKind {
        let in_machine = matches!(parent, Some(NodeKind::Machine | NodeKind::State));
        if in_machine && is_transition(node) {
            return NodeKind::Transition;
        }
        if parent == Some(NodeKind::State) && is_hook(node) {
            return NodeKind::Hook;
        }
        if parent == Some(NodeKind::Machine) {
            return NodeKind::State;
        }
        if node.lists.first().is_some_and(|list| list.open == Open::Not) {
            return NodeKind::Decorator;
        }
        let entry = self.entries.get(head.last_name()).filter(|_| head.form != Form::Rust);
        match entry.map(|entry| entry.kind) {
            Some(Kind::Composite) => NodeKind::Composite,
            Some(Kind::Decorator) => NodeKind::Decorator,
            Some(Kind::Choice) => NodeKind::Choice,
            Some(Kind::Machine) => NodeKind::Machine,
            Some(Kind::State) => NodeKind::State,
            Some(Kind::Leaf) => NodeKind::Leaf,
            None if head.form == Form::Keyword => NodeKind::Choice,
            None if node.lists.is_empty() && head.form == Form::Rust => NodeKind::Rust,
            None if node.lists.is_empty() => NodeKind::Leaf,
            None if node.children().count() == 1 => NodeKind::Decorator,
            None => NodeKind::Composite,
        }
    }

    /// Returns the arguments that are given, and then the parameters that are not.
    fn arguments(&self, name: &str, head: &Head) -> Vec<ArgumentView> {
        let view = |name: Option<String>, text: &str, param: Option<&Param>| ArgumentView {
            name: name.or_else(|| param.map(|param| param.name.clone())),
            text: text.to_owned(),
            ty: param.map_or(Type::Expression, |param| param.ty),
            unit: param.and_then(|param| param.unit.clone()),
        };
        let names: &[&str] = match head.form {
            Form::Call => &[],
            Form::Rust => &["rust"],
            Form::Hook => &["action"],
            Form::Transition => &["condition", "state"],
            Form::Keyword if name == "state" => &["name"],
            Form::Keyword if name.ends_with("match") => &["value"],
            Form::Keyword => &["condition"],
        };
        if !names.is_empty() {
            let parts = names.iter().zip(&head.arguments);
            return parts.map(|(name, argument)| view(Some((*name).to_owned()), &argument.text, None)).collect();
        }
        let params = self.entries.get(name).map_or(&[][..], |entry| &entry.params);
        // What is written before children is no argument.
        let is_before = |name: &str| !self.document.style().is_data() && is_written_before(name);
        let params: Vec<_> = params.iter().filter(|param| !is_before(&param.name)).collect();
        let given = head.arguments.iter().enumerate().map(|(index, argument)| {
            let param = match &argument.name {
                Some(name) => params.iter().find(|param| param.name == *name),
                None => params.get(index),
            };
            view(argument.name.clone(), &argument.text, param.copied())
        });
        let mut all: Vec<_> = given.collect();
        for param in params {
            if !all.iter().any(|argument| argument.name.as_ref() == Some(&param.name)) {
                all.push(view(None, "", Some(param)));
            }
        }
        all
    }
}

/// Returns the names of the operations that are possible with a node, which depend on it.
fn can(node: &Node, parent: Option<NodeKind>, used: Option<usize>) -> Vec<&'static str> {
    let has = |is: bool, name| is.then_some(name);
    let names = [
        has(node.children().next().is_some(), "unwrap"),
        has(parent.is_some(), "extract"),
        has(used.is_some(), "inline"),
    ];
    names.into_iter().flatten().collect()
}

/// Returns `true` for a parameter that is written before the children: weights, scores and patterns.
fn is_written_before(name: &str) -> bool {
    let params = Word::ALL.iter().flat_map(|word| word.row().params);
    params.filter(|param| param.name == name).any(|param| param.ty.is_of_children())
}
