//! The XML of BehaviorTree.CPP.
#![forbid(unsafe_code)]
mod builtin;
mod document;
mod load;
mod lower;
mod models;
mod names;
mod node;
mod nodes;
mod program;
pub mod script;
mod skips;
mod write;
mod xml;
pub use document::Document;
pub use load::XmlRegistry;
pub use nodes::{Nodes, tick_once};
pub use program::Program;
pub use write::{lost_in_xml, node_names, to_xml};
