//! Formats the trees in Rust sources: the bodies of `tree!`, which rustfmt leaves alone.
//!
//! A node that fits is written on one line. A comma follows a leaf, but not a brace. Comments, blank lines and everything outside
//! of trees stay unchanged.

pub(crate) mod comment;
mod compare;
mod expression;
pub(crate) mod item;
pub(crate) mod layout;
mod lines;
mod of_text;
mod plain;
#[cfg(test)]
mod tests;
mod trees;

#[cfg(feature = "edit")]
pub(crate) use self::compare::{error, has_tokens};
pub use self::expression::count_comments;
#[cfg(feature = "edit")]
pub(crate) use self::of_text::format_edited;
pub use self::of_text::{format_text, is_text};
pub(crate) use self::plain::Plain;
pub use self::trees::{Formatted, Left, NotRust, format};
#[cfg(feature = "edit")]
pub(crate) use self::trees::{format_at, format_children};
