//! What a program uses: the inspector, and the observer of an agent.

mod inspector;
mod watched;

pub use inspector::{Inspector, TreeKey};
pub use watched::{At, Watched};
