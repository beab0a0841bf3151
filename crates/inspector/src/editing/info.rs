//! What pages receive of documents.

use bt_behavior3::palette::Entry;
use bt_syntax::edit::{Problem, TreeView};
use serde::{Deserialize, Serialize};

/// The key of a document, in which a hub includes that of its machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct DocumentKey(pub(crate) usize);

/// An update about documents.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "DocumentUpdate"))]
pub(crate) enum Update<'a> {
    Documents(Vec<DocumentInfo>),
    /// What can be inserted into a document.
    Palette {
        document: DocumentKey,
        entries: &'a [Entry],
    },
    Document(DocumentState<'a>),
}

/// What the list of documents shows.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[expect(clippy::struct_excessive_bools, reason = "a page reads each by its name")]
pub(crate) struct DocumentInfo {
    pub(super) key: DocumentKey,
    pub(super) name: String,
    pub(super) path: Option<String>,
    #[cfg_attr(test, ts(type = "Notation"))]
    pub(super) notation: &'static str,
    /// The key of the first version of the tree that the program names as the one of the document.
    pub(super) tree: Option<usize>,
    /// The keys of the first versions of all trees with nodes that are written in it: its own first, then those that begin in it.
    pub(super) trees: Vec<usize>,
    pub(super) edit: bool,
    pub(super) write: bool,
    /// Whether agents follow the document.
    pub(super) runs: bool,
    pub(super) fingerprint: String,
    pub(super) saved: bool,
    pub(super) edited: bool,
    pub(super) applied: bool,
    pub(super) error: Option<String>,
}

/// The document that a page has opened.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct DocumentState<'a> {
    pub(super) key: DocumentKey,
    pub(super) version: u64,
    pub(super) trees: Vec<TreeView>,
    pub(super) problems: Vec<Problem>,
    /// The name of what can be undone.
    pub(super) undo: Option<&'a str>,
    pub(super) redo: Option<&'a str>,
    pub(super) applied: bool,
    pub(super) saved: bool,
    pub(super) auto: bool,
    pub(super) difference: String,
    pub(super) conflict: Option<Conflict<'a>>,
    /// Why the document was not saved.
    pub(super) error: Option<&'a str>,
}

/// Two versions of a document that cannot be merged.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Conflict<'a> {
    pub(super) base: &'a str,
    pub(super) mine: &'a str,
    pub(super) theirs: &'a str,
    pub(super) reasons: &'a [String],
}
