//! The messages between a program and a page, without I/O: texts in, texts out. A server carries them, or the program itself.
//!
//! Each message is a JSON object with one field. Most programs need nothing of this module: it is for what passes the messages of a page on to several programs, such as a
//! `bt_fleet::Hub`. That replaces the keys of agents, trees and documents in messages, and makes one [list](Listing) of those of all programs.

mod documents;
#[cfg(feature = "edit")]
mod editing;
mod listed;
mod listing;
mod message;
mod names;
mod order;
mod page;
mod seen;
#[cfg(test)]
mod tests;
#[cfg(feature = "edit")]
mod written;

pub use documents::{Access, access};
pub use listing::{Listing, MAX_AGENTS, Row};
#[cfg(feature = "server")]
pub(crate) use message::error;
pub use names::{REQUESTS, UPDATES};
pub(crate) use page::Page;

#[doc(inline)]
pub use crate::fingerprint::fingerprint;

/// The maximum size of a message from a page, in bytes, except of one that edits a document.
pub const MAX_MESSAGE: usize = 16 * 1024;
/// The maximum size of a message that edits a document, from a page that has come with the token. A hub passes it on.
#[cfg(feature = "server")]
pub(crate) const MAX_EDIT: usize = 256 * 1024;
