//! What a tree consists of: kinds, names, parameters, labels and sources in the source, for drawings and tools.
//!
//! A node shows itself to a [`Visitor`] ([`NodeShape::describe`](crate::NodeShape::describe)); [`Description`] is the visitor that keeps it
//! all as a value.

#[cfg(feature = "alloc")]
mod description;
mod fingerprint;
mod located;
#[cfg(feature = "serde")]
mod parse;
mod show;

pub use crate::property::Property;
pub(crate) use crate::visitor::short_name;
pub use crate::visitor::{InFile, Info, Kind, Name, Param, SourceNode, StateType, TransitionText, Visitor};
pub use bt_words::Role;
#[cfg(feature = "alloc")]
pub use description::{Described, Description, FileNode, Parameter, Source, Transition};
pub(crate) use fingerprint::fingerprint;
#[doc(hidden)]
pub use located::{FromFile, Located, Subtree};
