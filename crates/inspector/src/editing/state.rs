//! The changing parts of an open document: its session, its file, and the program that follows it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bt_behavior3::palette::Entry;
use bt_behavior3::{Diagnostic, EditTree, EditXml};
use bt_files::WriteError;
use bt_syntax::edit::{Document, Problem, Read};

use super::file::DocumentFile;
use super::info::{Conflict, DocumentKey, DocumentState, Update};
use super::offered::{Nodes, any_parameters, names_in, palette_in, palette_of};
use super::rights::Rights;
use super::session::Session;
use crate::text::text;

/// The group of words in a palette.
const WORDS: &str = "words";
/// The maximum size of a difference that pages receive, in bytes.
const MAX_DIFFERENCE: usize = 64 << 10;
/// How often a save begins again because another program has changed the file meanwhile.
const MAX_SAVES: usize = 100;
/// The time after which a program that watches a file has taken over what was written.
const SETTLED: Duration = Duration::from_secs(3);

pub(super) struct State {
    pub(super) session: Session,
    pub(super) file: Option<DocumentFile>,
    pub(super) target: Option<Arc<dyn EditTree>>,
    /// Whether the program watches the file.
    pub(super) follows_file: bool,
    /// When the file has changed last, of a program that watches it.
    pub(super) file_changed: Option<Instant>,
    /// Whether the program may take over the file after what was applied since.
    pub(super) is_uncertain: bool,
    pub(super) nodes: Option<Nodes>,
    /// What is known of XML without a target.
    pub(super) xml: Option<Arc<dyn EditXml>>,
    /// The key of the first version of the tree that follows the document.
    pub(super) tree: Option<usize>,
    /// Why the program has not taken the document as it is.
    pub(super) rejected: Vec<Diagnostic>,
    /// The number of changes of what pages see.
    pub(super) stamp: u64,
    /// What pages have received last, with its stamp.
    pub(super) sent: Option<(u64, Arc<str>)>,
    /// What pages offer to insert, in a version of the document.
    pub(super) palette: Option<Palette>,
    /// The trees of the text that was read last.
    pub(super) read: Option<(Arc<str>, Arc<Option<Read>>)>,
}

/// What pages offer to insert in a version of a document.
pub(super) struct Palette {
    pub(super) version: u64,
    pub(super) entries: Arc<[Entry]>,
    /// As pages receive it.
    pub(super) message: Arc<str>,
}

impl State {
    pub(super) fn changed(&mut self) {
        self.stamp += 1;
    }

    /// Applies what was changed, if each change is applied at once.
    pub(super) fn follow_up(&mut self) {
        self.rejected.clear();
        if self.session.is_auto && self.target.is_some() && self.session.conflict().is_none() {
            // What is wrong is shown at the document.
            let _ = self.apply();
        }
        self.changed();
    }

    pub(super) fn apply(&mut self) -> Result<(), String> {
        let Some(target) = self.target.clone() else { return Ok(()) };
        let text = Arc::clone(self.session.text());
        let applied = match &*self.read() {
            Some(Ok(read)) => target.apply_read(&text, read),
            Some(Err(errors)) => Err(errors.clone()),
            None => target.apply(&text),
        };
        match applied {
            Ok(_) => {
                self.rejected.clear();
                self.session.set_applied(Some(text));
                self.is_uncertain = self.file_changed.is_some_and(|changed| changed.elapsed() < SETTLED);
                Ok(())
            }
            Err(errors) => {
                let reason = errors.first().map_or_else(|| "it cannot be applied".to_owned(), Diagnostic::to_string);
                self.rejected = errors;
                Err(reason)
            }
        }
    }

