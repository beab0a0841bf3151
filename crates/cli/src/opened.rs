//! Documents that are edited, as they were read.

use std::io::ErrorKind;
use std::path::Path;

use bt_behavior3::{NodeNames, Project};
use bt_syntax::edit::{Document, Notation, Read};

use crate::command::Names;
use crate::fmt::max_width;
use crate::input::{all_names, message, text};

/// A document as it was read.
pub(crate) struct Opened {
    pub(crate) document: Document,
    pub(crate) text: String,
    /// Whether there is no such file yet.
    pub(crate) is_new: bool,
}

/// Reads a document. One that can be created is empty.
pub(crate) fn open(file: &Path) -> Result<Opened, String> {
    let notation = Notation::of(file);
    let is_missing = std::fs::symlink_metadata(file).is_err_and(|error| error.kind() == ErrorKind::NotFound);
    let empty = Notation::new_file(file).filter(|_| is_missing);
    let (text, is_new) = match empty {
        Some(empty) => (empty.to_owned(), true),
        None => (text(file)?, false),
    };
    let mut document = Document::read(notation, &text).map_err(|error| message(file, None, "", &error))?;
    document.width = width(file);
    Ok(Opened { document, text, is_new })
}

/// Returns the maximum number of characters in a line of a file.
pub(crate) fn width(file: &Path) -> usize {
    max_width(file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))
}

/// Returns the names of nodes: those of the options, and those that a file declares. Without any, any name is one.
pub(crate) fn known_names(read: Option<&Read>, names: &Names) -> NodeNames {
    let nothing = Project::default();
    let known = all_names(read.and_then(|read| read.as_ref().ok()).unwrap_or(&nothing), names);
    if names.is_empty() { known.open() } else { known }
}
