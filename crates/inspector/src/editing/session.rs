//! An open document: its history, and what of it is applied and saved. It does not access files or the program.

use std::sync::Arc;

use bt_behavior3::Diagnostic;
use bt_syntax::edit::{Document, Notation, Operation, difference, rebase};
use serde::Deserialize;

use super::history::History;
use super::limits::{MAX_DOCUMENT, check_document, check_operation, check_operations};
use crate::fingerprint::fingerprint;

/// The name of a step that takes over what the file contains.
const CHANGE_OF_FILE: &str = "change of the file";
const MERGE: &str = "merge with the file";
/// The name of a step that takes over the text of another machine.
const FROM_ANOTHER: &str = "version of other machines";

pub(crate) struct Session {
    document: Document,
    /// The document as text.
    text: Arc<str>,
    fingerprint: String,
    /// The fingerprint of the last text that is not from a page: of the program, of the file, or of another machine.
    given: String,
    history: History,
    /// What the file contains, or contained before it was removed; `None` if there was none.
    file: Option<Version>,
    is_missing: bool,
    anchor: Option<Anchor>,
    /// What the program runs; `None` without a program.
    applied: Option<Arc<str>>,
    /// What it ran before.
    ran: Option<Arc<str>>,
    /// Whether each change is applied to the program.
    pub(super) is_auto: bool,
    conflict: Option<Conflict>,
    /// Why the document could not be saved, or the file cannot be read.
    pub(super) error: Option<String>,
    version: u64,
}

/// A document with its text.
struct Version {
    document: Document,
    text: Arc<str>,
}

/// How the document follows from the one in the file: by operations that lead to a position of the history, and those since then.
struct Anchor {
    operations: Vec<Operation>,
    position: usize,
}

/// The file was changed elsewhere, and its changes conflict with those of the document.
#[derive(Debug)]
pub(super) struct Conflict {
    /// What the file contained before.
    pub(super) base: Arc<str>,
    pub(super) theirs: Arc<str>,
    pub(super) reasons: Vec<String>,
}

/// A document with what the file contains now.
struct Merged {
    /// The name of the step.
    name: &'static str,
    document: Document,
    /// The document in the file.
    theirs: Document,
    /// The operations between both.
    operations: Vec<Operation>,
}

impl Merged {
    /// Takes over the document in the file as it is.
    fn theirs(theirs: Document) -> Self {
        Self { name: CHANGE_OF_FILE, document: theirs.clone(), theirs, operations: Vec::new() }
    }
}

/// Which version a conflict ends with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Keep {
    Mine,
    Theirs,
}

impl Session {
    /// Opens a document that was read from a text. `is_file` says whether a file contains it.
    pub(super) fn open(
        notation: Notation,
        text: &str,
        is_file: bool,
        width: Option<usize>,
    ) -> Result<Self, Diagnostic> {
        let mut document = Document::read(notation, text)?;
        document.width = width.unwrap_or(document.width);
        let text: Arc<str> = text.into();
        let file = is_file.then(|| Version { document: document.clone(), text: Arc::clone(&text) });
        Ok(Self {
            document,
            fingerprint: fingerprint(&text),
            given: fingerprint(&text),
            text,
            history: History::default(),
            file,
            is_missing: !is_file,
            anchor: Some(Anchor { operations: Vec::new(), position: 0 }),
            applied: None,
            ran: None,
            is_auto: true,
            conflict: None,
            error: None,
            version: 0,
        })
    }

    pub(super) const fn document(&self) -> &Document {
        &self.document
    }

    pub(super) const fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns the fingerprint of the text.
    pub(super) fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Returns whether pages have changed the document, and not saved it.
    pub(super) fn is_edited(&self) -> bool {
        self.fingerprint != self.given
    }

    /// Returns a number that is higher after each change.
    pub(super) const fn version(&self) -> u64 {
        self.version
    }

    pub(super) const fn conflict(&self) -> Option<&Conflict> {
        self.conflict.as_ref()
    }

    /// Returns the names of the steps that are undone and redone next.
    pub(super) fn steps(&self) -> [Option<&str>; 2] {
        self.history.names()
    }

    pub(super) fn is_saved(&self) -> bool {
        self.conflict.is_none() && !self.is_missing && self.file.as_ref().is_some_and(|file| file.text == self.text)
    }

    /// Returns whether the program runs the document as it is, if there is a program.
    pub(super) fn is_applied(&self) -> bool {
        self.applied.as_ref().is_none_or(|applied| *applied == self.text)
    }

    /// Returns the difference of the document to what the program runs, or if that is the same, to what the file contains.
    pub(super) fn difference(&self) -> String {
        let before = self.applied.as_ref().filter(|applied| **applied != self.text);
        before.or(self.file.as_ref().map(|file| &file.text)).map_or_else(String::new, |old| difference(old, &self.text))
    }

