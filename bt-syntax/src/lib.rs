//! The syntax of `tree!`: [`parse`] -> [`ast`] -> [`check`] -> [`plan`]. The macro expands the plan.
//!
//! Depend on `bt-core`, whose macro is documented there. This crate changes with it without notice.

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "a part of `tree!`, which bt-core documents")]

pub mod ast;
pub mod check;
#[cfg(feature = "edit")]
pub mod edit;
pub mod errors;
#[cfg(feature = "file")]
pub mod file;
#[cfg(feature = "format")]
pub mod format;
pub mod generics;
pub mod keyword;
#[cfg(feature = "live")]
pub mod live;
pub mod location;
pub mod parse;
pub mod plan;
pub mod text;
