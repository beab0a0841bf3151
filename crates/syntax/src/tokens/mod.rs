//! The tokens of a macro or a text, as one flat list with an index for each token. The parser reads both in the same way.
//!
//! Views of tokens, such as [`Ident`] and [`TokenStream`], are indices into the list, so that they are copied freely and nothing is allocated.
//! Those of a macro become the tokens of the compiler again, with their locations (`to_macro`).

mod input;
mod list;
mod of_macro;
mod rust;
mod span;
mod stream;
mod view;

pub use self::input::Input;
pub use self::list::Tokens;
#[cfg(feature = "file")]
pub(crate) use self::list::{Kind, Token, index};
pub use self::span::Span;
pub use self::stream::{Group, TokenStream, Tree};
pub use self::view::{Ident, Literal, Punct, Text};