    /// Applies operations as one step, or none of them. `bytes` is their size as they were received. Returns the nodes to select.
    pub(super) fn change(&mut self, operations: Vec<Operation>, bytes: usize) -> Result<Vec<u32>, String> {
        check_operations(&operations)?;
        let mut changed = self.document.clone();
        let mut selected = Vec::new();
        for operation in &operations {
            selected = changed.apply(operation)?;
            check_document(&changed)?;
        }
        let text = written(&changed)?;
        let Some(first) = operations.first() else { return Ok(selected) };
        let name = step_name(first, &self.document, operations.len());
        self.step(name, changed, text, Some(operations), bytes);
        Ok(selected)
    }

    /// Returns what the document would be after an operation, with its text.
    pub(super) fn attempt(&self, operation: &Operation) -> Result<(Document, String), String> {
        check_operation(operation)?;
        let mut changed = self.document.clone();
        changed.apply(operation)?;
        check_document(&changed)?;
        let text = written(&changed)?;
        Ok((changed, text.as_ref().into()))
    }

    fn step(&mut self, name: String, next: Document, text: Arc<str>, operations: Option<Vec<Operation>>, bytes: usize) {
        // What was undone cannot be redone any longer, so the document does not follow from what was saved then.
        if self.anchor.as_ref().is_some_and(|anchor| anchor.position > self.history.position()) {
            self.anchor = None;
        }
        let before = std::mem::replace(&mut self.document, next);
        self.history.push(name, before, operations, bytes);
        self.set_text(text);
    }

    fn set_text(&mut self, text: Arc<str>) {
        self.fingerprint = fingerprint(&text);
        self.text = text;
        self.version += 1;
    }

    pub(super) fn undo(&mut self) -> Result<(), String> {
        if !self.history.undo(&mut self.document) {
            return Err("there is nothing to undo".to_owned());
        }
        self.moved().inspect_err(|_| {
            self.history.redo(&mut self.document);
        })
    }

    pub(super) fn redo(&mut self) -> Result<(), String> {
        if !self.history.redo(&mut self.document) {
            return Err("there is nothing to redo".to_owned());
        }
        self.moved().inspect_err(|_| {
            self.history.undo(&mut self.document);
        })
    }

    /// Writes the document after a step of the history.
    fn moved(&mut self) -> Result<(), String> {
        self.set_text(written(&self.document)?);
        Ok(())
    }

    /// Returns what the document would be with another text.
    pub(super) fn reread(&self, text: &str) -> Result<Document, String> {
        let document = self.document.reread(text).map_err(|error| error.to_string())?;
        check_document(&document)?;
        Ok(document)
    }

    /// Takes a step to what [`reread`](Self::reread) has returned for a text.
    pub(super) fn adopt(&mut self, document: Document, text: &str) {
        self.step(FROM_ANOTHER.to_owned(), document, text.into(), None, 0);
        self.given.clone_from(&self.fingerprint);
    }

    /// Notes that the program runs a text; with `None`, that there is no program.
    pub(super) fn set_applied(&mut self, text: Option<Arc<str>>) {
        if self.applied != text {
            self.ran = std::mem::replace(&mut self.applied, text);
        }
    }

    /// Notes that the program does not run the text that was applied last, but the one before.
    pub(super) fn set_refused(&mut self) {
        if let Some(ran) = self.ran.take() {
            self.applied = Some(ran);
        }
    }

    /// Notes that the file contains the document now.
    pub(super) fn set_saved(&mut self) {
        self.given.clone_from(&self.fingerprint);
        self.file = Some(Version { document: self.document.clone(), text: Arc::clone(&self.text) });
        self.anchor = Some(Anchor { operations: Vec::new(), position: self.history.position() });
        self.conflict = None;
        self.error = None;
        self.is_missing = false;
    }

    /// Returns whether the file contains what it did when it was read or written last.
    pub(super) fn is_known(&self, found: Option<&str>) -> bool {
        let last = match &self.conflict {
            Some(conflict) => Some(&conflict.theirs),
            None if self.is_missing => None,
            None => self.file.as_ref().map(|file| &file.text),
        };
        last.map(|text| &**text) == found
    }

