//! Documents that pages edit: their history, their files, and what they change in the program.

mod document;
mod documents;
mod file;
mod history;
mod info;
mod language;
mod limits;
mod offered;
mod open_document;
mod rights;
mod session;
mod state;
#[cfg(test)]
mod tests;

pub use document::Document;
pub(crate) use documents::Documents;
#[cfg(test)]
pub(crate) use info::{Conflict, DocumentInfo, DocumentState};
pub(crate) use info::{DocumentKey, Update};
pub(crate) use language::Language;
pub(crate) use open_document::OpenDocument;
pub(crate) use session::Keep;
