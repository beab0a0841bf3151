//! Hooks: the `enter:` and `exit:` actions of states.

use crate::describe::{Role, SourceNode, Visitor};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::Outcome;
use crate::visit;
use crate::walk::{KeptState, StateVisitor};

/// The context-independent part of a [`Hook`].
pub trait HookShape {
    /// The state that the action keeps across its runs.
    type Kept: Default + Clone + Send + Sync + 'static;
    /// The statuses that the action can return.
    const RETURNS: Outcomes;
    /// The number of nodes; `None` if it is only known at run time.
    const COUNT: Option<u32>;

    /// Returns the number of nodes.
    fn count(&self) -> u32;
    /// Walks over the state of the action. See [`NodeShape::walk`].
    fn walk(&self, at: NodeId, kept: KeptState<'_, Self::Kept>, visitor: &mut dyn StateVisitor);
    /// Describes the action to a visitor. Removes its source location from the front of `sources`.
    fn describe(&self, role: Role, sources: &mut &'static [SourceNode], visitor: &mut dyn Visitor);
}

/// An action on entering or leaving a state, or no action.
pub trait Hook<C: ?Sized>: HookShape {
    /// Runs the action. Only an `Error` has an effect.
    fn call<O: Observer>(&self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) -> Outcome;
}

/// The event at which a hook runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    /// The state is entered.
    Enter,
    /// The state is left.
    Exit,
}

/// The absence of an action.
#[derive(Clone, Copy, Debug)]
pub struct NoHook;

/// A node as an action. The node cannot be running; its success or failure has no effect.
#[derive(Clone, Copy, Debug)]
pub struct Do<N>(N);

impl<N: NodeShape> Do<N> {
    /// Creates a hook that runs this node.
    pub const fn new(action: N) -> Self {
        Self(action)
    }
}

impl HookShape for NoHook {
    type Kept = ();
    const RETURNS: Outcomes = Outcomes::NONE;
    const COUNT: Option<u32> = Some(0);

    #[inline]
    fn count(&self) -> u32 {
        0
    }

    fn walk(&self, _: NodeId, _: KeptState<'_, ()>, _: &mut dyn StateVisitor) {}

    fn describe(&self, _: Role, _: &mut &'static [SourceNode], _: &mut dyn Visitor) {}
}

impl<C: ?Sized> Hook<C> for NoHook {
    #[inline(always)]
    fn call<O: Observer>(&self, _: NodeId, (): &mut (), _: &mut Visit<'_, C, O>) -> Outcome {
        Outcome::Success
    }
}

impl<N: NodeShape> HookShape for Do<N> {
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

impl<C: ?Sized, N: Node<C>> Hook<C> for Do<N> {
    #[inline(always)]
    fn call<O: Observer>(&self, at: NodeId, kept: &mut N::Kept, visit: &mut Visit<'_, C, O>) -> Outcome {
        visit::at_once(&self.0, at, kept, visit)
    }
}
