//! An open document with its file and its target.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use bt_behavior3::palette::Entry;
use bt_behavior3::{Diagnostic, EditTree};
use bt_syntax::edit::{Document, Notation, Operation, Problem};
use serde_json::{Value, json};

use super::document;
use super::documents::Rights;
use super::file::{DocumentFile, Found};
use super::language::{Language, translated};
use super::limits::check_nodes;
use super::offered::{Nodes, any_parameters, names_in, palette_of};
use super::session::{Keep, Session};
use crate::lock::lock;

/// The group of words in a palette.
const WORDS: &str = "words";
/// The maximum size of a difference that pages receive, in bytes.
const MAX_DIFFERENCE: usize = 64 << 10;

pub(crate) struct OpenDocument {
    pub(crate) key: usize,
    pub(crate) name: String,
    pub(crate) notation: Notation,
    /// The path of the file, without links.
    path: Option<PathBuf>,
    state: Mutex<State>,
}

struct State {
    session: Session,
    file: Option<DocumentFile>,
    target: Option<Arc<dyn EditTree>>,
    /// Whether the program watches the file.
    follows_file: bool,
    nodes: Option<Nodes>,
    /// The key of the first version of the tree that follows the document.
    tree: Option<usize>,
    /// Why the program has not taken the document as it is.
    rejected: Vec<Diagnostic>,
    /// The number of changes of what pages see.
    stamp: u64,
    /// What pages have received last, with its stamp.
    sent: Option<(u64, Arc<str>)>,
    /// What pages offer to insert, in a version of the document.
    palette: Option<Palette>,
}

/// What pages offer to insert in a version of a document.
struct Palette {
    version: u64,
    entries: Arc<[Entry]>,
    /// As pages receive it.
    message: Arc<str>,
}

impl OpenDocument {
    pub(super) fn open(key: usize, source: document::Document) -> io::Result<Self> {
        let (mut session, file) = source.open()?;
        let document::Document { name, notation, target, follows_file, nodes, tree, .. } = source;
        session.set_applied(target.is_some().then(|| Arc::clone(session.text())));
        let path = file.as_ref().map(|file| file.path().to_owned());
        let state = State {
            session,
            file,
            target,
            follows_file,
            nodes,
            tree,
            rejected: Vec::new(),
            stamp: 0,
            sent: None,
            palette: None,
        };
        Ok(Self { key, name, notation, path, state: Mutex::new(state) })
    }

