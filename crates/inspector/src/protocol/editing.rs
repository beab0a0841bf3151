//! The documents that a page looks at and edits.

use std::sync::Arc;

use bt_syntax::edit::{Operation, Problem};
use serde::{Deserialize, Serialize};

use super::documents::{Access, access};
use super::message::Update;
use super::written::Written;
use crate::editing::{self, DocumentKey, Documents, Keep, Language, OpenDocument};
use crate::fingerprint::fingerprint;
use crate::state::Shared;
use crate::text::text;

/// A request of a page about documents, which are named by their keys.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "EditRequest"))]
pub(super) enum Request {
    /// Send a document, and again after each change; without a key, no document.
    Open(Option<DocumentKey>),
    /// Apply operations as one step.
    Change {
        document: DocumentKey,
        operations: Vec<Operation>,
    },
    Undo(DocumentKey),
    Redo(DocumentKey),
    /// Check an operation without applying it.
    Try {
        document: DocumentKey,
        /// A number that the answer repeats.
        id: u64,
        operation: Operation,
    },
    /// Send nodes as text.
    Copy {
        document: DocumentKey,
        id: u64,
        nodes: Vec<u32>,
    },
    /// Send a tree in another language.
    Source {
        document: DocumentKey,
        id: u64,
        tree: u32,
        r#as: Language,
    },
    /// Set whether each change is applied at once.
    Auto {
        document: DocumentKey,
        on: bool,
    },
    /// Apply what is not applied yet.
    Apply(DocumentKey),
    Save(DocumentKey),
    /// End a conflict.
    Resolve {
        document: DocumentKey,
        keep: Keep,
    },
    /// Send a document as text.
    Text(DocumentKey),
    /// Replace a document that has the fingerprint `from` by a text, if the program can run it.
    Adopt {
        document: DocumentKey,
        from: String,
        text: String,
        /// Whether the file is saved, too.
        save: bool,
    },
}

/// The answer to a request.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "EditAnswer"))]
pub(super) enum Answer {
    Changed {
        document: DocumentKey,
        /// The nodes to select.
        select: Vec<u32>,
    },
    Tried {
        id: u64,
        error: Option<String>,
        problems: Vec<Problem>,
    },
    Copied {
        id: u64,
        text: String,
    },
    Source {
        id: u64,
        text: String,
        error: Option<String>,
    },
    Refused {
        document: DocumentKey,
        message: String,
    },
    Text {
        document: DocumentKey,
        text: String,
        /// Whether the program runs it.
        applied: bool,
    },
    Adopted {
        document: DocumentKey,
        /// The fingerprint of the text that was sent, and of the one that the document has now.
        sent: String,
        fingerprint: String,
        error: Option<String>,
    },
}

/// What a page sees of documents.
pub(super) struct Editing {
    /// Whether the page has come with the token, so that it may edit.
    has_token: bool,
    document: Option<Arc<OpenDocument>>,
    /// What was sent of the document.
    stamp: Option<u64>,
    palette: Option<Arc<str>>,
    /// The list of documents, as sent.
    list: String,
    written: Written,
}

impl Editing {
    pub(super) fn new(has_token: bool) -> Self {
        let (list, written) = (String::new(), Written::default());
        Self { has_token, document: None, stamp: None, palette: None, list, written }
    }

    /// Handles a request if it is about documents. Returns whether it is.
    pub(super) fn receive(&mut self, message: &str, documents: &Documents, updates: &mut Vec<String>) -> bool {
        let Some(access) = name(message).and_then(access) else { return false };
        let request = match serde_json::from_str(message) {
            Ok(request) => request,
            Err(error) => {
                updates.push(Update::Error(&format!("invalid request: {error}")).text());
                return true;
            }
        };
        match self.handle(request, access, message.len(), documents) {
            Ok(answer) => {
                // A page knows the nodes that an answer names.
                self.push_document(updates);
                updates.extend(answer.as_ref().map(text));
            }
            Err((document, message)) => updates.push(text(&Answer::Refused { document, message })),
        }
        true
    }

