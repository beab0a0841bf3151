//! The messages between a program and a page, without I/O: texts in, texts out. A server carries them, or the program itself.

mod documents;
#[cfg(feature = "edit")]
mod editing;
mod listing;
mod message;
mod page;
mod seen;
#[cfg(test)]
mod tests;
#[cfg(feature = "edit")]
mod written;

pub(crate) use documents::{Access, access, name};
pub(crate) use listing::{Column, Listing, MAX_AGENTS, MAX_ROWS, Row, Sort};
pub(crate) use message::{Request, Update, error};
pub(crate) use page::Page;

/// The maximum size of a message from a page, in bytes.
pub(crate) const MAX_MESSAGE: usize = 16 * 1024;
/// The maximum size of a message that edits a document, from a page that has come with the token. A hub passes it on.
#[cfg(feature = "server")]
pub(crate) const MAX_EDIT: usize = 256 * 1024;
