//! Nodes of texts whose names are nearly keywords.

use bt_words::{Peer, Word, did_you_mean, is_file_name, peer};

use crate::diagnostic::Diagnostic;
use crate::format::TreeSpec;
use crate::names::NodeNames;
use crate::spec::NodeSpec;

impl TreeSpec {
    /// Returns an error for each node of a text that is not declared, has children, and whose name is nearly a keyword, or one of another library:
    /// `tree!` reports it, too.
    #[doc(hidden)]
    pub fn misspelled(&self, names: &NodeNames) -> Vec<(&str, Diagnostic)> {
        let is_open = |name: &str| names.arity(name).is_none() && !is_file_name(name);
        let has_children = |node: &NodeSpec| node.place.is_some() && node.children.is_some();
        let (mut errors, disabled) = (Vec::new(), self.disabled());
        let is_meant = |id: &str, node: &NodeSpec| !disabled.contains(id) && has_children(node) && is_open(&node.name);
        for (id, node) in self.nodes.iter().filter(|(id, node)| is_meant(id, node)) {
            let keywords = Word::ALL.iter().filter(|word| word.is_keyword()).map(|word| word.name());
            let meant = match peer(&node.name) {
                Some(Peer { counterpart, difference: "" }) => format!("; help: use {counterpart}"),
                Some(Peer { counterpart, difference }) => format!("; note: {difference}; help: use {counterpart}"),
                None => did_you_mean(&node.name, keywords),
            };
            if !meant.is_empty() {
                errors.push((&*node.name, node.diagnostic(id, format!("unknown keyword `{}`{meant}", node.name))));
            }
        }
        errors
    }
}