    fn handle(
        &mut self,
        request: Request,
        access: Access,
        bytes: usize,
        documents: &Documents,
    ) -> Result<Option<Answer>, (DocumentKey, String)> {
        let key = match request {
            Request::Open(None) => {
                (self.document, self.stamp, self.palette) = (None, None, None);
                return Ok(None);
            }
            Request::Open(Some(key)) => key,
            Request::Undo(key) | Request::Redo(key) | Request::Apply(key) | Request::Save(key) | Request::Text(key) => {
                key
            }
            Request::Change { document, .. }
            | Request::Try { document, .. }
            | Request::Copy { document, .. }
            | Request::Source { document, .. }
            | Request::Auto { document, .. }
            | Request::Resolve { document, .. }
            | Request::Adopt { document, .. } => document,
        };
        let document = documents.get(key).ok_or_else(|| (key, format!("unknown document {}", key.0)))?;
        let rights = documents.rights(&document, self.has_token);
        if access == Access::Edit && !rights.edit {
            return Err((key, self.why_not(documents)));
        }
        let answer = match request {
            Request::Open(_) => {
                (self.document, self.stamp, self.palette) = (Some(document), None, None);
                Ok(None)
            }
            Request::Change { operations, .. } => {
                document.change(operations, bytes).map(|select| Some(Answer::Changed { document: key, select }))
            }
            Request::Undo(_) => document.undo().map(|()| None),
            Request::Redo(_) => document.redo().map(|()| None),
            Request::Try { id, operation, .. } => {
                let (error, problems) = document.attempt(&operation);
                Ok(Some(Answer::Tried { id, error, problems }))
            }
            Request::Copy { id, nodes, .. } => document.copy(&nodes).map(|text| Some(Answer::Copied { id, text })),
            Request::Source { id, tree, r#as, .. } => {
                let (text, error) = match document.source(tree, r#as) {
                    Ok(text) => (text, None),
                    Err(error) => (String::new(), Some(error)),
                };
                Ok(Some(Answer::Source { id, text, error }))
            }
            Request::Auto { on, .. } => {
                document.set_auto(on);
                Ok(None)
            }
            Request::Apply(_) => document.apply().map(|()| None),
            Request::Save(_) => document.save(rights).map(|()| None),
            Request::Resolve { keep, .. } => document.resolve(keep).map(|()| None),
            Request::Text(_) => {
                Ok(Some(Answer::Text { document: key, text: document.text(), applied: document.is_applied() }))
            }
            Request::Adopt { from, text, save, .. } => {
                let error = document.adopt(&from, &text, save.then_some(rights)).err();
                let (sent, fingerprint) = (fingerprint(&text), document.fingerprint());
                Ok(Some(Answer::Adopted { document: key, sent, fingerprint, error }))
            }
        };
        answer.map_err(|message| (key, message))
    }

    /// Returns why the page may not edit.
    fn why_not(&self, documents: &Documents) -> String {
        let reason = if documents.is_editable() {
            debug_assert!(!self.has_token, "nothing else is needed");
            "this page was opened without the token; help: open the full address that the program printed"
        } else {
            "the program does not let pages edit; help: call `allow_edit`"
        };
        reason.to_owned()
    }

    /// Adds what has changed since the last update. The page knows the trees before `next_tree`.
    pub(super) fn push_updates(&mut self, shared: &Shared, next_tree: usize, updates: &mut Vec<String>) {
        let documents = &shared.documents;
        let all = documents.all();
        if !all.is_empty() {
            let written = self.written.update(shared, next_tree, &all);
            let about = |(document, trees): (&Arc<OpenDocument>, &Vec<usize>)| {
                document.about(documents.rights(document, self.has_token), trees)
            };
            let list = text(&editing::Update::Documents(all.iter().zip(written).map(about).collect()));
            if list != self.list {
                updates.push(list.clone());
                self.list = list;
            }
        }
        self.push_document(updates);
    }

    /// Adds the document, and what can be inserted, if they have changed.
    fn push_document(&mut self, updates: &mut Vec<String>) {
        let Some(document) = &self.document else { return };
        let Some((stamp, text)) = document.update(self.stamp) else { return };
        let palette = document.palette();
        if self.palette.as_ref() != Some(&palette) {
            updates.push(palette.as_ref().into());
            self.palette = Some(palette);
        }
        updates.push(text.as_ref().into());
        self.stamp = Some(stamp);
    }
}

/// Returns the name of a request, which is the first field of its object.
fn name(message: &str) -> Option<&str> {
    let field = message.trim_start().strip_prefix('{')?.trim_start().strip_prefix('"')?;
    field.split_once('"').map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::Request;
    use crate::protocol::documents::REQUESTS;

    #[test]
    fn each_request_has_its_name_in_the_table() {
        let error = |name: &str| {
            let request = serde_json::from_str::<Request>(&format!("{{\"{name}\":{{}}}}"));
            request.err().map(|error| error.to_string()).unwrap_or_default()
        };
        for (name, _) in REQUESTS {
            assert!(!error(name).contains("unknown variant"), "{name}");
        }
        let names = error("dance").matches('`').count() / 2 - 1;
        assert_eq!(names, REQUESTS.len());
    }
}
