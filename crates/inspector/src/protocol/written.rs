//! Which trees are written in which documents.

use std::sync::Arc;

use crate::editing::OpenDocument;
use crate::state::{Shared, Tree};

/// Which trees are written in which documents, as far as that was looked up.
#[derive(Default)]
pub(super) struct Written {
    /// The key of the first tree that was not looked up.
    next_tree: usize,
    /// The keys of the first versions of trees, for each document. Those that begin in it come first.
    trees: Vec<Vec<usize>>,
}

impl Written {
    /// Returns the trees of each document. They are looked up again when there are more trees or documents.
    pub(super) fn update(
        &mut self,
        shared: &Shared,
        next_tree: usize,
        documents: &[Arc<OpenDocument>],
    ) -> &[Vec<usize>] {
        if (next_tree, documents.len()) != (self.next_tree, self.trees.len()) {
            let trees = shared.trees_from(0);
            self.trees = documents.iter().map(|document| written_in(document, &trees)).collect();
            self.next_tree = next_tree;
        }
        &self.trees
    }
}

fn written_in(document: &OpenDocument, trees: &[Arc<Tree>]) -> Vec<usize> {
    let Some(path) = document.path() else { return Vec::new() };
    // The compiler names a file relative to a folder above it.
    let files = |tree: &Tree| {
        let files = tree.description.nodes().iter().filter_map(|node| Some(&node.location.as_ref()?.file));
        files.map(|file| path.ends_with(file)).collect::<Vec<_>>()
    };
    let mut found: Vec<_> =
        trees.iter().map(|tree| (tree.first, files(tree))).filter(|(_, is)| is.contains(&true)).collect();
    found.sort_by_key(|(first, is)| (!is[0], *first));
    let mut keys: Vec<_> = found.into_iter().map(|(first, _)| first).collect();
    keys.dedup();
    keys
}
