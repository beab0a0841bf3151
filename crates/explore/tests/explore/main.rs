//! What explorations find.

#![expect(clippy::trivially_copy_pass_by_ref, reason = "conditions take references")]

mod bounds;
mod choices;
mod copies;
mod coverage;
mod free;
mod house;
mod machines;
mod properties;
mod robot;
mod runs;
mod time;
