//! The syntax of `tree!`: [`parse`] -> [`ast`] -> [`check`] -> [`plan`]. The macro expands the plan.
//!
//! Depend on `bt-core`, whose macro is documented there. This crate changes with it without notice, so its modules are hidden from this
//! documentation.

#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod ast;
#[doc(hidden)]
pub mod check;
#[cfg(feature = "edit")]
#[doc(hidden)]
pub mod edit;
#[doc(hidden)]
pub mod errors;
#[cfg(feature = "file")]
#[doc(hidden)]
pub mod file;
#[cfg(feature = "format")]
#[doc(hidden)]
pub mod format;
#[doc(hidden)]
pub mod generics;
#[doc(hidden)]
pub mod keyword;
#[cfg(feature = "file")]
mod lex;
#[cfg(feature = "live")]
#[doc(hidden)]
pub mod live;
#[doc(hidden)]
pub mod location;
#[doc(hidden)]
pub mod parse;
#[doc(hidden)]
pub mod plan;
#[doc(hidden)]
pub mod text;
#[doc(hidden)]
pub mod tokens;
