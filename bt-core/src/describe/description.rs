//! A tree's description as a value.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::panic::Location;

use crate::describe::{ArrowText, Info, Kind, Param, Place, Visitor};
use crate::node::{NodeId, Shape};
use crate::outcomes::Outcomes;

/// What a tree consists of: all its nodes in pre-order. Its `Display` draws the tree.
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
pub struct Description {
    nodes: Vec<Described>,
}

/// One node of a [`Description`].
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// Its id: its index in pre-order.
    pub id: NodeId,
    /// The node it hangs under; `None` for the root.
    pub parent: Option<NodeId>,
    /// What sort of node it is.
    pub kind: Kind,
    /// How it is called.
    pub name: String,
    /// The label in the tree, if it has one.
    pub label: Option<String>,
    /// Its parameters, in order.
    pub params: Vec<Parameter>,
    /// File, line and column of the node in a `tree!`, where it stands in one.
    pub location: Option<&'static Location<'static>>,
    /// Which statuses it can ever give.
    pub can: Outcomes,
    /// The arrows that lead out of it, if it is a state, or out of any of its states, if it is a machine.
    pub arrows: &'static [ArrowText],
}

/// A parameter of a node, its value as text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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

    /// All nodes, in pre-order: the node with id `i` is at index `i`.
    pub fn nodes(&self) -> &[Described] {
        &self.nodes
    }

    /// The node with this id.
    pub fn node(&self, id: NodeId) -> Option<&Described> {
        self.nodes.get(id.index())
    }

    /// The children of a node, in order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = &Described> {
        self.nodes.iter().filter(move |node| node.parent == Some(id))
    }
}

/// All nodes in pre-order, for tools: a sequence of maps with the fields of [`Described`]; the place as `file:line:column`.
///
/// ```
/// use bt_core::prelude::*;
///
/// let lamp = tree! { for bool: machine { state off { run, |on: &bool| *on -> on } state on { run } } };
/// let json = serde_json::to_value(&lamp.description())?;
/// assert_eq!(json[1]["name"], "off");
/// assert_eq!(json[1]["arrows"][0]["to"], "on");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[cfg(feature = "serde")]
impl serde::Serialize for Description {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Node<'a> {
            id: NodeId,
            parent: Option<NodeId>,
            kind: String,
            name: &'a str,
            label: Option<&'a str>,
            params: &'a [Parameter],
            location: Option<String>,
            can: String,
            arrows: &'a [ArrowText],
        }
        out.collect_seq(self.nodes.iter().map(|node| Node {
            id: node.id,
            parent: node.parent,
            kind: format!("{:?}", node.kind),
            name: &node.name,
            label: node.label.as_deref(),
            params: &node.params,
            location: node.location.map(|location| format!("{location}")),
            can: format!("{}", node.can),
            arrows: node.arrows,
        }))
    }
}

#[derive(Default)]
struct Builder {
    nodes: Vec<Described>,
    open: Vec<NodeId>,
    place: Option<Place>,
    arrows: &'static [ArrowText],
}

impl Visitor for Builder {
    fn arrows(&mut self, arrows: &'static [ArrowText]) {
        self.arrows = arrows;
    }

    fn place(&mut self, place: &'static Place) {
        let label = self.place.and_then(|before| before.label).or(place.label);
        self.place = Some(Place { label, ..*place });
    }

    fn enter(&mut self, info: &Info<'_>) -> &'static [Place] {
        let place = self.place.take();
        let id = NodeId::new(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Described {
            id,
            parent: self.open.last().copied(),
            kind: info.kind,
            name: info.name.at(place.as_ref()).to_owned(),
            label: place.and_then(|place| place.label).map(ToOwned::to_owned),
            params: info.params.iter().map(Parameter::from).collect(),
            location: place.map(|place| place.location),
            can: info.can,
            arrows: core::mem::take(&mut self.arrows),
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
