//! A loop that ticks a tree periodically and after events, until the tree ends or the loop is stopped.

mod driver;
mod periodic;
mod report;
mod running;
mod sleep;
mod stop;
mod time;

pub use driver::{AsyncDriver, Driver, drive, drive_async};
pub use periodic::MissedTicks;
pub use report::DriveReport;
pub use stop::StopHandle;
pub use time::{AsyncTime, ThreadTime, TimeSource};
