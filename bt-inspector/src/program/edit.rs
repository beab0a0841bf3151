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

    /// Returns the path of its file, with all links followed.
    pub fn path(&self) -> Option<&Path> {
        self.0.path()
    }
}

impl Document {
    /// Says which tree of the page is that of the document, so that the page shows both as one.
    #[must_use]
    pub fn of(mut self, tree: &TreeKey) -> Self {
        self.tree = Some(tree.0.current().first);
        self
    }
}

impl Inspector {
    /// Registers a document that pages can look at. They can change it after [`allow_edit`](Self::allow_edit), and save a file after
    /// [`allow_write`](Self::allow_write) for its folder. A file that is registered again keeps its changes, and follows the new target.
    ///
    /// A page that edits must have come with the token, which [`url`](Self::url) contains after `allow_edit`, on a loopback address, too.
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
    /// Returns an error if the file cannot be read, or is not understood.
    pub fn edit(&self, source: Document) -> io::Result<EditedDocument> {
        self.shared.documents.open(source).map(EditedDocument)
    }

    /// Registers documents as by [`edit`](Self::edit) as soon as there are any: each file that the function returns is registered once, and follows the target that was
    /// returned last. The function is called on the thread of the inspector about once per second while pages are open, and never otherwise. A file that cannot be read
    /// is left out until it can.
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

    /// Lets pages that have come with the token change documents. Off by default: pages can only look.
    pub fn allow_edit(&self) {
        self.shared.documents.allow_edit();
    }

    /// Lets pages that edit save the files of documents in a folder, and in those below. Off by default. Nothing else can be written: no other file of the folder,
    /// and no file that a link leads to.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such folder.
    pub fn allow_write(&self, folder: impl AsRef<Path>) -> io::Result<()> {
        self.shared.documents.allow_write(folder.as_ref())
    }
}
