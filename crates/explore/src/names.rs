//! The nodes that paths name.

use std::cell::RefCell;
use std::rc::Rc;

use bt_core::NodeId;
use bt_core::describe::Description;
use hashbrown::HashMap;

/// Finds the nodes that paths name, each path once.
pub(crate) struct Names {
    pub(crate) description: Description,
    known: RefCell<HashMap<String, Rc<[NodeId]>>>,
}

impl Names {
    pub(crate) fn new(description: Description) -> Self {
        Self { description, known: RefCell::default() }
    }

    /// Returns the nodes with this path, of which there is at least one.
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub(crate) fn of(&self, path: &str) -> Rc<[NodeId]> {
        if let Some(nodes) = self.known.borrow().get(path) {
            return Rc::clone(nodes);
        }
        let nodes: Rc<[_]> = self.description.find_all(path).map(|node| node.id).collect();
        assert!(!nodes.is_empty(), "no node is named `{path}` in this tree:\n{}", self.description);
        self.known.borrow_mut().insert(path.to_owned(), Rc::clone(&nodes));
        nodes
    }
}
