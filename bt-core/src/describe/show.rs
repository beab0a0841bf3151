//! What nodes call to show themselves and what is below them.

use crate::node::NodeShape;
use bt_words::Role;

use crate::visitor::{Info, SourceNode, StateType, Visitor};

impl dyn Visitor + '_ {
    /// A node without children.
    pub fn leaf<N: NodeShape + ?Sized>(&mut self, info: &Info<'_>) {
        self.state(StateType::of::<(N::Open, N::Kept)>());
        self.enter(info);
        self.leave();
    }

    /// Shows a child, and before it where it stands.
    pub(crate) fn child<N: NodeShape + ?Sized>(&mut self, sources: &'static [SourceNode], index: usize, child: &N) {
        if let Some(place) = sources.get(index) {
            self.place(place);
        }
        child.describe(self);
    }

    /// Shows a node that is not a child like any other, and before it where it stands: at the first of `sources`, which is taken off.
    pub(crate) fn attachment<N: NodeShape>(&mut self, sources: &mut &'static [SourceNode], role: Role, node: &N) {
        if let Some((place, rest)) = sources.split_first() {
            self.place(place);
            *sources = rest;
        }
        self.role(role);
        node.describe(self);
    }
}
