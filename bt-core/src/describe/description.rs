//! The description of a tree as a value.

use alloc::string::String;
use alloc::vec::Vec;

use super::builder::Builder;
use crate::describe::{Described, Kind, Visitor};
use crate::id::NodeId;
use crate::node::NodeShape;

/// The description of a tree: all of its nodes in pre-order. `Display` draws the tree as text; [`draw`](Self::draw)
/// offers other forms.
///
/// With the feature `serde` it can be serialized and deserialized: as a sequence of maps with the fields of
/// [`Described`], the source location as `file:line:column`.
///
/// ```
/// use bt_core::prelude::*;
///
/// fn near(_: &u8) -> bool { true }
/// let tree = tree! { for u8: selector "guard" { sequence { near, fail }, run } };
///
/// let description = tree.description();
/// assert_eq!(description.node(NodeId::ROOT).unwrap().label.as_deref(), Some("guard"));
/// assert_eq!(description.to_string(), "\
/// selector \"guard\"
/// ├─ sequence
/// │  ├─ near
/// │  └─ fail
/// └─ run
/// ");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Description {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::parse::in_order"))]
    nodes: Vec<Described>,
}

impl Description {
    /// Returns the description of a tree.
    #[doc(hidden)]
    pub fn of<N: NodeShape>(tree: &N) -> Self {
        Self::by(&|visitor| tree.describe(visitor))
    }

    /// Returns the description of the tree that this function describes. It is compiled once for all trees.
    pub(crate) fn by(describe: &dyn Fn(&mut dyn Visitor)) -> Self {
        let mut builder = Builder::default();
        describe(&mut builder);
        Self { nodes: builder.nodes }
    }

    /// Creates a description from nodes in pre-order.
    pub(crate) const fn from_nodes(nodes: Vec<Described>) -> Self {
        Self { nodes }
    }

    /// Returns all nodes in pre-order: the node with id `i` is at index `i`.
    pub fn nodes(&self) -> &[Described] {
        &self.nodes
    }

    /// Returns the node with this id; `None` if there is no such node.
    pub fn node(&self, id: NodeId) -> Option<&Described> {
        self.nodes.get(id.index())
    }

    /// Returns the children of a node, in order. The guards of transitions, the `enter:` and `exit:` actions of states,
    /// and the actions of services are [`attachments`](Self::attachments).
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = &Described> {
        self.below(id).filter(|node| node.role.is_child())
    }

    /// Returns the nodes below a node that are not children, in order: see [`Role`].
    #[doc(hidden)]
    pub fn attachments(&self, id: NodeId) -> impl Iterator<Item = &Described> {
        self.below(id).filter(|node| !node.role.is_child())
    }

    /// Returns all nodes below a node, in pre-order.
    #[doc(hidden)]
    pub fn descendants(&self, id: NodeId) -> impl Iterator<Item = &Described> {
        // In pre-order, the descendants of a node directly follow it.
        self.nodes.iter().skip(id.index() + 1).take_while(move |node| node.parent >= Some(id))
    }

    fn below(&self, id: NodeId) -> impl Iterator<Item = &Described> {
        self.descendants(id).filter(move |node| node.parent == Some(id))
    }

    /// Returns the nodes in whose visits a node is visited, nearest first. A machine visits the guards and actions of its
    /// states, before or after it visits the state.
    pub(crate) fn visitors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let visitor = |id: NodeId| {
            let node = self.node(id)?;
            let parent = self.node(node.parent?)?;
            if parent.kind == Kind::State && !node.role.is_child() { parent.parent } else { Some(parent.id) }
        };
        core::iter::successors(visitor(id), move |id| visitor(*id))
    }

    /// Returns the first node that a path names, in pre-order.
    ///
    /// A path is a name, or several names separated by `/`. A name matches the label of a node, its name, its name with
    /// parameters as in a drawing, such as `walk_to(post: 3)`, or its id in a file. `"attack/aim"` matches each node `aim`
    /// anywhere below a node `attack`. The empty path is the root.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// # fn aim(_: &mut u8) -> Status { Status::Running }
    /// # fn hide(_: &mut u8) -> Status { Status::Running }
    /// let tree = tree! { for u8: selector { sequence "attack" { hide, aim } sequence "flee" { hide, run } } };
    ///
    /// let description = tree.description();
    /// assert_eq!(description.find("flee/hide").map(|node| node.id.index()), Some(5));
    /// assert_eq!(description.find("sequence").map(|node| node.id.index()), Some(1));
    /// assert_eq!(description.find("flee/aim"), None);
    /// assert_eq!(description.find_all("hide").count(), 2);
    /// ```
    pub fn find(&self, path: &str) -> Option<&Described> {
        self.find_all(path).next()
    }

    /// Returns all nodes that a path names, in pre-order. See [`find`](Self::find).
    pub fn find_all<'a>(&'a self, path: &str) -> impl Iterator<Item = &'a Described> {
        self.nodes.iter().filter(move |node| self.is_at(node, path))
    }

    /// Returns the path of a node: its label, or its name with parameters, after the labeled nodes, subtrees and states that
    /// contain it. [`find`](Self::find) accepts the path, unless a label contains `/`. Other nodes may have the same path.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// # #[action] fn walk_to(_: &mut u8, post: u32) -> bool { post < 3 }
    /// #[subtree]
    /// fn patrol() -> impl Node<u8> { tree! { mem_sequence { walk_to(1), walk_to(2) } } }
    ///
    /// let tree = tree! { for u8: selector { sequence "day" { patrol() } run } };
    /// let description = tree.description();
    /// assert_eq!(description.path_of(NodeId::new(5)), "day/patrol/walk_to(post: 2)");
    /// assert_eq!(description.find("day/patrol/walk_to(post: 2)").unwrap().id, NodeId::new(5));
    /// ```
    pub fn path_of(&self, id: NodeId) -> String {
        let Some(node) = self.node(id) else { return String::new() };
        let mut names = alloc::vec![node.label.clone().unwrap_or_else(|| node.call())];
        let above = core::iter::successors(node.parent, |id| self.node(*id)?.parent);
        for node in above.filter_map(|id| self.node(id)) {
            match &node.label {
                Some(label) => names.push(label.clone()),
                None if matches!(node.kind, Kind::Subtree | Kind::State) => names.push(node.name.clone()),
                None => {}
            }
        }
        names.reverse();
        names.join("/")
    }

    /// Returns `true` if a path names this node.
    fn is_at(&self, node: &Described, path: &str) -> bool {
        if path.is_empty() {
            return node.parent.is_none();
        }
        // A name may contain the separator.
        if node.is_named(path) {
            return true;
        }
        let Some((above, name)) = path.rsplit_once('/') else { return false };
        let mut above = above.rsplit('/').peekable();
        let mut parent = node.parent;
        while let (Some(name), Some(node)) = (above.peek(), parent.and_then(|parent| self.node(parent))) {
            if node.is_named(name) {
                above.next();
            }
            parent = node.parent;
        }
        node.is_named(name) && above.peek().is_none()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_type_is_called_by_the_last_part_of_its_path() {
        assert_eq!(crate::describe::short_name::<core::option::Option<core::time::Duration>>(), "Option");
        assert_eq!(crate::describe::short_name::<u8>(), "u8");
    }
}
