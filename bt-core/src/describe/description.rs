//! A tree's description as a value.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::panic::Location;

use crate::describe::{ArrowText, Info, Kind, Param, Place, Role, Visitor};
use crate::node::{NodeId, Shape};
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
    /// The arrows that lead out of it, if it is a state, or out of any of its states, if it is a machine.
    pub arrows: Vec<Arrow>,
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

/// An arrow of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Arrow {
    /// When it may be followed.
    pub on: String,
    /// The name of the state it leads to; `success` or `failure` if it leads out.
    pub to: String,
}

impl From<&ArrowText> for Arrow {
    fn from(text: &ArrowText) -> Self {
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
}

impl From<&Param<'_>> for Parameter {
    fn from(param: &Param<'_>) -> Self {
        Self {
            name: param.name.to_owned(),
            value: format!("{:?}", param.value),
            type_name: param.type_name.map(ToOwned::to_owned),
            default: param.default.map(|default| format!("{default:?}")),
            unit: param.unit.map(ToOwned::to_owned),
        }
    }
}

impl Description {
    /// Describes a tree.
    pub fn of<N: Shape>(tree: &N) -> Self {
        let mut builder = Builder::default();
        tree.describe(&mut builder);
        Self { nodes: builder.nodes }
    }

    /// One of these nodes, which are in pre-order.
    #[cfg(feature = "json")]
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

    /// The children of a node, in order. The conditions of arrows, what is done on entering and leaving states, and the actions of services are
    /// [`asides`](Self::asides).
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = &Described> {
        self.below(id).filter(|node| node.role.is_child())
    }

    /// What hangs under a node and is no child like any other, in order: see [`Role`].
    pub fn asides(&self, id: NodeId) -> impl Iterator<Item = &Described> {
        self.below(id).filter(|node| !node.role.is_child())
    }

    fn below(&self, id: NodeId) -> impl Iterator<Item = &Described> {
        // In pre-order, whatever is below a node comes right after it.
        let below = self.nodes.iter().skip(id.index() + 1).take_while(move |node| node.parent >= Some(id));
        below.filter(move |node| node.parent == Some(id))
    }
}

#[derive(Default)]
struct Builder {
    nodes: Vec<Described>,
    open: Vec<NodeId>,
    place: Option<Place>,
    role: Role,
    arrows: &'static [ArrowText],
    label: Option<String>,
    own_arrows: Vec<Arrow>,
}

impl Visitor for Builder {
    fn arrow(&mut self, on: &str, to: &str) {
        self.own_arrows.push(Arrow { on: on.to_owned(), to: to.to_owned() });
    }

    fn label(&mut self, label: &str) {
        self.label = Some(label.to_owned());
    }

    fn arrows(&mut self, arrows: &'static [ArrowText]) {
        self.arrows = arrows;
    }

    fn role(&mut self, role: Role) {
        self.role = role;
    }

    fn place(&mut self, place: &'static Place) {
        let label = self.place.and_then(|before| before.label).or(place.label);
        self.place = Some(Place { label, ..*place });
    }

    fn enter(&mut self, info: &Info<'_>) -> &'static [Place] {
        let place = self.place.take();
        let mut arrows = core::mem::take(&mut self.own_arrows);
        arrows.extend(core::mem::take(&mut self.arrows).iter().map(Arrow::from));
        let id = NodeId::new(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Described {
            id,
            parent: self.open.last().copied(),
            role: core::mem::take(&mut self.role),
            kind: info.kind,
            name: info.name.at(place.as_ref()).to_owned(),
            label: self.label.take().or(place.and_then(|place| place.label).map(ToOwned::to_owned)),
            params: info.params.iter().map(Parameter::from).collect(),
            location: place.map(|place| place.location.into()),
            can: info.can,
            arrows,
        });
        self.open.push(id);
        place.map_or(&[], |place| place.children)
    }

    fn leave(&mut self) {
        self.open.pop();
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
