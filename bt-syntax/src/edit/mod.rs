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
mod before;
mod command;
mod difference;
mod fragment;
mod function;
mod functions;
mod gap;
mod head;
mod item;
mod json;
mod matching;
mod merge;
mod node;
mod numbers;
mod operation;
mod print;
mod problem;
mod source;
mod structure;
#[cfg(test)]
mod tests;
mod trees;
mod view;
mod way;

use bt_behavior3::palette::Entry;
use bt_behavior3::{Diagnostic, NodeNames};

use crate::file::on_a_thread;

pub use command::{EXAMPLES, command};
pub use difference::difference;
pub use functions::functions;
pub use merge::{merge, rebase};
pub use node::{Document, List, Node, Notation, Open, Origin, Tree};
pub use numbers::{Numbers, list};
pub use operation::{At, Operation};
pub use problem::{Parameters, Problem};
pub use view::{ArgumentView, ListView, NodeKind, NodeView, TreeView};

impl Document {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is not of this notation: a delimiter is not closed, or it is no JSON.
    pub fn read(notation: Notation, text: &str) -> Result<Self, Diagnostic> {
        match notation {
            Notation::Rust | Notation::Text => source::read(notation, text),
            Notation::Json => json::read(text),
        }
    }

    /// Returns the file. What has not changed is as it was read.
    ///
    /// # Errors
    ///
    /// Returns an error if the changed trees cannot be written.
    pub fn write(&self) -> Result<String, String> {
        match self.notation {
            Notation::Rust | Notation::Text => on_a_thread(|| print::write(self)),
            Notation::Json => json::write(self),
        }
    }

    /// Reads a new version of the file. Nodes and trees that are the same keep their ids.
    ///
    /// # Errors
    ///
    /// As for [`read`](Self::read).
    pub fn reread(&self, text: &str) -> Result<Self, Diagnostic> {
        let mut new = Self { width: self.width, ..Self::read(self.notation, text)? };
        matching::keep_ids(self, &mut new);
        Ok(new)
    }

    /// Returns nodes as text of `tree!`, for the clipboard: each without those below others of them.
    ///
    /// # Errors
    ///
    /// Returns an error if a node is gone.
    pub fn copy(&self, nodes: &[u32]) -> Result<String, String> {
        let ids = self.outermost(nodes)?;
        let nodes = ids.iter().map(|id| Ok(&**self.node(*id)?)).collect::<Result<Vec<_>, String>>()?;
        let notation = if self.notation == Notation::Json { Notation::Json } else { Notation::Text };
        let text = print::nodes(nodes, notation);
        Ok(on_a_thread(|| print::formatted_list(&text, self.width)))
    }

    /// Returns what is wrong, as the loader and the macro report it. `text` is what [`write`](Self::write) has returned. `names` are the nodes of the program, and `parameters` the names of their parameters. What a
    /// source calls is known to the compiler only.
    pub fn check(&self, text: &str, names: &NodeNames, parameters: Parameters<'_>) -> Vec<Problem> {
        on_a_thread(|| problem::check(self, text, names, parameters))
    }

    /// Returns errors of a program that was given this text as problems of the nodes. `text` is what [`write`](Self::write) has returned.
    pub fn located(&self, text: &str, errors: &[Diagnostic]) -> Vec<Problem> {
        if errors.is_empty() { Vec::new() } else { on_a_thread(|| problem::located(self, text, errors)) }
    }

    /// Returns the trees for a page. `text` is what [`write`](Self::write) has returned, `palette` is what is known of the nodes by their names.
    pub fn view(&self, text: &str, palette: &[Entry]) -> Vec<TreeView> {
        on_a_thread(|| view::view(self, text, palette))
    }
}
