//! Edits trees: a document is read from a Rust source, a text, a file of the Behavior3 editor or XML of BehaviorTree.CPP, changed by operations, and written back.
//! Unchanged parts stay the same, byte for byte.
//!
//! ```
//! use bt_syntax::edit::{Document, Notation, Operation};
//!
//! let text = "// The guard.\nselector {\n    attack, // hard\n    patrol,\n}\n";
//! let mut guard = Document::read(Notation::TEXT, text).unwrap();
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
mod data;
mod difference;
mod disabled;
mod document;
mod edits;
mod fragment;
mod function;
mod functions;
mod gap;
mod head;
mod item;
mod json;
mod lines;
mod matching;
mod merge;
mod node;
mod notation;
mod numbers;
mod operation;
mod order;
mod original;
mod print;
mod problem;
mod rust;
mod source;
mod structure;
#[cfg(test)]
mod tests;
mod text;
mod trees;
mod view;
mod way;
mod write;
mod written;
mod xml;

use std::sync::Arc;

use bt_behavior3::palette::Entry;
use bt_behavior3::{Diagnostic, NodeNames};

use self::node::Style;
use self::original::Original;
use crate::file::on_a_thread;

pub use command::{EXAMPLES, command};
pub use difference::difference;
pub use document::{Document, Notation, Parameters, Read};
pub use functions::functions;
pub use merge::{merge, rebase};
pub use node::{List, Node, Open, Origin, Tree};
pub use numbers::{Numbers, list};
pub use operation::{At, Operation};
pub use problem::Problem;
pub use view::{ArgumentView, ListView, NodeKind, NodeView, TreeView};
pub use xml::is_xml;

impl Document {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file does not have this notation: a delimiter is not closed, or the file is not JSON or XML.
    pub fn read(notation: Notation, text: &str) -> Result<Self, Diagnostic> {
        let (source, removed, written) = (Original::new(text), Vec::new(), Arc::default());
        let mut trees = notation.0.trees(&source)?;
        let mut document = Self { notation, trees: Vec::new(), width: 100, removed, source, written, next: 1 };
        for tree in &mut trees {
            tree.id = document.new_id();
            tree.root.iter_mut().chain(&mut tree.loose).for_each(|node| document.number(node));
        }
        document.trees = trees;
        document.note_read();
        Ok(document)
    }

    /// Notes that the trees are as they were read.
    fn note_read(&mut self) {
        for tree in &mut self.trees {
            tree.around.read = None;
            tree.around.read = Some(Arc::new(tree.clone()));
        }
    }

    /// Returns the text of the file. Unchanged trees are as they were read.
    ///
    /// # Errors
    ///
    /// Returns an error if the changed trees cannot be written.
    pub fn write(&self) -> Result<String, String> {
        self.room().write(self)
    }

    /// Reads a new version of the file. Nodes and trees that match keep their ids.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`read`](Self::read).
    pub fn reread(&self, text: &str) -> Result<Self, Diagnostic> {
        let mut new = Self { width: self.width, ..Self::read(self.notation, text)? };
        matching::keep_ids(self, &mut new);
        new.note_read();
        Ok(new)
    }

    /// Returns nodes as text for the clipboard: of `tree!`, or XML. Omits a node that is below another one of `nodes`.
    ///
    /// # Errors
    ///
    /// Returns an error if a node no longer exists.
    pub fn copy(&self, nodes: &[u32]) -> Result<String, String> {
        let ids = self.outermost(nodes)?;
        let nodes = ids.iter().map(|id| self.node(*id)).collect::<Result<Vec<_>, String>>()?;
        self.room().copy(self, &nodes).unwrap_or_else(|| {
            let style = if self.style().is_data() { Style::Data } else { Style::Text };
            let text = print::nodes(nodes.into_iter().map(|node| &**node), style);
            Ok(on_a_thread(|| print::formatted_list(&text, self.width)))
        })
    }

    /// Returns a node, as text of `tree!`, in the brackets of a tree: in braces, or in angle brackets.
    pub fn in_brackets_of(&self, tree: &Tree, node: &str) -> String {
        let is_angle = fragment::open_of(tree) == Open::Angle;
        let angles = tree.around.angles.as_ref().map(|_| node::Angles::default());
        let written = is_angle.then(|| {
            let mut document = Self::read(Notation::TEXT, node).ok()?;
            let tree = document.trees.first_mut()?;
            tree.root = tree.root.take().map(|root| Arc::new(fragment::with_open(Node::clone(&root), Open::Angle)));
            tree.around.angles = angles;
            document.write().ok()
        });
        written.flatten().unwrap_or_else(|| node.to_owned())
    }

    /// Returns the problems that the loader and the macro would report. `text` is the result of [`write`](Self::write), `read` what
    /// [`Notation::project`] or another package has read from it, and `names` are the nodes of the program. Functions that a Rust source calls are not
    /// checked.
    pub fn check(&self, text: &str, read: Option<&Read>, names: &NodeNames) -> Vec<Problem> {
        on_a_thread(|| problem::check(self, text, read, names))
    }

    /// Returns errors of a program that has loaded `text`, as problems of the nodes. `text` is the result of [`write`](Self::write).
    pub fn located(&self, text: &str, errors: &[Diagnostic]) -> Vec<Problem> {
        if errors.is_empty() { Vec::new() } else { on_a_thread(|| problem::located(self, text, errors)) }
    }

    /// Returns the trees for a page. `text` is the result of [`write`](Self::write), and `palette` describes nodes by name.
    pub fn view(&self, text: &str, palette: &[Entry]) -> Vec<TreeView> {
        on_a_thread(|| view::view(self, text, palette))
    }
}
