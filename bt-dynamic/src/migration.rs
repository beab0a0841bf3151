//! The map from the memories of a tree to those of the tree that replaces it.

/// How the memories of a tree become memories of another.
pub(crate) struct Migration {
    /// The version and the structure of the other tree.
    pub(crate) to: [u64; 2],
    /// Whether the root is present in both.
    pub(crate) keeps_root: bool,
    /// The index of each node in the other tree, if it is present in both.
    pub(crate) same: Vec<Option<usize>>,
    /// The topmost nodes that are not present in the other tree.
    pub(crate) gone: Vec<usize>,
    /// The words and slots of the nodes that are present in both, in the memories of each tree.
    pub(crate) words: Vec<(usize, usize)>,
    pub(crate) slots: Vec<(usize, usize)>,
}