    /// Takes over the target of a document with the same file, which was opened again.
    pub(super) fn follow(&self, other: &Self) {
        let (mut state, mut other) = (lock(&self.state), lock(&other.state));
        state.target = other.target.take();
        state.follows_file = other.follows_file;
        state.nodes = other.nodes.take();
        state.tree = other.tree;
        let runs = state.target.is_some().then(|| Arc::clone(other.session.text()));
        state.session.set_applied(runs);
        state.palette = None;
        state.changed();
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

    /// Returns what the list of documents shows of it, to a page with these rights.
    pub(crate) fn about(&self, rights: Rights) -> Value {
        let state = lock(&self.state);
        json!({
            "key": self.key,
            "name": self.name,
            "path": self.path.as_ref().map(|path| path.display().to_string()),
            "notation": self.notation.name(),
            "tree": state.tree,
            "edit": rights.edit,
            "write": rights.write,
            "runs": state.target.is_some(),
        })
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

    /// Returns why an operation cannot be applied, and what would be wrong with the document behind it.
    pub(crate) fn attempt(&self, operation: &Operation) -> (Option<String>, Vec<Problem>) {
        let state = lock(&self.state);
        match state.session.attempt(operation) {
            Ok((document, text)) => (None, state.problems(&document, &text, false)),
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
        let document = lock(&self.state).session.document().clone();
        translated(&document, tree, language)
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

impl State {
    fn changed(&mut self) {
        self.stamp += 1;
    }

    /// Applies what was changed, if each change is applied at once.
    fn follow_up(&mut self) {
        self.rejected.clear();
        if self.session.is_auto && self.target.is_some() && self.session.conflict().is_none() {
            // What is wrong is shown at the document.
            let _ = self.apply();
        }
        self.changed();
    }

    fn apply(&mut self) -> Result<(), String> {
        let Some(target) = self.target.clone() else { return Ok(()) };
        let text = Arc::clone(self.session.text());
        match target.apply(&text) {
            Ok(_) => {
                self.rejected.clear();
                self.session.set_applied(Some(text));
                Ok(())
            }
            Err(errors) => {
                let reason = errors.first().map_or_else(|| "it cannot be applied".to_owned(), Diagnostic::to_string);
                self.rejected = errors;
                Err(reason)
            }
        }
    }

    fn save(&mut self, rights: Rights) -> Result<(), String> {
        let Some(file) = &mut self.file else { return Err("this document is in no file".to_owned()) };
        if !rights.write {
            return Err(
                "the program does not let pages write this file; help: call `allow_write` with its folder".to_owned()
            );
        }
        // What was changed elsewhere is not overwritten.
        let found = file.read().map_err(|error| format!("the file cannot be read: {error}"));
        let found = found.inspect_err(|error| self.session.error = Some(error.clone()))?;
        self.found(found.as_deref());
        if self.session.conflict().is_some() {
            return Err("the file was changed elsewhere: decide which version stays".to_owned());
        }
        if !self.session.is_saved() {
            let text = Arc::clone(self.session.text());
            let written = self.file.as_mut().map_or(Ok(()), |file| file.write(&text));
            if let Err(error) = written {
                let error = format!("not saved: {error}");
                self.session.error = Some(error.clone());
                return Err(error);
            }
            self.session.set_saved();
        }
        self.session.error = None;
        self.follow_file();
        Ok(())
    }

    /// Takes over what the file contains now.
    fn found(&mut self, found: Option<&str>) {
        if self.session.is_known(found) {
            return;
        }
        self.session.found(found);
        self.rejected.clear();
        self.follow_file();
        self.changed();
    }

    /// Brings the program up to date after the file was written or has changed. A program that watches the file takes over by itself what is valid.
    fn follow_file(&mut self) {
        let Some(target) = self.target.clone().filter(|_| !self.session.is_applied()) else { return };
        if self.follows_file && self.session.is_saved() {
            let text = Arc::clone(self.session.text());
            match target.check(&text) {
                Ok(_) => self.session.set_applied(Some(text)),
                Err(errors) => self.rejected = errors,
            }
        } else if self.session.is_auto && self.session.conflict().is_none() {
            // What is wrong is shown at the document.
            let _ = self.apply();
        }
    }

    fn palette(&mut self, key: usize) -> &Palette {
        let version = self.session.version();
        let is_known = |palette: &Palette| palette.version == version || self.target.is_some();
        let palette = match self.palette.take().filter(is_known) {
            Some(palette) => palette,
            None => {
                let entries = match &self.target {
                    Some(target) => target.palette(),
                    None => palette_of(self.session.document(), self.session.text(), self.nodes.as_ref()),
                };
                let message = json!({ "palette": { "document": key, "entries": entries } }).to_string();
                Palette { version, entries: entries.into(), message: message.into() }
            }
        };
        self.palette.insert(palette)
    }

    /// Returns what is wrong with a version of the document.
    fn problems(&self, document: &Document, text: &str, is_current: bool) -> Vec<Problem> {
        let names = match &self.target {
            Some(target) => target.names(),
            None => names_in(document, text, self.nodes.as_ref()),
        };
        let entries = self.palette.as_ref().map_or(&[][..], |palette| &palette.entries);
        let is_open = self.target.is_none() && self.nodes.is_none();
        let of_node = |name: &str| {
            let entry = entries.iter().find(|entry| entry.name == name && entry.group != WORDS);
            let known = entry.map(|entry| entry.params.iter().map(|param| param.name.clone()).collect());
            if is_open { Some(any_parameters()) } else { known }
        };
        let mut problems = document.check(&names, &of_node);
        if problems.iter().any(|problem| !problem.is_warning) {
            return problems;
        }
        let of_program = match &self.target {
            Some(_) if is_current && !self.rejected.is_empty() => self.rejected.clone(),
            Some(_) if is_current && self.session.is_applied() => Vec::new(),
            Some(target) => target.check(text).err().unwrap_or_default(),
            None => Vec::new(),
        };
        let of_program = of_program.iter().map(Diagnostic::to_string);
        problems.extend(of_program.map(|message| Problem { node: None, argument: None, message, is_warning: false }));
        problems
    }

    /// Returns the document as pages receive it.
    fn message(&mut self, key: usize) -> String {
        let palette = Arc::clone(&self.palette(key).entries);
        let session = &self.session;
        let problems = self.problems(session.document(), session.text(), true);
        let [undo, redo] = session.steps();
        let conflict = session.conflict().map(|conflict| {
            json!({ "base": *conflict.base, "mine": **session.text(), "theirs": *conflict.theirs, "reasons": conflict.reasons })
        });
        let document = json!({
            "key": key,
            "version": session.version(),
            "trees": session.document().view(&palette),
            "problems": problems,
            "undo": undo,
            "redo": redo,
            "applied": session.is_applied(),
            "saved": self.file.is_none() || session.is_saved(),
            "auto": session.is_auto,
            "difference": shortened(session.difference()),
            "conflict": conflict,
            "error": session.error,
        });
        json!({ "document": document }).to_string()
    }
}

/// Returns the begin of a long difference.
fn shortened(mut difference: String) -> String {
    if difference.len() > MAX_DIFFERENCE {
        let end = difference.as_bytes()[..MAX_DIFFERENCE].iter().rposition(|byte| *byte == b'\n');
        difference.truncate(end.unwrap_or(0));
        difference += "\n…\n";
    }
    difference
}
