//! The trees of a document, and their nodes as texts.

use std::ops::Range;
use std::sync::Arc;

use bt_behavior3::Diagnostic;
use serde_json::value::RawValue;

use super::function::Function;
use super::xml;

/// How the nodes of a notation are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// As in a Rust source, in which a disabled node is a comment.
    Source,
    /// As in a text, in which a disabled node has an attribute.
    Text,
    /// As data: a note is a field of the node, and nothing is before a child.
    Data,
}

impl Style {
    pub(super) const fn is_data(self) -> bool {
        match self {
            Self::Source | Self::Text => false,
            Self::Data => true,
        }
    }
}

/// A tree of a document.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The id of the tree, which no node of the document has.
    pub id: u32,
    /// The name of a tree in a text, of the function around a `tree!`, or the id of a tree in a file; empty for a text that is one node.
    pub name: String,
    pub title: Option<String>,
    /// The root; `None` for an empty or a `broken` tree.
    pub root: Option<Arc<Node>>,
    /// The nodes of a file that the root does not reach.
    pub loose: Vec<Arc<Node>>,
    /// The reason why the text of the tree cannot be read. The text then stays unchanged.
    pub broken: Option<Diagnostic>,
    /// The text around the nodes.
    pub(super) around: Around,
}

/// The text that a notation has around the nodes of a tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Around {
    /// The place of the tree in the file as it was read, with `\n` at the ends of lines: the content of its delimiters in Rust, all of it in a text. `None` for a new tree.
    pub(super) place: Option<Range<usize>>,
    /// The function of a source that contains the tree. A new tree has a new function after another one.
    pub(super) function: Option<Arc<Function>>,
    /// `for Guard:` before the root.
    pub(super) context: String,
    /// The angle brackets around the root: `< selector < a, b > >`.
    pub(super) angles: Option<Angles>,
    /// The arguments of a tree in a text: `(door, to = 2)`.
    pub(super) properties: String,
    /// The comments after the root, or in an empty tree.
    pub(super) end: Vec<String>,
    /// The tree as it was read: what of it is the same stays unchanged in the file.
    pub(super) read: Option<Arc<Tree>>,
}

impl Around {
    /// Returns `true` if the root has the same text around it.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (&self.context, &self.angles, &self.end) == (&other.context, &other.angles, &other.end)
    }
}

/// The angle brackets around the root of a tree.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Angles {
    /// The comments before and after them.
    pub(super) above: Vec<String>,
    pub(super) below: Vec<String>,
    /// Whether they are the delimiters of a tree in a text: `tree name < node >`.
    pub(super) are_body: bool,
}

/// A node with what belongs to it, as text.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The id of the node in the document, which never changes.
    pub id: u32,
    /// The comments above it, with their signs; an empty text is a blank line. In JSON and XML, the lines of its description.
    pub above: Vec<String>,
    /// The attributes before it: `#[allow(unreachable)]`.
    pub attributes: Vec<String>,
    /// The weight, the score or the pattern before it, without `=>`.
    pub before: String,
    /// Its name with its arguments, or other Rust: `cooldown(secs(2))`, `if near(10.0)`, `|npc: &mut Npc| npc.step()`, `idle -> fear`. The node of `!child` has the head `!`.
    pub head: String,
    pub label: Option<String>,
    /// The children, in one list for most nodes, in several for `if`.
    pub lists: Vec<List>,
    /// The text after the last list: `-> fear`.
    pub tail: String,
    /// The comment after it, in its last line.
    pub behind: String,
    /// Whether the node is disabled.
    pub disabled: bool,
    /// Its fields in a file of the editor, as they were read.
    pub origin: Option<Arc<Origin>>,
    /// Its element in XML, as it was read.
    pub(super) element: Option<xml::Source>,
    /// The nodes of XML in whose place it is, of which it has the comments: the first was the innermost.
    pub(super) gone: Vec<xml::Gone>,
    /// Where it was in the text that was read: its begin, with attributes, and its head.
    pub(super) at: Option<(usize, usize)>,
    /// Its lines in a list of the text that was read: from the end of those before it to the end of its own, with its comments.
    pub(super) lines: Option<Range<usize>>,
}

/// A list of children.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// The text before the list, if it is not the first list: `else`.
    pub before: String,
    pub open: Open,
    /// The comment after its opening delimiter, in the same line.
    pub begin: String,
    pub children: Vec<Arc<Node>>,
    /// The comments after the last child.
    pub end: Vec<String>,
}

/// The delimiters of a list of children.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Open {
    #[default]
    Brace,
    Angle,
    /// Nothing: the child of `!child`.
    Not,
}

/// A node of a file of the editor, as it was read.
#[derive(Clone, Debug)]
pub struct Origin {
    /// Its id in the file.
    pub id: String,
    /// Its fields in the order of the file.
    pub fields: Vec<(String, Box<RawValue>)>,
}

