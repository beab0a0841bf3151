//! The XML of BehaviorTree.CPP.
#![forbid(unsafe_code)]
mod builtin;
mod document;
mod load;
mod lower;
mod names;
mod node;
mod nodes;
pub mod script;
mod skips;
mod xml;
pub use document::Document;
pub use load::XmlRegistry;
pub use nodes::{Nav2Nodes, Nodes, tick_once};
