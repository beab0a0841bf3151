//! What a program uses: the inspector, and the observer of an agent.

mod connection;
#[cfg(feature = "edit")]
mod edit;
mod inspector;
#[cfg(test)]
mod memory;
mod past;
mod reading;
#[cfg(feature = "server")]
mod served;
mod target;
mod watched;

pub use connection::Connection;
#[cfg(feature = "edit")]
pub use edit::EditedDocument;
pub use inspector::{Inspector, TreeKey};
pub use past::Rewound;
pub use reading::Progress;
pub use watched::{At, Watched};
