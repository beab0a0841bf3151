//! The names of requests about documents: for a program that has the documents, and for what passes the requests on.

/// What a request does with a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// The request reads the document.
    Look,
    /// The request changes the document, or its file.
    Edit,
}

/// The requests about documents.
pub(super) const REQUESTS: [(&str, Access); 13] = [
    ("open", Access::Look),
    ("change", Access::Edit),
    ("undo", Access::Edit),
    ("redo", Access::Edit),
    ("try", Access::Edit),
    ("copy", Access::Look),
    ("source", Access::Look),
    ("auto", Access::Edit),
    ("apply", Access::Edit),
    ("save", Access::Edit),
    ("resolve", Access::Edit),
    ("text", Access::Look),
    ("adopt", Access::Edit),
];

/// Returns what a request with this name does with a document; `None` if the request is about something else.
#[must_use]
pub fn access(name: &str) -> Option<Access> {
    REQUESTS.iter().find(|(known, _)| *known == name).map(|(_, access)| *access)
}
