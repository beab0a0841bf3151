//! Goals of actions: sent, followed and canceled.

mod client;
mod goal;
mod outcome;
mod state;
mod wire;

pub use client::ActionClient;
pub use goal::Goal;
pub use outcome::Outcome;
