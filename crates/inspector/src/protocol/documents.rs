//! The names of requests about documents: for a program that has the documents, and for a hub that passes the requests on.

/// What a request does with a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Look,
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

/// Returns what a message does with a document; `None` if it is about something else.
pub(crate) fn access(message: &str) -> Option<Access> {
    let name = name(message)?;
    REQUESTS.iter().find(|(known, _)| *known == name).map(|(_, access)| *access)
}

/// Returns the name of a request, which is the first field of its object.
pub(crate) fn name(message: &str) -> Option<&str> {
    let field = message.trim_start().strip_prefix('{')?.trim_start().strip_prefix('"')?;
    field.split_once('"').map(|(name, _)| name)
}
