//! Documents that pages edit.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::inspector::{Inspector, TreeKey};
use crate::editing::{Document, OpenDocument};

/// A document that pages edit, registered with [`Inspector::edit`].
#[derive(Clone)]
pub struct EditedDocument(Arc<OpenDocument>);

impl EditedDocument {
    /// Returns the document as text, with all changes, whether they are saved or not.
    pub fn text(&self) -> String {
        self.0.text()
    }

    /// Returns the path of the document's file, with all links followed; `None` if the document is not in a file.
    pub fn path(&self) -> Option<&Path> {
        self.0.path()
    }
}

impl Document {
    /// Sets the registered tree that the document contains, so that the page shows both as one.
    #[must_use]
    pub fn of(mut self, tree: &TreeKey) -> Self {
        self.tree = Some(tree.0.current().first);
        self
    }
}

impl Inspector {
    /// Registers a document that pages can look at. They can change the document after [`allow_edit`](Self::allow_edit), and save a file after
    /// [`allow_write`](Self::allow_write) for its folder. A file that is registered again keeps its changes, and follows the new target.
    ///
    /// A page that edits must have been opened with the token, on a loopback address, too. [`url`](Self::url) contains the token after `allow_edit`.
    ///
    /// ```
    /// use bt_inspector::{Inspector, Document};
    ///
    /// let inspector = Inspector::serve("127.0.0.1:0")?;
    /// inspector.allow_edit();
    /// let guard = inspector.edit(Document::text("guard.bt", "selector { attack, patrol }\n"))?;
    /// println!("edit it at {}", inspector.url());
    ///
    /// assert_eq!(guard.text(), "selector { attack, patrol }\n");
    /// assert!(inspector.url().contains("/?token="));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, or its content is invalid.
    pub fn edit(&self, source: Document) -> io::Result<EditedDocument> {
        self.shared.documents.open(source).map(EditedDocument)
    }

    /// Registers the documents that a function returns, like [`edit`](Self::edit). Each file is registered once, and its target is the one that was returned last.
    /// Documents without a file are ignored. The function is called on the thread of the inspector, when a page connects and about once per second while pages are
    /// open. A file that cannot be read is omitted until it can be read.
    ///
    /// `bt_live::edit` does this with the source files of live trees.
    ///
    /// ```
    /// use bt_inspector::{Document, Inspector};
    ///
    /// # let inspector = Inspector::serve("127.0.0.1:0")?;
    /// inspector.edit_each(|| {
    ///     let files = std::fs::read_dir("trees").into_iter().flatten().flatten();
    ///     files.map(|file| Document::file(file.path())).collect()
    /// });
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn edit_each(&self, documents: impl Fn() -> Vec<Document> + Send + 'static) {
        self.shared.documents.offer(Box::new(documents));
    }

    /// Lets pages that were opened with the token change documents. Off by default: pages can only look.
    pub fn allow_edit(&self) {
        self.shared.documents.allow_edit();
    }

    /// Lets pages that edit save the files of documents in a folder and its subfolders. Off by default. Nothing else can be written: no other file of the folder,
    /// and no file that a link leads to.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such folder.
    pub fn allow_write(&self, folder: impl AsRef<Path>) -> io::Result<()> {
        self.shared.documents.allow_write(folder.as_ref())
    }
}
