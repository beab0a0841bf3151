//! Wrappers that only describe: a source location, a named subtree.

use crate::describe::{InFile, Info, Kind, Name, Param, SourceNode};
use crate::forward::{stands_above_a_node, stands_for_a_node};

/// A tree together with its source location. It is not a node of its own.
#[derive(Clone, Copy, Debug)]
pub struct Located<N> {
    pub(crate) node: N,
    place: &'static SourceNode,
}

impl<N> Located<N> {
    /// Attaches a source location to a node.
    pub const fn new(place: &'static SourceNode, node: N) -> Self {
        Self { node, place }
    }
}

stands_for_a_node! {
    Located<N>, |this| this.node, shows(visitor) visitor.place(this.place);
    FromFile<N>, |this| this.node, shows(visitor) visitor.file_nodes(this.nodes);
}

/// A tree that was built from a file, together with the nodes of that file. It is not a node of its own.
#[derive(Clone, Copy, Debug)]
pub struct FromFile<N> {
    pub(crate) node: N,
    nodes: &'static [InFile<'static>],
}

impl<N> FromFile<N> {
    /// Attaches the nodes of the file to a tree, in pre-order.
    pub const fn new(node: N, nodes: &'static [InFile<'static>]) -> Self {
        Self { node, nodes }
    }
}

/// A named subtree, returned by a [`#[subtree]`](crate::subtree) function. It appears as a node above its tree.
#[derive(Clone, Copy)]
pub struct Subtree<N, P> {
    pub(crate) child: N,
    name: &'static str,
    params: P,
}

impl<N, P: Fn(&mut dyn FnMut(&[Param<'_>]))> Subtree<N, P> {
    /// Names a tree. `params` passes the arguments of the function to a callback.
    pub const fn new(name: &'static str, params: P, child: N) -> Self {
        Self { child, name, params }
    }
}

stands_above_a_node! {
    Subtree<N, P> [P: Fn(&mut dyn FnMut(&[Param<'_>]))], child, |this, visitor| {
        (this.params)(&mut |params| {
            visitor.enter(&Info { kind: Kind::Subtree, name: Name::Known(this.name), returns: Self::RETURNS, params });
        });
        // The child belongs to a `tree!` of its own.
        &[]
    }
}
