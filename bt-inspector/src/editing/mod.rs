//! Documents that pages edit: their history, their files, and what they change in the program.

mod document;
mod documents;
mod file;
mod history;
mod language;
mod limits;
mod offered;
mod session;
mod source;
#[cfg(test)]
mod tests;

pub(crate) use document::OpenDocument;
pub(crate) use documents::Documents;
pub(crate) use language::Language;
pub(crate) use session::Keep;
pub use source::Source;
