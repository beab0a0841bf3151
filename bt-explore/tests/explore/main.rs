//! What explorations find.

mod bounds;
mod choices;
mod coverage;
mod free;
mod machines;
mod properties;
mod robot;
mod runs;
mod time;
