//! What the tests share: a world whose leaves return given statuses and record events.

pub mod flag;
pub mod hostile;
pub mod world;
