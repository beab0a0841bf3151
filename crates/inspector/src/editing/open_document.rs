//! An open document with its file and its target.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use bt_syntax::edit::{Notation, Operation, Problem};

use super::document::Document;
use super::file::Found;
use super::info::{DocumentInfo, DocumentKey};
use super::language::{Language, translated};
use super::limits::check_nodes;
use super::rights::Rights;
use super::session::Keep;
use super::state::State;
use crate::lock::lock;

pub(crate) struct OpenDocument {
    pub(crate) key: DocumentKey,
    pub(crate) name: String,
    pub(crate) notation: Notation,
    /// The path of the file, without links.
    path: Option<PathBuf>,
    state: Mutex<State>,
}

impl OpenDocument {
    pub(super) fn open(key: DocumentKey, document: Document) -> io::Result<Self> {
        let (mut session, file) = document.open()?;
        let Document { name, notation, target, follows_file, nodes, xml, tree, .. } = document;
        session.set_applied(target.is_some().then(|| Arc::clone(session.text())));
        let path = file.as_ref().map(|file| file.path().to_owned());
        let state = State {
            session,
            file,
            target,
            follows_file,
            file_changed: None,
            is_uncertain: false,
            nodes,
            xml,
            tree,
            rejected: Vec::new(),
            stamp: 0,
            sent: None,
            palette: None,
            read: None,
        };
        Ok(Self { key, name, notation, path, state: Mutex::new(state) })
    }

    /// Takes over the target of a document with the same file, which was opened again.
    pub(super) fn follow(&self, other: &Self) {
        let (mut state, mut other) = (lock(&self.state), lock(&other.state));
        state.target = other.target.take();
        state.follows_file = other.follows_file;
        state.nodes = other.nodes.take();
        state.xml = other.xml.take();
        state.tree = other.tree;
        let runs = state.target.is_some().then(|| Arc::clone(other.session.text()));
        state.session.set_applied(runs);
        state.palette = None;
        state.changed();
    }

