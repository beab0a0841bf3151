//! Recordings of the agents of all machines, in a folder of bounded size. Without a network.

pub(crate) mod folder;
pub(crate) mod members;
mod segment;
#[cfg(test)]
mod tests;
