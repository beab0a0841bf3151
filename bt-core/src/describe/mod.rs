//! Descriptions of trees: kinds, names, parameters, labels and source locations, for drawings and tools.
//!
//! A node describes itself to a [`Visitor`] ([`NodeShape::describe`](crate::NodeShape::describe)). [`Description`] is
//! the result of a visitor that stores everything.

#[cfg(feature = "alloc")]
mod builder;
#[cfg(feature = "alloc")]
mod compare;
#[cfg(feature = "alloc")]
mod described;
#[cfg(feature = "alloc")]
mod description;
mod fingerprint;
#[cfg(feature = "alloc")]
mod lasting;
mod located;
#[cfg(feature = "alloc")]
mod matching;
#[cfg(feature = "serde")]
mod parse;
mod show;

#[doc(hidden)]
pub use crate::property::Property;
pub(crate) use crate::visitor::short_name;
pub use crate::visitor::{Followed, Info, Kind, Name, Param, SourceNode, Visitor};
#[doc(hidden)]
pub use crate::visitor::{InFile, StateType, TransitionText};
pub use bt_words::Role;
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use compare::{Nodes, compare, is_lasting};
#[cfg(feature = "alloc")]
pub use described::{Described, FileNode, Parameter, Source, Transition};
#[cfg(feature = "alloc")]
pub use description::Description;
pub(crate) use fingerprint::fingerprint;
#[cfg(feature = "alloc")]
pub(crate) use fingerprint::fingerprint_by;
#[cfg(feature = "alloc")]
pub use lasting::LastingNumbers;
#[doc(hidden)]
pub use located::{FromFile, Located, Subtree};
#[cfg(feature = "alloc")]
pub use matching::Matching;