    /// Takes over what the file contains now, unless it conflicts with changes of the document. `None` if the file is gone.
    pub(super) fn found(&mut self, found: Option<&str>) {
        if self.is_known(found) {
            return;
        }
        let Some(found) = found else {
            // A save creates it again.
            self.is_missing = true;
            self.conflict = None;
            self.error = Some("the file was removed".to_owned());
            return;
        };
        self.error = None;
        self.is_missing = false;
        if *found == *self.text {
            return self.set_saved();
        }
        if self.file.as_ref().is_some_and(|file| *file.text == *found) {
            self.conflict = None;
            return;
        }
        let theirs: Arc<str> = found.into();
        let base = self.file.as_ref().map_or(&self.document, |file| &file.document);
        let result = base.reread(found).map_err(|error| vec![error.to_string()]);
        let result = result.and_then(|document| self.merged(document)).and_then(|merged| {
            let written = check_document(&merged.document).and_then(|()| written(&merged.document));
            written.map(|text| (merged, text)).map_err(|reason| vec![reason])
        });
        match result {
            Ok((merged, text)) => self.take(merged, text, theirs),
            Err(reasons) => {
                let base = self.file.as_ref().map_or_else(|| "".into(), |file| Arc::clone(&file.text));
                self.conflict = Some(Conflict { base, theirs, reasons });
            }
        }
    }

    /// Returns the document with what the file contains now.
    fn merged(&self, theirs: Document) -> Result<Merged, Vec<String>> {
        let Some(file) = &self.file else {
            return if self.history.position() == 0 {
                Ok(Merged::theirs(theirs))
            } else {
                Err(vec!["a file was created that contains something else".to_owned()])
            };
        };
        if file.text == self.text {
            return Ok(Merged::theirs(theirs));
        }
        let anchor = self.anchor.as_ref();
        let since = anchor.and_then(|anchor| Some((anchor, self.history.since(anchor.position)?)));
        let Some((anchor, since)) = since else {
            return Err(vec!["saved changes were undone, or there are too many unsaved changes".to_owned()]);
        };
        let operations: Vec<_> = anchor.operations.iter().cloned().chain(since).collect();
        let (document, operations) = rebase(&file.document, &operations, &theirs)?;
        Ok(Merged { name: MERGE, document, theirs, operations })
    }

    /// Takes a step to a document with what the file contains now.
    fn take(&mut self, merged: Merged, text: Arc<str>, theirs: Arc<str>) {
        let Merged { name, document, theirs: of_file, operations } = merged;
        self.given = fingerprint(&theirs);
        self.step(name.to_owned(), document, text, None, 0);
        self.file = Some(Version { document: of_file, text: theirs });
        self.anchor = Some(Anchor { operations, position: self.history.position() });
        self.conflict = None;
    }

    /// Ends a conflict. With `Mine`, the next save replaces what the file contains.
    pub(super) fn resolve(&mut self, keep: Keep) -> Result<(), String> {
        let Some(conflict) = &self.conflict else { return Err("there is no conflict".to_owned()) };
        let theirs = Arc::clone(&conflict.theirs);
        let document = self.document.reread(&theirs);
        match (keep, document) {
            (Keep::Theirs, Ok(next)) => {
                let text = written(&next)?;
                self.take(Merged::theirs(next), text, theirs);
            }
            (Keep::Theirs, Err(error)) => return Err(format!("the file cannot be read: {error}")),
            (Keep::Mine, document) => {
                // What cannot be read cannot be merged, but can be replaced.
                let document = document.unwrap_or_else(|_| self.document.clone());
                self.file = Some(Version { document, text: theirs });
                self.anchor = None;
                self.conflict = None;
            }
        }
        Ok(())
    }
}

/// Returns a document as text, whose size is limited.
fn written(document: &Document) -> Result<Arc<str>, String> {
    let text = document.write()?;
    if text.len() > MAX_DOCUMENT {
        return Err(format!("the document would have {} bytes, the limit is {MAX_DOCUMENT}", text.len()));
    }
    Ok(text.into())
}

/// Returns the name of a step: what is done, and with which node.
fn step_name(first: &Operation, before: &Document, count: usize) -> String {
    let name = first.name();
    let tree = |id: u32| before.trees.iter().find(|known| known.id == id).map(|tree| &*tree.name);
    let node = match (first, first.nodes().first()) {
        (Operation::Insert { text, .. }, _) => Some(text.as_str()),
        (Operation::Create { name, .. } | Operation::Rename { name, .. }, _) => Some(name.as_str()),
        (Operation::Remove { tree: id }, _) => tree(*id),
        (_, node) => node.and_then(|node| head(before, *node)),
    };
    let node = node.map(word).filter(|node| !node.is_empty()).map_or_else(String::new, |node| format!(" {node}"));
    let more = if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
    format!("{name}{node}{more}")
}

fn head(document: &Document, node: u32) -> Option<&str> {
    let mut nodes = document.trees.iter().flat_map(bt_syntax::edit::Tree::nodes);
    nodes.find(|found| found.id == node).map(|node| &*node.head)
}

/// Returns the name at the begin of a head.
fn word(head: &str) -> &str {
    let is_end = |sign: char| sign.is_whitespace() || "({".contains(sign);
    let word = head.trim_start().split(is_end).next().unwrap_or_default();
    word.char_indices().nth(40).map_or(word, |(end, _)| &word[..end])
}
