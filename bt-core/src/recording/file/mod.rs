//! Files of recorded ticks: a line of JSON for each version of the tree, and one for each tick.

mod line;
mod open;
mod read;
mod write;

pub use read::{ReadError, Recorded, VariableRecord, VersionRecord};
pub use write::RecordFile;
