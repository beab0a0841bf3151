//! Errors of loading, and of a loaded tree at run time.

use std::fmt;

use bt_behavior3::{Diagnostic, Place, ReadError};

/// The maximum number of restarts in one tick of a loaded tree: how often its nodes, all together, may start a child again. Another restart ends the
/// tick with an [`Error`](bt_core::Status::Error). Without a limit, a file could block a tick: with `repeat` 4,000,000,000 times.
pub const MAX_RESTARTS: u32 = 100_000;

/// The error of a loaded tree that exceeds [`MAX_RESTARTS`] in one tick, or of a node whose number or time cannot be read. The tree returns
/// [`Error`](bt_core::Status::Error), and running nodes are halted.
///
/// It is stored in the memory ([`LoadedTree::error`](crate::LoadedTree::error)), and passed to a context that handles it ([`Registry::with_errors`](crate::Registry::with_errors)).
///
/// ```
/// use bt_dynamic::Registry;
/// use bt_core::prelude::*;
///
/// let tree = Registry::<()>::new().load(r#"{ "root": "1", "nodes": {
///     "1": { "name": "Repeater", "title": "forever", "properties": { "maxLoop": 4294967295 }, "child": "2" }, "2": { "name": "Succeeder" }
/// } }"#)?;
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut (), &mut memory), Status::Error);
/// let error = tree.error(&memory).unwrap();
/// assert_eq!(error.to_string(), "node 1 (\"forever\"): too many child restarts in one tick: the limit is 100000");
/// # Ok::<(), bt_dynamic::LoadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RunError {
    /// The id of the node in the file.
    pub node: String,
    /// The title of the node, or its name.
    pub title: String,
    /// The cause of the error.
    pub fault: RunFault,
    /// The place of the error, if the tree was loaded from text: that of the argument that cannot be read, or of the node. The message then contains
    /// the place instead of the id and the title.
    pub place: Option<Place>,
}

/// The cause of a [`RunError`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RunFault {
    /// More than [`MAX_RESTARTS`] in one tick.
    TooManyRestarts,
    /// A number or time that cannot be read from a variable or a registered value, with the reason.
    NoValue(String),
}

impl fmt::Display for RunFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyRestarts => {
                write!(out, "too many child restarts in one tick: the limit is {MAX_RESTARTS}")
            }
            Self::NoValue(reason) => out.write_str(reason),
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { node, title, fault, place } = self;
        match place {
            Some(place) => write!(out, "{place}: {fault}"),
            None => write!(out, "node {node} ({title:?}): {fault}"),
        }
    }
}

impl std::error::Error for RunError {}

/// The error for a text that cannot be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// The text is not a Behavior3 tree or project.
    Read(ReadError),
    /// The tree has errors: all that can be determined.
    Invalid(Vec<Diagnostic>),
}

impl LoadError {
    /// Returns the errors of the tree; a text that cannot be read has one.
    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        match self {
            Self::Invalid(errors) => errors,
            Self::Read(error) => vec![Diagnostic::of_tree("", error.to_string())],
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Read(error) => error.fmt(out),
            LoadError::Invalid(diagnostics) => {
                for (index, diagnostic) in diagnostics.iter().enumerate() {
                    write!(out, "{}{diagnostic}", if index == 0 { "" } else { "\n" })?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for LoadError {}

impl From<ReadError> for LoadError {
    fn from(error: ReadError) -> Self {
        LoadError::Read(error)
    }
}

impl From<Vec<Diagnostic>> for LoadError {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        LoadError::Invalid(diagnostics)
    }
}
