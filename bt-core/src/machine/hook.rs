//! What is done on entering or leaving a state.

use crate::clock::Shift;
use crate::describe::{Role, SourceNode, Visitor};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit};
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::Outcome;
use crate::visit;

/// What is done on entering or leaving a state, apart from the context.
pub trait HookShape {
    /// What it keeps from one time to the next.
    type Kept: Default + Clone + Send + Sync + 'static;
    /// What it can give.
    const CAN: Outcomes;
    /// How many nodes it has, where the type says it.
    const COUNT: Option<u32>;

    /// How many nodes it has.
    fn count(&self) -> u32;
    /// Arity times that it stores over to another clock.
    fn shift_times(&self, kept: &mut Self::Kept, by: Shift);
    /// Shows it to a visitor. Arity its place off the front of `sources`.
    fn describe(&self, role: Role, sources: &mut &'static [SourceNode], visitor: &mut dyn Visitor);
}

/// What is done on entering or leaving a state.
pub trait Hook<C: ?Sized>: HookShape {
    /// Does it. Only an `Error` matters.
    fn call<O: Observer>(&self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) -> Outcome;
}

/// On which of its two occasions a state's hook is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    /// The state is entered.
    Enter,
    /// The state is left.
    Exit,
}

/// Nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoHook;

/// A node that cannot be running; whether it succeeds or fails does not matter.
#[derive(Clone, Copy, Debug)]
pub struct Do<N>(N);

impl<N: NodeShape> Do<N> {
    /// Does this.
    pub const fn new(action: N) -> Self {
        Self(action)
    }
}

impl HookShape for NoHook {
    type Kept = ();
    const CAN: Outcomes = Outcomes::NONE;
    const COUNT: Option<u32> = Some(0);

    #[inline(always)]
    fn count(&self) -> u32 {
        0
    }

    fn shift_times(&self, (): &mut (), _: Shift) {}

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
    const CAN: Outcomes = N::CAN;
    const COUNT: Option<u32> = N::COUNT;

    #[inline(always)]
    fn count(&self) -> u32 {
        self.0.count()
    }

    fn shift_times(&self, kept: &mut N::Kept, by: Shift) {
        self.0.shift_times(None, kept, by);
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
