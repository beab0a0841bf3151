//! Reads, checks and writes the JSON of the Behavior3 editor, and converts it to `tree!` source.
//!
//! A file is a [`Project`] of trees; unknown fields are preserved on writing. [`Project::check`] returns a valid [`Checked`] tree, or all errors as [`Diagnostic`]s,
//! each with the id and title of its node. A file is untrusted: cycles, missing children, invalid properties, excessive depth and excessive size are errors.
//! They are found in time and memory proportional to the size of the file.
//!
//! ```
//! use bt_behavior3::{NodeNames, Project, Arity};
//!
//! let text = r#"{ "title": "guard", "root": "1", "nodes": {
//!     "1": { "id": "1", "name": "Priority", "children": ["2", "4"] },
//!     "2": { "id": "2", "name": "Sequence", "title": "fight", "children": ["3"] },
//!     "3": { "id": "3", "name": "attack" },
//!     "4": { "id": "4", "name": "Wait", "properties": { "milliseconds": 500 } }
//! } }"#;
//! let project = Project::read(text)?;
//! let names = NodeNames::new([("attack", Arity::Zero)]);
//! let tree = project.check(None, &names).unwrap();
//! assert_eq!(tree.to_rust(), "\
//! selector {
//!     sequence \"fight\" { attack }
//!     wait(millis(500))
//! }
//! ");
//!
//! let errors = project.check(None, &NodeNames::new([("atack", Arity::Zero)])).unwrap_err();
//! assert_eq!(errors[0].to_string(), "node 3 (\"attack\"): unknown node `attack`; help: did you mean `atack`?");
//! # Ok::<(), bt_behavior3::ReadError>(())
//! ```
//!
//! # Names
//!
//! Files can use the words of `tree!` and of Behavior3: see [`NodeKind`].

#![forbid(unsafe_code)]

mod allow;
mod amount;
mod analysis;
mod args;
mod check;
mod checked;
mod diagnostic;
mod disabled;
mod edit_tree;
mod for_editor;
mod form;
mod format;
mod in_behavior3;
mod index;
mod kind;
mod layout;
mod locals;
mod machine;
mod misspelled;
mod more;
mod names;
mod notation;
mod own;
pub mod palette;
mod ports;
mod properties;
mod reading;
mod rust;
mod script;
mod size;
mod source;
mod spec;
mod text;
mod transition;
mod trees;
mod unconnected;
#[cfg(feature = "xml")]
#[doc(hidden)]
pub mod xml;

#[doc(hidden)]
pub use allow::NAME as ALLOW;
pub use amount::{Amount, FromScalar, is_value_name, millis};
pub use args::{Arg, Args};
pub use bt_words::{self, Arity, MAX_LEVELS, Word, is_behavior3, is_file_name};
pub use checked::{Checked, Node};
pub use diagnostic::{Diagnostic, Fault, Place, ReadError, wrong_children};
#[doc(hidden)]
pub use disabled::NAME as DISABLED;
pub use edit_tree::{EditTree, EditXml};
pub use format::{CustomNode, Project, TreeSpec};
pub use in_behavior3::in_behavior3;
pub use kind::{AttachedLeaf, NodeKind};
#[doc(hidden)]
pub use locals::local;
pub use more::More;
pub use names::NodeNames;
pub use own::OwnNode;
pub use palette::palette;
pub use properties::Properties;
pub use reading::unknown;
#[doc(hidden)]
pub use script::with_names as script_with_names;
pub use size::MAX_NODES;
pub use source::{Scalar, Source, variable, variables};
pub use spec::{NodeSpec, PropertiesText};
#[doc(hidden)]
pub use text::Lost;
pub use transition::{Transition, When};

/// For files that are edited in place.
#[doc(hidden)]
pub mod parts {
    pub use crate::disabled::lists;
    pub use crate::for_editor::{finished, used_first};
    pub use crate::form::Form;
    pub use crate::format::in_order;
    pub use crate::notation::{call, field_name, file_value, is_path, path};
    pub use crate::palette::declaration;
}
