//! Methods that nodes call to describe themselves and the nodes below them.

use crate::node::NodeShape;
use crate::outcomes::Outcomes;
use bt_words::Role;

use crate::visitor::{Info, Kind, Name, Param, SourceNode, StateType, Visitor};

impl dyn Visitor + '_ {
    /// Describes the node `N`, which has no children: its kind, its name and its parameters.
    pub fn leaf<N: NodeShape + ?Sized>(&mut self, kind: Kind, name: &str, params: &[Param<'_>]) {
        self.leaf_of::<(N::Open, N::Kept)>(&Info { kind, name: Name::Known(name), returns: N::RETURNS, params });
    }

    /// Describes a node without children, by the types of its state: most leaves have the same.
    #[doc(hidden)]
    pub fn leaf_of<State>(&mut self, info: &Info<'_>) {
        self.state(StateType::of::<State>());
        self.enter(info);
        self.leave();
    }

    /// Describes a leaf that is a function of the type `F`.
    pub(crate) fn function<F, State>(&mut self, kind: Kind, returns: Outcomes) {
        let name = Name::Type(core::any::type_name::<F>());
        self.leaf_of::<State>(&Info { kind, name, returns, params: &[] });
    }

    /// Describes a child, after its source location.
    pub(crate) fn child<N: NodeShape + ?Sized>(&mut self, sources: &'static [SourceNode], index: usize, child: &N) {
        if let Some(place) = sources.get(index) {
            self.place(place);
        }
        child.describe(self);
    }

    /// Describes an attached node, after its source location. The location is removed from the front of `sources`.
    pub(crate) fn attachment<N: NodeShape>(&mut self, sources: &mut &'static [SourceNode], role: Role, node: &N) {
        if let Some((place, rest)) = sources.split_first() {
            self.place(place);
            *sources = rest;
        }
        self.role(role);
        node.describe(self);
    }
}
