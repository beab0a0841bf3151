//! Nodes that only describe: a place in the source, a stored subtree.

use crate::describe::{InFile, Info, Kind, Name, Param, SourceNode};
use crate::forward::{stands_above_a_node, stands_for_a_node};

/// A tree together with its place in the source. Not a node of its own.
#[derive(Clone, Copy, Debug)]
pub struct Located<N> {
    pub(crate) node: N,
    place: &'static SourceNode,
}

impl<N> Located<N> {
    /// Says where a node stands.
    pub const fn new(place: &'static SourceNode, node: N) -> Self {
        Self { node, place }
    }
}

stands_for_a_node! {
    Located<N>, |this| this.node, shows(visitor) visitor.place(this.place);
    FromFile<N>, |this| this.node, shows(visitor) visitor.file_nodes(this.nodes);
}

/// A tree that was made of a file, together with what its nodes are there. Not a node of its own.
#[derive(Clone, Copy, Debug)]
pub struct FromFile<N> {
    pub(crate) node: N,
    nodes: &'static [InFile<'static>],
}

impl<N> FromFile<N> {
    /// Says what the nodes of a tree are in the file, in pre-order.
    pub const fn new(node: N, nodes: &'static [InFile<'static>]) -> Self {
        Self { node, nodes }
    }
}

/// A stored subtree: what a [`#[subtree]`](crate::subtree) function builds. It shows as a named node above its tree.
#[derive(Clone, Copy)]
pub struct Subtree<N, P> {
    pub(crate) child: N,
    name: &'static str,
    params: P,
}

impl<N, P: Fn(&mut dyn FnMut(&[Param<'_>]))> Subtree<N, P> {
    /// Names a tree. `params` shows the function's arguments to whoever asks.
    pub const fn new(name: &'static str, params: P, child: N) -> Self {
        Self { child, name, params }
    }
}

stands_above_a_node! {
    Subtree<N, P> [P: Fn(&mut dyn FnMut(&[Param<'_>]))], child, |this, visitor| {
        (this.params)(&mut |params| {
            visitor.enter(&Info { kind: Kind::Subtree, name: Name::Known(this.name), can: Self::CAN, params });
        });
        // The child stands in a tree of its own.
        &[]
    }
}
