//! A document that a program lets pages edit.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bt_behavior3::palette::Entry;
use bt_behavior3::{Diagnostic, EditTree, EditXml, NodeNames};
use bt_syntax::edit::Notation;

use super::file::DocumentFile;
use super::offered::Nodes;
use super::session::Session;

/// A file, or a text of the program, that pages edit: the argument of [`Inspector::edit`](crate::Inspector::edit).
///
/// The extension of its name determines its format: `.bt` is text, `.rs` a Rust source with its `tree!`, `.xml` a file of BehaviorTree.CPP, and anything else a file of the Behavior3 editor.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_dynamic::{Editable, LiveTree, Registry};
/// use bt_inspector::{Document, Inspector};
///
/// let mut registry = Registry::<u32>::new();
/// registry.add_leaf("walk", |steps: &mut u32| *steps += 1);
/// let text = "repeat(3) { walk }";
/// let tree = LiveTree::new();
/// let editable = Editable::new(tree.clone(), registry);
/// editable.apply(text)?;
///
/// let inspector = Inspector::serve("127.0.0.1:0")?;
/// inspector.allow_edit();
/// let walkers = inspector.tree("walker", &tree);
/// inspector.edit(Document::text("walker.bt", text).of(&walkers).target(editable))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Document {
    pub(super) name: String,
    pub(super) notation: Notation,
    content: Content,
    pub(super) target: Option<Arc<dyn EditTree>>,
    pub(super) follows_file: bool,
    pub(super) nodes: Option<Nodes>,
    pub(super) xml: Option<Arc<dyn EditXml>>,
    width: Option<usize>,
    /// The key of the first version of the tree of the page that is that of the document.
    pub(crate) tree: Option<usize>,
}

enum Content {
    File(PathBuf),
    Text(String),
}

impl Document {
    /// Creates a document for a file. If the file is missing and its name ends with `.bt`, `.json` or `.xml`, the first save creates it.
    pub fn file(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        Self::new(name.into_owned(), Content::File(path.to_owned()))
    }

    /// Creates a document for a text that is not in a file.
    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(name.into(), Content::Text(text.into()))
    }

    fn new(name: String, content: Content) -> Self {
        let notation = Notation::of(Path::new(&name));
        Self {
            name,
            notation,
            content,
            target: None,
            follows_file: false,
            nodes: None,
            xml: None,
            width: None,
            tree: None,
        }
    }

    /// Sets the tree of the program that follows the document: an `Editable` of `bt-dynamic`, or a `Source` of `bt-live`. By default, no tree follows it.
    #[must_use]
    pub fn target(mut self, tree: impl EditTree + 'static) -> Self {
        self.target = Some(Arc::new(tree));
        self
    }

    /// Declares that the target watches the file, as a `Source` of `bt-live` and a `FileTree` of `bt-dynamic` do: it applies a saved document by itself.
    #[must_use]
    pub fn follows_file(mut self) -> Self {
        self.follows_file = true;
        self
    }

    /// Declares custom nodes, for a document without a [`target`](Self::target): their names, and the entries that pages offer. By default, any name is valid.
    #[must_use]
    pub fn nodes(mut self, names: NodeNames, entries: impl IntoIterator<Item = Entry>) -> Self {
        self.nodes = Some(Nodes { names, entries: entries.into_iter().collect() });
        self
    }

    /// Sets what is known of XML, for a document without a [`target`](Self::target): `XmlNodes` of `bt-btcpp`. Without it, no errors in the nodes of an XML file are found.
    #[must_use]
    pub fn xml(mut self, xml: impl EditXml + 'static) -> Self {
        self.xml = Some(Arc::new(xml));
        self
    }

    /// Sets the maximum number of characters in a line of a changed tree. The default is 100.
    #[must_use]
    pub const fn width(mut self, width: usize) -> Self {
        self.width = Some(width);
        self
    }

    /// Returns the file, as the program names it.
    pub(super) fn file_path(&self) -> Option<&Path> {
        match &self.content {
            Content::File(path) => Some(path),
            Content::Text(_) => None,
        }
    }

    /// Reads the document.
    pub(super) fn open(&self) -> io::Result<(Session, Option<DocumentFile>)> {
        let read = |text: &str, is_file| Session::open(self.notation, text, is_file, self.width).map_err(invalid);
        let path = match &self.content {
            Content::Text(text) => return Ok((read(text, false)?, None)),
            Content::File(path) => path,
        };
        let mut file = DocumentFile::new(path)?;
        let session = match file.read()? {
            Some(text) => read(&text, true)?,
            None => match Notation::new_file(path) {
                Some(empty) => read(empty, false)?,
                None => {
                    let reason = "no such file; note: a new file is named `.bt`, `.json` or `.xml`";
                    return Err(io::Error::new(io::ErrorKind::NotFound, reason));
                }
            },
        };
        Ok((session, Some(file)))
    }
}

fn invalid(error: Diagnostic) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
