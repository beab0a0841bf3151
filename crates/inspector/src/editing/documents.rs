//! All open documents, and the rights to change them.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::document::Document;
use super::info::DocumentKey;
use super::open_document::OpenDocument;
use super::rights::Rights;
use crate::lock::lock;

/// Returns the documents that a program offers at present.
pub(crate) type Offer = Box<dyn Fn() -> Vec<Document> + Send>;

/// The open documents of an inspector, by key.
#[derive(Default)]
pub(crate) struct Documents {
    all: Mutex<Vec<Arc<OpenDocument>>>,
    offers: Mutex<Offers>,
    is_editable: AtomicBool,
    /// The folders whose files can be written, without links.
    folders: Mutex<Vec<PathBuf>>,
}

/// What a program offers, as long as pages are open.
#[derive(Default)]
struct Offers {
    from: Vec<Offer>,
    /// The offered files that are open, as the program names them: another file behind the same name is not opened.
    open: Vec<(PathBuf, Arc<OpenDocument>)>,
}

impl Documents {
    pub(crate) fn allow_edit(&self) {
        self.is_editable.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_editable(&self) -> bool {
        self.is_editable.load(Ordering::SeqCst)
    }

    /// Allows saves of files in a folder.
    pub(crate) fn allow_write(&self, folder: &Path) -> io::Result<()> {
        let real = std::fs::canonicalize(folder).and_then(|real| {
            let is_folder = real.is_dir();
            if is_folder { Ok(real) } else { Err(io::Error::new(io::ErrorKind::NotADirectory, "it is not a folder")) }
        });
        let real = real.map_err(|error| {
            let found = format!("cannot allow saves in `{}`: {error}", folder.display());
            let from = std::env::current_dir().ok().filter(|_| folder.is_relative());
            let from = from.map(|from| {
                let help = "help: write `concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/src\")` for the sources of a package";
                format!("; note: the path is relative to `{}`; {help}", from.display())
            });
            io::Error::new(error.kind(), found + &from.unwrap_or_default())
        })?;
        lock(&self.folders).push(real);
        Ok(())
    }

    /// Returns what a page may do, which has or has not come with the token.
    pub(crate) fn rights(&self, document: &OpenDocument, has_token: bool) -> Rights {
        let edit = has_token && self.is_editable();
        Rights { edit, write: edit && document.is_in(&lock(&self.folders)) }
    }

    /// Opens a document. One with the same file is replaced, and keeps its key and its changes.
    pub(crate) fn open(&self, document: Document) -> io::Result<Arc<OpenDocument>> {
        let mut all = lock(&self.all);
        let document = OpenDocument::open(DocumentKey(all.len()), document)?;
        let same = all.iter().find(|known| document.path().is_some() && known.path() == document.path());
        if let Some(known) = same {
            known.follow(&document);
            return Ok(Arc::clone(known));
        }
        let document = Arc::new(document);
        all.push(Arc::clone(&document));
        Ok(document)
    }

    pub(crate) fn offer(&self, offer: Offer) {
        lock(&self.offers).from.push(offer);
    }

    /// Opens the documents that the program offers, and that can be read. Called when a page connects, and periodically.
    pub(crate) fn take_offers(&self) {
        let mut offers = lock(&self.offers);
        let offered: Vec<Document> = offers.from.iter().flat_map(|offer| offer()).collect();
        for document in offered {
            let Some(path) = document.file_path().map(Path::to_owned) else { continue };
            match offers.open.iter().find(|(name, _)| *name == path) {
                Some((_, open)) => open.renew(document),
                // A file that is half written is offered again.
                None => offers.open.extend(self.open(document).ok().map(|open| (path, open))),
            }
        }
    }

    pub(crate) fn all(&self) -> Vec<Arc<OpenDocument>> {
        lock(&self.all).clone()
    }

    pub(crate) fn get(&self, key: DocumentKey) -> Option<Arc<OpenDocument>> {
        lock(&self.all).get(key.0).cloned()
    }

    /// Looks for files that were changed elsewhere. Called periodically.
    pub(crate) fn poll(&self) {
        self.all().iter().for_each(|document| document.poll());
    }
}
