//! Trees loaded at run time from files of the Behavior3 editor.
//!
//! A [`Registry`] maps names to leaves and decorators, and loads a [`LoadedTree`]. This is a node: it can be ticked, watched and drawn, used inside a static tree, and have
//! static subtrees as leaves. It has the semantics of the static nodes. [`bt_behavior3::NodeKind`] lists the differences to Behavior3.
//!
//! ```
//! use bt_dynamic::Registry;
//! use bt_core::prelude::*;
//!
//! struct Guard { enemy: Option<f32>, post: u32 }
//!
//! #[condition]
//! fn enemy_within(guard: &Guard, meters: f32) -> bool { guard.enemy.is_some_and(|distance| distance < meters) }
//! #[action]
//! fn attack(_: &mut Guard) -> Status { Status::Running }
//! #[action]
//! fn patrol(guard: &mut Guard) -> Status { guard.post += 1; Status::Running }
//!
//! let mut registry = Registry::<Guard>::new();
//! registry.add::<enemy_within>("EnemyWithin").add::<attack>("Attack").add::<patrol>("Patrol");
//!
//! let tree = registry.load(r#"{ "title": "guard", "root": "1", "nodes": {
//!     "1": { "name": "Priority", "children": ["2", "5"] },
//!     "2": { "name": "Sequence", "title": "fight", "children": ["3", "4"] },
//!     "3": { "name": "EnemyWithin", "properties": { "meters": 10 } },
//!     "4": { "name": "Attack" },
//!     "5": { "name": "Patrol" }
//! } }"#)?;
//!
//! let mut memory = tree.memory();
//! let mut ann = Guard { enemy: None, post: 0 };
//! tree.tick(&mut ann, &mut memory);
//! ann.enemy = Some(3.0);                        // halts the patrol and starts the fight
//! assert_eq!(tree.tick(&mut ann, &mut memory), Status::Running);
//! assert_eq!(ann.post, 1);
//! assert_eq!(tree.description().to_string(), "\
//! selector
//! ├─ sequence \"fight\"
//! │  ├─ EnemyWithin(meters: 10.0)
//! │  └─ Attack
//! └─ Patrol
//! ");
//! # Ok::<(), bt_dynamic::LoadError>(())
//! ```
//!
//! Loading reports all errors in a file, each with its node:
//!
//! ```
//! # use bt_dynamic::Registry;
//! # use bt_core::prelude::*;
//! # #[action]
//! # fn attack(_: &mut ()) {}
//! # let mut registry = Registry::<()>::new();
//! # registry.add::<attack>("Attack");
//! let error = registry.load(r#"{ "root": "1", "nodes": { "1": { "name": "Atack" } } }"#).unwrap_err();
//! assert_eq!(error.to_string(), "node 1 (\"Atack\"): unknown node `Atack`; help: did you mean `Attack`?");
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

// The README's code is run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod answers;
#[cfg(feature = "live")]
#[doc(hidden)]
pub mod compiled;
mod edit;
mod editable;
mod engine;
mod error;
mod file_tree;
mod flat;
mod followed;
mod live_tree;
mod load;
mod machine;
mod matching;
mod named;
mod node;
mod nodes;
mod of_file;
mod show;
mod ticking;
mod tree;
mod version;
mod versions;
mod wake;
mod walk;
mod write;

pub use bt_behavior3;
pub use bt_core::file::{FromProperties, NoProperties, Properties};
pub use bt_core::{ContextFamily, ContextOf, Contexts, Single};
pub use edit::migrated::Migrated;
pub use editable::{Editable, EditableOf};
pub use error::{LoadError, MAX_RESTARTS, RunError, RunFault};
pub use file_tree::{FileError, FileTree, FileTreeOf, Reason};
pub use flat::memory::LoadedMemory;
pub use live_tree::{LiveTree, LiveTreeOf};
#[doc(hidden)]
pub use load::registry::Xml;
pub use load::registry::{Registry, RegistryOf};
pub use machine::{LoadedMachine, LoadedMachineOf, StateError};
pub use of_file::describe;
pub use tree::{LoadedTree, LoadedTreeOf};
pub use versions::{Change, ChangeOf};
pub use write::to_behavior3;
