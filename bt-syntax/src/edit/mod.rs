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

mod apply;
mod gap;
mod head;
mod item;
mod node;
mod operation;
mod print;
mod source;
#[cfg(test)]
mod tests;
mod way;

use bt_behavior3::Diagnostic;

pub use node::{Document, List, Node, Notation, Open, Origin, Tree};
pub use operation::{At, Operation};

impl Document {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is not of this notation: a delimiter is not closed, or it is no JSON.
    pub fn read(notation: Notation, text: &str) -> Result<Self, Diagnostic> {
        source::read(notation, text)
    }

    /// Returns the file. What has not changed is as it was read.
    ///
    /// # Errors
    ///
    /// Returns an error if the changed trees cannot be written.
    pub fn write(&self) -> Result<String, String> {
        print::write(self)
    }
}
