//! The nodes of a description.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::panic::Location;

use crate::describe::{InFile, Kind, Param, Role, TransitionText};
use crate::id::NodeId;
use crate::outcomes::Outcomes;

/// One node of a [`Description`](crate::describe::Description).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Described {
    /// The id of the node: its index in pre-order.
    pub id: NodeId,
    /// The node above; `None` for the root.
    pub parent: Option<NodeId>,
    /// The relation of the node to the node above.
    #[cfg_attr(feature = "serde", serde(default))]
    pub role: Role,
    /// The kind of node.
    pub kind: Kind,
    /// The name of the node.
    pub name: String,
    /// The label in the tree, if the node has one.
    pub label: Option<String>,
    /// The parameters, in order.
    pub params: Vec<Parameter>,
    /// The source location in a `tree!`; `None` if the node was not written in one.
    pub location: Option<Source>,
    /// The statuses that the node can return.
    pub returns: Outcomes,
    /// The transitions out of the node, if it is a state. For a machine, the transitions that apply in every state.
    pub transitions: Vec<Transition>,
    /// The corresponding node in the file that the tree was built from, if there is one.
    #[cfg_attr(feature = "serde", serde(default))]
    pub file: Option<FileNode>,
    /// The warnings of a loaded tree: why a part of the node can never run, or has no effect. For a live tree, also the errors of
    /// an edit that the tree does not follow.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub warnings: Vec<String>,
}

/// A node in a file of the Behavior3 editor. See [`InFile`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FileNode {
    /// The id of the node.
    pub id: String,
    /// The name of the node.
    pub name: String,
    /// The line and the column, if the file is text or XML and not an included one.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub place: Option<(u32, u32)>,
    /// The properties, as JSON.
    pub properties: String,
    /// All other fields of the node in the file, as JSON.
    pub more: String,
}

impl From<&InFile<'_>> for FileNode {
    fn from(file: &InFile<'_>) -> Self {
        Self {
            id: file.id.to_owned(),
            name: file.name.to_owned(),
            place: file.place,
            properties: file.properties.to_string(),
            more: file.more.to_string(),
        }
    }
}

/// A source location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file, as passed to the compiler.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1.
    pub column: u32,
}

#[doc(hidden)]
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
    /// The guard, as source text.
    pub on: String,
    /// The name of the target state; `success` or `failure` if the transition ends the machine.
    pub to: String,
}

impl From<&TransitionText> for Transition {
    fn from(text: &TransitionText) -> Self {
        Self { on: text.on.to_owned(), to: text.to.to_owned() }
    }
}

/// A parameter of a node, with its value as text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Parameter {
    /// The name in the source.
    pub name: String,
    /// The value, formatted with `Debug`.
    pub value: String,
    /// The type, if it is known.
    pub type_name: Option<String>,
    /// The default, if there is one, formatted with `Debug`.
    pub default: Option<String>,
    /// The unit of measurement, if there is one.
    pub unit: Option<String>,
    /// The value as JSON, if it differs from the `Debug` output, as for a struct. Requires the feature `json`.
    #[cfg_attr(feature = "serde", serde(default))]
    #[doc(hidden)]
    pub property: Option<String>,
}

#[doc(hidden)]
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

impl Described {
    pub(super) fn is_named(&self, name: &str) -> bool {
        let id = self.file.as_ref().map(|file| file.id.as_str());
        self.label.as_deref() == Some(name) || self.name == name || id == Some(name) || self.call() == name
    }
}