    /// Replaces the document by a text, and applies it.
    pub(super) fn adopt(&mut self, from: &str, text: &str) -> Result<(), String> {
        if *self.session.text().as_ref() == *text {
            return self.apply();
        }
        if self.session.fingerprint() != from {
            return Err("it was changed there at the same time".to_owned());
        }
        let document = self.session.reread(text)?;
        let problems = self.problems_after(&document, text);
        if let Some(error) = problems.into_iter().find(|problem| !problem.is_warning) {
            return Err(error.message);
        }
        self.session.adopt(document, text);
        self.apply()
    }

    /// Returns the first error of the program, or that of the file.
    pub(super) fn error(&self) -> Option<String> {
        self.rejected.first().map(Diagnostic::to_string).or_else(|| self.session.error.clone())
    }

    /// Notes the errors that the program has found in the document since it was applied.
    pub(super) fn hear(&mut self) {
        let Some(target) = self.target.as_ref().filter(|_| self.session.is_applied()) else { return };
        let errors = target.errors();
        if errors != self.rejected {
            if !errors.is_empty() {
                self.session.set_refused();
            }
            self.rejected = errors;
            self.changed();
        }
    }

    pub(super) fn save(&mut self, rights: Rights) -> Result<(), String> {
        if self.file.is_none() {
            return Err("this document is in no file".to_owned());
        }
        if !rights.write {
            return Err(
                "the program does not let pages write this file; help: call `allow_write` with its folder".to_owned()
            );
        }
        let mut result = Err("not saved: other programs change the file all the time".to_owned());
        for _ in 0..MAX_SAVES {
            let Some(file) = &mut self.file else { break };
            // What was changed elsewhere is not overwritten.
            let found = file.read().map_err(|error| format!("the file cannot be read: {error}"));
            let found = found.inspect_err(|error| self.session.error = Some(error.clone()))?;
            self.found(found.as_deref());
            if self.session.conflict().is_some() {
                return Err("the file was changed elsewhere: decide which version stays".to_owned());
            }
            let text = Arc::clone(self.session.text());
            let file = self.file.as_mut().filter(|_| !self.session.is_saved());
            result = match file.map_or(Ok(()), |file| file.write(found.as_deref(), &text)) {
                Ok(()) => Ok(()),
                Err(WriteError::Changed | WriteError::Exists) => continue,
                Err(error) => Err(format!("not saved: {error}")),
            };
            break;
        }
        self.session.error = result.as_ref().err().cloned();
        result?;
        if !self.session.is_saved() {
            self.session.set_saved();
        }
        self.follow_file();
        Ok(())
    }

    /// Takes over what the file contains now.
    pub(super) fn found(&mut self, found: Option<&str>) {
        if self.session.is_known(found) {
            return;
        }
        self.session.found(found);
        self.rejected.clear();
        self.follow_file();
        self.changed();
    }

