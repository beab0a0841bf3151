//! What can go wrong with a loaded tree while it runs.

use std::fmt;

/// How often nodes of a loaded tree start their child again in one tick, all together, before the tick ends with an [`Error`](bt_core::Status::Error). A
/// file can ask for more than any tick has time for: `repeat` 4 000 000 000 times.
pub const MOST_RESTARTS: u32 = 100_000;

/// A node of a loaded tree started its child again too often in one tick: see [`MOST_RESTARTS`]. The tree ends with an [`Error`](bt_core::Status::Error), and what was open is halted.
///
/// It is kept in the memory ([`DynTree::error`](crate::DynTree::error)), and handed to a context that takes it ([`Registry::with_errors`](crate::Registry::with_errors)).
///
/// ```
/// use bt_dynamic::Registry;
/// use bt_core::prelude::*;
///
/// let tree = Registry::<()>::new().load(r#"{ "root": "1", "nodes": {
///     "1": { "name": "Repeater", "title": "for ever", "properties": { "maxLoop": 4294967295 }, "child": "2" }, "2": { "name": "Succeeder" }
/// } }"#)?;
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut (), &mut memory), Status::Error);
/// let error = tree.error(&memory).unwrap();
/// assert_eq!(error.to_string(), "node 1 (\"for ever\"): it has started its child again 100000 times in one tick");
/// # Ok::<(), bt_dynamic::LoadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RunError {
    /// The id that the node has in the file.
    pub node: String,
    /// Its title, or its name.
    pub title: String,
}

impl fmt::Display for RunError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { node, title } = self;
        write!(out, "node {node} ({title:?}): it has started its child again {MOST_RESTARTS} times in one tick")
    }
}

impl std::error::Error for RunError {}
