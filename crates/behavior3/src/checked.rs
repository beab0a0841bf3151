//! A valid tree.

use std::borrow::Cow;
use std::sync::Arc;

use bt_words::{Lint, Outcomes};
use serde_json::{Map, Value};

use crate::allow;
use crate::diagnostic::{Diagnostic, Fault, Place};
use crate::format::TreeSpec;
use crate::kind::NodeKind;
use crate::source::{Source, variable, variables};
use crate::spec::{NodeSpec, PropertiesText};

/// A valid tree: all its nodes in pre-order, the root first.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked {
    /// The tree's title.
    pub title: String,
    /// The tree in the file, without its nodes.
    pub tree: TreeSpec,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The mistakes that do not prevent loading, such as a child that is never ticked, except those that a node
    /// [allows](Node::allows).
    pub warnings: Vec<Diagnostic>,
}

impl Checked {
    /// Returns the root of a nested tree, and the index of any other node itself.
    pub(crate) fn inlined(&self, index: usize) -> usize {
        let node = &self.nodes[index];
        match (&node.kind, node.children.as_slice()) {
            (NodeKind::Tree(_), [root]) => self.inlined(*root),
            _ => index,
        }
    }
}

/// A node of a [`Checked`] tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Its id in the file. In a nested tree, prefixed with the ids of the nodes that contain the tree: `a/b`.
    pub id: String,
    /// The node in the file.
    pub spec: Arc<NodeSpec>,
    /// Its title in the editor, if it differs from the name.
    pub title: Option<String>,
    /// Its kind.
    pub kind: NodeKind,
    /// Whether the file declares it as a condition.
    pub is_condition: bool,
    /// The index of its parent.
    pub parent: Option<usize>,
    /// The indices of its children, in order.
    pub children: Vec<usize>,
    /// The statuses that it can return.
    pub returns: Outcomes,
    /// Its property `allow`, which is not among its properties.
    pub(crate) allow: Option<Box<Value>>,
    /// The length of its origin, with which its id begins.
    pub(crate) origin: usize,
    /// Its properties, if they differ from those in the file.
    pub(crate) resolved: Option<Box<Map<String, Value>>>,
}

impl Node {
    /// Returns the id of its node in the file. If a name means several words, all their nodes have the same origin.
    pub fn origin(&self) -> &str {
        &self.id[..self.origin]
    }

    /// Returns its line and column in text or XML; `None` in an included file.
    pub fn place_in_file(&self) -> Option<(u32, u32)> {
        self.spec.place.filter(|_| self.spec.file.is_none()).map(|place| (place.line, place.column))
    }

    /// Returns its name in the file. That of a nested tree is the id of the tree.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// Returns its title in the editor, or its name. The name of a nested tree is the title of the tree.
    pub fn shown_title(&self) -> &str {
        self.title.as_deref().unwrap_or(if let NodeKind::Tree(name) = &self.kind { name } else { self.name() })
    }

    /// Returns `true` for a disabled node, which only a tree has that is checked to be written.
    pub(crate) fn is_disabled(&self) -> bool {
        // If a name means several words, they are disabled with the outermost.
        self.id.len() == self.origin && self.spec.is_disabled()
    }

    /// Returns `true` if it allows a lint by its property `allow`: the name of a lint, or a list of names.
    pub fn allows(&self, lint: Lint) -> bool {
        self.allow.as_ref().is_some_and(|given| allow::names(given).any(|name| name == lint.name()))
    }

    /// Returns its properties: those in the file, including its `parameters`, with the values of the properties of its tree, and without
    /// `allow`.
    pub fn properties(&self) -> &Map<String, Value> {
        self.resolved.as_deref().unwrap_or(&self.spec.properties)
    }

    /// Returns its properties in the order of the text or XML that it was read from. Those that are not there come first, by name.
    #[doc(hidden)]
    pub fn properties_in_order(&self) -> Vec<(&String, &Value)> {
        let mut all: Vec<_> = self.properties().iter().collect();
        all.sort_by_key(|(name, _)| self.spec.properties.places(name).first());
        all
    }

    /// Returns its properties as they are written in drawings: variables in braces, other text in quotes.
    pub fn written_properties(&self) -> impl Iterator<Item = (&str, String)> {
        self.properties().iter().map(|(name, value)| {
            let is_variable = value.as_str().is_some_and(|text| variable(text).is_some());
            let text = if is_variable { value.as_str().map(str::to_owned) } else { None };
            (name.as_str(), text.unwrap_or_else(|| value.to_string()))
        })
    }

    /// Returns its properties, including `allow`, displayed as JSON.
    pub fn properties_text(&self) -> PropertiesText<'_> {
        let mut properties = Cow::Borrowed(self.properties());
        if let Some(given) = &self.allow {
            properties.to_mut().insert(allow::NAME.to_owned(), Value::clone(given));
        }
        PropertiesText(properties)
    }

    /// Returns an error about this node.
    pub fn diagnostic(&self, fault: impl Into<Fault>) -> Diagnostic {
        self.spec.error(self.id.clone(), self.shown_title().to_owned(), fault.into())
    }

    /// Returns the place in a text of the argument that reads a value, if it is the only one, or of the node.
    pub fn place_of_read(&self) -> Option<Place> {
        let mut read = self.kind.args().sources().filter(|source| !matches!(source, Source::Number(_)));
        let (Some(source), None) = (read.next(), read.next()) else { return self.spec.place };
        self.spec.place_of(&self.kind.fault_of_source(source, String::new()))
    }

    /// Returns a fault of the property that names a variable.
    pub fn fault_of_variable(&self, variable: &str, reason: String) -> Fault {
        let names = |value: &Value| variables(value).contains(&variable);
        let Some((property, value)) = self.properties().iter().find(|(_, value)| names(value)) else {
            return reason.into();
        };
        let item = value.as_array().and_then(|items| items.iter().position(names));
        Fault { item, ..Fault::of(property, reason) }
    }
}