    /// Brings the program up to date after the file was written or has changed. A program that watches the file takes over by itself what is valid.
    pub(super) fn follow_file(&mut self) {
        self.file_changed = self.follows_file.then(Instant::now);
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

    /// Applies again what was applied while the program had not taken over the file yet: it may have done so afterwards.
    pub(super) fn settle(&mut self) {
        let is_settled = self.file_changed.is_none_or(|changed| changed.elapsed() >= SETTLED);
        if self.is_uncertain && is_settled {
            self.is_uncertain = false;
            if self.session.is_applied() && !self.session.is_saved() {
                let _ = self.apply();
                self.changed();
            }
        }
    }

    pub(super) fn palette(&mut self, key: DocumentKey) -> &Palette {
        let version = self.session.version();
        let is_known = |palette: &Palette| palette.version == version || self.target.is_some();
        let palette = match self.palette.take().filter(is_known) {
            Some(palette) => palette,
            None => {
                let entries = match &self.target {
                    Some(target) => palette_in(self.session.document().notation, target.as_ref()),
                    None => palette_of(
                        self.session.document(),
                        self.session.text(),
                        self.nodes.as_ref(),
                        self.xml.as_deref(),
                    ),
                };
                // It has the names of parameters.
                self.read = None;
                let message = text(&Update::Palette { document: key, entries: &entries });
                Palette { version, entries: entries.into(), message: message.into() }
            }
        };
        self.palette.insert(palette)
    }

    /// Offers what the program has now, if a page has asked for it before.
    pub(super) fn renew_palette(&mut self, key: DocumentKey) {
        let (Some(palette), Some(target)) = (&self.palette, &self.target) else { return };
        if *palette_in(self.session.document().notation, target.as_ref()) != *palette.entries {
            self.palette = None;
            self.palette(key);
            self.changed();
        }
    }

    /// Returns the trees of the document, which are read once.
    pub(super) fn read(&mut self) -> Arc<Option<Read>> {
        let text = self.session.text();
        if let Some((_, read)) = self.read.as_ref().filter(|(known, _)| Arc::ptr_eq(known, text)) {
            return Arc::clone(read);
        }
        let (text, read) = (Arc::clone(text), Arc::new(self.read_of(self.session.document(), text)));
        self.read.insert((text, read)).1.clone()
    }

    /// Reads the trees of a version of the document, as the program does.
    fn read_of(&self, document: &Document, text: &str) -> Option<Read> {
        let by_program = match (&self.target, &self.xml) {
            (Some(target), _) => target.read(text),
            (None, Some(xml)) if document.notation.is_foreign() => Some(xml.project(text)),
            (None, _) => None,
        };
        by_program.or_else(|| {
            let entries = self.palette.as_ref().map_or(&[][..], |palette| &palette.entries);
            let is_open = self.target.is_none() && self.nodes.is_none();
            document.notation.project(text, &|name| {
                let entry = entries.iter().find(|entry| entry.name == name && entry.group != WORDS);
                let known = entry.map(|entry| entry.params.iter().map(|param| param.name.clone()).collect());
                if is_open { Some(any_parameters()) } else { known }
            })
        })
    }

    /// Returns the problems that another version of the document would have.
    pub(super) fn problems_after(&self, document: &Document, text: &str) -> Vec<Problem> {
        self.problems(document, text, self.read_of(document, text).as_ref(), false)
    }

    /// Returns the problems of a version of the document.
    fn problems(&self, document: &Document, text: &str, read: Option<&Read>, is_current: bool) -> Vec<Problem> {
        let names = match (&self.target, &self.xml) {
            (Some(target), _) => target.names(),
            (None, Some(xml)) if document.notation.is_foreign() => xml.names(),
            (None, _) => names_in(document, text, self.nodes.as_ref()),
        };
        let mut problems = document.check(text, read, &names);
        if problems.iter().any(|problem| !problem.is_warning) {
            return problems;
        }
        let of_program = match &self.target {
            Some(_) if is_current && !self.rejected.is_empty() => self.rejected.clone(),
            Some(_) if is_current && self.session.is_applied() => Vec::new(),
            Some(target) => target.check(text).err().unwrap_or_default(),
            None => return problems,
        };
        problems.extend(document.located(text, &of_program));
        problems
    }

    /// Returns the document as pages receive it.
    pub(super) fn message(&mut self, key: DocumentKey) -> String {
        let (palette, read) = (Arc::clone(&self.palette(key).entries), self.read());
        let session = &self.session;
        let problems = self.problems(session.document(), session.text(), read.as_ref().as_ref(), true);
        let [undo, redo] = session.steps();
        let conflict = session.conflict().map(|conflict| Conflict {
            base: &conflict.base,
            mine: session.text(),
            theirs: &conflict.theirs,
            reasons: &conflict.reasons,
        });
        let state = DocumentState {
            key,
            version: session.version(),
            trees: session.document().view(session.text(), &palette),
            problems,
            undo,
            redo,
            applied: session.is_applied(),
            saved: self.file.is_none() || session.is_saved(),
            auto: session.is_auto,
            difference: shortened(session.difference()),
            conflict,
            error: session.error.as_deref(),
        };
        text(&Update::Document(state))
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
