//! What the tests share: a world whose leaves return given statuses and record events.

use bt_core::describe::{Described, Description};

pub mod flag;
pub mod hostile;
pub mod world;

/// The nodes of a tree without how a file writes them: what is written has the names of Behavior3, and what its editor needs.
pub fn without_layout(description: &Description) -> Vec<Described> {
    let mut nodes = description.nodes().to_vec();
    for file in nodes.iter_mut().filter_map(|node| node.file.as_mut()) {
        (file.name, file.properties, file.more) = Default::default();
    }
    nodes
}
