//! What is attached to a state or a transition: a node, or nothing.

use crate::describe::{Role, SourceNode, Visitor};
use crate::id::NodeId;
use crate::node::NodeShape;
use crate::outcomes::Outcomes;
use crate::walk::{KeptState, StateVisitor};

/// The condition of a transition, the action of a state, or neither. The defaults are those of what has no node.
#[expect(unused_variables, reason = "the defaults ignore their arguments")]
pub trait AttachedShape {
    /// The state that the node keeps across its runs.
    type Kept: Default + Clone + Send + Sync + 'static;
    /// The statuses that the node can return.
    const RETURNS: Outcomes = Outcomes::NONE;
    /// The number of nodes; `None` if it is only known at run time.
    const COUNT: Option<u32> = Some(0);

    /// Returns the number of nodes.
    #[inline]
    fn count(&self) -> u32 {
        0
    }

    /// Walks over the state of the node. See [`NodeShape::walk`].
    fn walk(&self, at: NodeId, kept: KeptState<'_, Self::Kept>, visitor: &mut dyn StateVisitor) {}

    /// Describes the node to a visitor. Removes its source location from the front of `sources`.
    fn describe(&self, role: Role, sources: &mut &'static [SourceNode], visitor: &mut dyn Visitor) {}
}

/// A node that cannot be running: as a guard, it holds if it succeeds; as an action, only its error has an effect.
#[derive(Clone, Copy, Debug)]
pub struct Attached<N>(pub(super) N);

impl<N: NodeShape> Attached<N> {
    /// Attaches this node.
    pub const fn new(node: N) -> Self {
        Self(node)
    }
}

impl<N: NodeShape> AttachedShape for Attached<N> {
    type Kept = N::Kept;
    const RETURNS: Outcomes = N::RETURNS;
    const COUNT: Option<u32> = N::COUNT;

    #[inline]
    fn count(&self) -> u32 {
        self.0.count()
    }

    fn walk(&self, at: NodeId, kept: KeptState<'_, N::Kept>, visitor: &mut dyn StateVisitor) {
        self.0.walk(at, kept.idle(), visitor);
    }

    fn describe(&self, role: Role, sources: &mut &'static [SourceNode], visitor: &mut dyn Visitor) {
        visitor.attachment(sources, role, &self.0);
    }
}