impl Node {
    /// Visits the node and all below it, in the order of the text.
    pub fn visit<'a>(self: &'a Arc<Self>, visit: &mut impl FnMut(&'a Arc<Self>)) {
        visit(self);
        for child in self.children() {
            child.visit(visit);
        }
    }

    /// Returns its children in all lists.
    pub fn children(&self) -> impl Iterator<Item = &Arc<Self>> + Clone {
        self.lists.iter().flat_map(|list| &list.children)
    }

    /// Returns its children, each with that of the same id below `old`, if it is there in the same order.
    pub(super) fn children_with<'o>(
        &self,
        old: Option<&'o Arc<Self>>,
    ) -> impl Iterator<Item = (Option<&'o Arc<Self>>, &Arc<Self>)> {
        let mut rest = old.into_iter().flat_map(|old| old.children());
        self.children().map(move |child| {
            let mut ahead = rest.clone();
            let found = ahead.find(|old| old.id == child.id);
            if found.is_some() {
                rest = ahead;
            }
            (found, child)
        })
    }

    /// Returns `true` if it is written like another node, with its comments, but without those below it.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (&self.head, &self.label, &self.tail, self.disabled) == (&other.head, &other.label, &other.tail, other.disabled)
            && (&self.attributes, &self.before) == (&other.attributes, &other.before)
            && (&self.above, &self.behind) == (&other.above, &other.behind)
            && self.lists.len() == other.lists.len()
            && self.lists.iter().zip(&other.lists).all(|(list, other)| {
                (&list.before, list.open, &list.begin, &list.end)
                    == (&other.before, other.open, &other.begin, &other.end)
            })
    }

    pub(super) fn children_mut(&mut self) -> impl Iterator<Item = &mut Self> {
        self.lists.iter_mut().flat_map(|list| &mut list.children).map(Arc::make_mut)
    }
}

impl List {
    /// Returns the lists of a node with these children: none if there are none.
    pub(super) fn of(children: Vec<Arc<Node>>) -> Vec<Self> {
        if children.is_empty() { Vec::new() } else { vec![Self { children, ..Self::default() }] }
    }
}

impl Tree {
    /// Returns an empty tree at a place of a file; `None` for a new one.
    pub(super) fn new(name: String, place: Option<Range<usize>>) -> Self {
        let around = Around { place, ..Around::default() };
        Self { id: 0, name, title: None, root: None, loose: Vec::new(), broken: None, around }
    }

    /// Returns the tree as messages name it.
    pub(super) fn shown(&self) -> String {
        if self.name.is_empty() { "the tree".to_owned() } else { format!("the tree `{}`", self.name) }
    }

    /// Returns its nodes that have no parent, the root first.
    pub(super) fn tops(&self) -> impl Iterator<Item = &Arc<Node>> {
        self.root.iter().chain(&self.loose)
    }

    /// Returns `true` if its nodes are those that were read.
    pub(super) fn has_nodes_as_read(&self) -> bool {
        let is_as = |read: &Arc<Self>| {
            self.root.is_some() == read.root.is_some()
                && self.loose.len() == read.loose.len()
                && self.tops().zip(read.tops()).all(|(one, other)| Arc::ptr_eq(one, other))
        };
        self.around.read.as_ref().is_some_and(is_as)
    }

    /// Returns `true` if it is written as when it was read.
    pub(super) fn is_as_read(&self) -> bool {
        fn is_same(one: &Arc<Node>, other: &Arc<Node>) -> bool {
            let has_same = |list: &List, other: &List| {
                let mut children = list.children.iter().zip(&other.children);
                list.children.len() == other.children.len() && children.all(|(one, other)| is_same(one, other))
            };
            Arc::ptr_eq(one, other)
                || one.is_like(other) && one.lists.iter().zip(&other.lists).all(|(list, other)| has_same(list, other))
        }
        let is_as = |read: &Arc<Self>| {
            let has_same_root = match (&self.root, &read.root) {
                (Some(root), Some(read)) => is_same(root, read),
                (root, read) => root.is_none() && read.is_none(),
            };
            has_same_root && self.is_named_as(read) && self.around.is_like(&read.around)
        };
        self.broken.is_some() || self.around.read.as_ref().is_some_and(is_as)
    }

    /// Returns `true` if it has the name, the title and the properties of another tree.
    pub(super) fn is_named_as(&self, other: &Self) -> bool {
        (&self.name, &self.title, &self.around.properties) == (&other.name, &other.title, &other.around.properties)
    }

    /// Returns all its nodes, in the order of the text.
    pub fn nodes(&self) -> Vec<&Arc<Node>> {
        let mut all = Vec::new();
        for node in self.tops() {
            node.visit(&mut |node| all.push(node));
        }
        all
    }
}
