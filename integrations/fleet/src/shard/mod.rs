//! Agents that move between processes, without a network: a keeper decides who owns which agent, processes tick what they own while their lease holds.

pub(crate) mod keeper;
pub(crate) mod lease;
pub(crate) mod member;
pub(crate) mod message;
pub(crate) mod program;
#[cfg(test)]
mod simulation;
mod table;
#[cfg(test)]
mod tests;
