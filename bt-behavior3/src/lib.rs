//! The JSON of the Behavior3 editor: reading it, checking it, writing it, and as `tree!` source.
//!
//! A file is a [`Project`] of trees; what is in it and not understood is kept, and written back. [`Project::check`] makes a [`Checked`] tree of it, in which nothing is
//! wrong any more, or tells all [`Fault`]s, each with the node's id and title. A file is untrusted: cycles, missing children, wrong properties, any depth and
//! size are faults, found in time and memory that grow with the file alone.
//!
//! ```
//! use bt_behavior3::{Names, Project, Arity};
//!
//! let text = r#"{ "title": "guard", "root": "1", "nodes": {
//!     "1": { "id": "1", "name": "Priority", "children": ["2", "4"] },
//!     "2": { "id": "2", "name": "Sequence", "title": "fight", "children": ["3"] },
//!     "3": { "id": "3", "name": "attack" },
//!     "4": { "id": "4", "name": "Wait", "properties": { "milliseconds": 500 } }
//! } }"#;
//! let project = Project::read(text)?;
//! let names = Names::new([("attack", Arity::Zero)]);
//! let tree = project.check(None, &names).unwrap();
//! assert_eq!(tree.to_rust(), "\
//! selector {
//!     sequence \"fight\" { attack }
//!     wait(millis(500))
//! }
//! ");
//!
//! let faults = project.check(None, &Names::new([("atack", Arity::Zero)])).unwrap_err();
//! assert_eq!(faults[0].to_string(), "node 3 (\"attack\"): no node is called `attack`; did you mean `atack`?");
//! # Ok::<(), bt_behavior3::ReadError>(())
//! ```
//!
//! # Names
//!
//! All words of `tree!` that can stand in a file are known, and those of Behavior3: see [`NodeKind`].

#![forbid(unsafe_code)]

mod args;
mod check;
mod checked;
mod fault;
mod format;
mod kind;
mod machine;
mod names;
mod palette;
mod properties;
mod rust;
mod transition;

pub use args::{Arg, Args};
pub use bt_words::{self, Arity, Word, is_behavior3, is_file_name};
pub use check::{MOST_LEVELS, MOST_NODES};
pub use checked::{Checked, Node};
pub use fault::{Fault, ReadError};
pub use format::{CustomNode, NodeSpec, Project, TreeSpec};
pub use kind::{AttachedLeaf, NodeKind};
pub use names::Names;
pub use palette::palette;
pub use properties::{millis, unknown, variable};
pub use transition::{Transition, When};
