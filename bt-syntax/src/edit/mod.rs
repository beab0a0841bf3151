//! Trees that are changed by hand: a document is read from a Rust source, a text or a file of the Behavior3 editor, changed by operations, and written back to where it
//! came from. What is not changed stays as it is, byte for byte.
//!
//! ```
//! use bt_syntax::edit::{Document, Notation, Operation};
//!
//! let text = "// The guard.\nselector {\n    attack, // hard\n    patrol,\n}\n";
//! let mut guard = Document::read(Notation::Text, text).unwrap();
//! let attack = guard.trees[0].root.as_ref().unwrap().lists[0].children[0].id;
//! guard.apply(&Operation::Wrap { nodes: vec![attack], head: "cooldown(secs(2))".to_owned() }).unwrap();
//! assert_eq!(guard.write().unwrap(), "\
//! // The guard.
//! selector {
//!     cooldown(secs(2)) { attack } // hard
//!     patrol,
//! }
//! ");
//! ```

mod node;
mod operation;

pub use node::{Document, List, Node, Notation, Open, Origin, Tree};
pub use operation::{At, Operation};
