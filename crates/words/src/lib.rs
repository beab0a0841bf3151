//! The vocabulary of behavior trees: every word of `tree!` as one row of one table.
//!
//! A row ([`Row`]) contains a word's name, family, number of children, arguments, possible statuses, and one line of documentation. Its names in
//! Behavior3 files are [`FileForm`]s. The macros, the file loader, the checks, the drawings and the documentation all read this table. Matches on
//! [`Word`] and [`ParamType`] are exhaustive, so code that does not handle a word does not compile.
//!
//! ```
//! use bt_words::{Arity, Family, Word};
//!
//! let row = Word::Timeout.row();
//! assert_eq!((row.name, row.family, row.arity()), ("timeout", Family::Decorator, Arity::One));
//! assert_eq!(row.params[0].name, "time");
//! assert_eq!(Word::named("repeat").count(), 2); // with and without a number
//! ```
//!
//! Depend on `bt-core`, which re-exports the public types. Depend on this crate only for the table itself, for example in an editor.

#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "suggest")]
extern crate alloc;

#[doc(hidden)]
pub mod analysis;
mod child_count;
mod columns;
mod file;
mod identifier;
mod levels;
mod lint;
mod outcomes;
mod peers;
mod requirement;
mod role;
mod status_map;
#[cfg(feature = "suggest")]
mod suggest;
mod table;

pub use child_count::ChildCount;
pub use columns::{Arity, Bound, Family, Param, ParamType, Returns, Thresholds, Written};
pub use file::{FileForm, file_forms, is_behavior3, is_file_name};
pub use identifier::{is_identifier, is_keyword};
pub use levels::{MAX_LEVELS, TOO_DEEP};
pub use lint::{Flags, Lint};
pub use outcomes::Outcomes;
pub use peers::{Counterpart, Peer, peer};
pub use role::Role;
pub use status_map::StatusMap;
#[cfg(feature = "suggest")]
pub use suggest::{did_you_mean, nearest};
pub use table::{More, Row, Word};
