//! Ticks that are collected from programs, for recordings, without I/O: texts out of a program, and ticks out of texts.

mod message;
mod receiver;
mod stream;
#[cfg(test)]
mod tests;

pub use receiver::{CollectedTick, CollectedTree, TickCollector};
pub use stream::TickStream;
