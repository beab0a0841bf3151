//! A tree's description as a value.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::panic::Location;

use crate::describe::{InFile, Info, Kind, Param, Role, SourceNode, TransitionText, Visitor};
use crate::id::NodeId;
use crate::node::NodeShape;
use crate::outcomes::Outcomes;

/// What a tree consists of: all its nodes in pre-order. Its `Display` draws the tree, [`draw`](Self::draw) also in other forms.
///
/// With the feature `serde` it can be written and read: a sequence of maps with the fields of [`Described`], the place as `file:line:column`.
///
/// ```
/// use bt_core::prelude::*;
///
/// fn near(_: &u8) -> bool { true }
/// let tree = tree! { for u8: selector "guard" { sequence { near, fail }, run } };
///
/// let description = tree.description();
/// assert_eq!(description.node(NodeId::ROOT).unwrap().label.as_deref(), Some("guard"));
/// assert_eq!(description.to_string(), "\
/// selector \"guard\"
/// ├─ sequence
/// │  ├─ near
/// │  └─ fail
/// └─ run
/// ");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Description {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::parse::in_order"))]
    nodes: Vec<Described>,
}

/// One node of a [`Description`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Described {
    /// Its id: its index in pre-order.
    pub id: NodeId,
    /// The node it hangs under; `None` for the root.
    pub parent: Option<NodeId>,
    /// What it is to the node it hangs under.
    #[cfg_attr(feature = "serde", serde(default))]
    pub role: Role,
    /// What sort of node it is.
    pub kind: Kind,
    /// How it is called.
    pub name: String,
    /// The label in the tree, if it has one.
    pub label: Option<String>,
    /// Its parameters, in order.
    pub params: Vec<Parameter>,
    /// Where the node stands in a `tree!`, if it stands in one.
    pub location: Option<Source>,
    /// Which statuses it can ever give.
    pub can: Outcomes,
    /// The transitions that lead out of it, if it is a state, or out of any of its states, if it is a machine.
    pub transitions: Vec<Transition>,
    /// What it is in the file that its tree was made of, if it was made of one.
    #[cfg_attr(feature = "serde", serde(default))]
    pub file: Option<FileNode>,
}

/// What a node is in a file of the Behavior3 editor: see [`InFile`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FileNode {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its properties, as JSON.
    pub properties: String,
    /// What else the file says of it, as JSON.
    pub more: String,
}

impl From<&InFile<'_>> for FileNode {
    fn from(file: &InFile<'_>) -> Self {
        let [id, name, properties, more] = [file.id, file.name, file.properties, file.more].map(ToOwned::to_owned);
        Self { id, name, properties, more }
    }
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl From<&Location<'_>> for Source {
    fn from(location: &Location<'_>) -> Self {
        Self { file: location.file().to_owned(), line: location.line(), column: location.column() }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A transition of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Transition {
    /// When it may be followed.
    pub on: String,
    /// The name of the state it leads to; `success` or `failure` if it leads out.
    pub to: String,
}

impl From<&TransitionText> for Transition {
    fn from(text: &TransitionText) -> Self {
        Self { on: text.on.to_owned(), to: text.to.to_owned() }
    }
}

/// A parameter of a node, its value as text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Parameter {
    /// Its name in the source.
    pub name: String,
    /// Its value, as `Debug` writes it.
    pub value: String,
    /// Its type, where it is known.
    pub type_name: Option<String>,
    /// Its default, if it has one, as `Debug` writes it.
    pub default: Option<String>,
    /// The unit that it is measured in, if it has one.
    pub unit: Option<String>,
    /// Its value as JSON, where it is something else than what `Debug` writes: a struct, say. With the feature `json`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub property: Option<String>,
}

impl From<&Param<'_>> for Parameter {
    fn from(param: &Param<'_>) -> Self {
        let value = format!("{:?}", param.value);
        Self {
            name: param.name.to_owned(),
            property: param.property.and_then(|property| property.beyond(&value)),
            value,
            type_name: param.type_name.map(ToOwned::to_owned),
            default: param.default.map(|default| format!("{default:?}")),
            unit: param.unit.map(ToOwned::to_owned),
        }
    }
}

impl Description {
    /// Describes a tree.
    pub fn of<N: NodeShape>(tree: &N) -> Self {
        let mut builder = Builder::default();
        tree.describe(&mut builder);
        Self { nodes: builder.nodes }
    }

    /// One of these nodes, which are in pre-order.
    pub(crate) const fn from_nodes(nodes: Vec<Described>) -> Self {
        Self { nodes }
    }

    /// All nodes, in pre-order: the node with id `i` is at index `i`.
    pub fn nodes(&self) -> &[Described] {
        &self.nodes
    }

    /// The node with this id.
    pub fn node(&self, id: NodeId) -> Option<&Described> {
        self.nodes.get(id.index())
    }

    /// The children of a node, in order. The conditions of transitions, what is done on entering and leaving states, and the actions of services are
    /// [`attachments`](Self::attachments).
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = &Described> {
        self.below(id).filter(|node| node.role.is_child())
    }

