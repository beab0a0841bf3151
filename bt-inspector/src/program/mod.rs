//! What a program uses: the inspector, and the observer of an agent.

mod inspector;
#[cfg(test)]
mod memory;
mod past;
mod reading;
mod target;
mod watched;

pub use inspector::{Inspector, TreeKey};
pub use past::Rewound;
pub use reading::Progress;
pub use watched::{At, Watched};
