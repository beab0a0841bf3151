//! A loop that ticks a tree: at a rate, when an event wakes it, until the tree ends or the loop is stopped.

mod driver;
mod report;
mod schedule;
mod sleep;
mod stop;

pub use driver::{Driver, drive};
pub use report::DriveReport;
pub use schedule::MissedTicks;
pub use stop::StopHandle;