    /// What hangs under a node and is no child like any other, in order: see [`Role`].
    pub fn attachments(&self, id: NodeId) -> impl Iterator<Item = &Described> {
        self.below(id).filter(|node| !node.role.is_child())
    }

    fn below(&self, id: NodeId) -> impl Iterator<Item = &Described> {
        // In pre-order, whatever is below a node comes right after it.
        let below = self.nodes.iter().skip(id.index() + 1).take_while(move |node| node.parent >= Some(id));
        below.filter(move |node| node.parent == Some(id))
    }
}

/// A tree that was made of a file, while it is described.
struct Scope {
    nodes: &'static [InFile<'static>],
    /// The node to come next.
    next: usize,
    /// Its root.
    root: NodeId,
    /// The nodes that are open and have children in the file.
    holds: Vec<NodeId>,
}

#[derive(Default)]
struct Builder {
    /// What the next node is in a file, and whether its name there is one of the user's own.
    file: Option<(FileNode, bool)>,
    from_file: Option<&'static [InFile<'static>]>,
    scopes: Vec<Scope>,
    nodes: Vec<Described>,
    open: Vec<NodeId>,
    place: Option<SourceNode>,
    role: Role,
    transitions: &'static [TransitionText],
    /// The name that the next node is registered under, where it is no node of the file itself.
    registered: Option<String>,
    label: Option<String>,
    own_transitions: Vec<Transition>,
}

impl Builder {
    /// What the node of this id is in a file, if it is in one, and whether its name there is one of the user's own.
    fn in_which_file(&mut self, id: NodeId, role: Role) -> Option<(FileNode, bool)> {
        if let Some(nodes) = self.from_file.take() {
            self.scopes.push(Scope { nodes, next: 0, root: id, holds: Vec::new() });
        } else if self.file.is_some() {
            return self.file.take();
        }
        let scope = self.scopes.last_mut()?;
        let parent = self.open.last();
        let is_in_it =
            id == scope.root || (role.is_child() && parent.is_some_and(|parent| scope.holds.last() == Some(parent)));
        let file = scope.nodes.get(scope.next).filter(|_| is_in_it)?;
        scope.next += 1;
        if !file.is_leaf {
            scope.holds.push(id);
        }
        if let Some(title) = file.title {
            self.label = Some(title.to_owned());
        }
        Some((file.into(), file.is_own))
    }
}

impl Visitor for Builder {
    fn in_file(&mut self, file: InFile<'_>) {
        if let Some(title) = file.title {
            self.label = Some(title.to_owned());
        }
        self.file = Some(((&file).into(), file.is_own));
    }

    fn registered(&mut self, name: &str) {
        self.registered = Some(name.to_owned());
    }

    fn file_nodes(&mut self, nodes: &'static [InFile<'static>]) {
        self.from_file = Some(nodes);
    }

    fn transition(&mut self, on: &str, to: &str) {
        self.own_transitions.push(Transition { on: on.to_owned(), to: to.to_owned() });
    }

    fn label(&mut self, label: &str) {
        self.label = Some(label.to_owned());
    }

    fn transitions(&mut self, transitions: &'static [TransitionText]) {
        self.transitions = transitions;
    }

    fn role(&mut self, role: Role) {
        self.role = role;
    }

    fn place(&mut self, place: &'static SourceNode) {
        let label = self.place.and_then(|before| before.label).or(place.label);
        self.place = Some(SourceNode { label, ..*place });
    }

    fn enter(&mut self, info: &Info<'_>) -> &'static [SourceNode] {
        let place = self.place.take();
        let mut transitions = core::mem::take(&mut self.own_transitions);
        transitions.extend(core::mem::take(&mut self.transitions).iter().map(Transition::from));
        let id = NodeId::new(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let role = core::mem::take(&mut self.role);
        let file = self.in_which_file(id, role);
        let mut name = info.name.at(place.as_ref()).to_owned();
        let mut label = self.label.take().or(place.and_then(|place| place.label).map(ToOwned::to_owned));
        // One of the user's own is called as the file calls it.
        let own = match &file {
            Some((FileNode { name: own, .. }, true)) => Some(own.clone()),
            _ => self.registered.take(),
        };
        if let Some(own) = own {
            match info.kind {
                Kind::Condition | Kind::Action | Kind::Decorator => name = own,
                _ => label = label.or(Some(own)),
            }
        }
        self.nodes.push(Described {
            id,
            parent: self.open.last().copied(),
            role,
            kind: info.kind,
            name,
            label,
            params: info.params.iter().map(Parameter::from).collect(),
            location: place.map(|place| place.location.into()),
            can: info.can,
            transitions,
            file: file.map(|(file, _)| file),
        });
        self.open.push(id);
        place.map_or(&[], |place| place.children)
    }

    fn leave(&mut self) {
        let Some(left) = self.open.pop() else { return };
        if let Some(scope) = self.scopes.last_mut() {
            if scope.holds.last() == Some(&left) {
                scope.holds.pop();
            }
            if scope.root == left {
                self.scopes.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_type_is_called_by_the_last_part_of_its_path() {
        assert_eq!(crate::describe::short_name::<core::option::Option<core::time::Duration>>(), "Option");
        assert_eq!(crate::describe::short_name::<u8>(), "u8");
    }
}
