//! What the tests share: a world whose leaves return given statuses and record events.

use bt_core::describe::{Described, Description};

pub mod flag;
pub mod hostile;
pub mod world;

/// The nodes of a tree without what the Behavior3 editor needs of them: their places, titles and categories are added when a tree is written.
pub fn without_layout(description: &Description) -> Vec<Described> {
    let mut nodes = description.nodes().to_vec();
    for file in nodes.iter_mut().filter_map(|node| node.file.as_mut()) {
        file.more.clear();
    }
    nodes
}
