//! The values that a program shows next to a tick, and edits of them.

mod caught;
mod edit;
mod floats;
mod reader;
mod shown;

pub use edit::Editable;
pub(crate) use edit::{Answer, Edit, Path, Step};
pub(crate) use shown::text;
pub use shown::{Values, board};