    /// Takes over the target of the same document, which the program offers again: it may have more nodes.
    pub(super) fn renew(&self, document: Document) {
        let mut state = lock(&self.state);
        state.target = document.target;
        state.renew_palette(self.key);
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    pub(super) fn is_in(&self, folders: &[PathBuf]) -> bool {
        lock(&self.state).file.as_ref().is_some_and(|file| file.is_in(folders))
    }

    /// Returns the document as text.
    pub(crate) fn text(&self) -> String {
        lock(&self.state).session.text().as_ref().into()
    }

    /// Makes the last change of the file so much older.
    #[cfg(test)]
    pub(super) fn age(&self, by: std::time::Duration) {
        let mut state = lock(&self.state);
        state.file_changed = state.file_changed.and_then(|changed| changed.checked_sub(by));
    }

    /// Returns the fingerprint of the text.
    pub(crate) fn fingerprint(&self) -> String {
        lock(&self.state).session.fingerprint().to_owned()
    }

    /// Returns whether the program runs the document as it is, if there is a program.
    pub(crate) fn is_applied(&self) -> bool {
        lock(&self.state).session.is_applied()
    }

    /// Returns what the list of documents shows of it, to a page with these rights. `written` are the keys of the trees that are written in it.
    pub(crate) fn about(&self, rights: Rights, written: &[usize]) -> DocumentInfo {
        let state = lock(&self.state);
        let own = state.tree.filter(|tree| !written.contains(tree));
        DocumentInfo {
            key: self.key,
            name: self.name.clone(),
            path: self.path.as_ref().map(|path| path.display().to_string()),
            notation: self.notation.name(),
            tree: state.tree,
            trees: own.iter().chain(written).copied().collect(),
            edit: rights.edit,
            write: rights.write,
            runs: state.target.is_some(),
            fingerprint: state.session.fingerprint().to_owned(),
            saved: state.file.is_none() || state.session.is_saved(),
            edited: state.session.is_edited(),
            applied: state.session.is_applied(),
            error: state.error(),
        }
    }

    /// Applies operations as one step. Returns the nodes to select.
    pub(crate) fn change(&self, operations: Vec<Operation>, bytes: usize) -> Result<Vec<u32>, String> {
        let mut state = lock(&self.state);
        let selected = state.session.change(operations, bytes)?;
        state.follow_up();
        Ok(selected)
    }

    pub(crate) fn undo(&self) -> Result<(), String> {
        let mut state = lock(&self.state);
        state.session.undo()?;
        state.follow_up();
        Ok(())
    }

    pub(crate) fn redo(&self) -> Result<(), String> {
        let mut state = lock(&self.state);
        state.session.redo()?;
        state.follow_up();
        Ok(())
    }

    /// Returns why an operation cannot be applied, and the problems of the document after it.
    pub(crate) fn attempt(&self, operation: &Operation) -> (Option<String>, Vec<Problem>) {
        let state = lock(&self.state);
        match state.session.attempt(operation) {
            Ok((document, text)) => (None, state.problems_after(&document, &text)),
            Err(reason) => (Some(reason), Vec::new()),
        }
    }

    /// Returns nodes as text.
    pub(crate) fn copy(&self, nodes: &[u32]) -> Result<String, String> {
        check_nodes(nodes)?;
        lock(&self.state).session.document().copy(nodes)
    }

    /// Returns a tree in another language.
    pub(crate) fn source(&self, tree: u32, language: Language) -> Result<String, String> {
        let mut state = lock(&self.state);
        let read = state.read();
        translated(state.session.document(), tree, language, read.as_ref().as_ref())
    }

    /// Sets whether each change is applied at once.
    pub(crate) fn set_auto(&self, is_auto: bool) {
        let mut state = lock(&self.state);
        state.session.is_auto = is_auto;
        state.follow_up();
    }

    /// Applies what is not applied yet.
    pub(crate) fn apply(&self) -> Result<(), String> {
        let mut state = lock(&self.state);
        if state.target.is_none() {
            return Err("no program follows this document".to_owned());
        }
        let result = state.apply();
        state.changed();
        result
    }

    /// Replaces the document by a text, unless it is another one than `from`, or the program cannot run the text. With the rights of the page, the file is saved, too.
    pub(crate) fn adopt(&self, from: &str, text: &str, save: Option<Rights>) -> Result<(), String> {
        let mut state = lock(&self.state);
        // It has the parameters of nodes, which are checked.
        state.palette(self.key);
        let result = state.adopt(from, text);
        let result = result.and_then(|()| save.map_or(Ok(()), |rights| state.save(rights)));
        state.changed();
        result
    }

    pub(crate) fn save(&self, rights: Rights) -> Result<(), String> {
        let mut state = lock(&self.state);
        let result = state.save(rights);
        state.changed();
        result
    }

    pub(crate) fn resolve(&self, keep: Keep) -> Result<(), String> {
        let mut state = lock(&self.state);
        state.session.resolve(keep)?;
        state.follow_up();
        Ok(())
    }

    /// Takes over what was changed in the file elsewhere.
    pub(super) fn poll(&self) {
        let mut state = lock(&self.state);
        state.settle();
        let Some(file) = &mut state.file else { return };
        match file.poll() {
            Ok(Found::Same) => {}
            Ok(Found::Missing) => state.found(None),
            Ok(Found::Text(text)) => state.found(Some(&text)),
            Err(error) => {
                let error = Some(format!("the file cannot be read: {error}"));
                if state.session.error != error {
                    state.session.error = error;
                    state.changed();
                }
            }
        }
    }

    /// Returns the document as pages receive it, if it has changed since `stamp`.
    pub(crate) fn update(&self, stamp: Option<u64>) -> Option<(u64, Arc<str>)> {
        let mut state = lock(&self.state);
        state.hear();
        if stamp == Some(state.stamp) {
            return None;
        }
        if let Some(sent) = state.sent.as_ref().filter(|(stamp, _)| *stamp == state.stamp) {
            return Some(sent.clone());
        }
        let sent = (state.stamp, state.message(self.key).into());
        state.sent = Some(sent);
        state.sent.clone()
    }

    /// Returns what pages offer to insert.
    pub(crate) fn palette(&self) -> Arc<str> {
        Arc::clone(&lock(&self.state).palette(self.key).message)
    }
}
