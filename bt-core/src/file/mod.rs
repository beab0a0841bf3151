//! What leaves and trees need of files: leaves that are made from the properties of a node.
//!
//! Files are loaded by the crate `bt-dynamic`, and built in by [`tree_from_json!`](crate::tree_from_json!).

mod expansion;
pub(crate) mod literal;
mod properties;

pub use properties::{FromProperties, NoProperties, Properties};
#[doc(hidden)]
pub use properties::{How, Readable, Reader, Unreadable};
