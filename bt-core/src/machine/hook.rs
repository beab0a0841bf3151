//! Hooks: the `enter:` and `exit:` actions of states.

use crate::id::NodeId;
use crate::machine::attached::{Attached, AttachedShape};
use crate::node::{Node, Visit};
use crate::observer::Observer;
use crate::status::Outcome;
use crate::visit;

/// An action on entering or leaving a state, or no action.
pub trait Hook<C: ?Sized>: AttachedShape {
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

impl AttachedShape for NoHook {
    type Kept = ();
}

impl<C: ?Sized> Hook<C> for NoHook {
    #[inline(always)]
    fn call<O: Observer>(&self, _: NodeId, (): &mut (), _: &mut Visit<'_, C, O>) -> Outcome {
        Outcome::Success
    }
}

impl<C: ?Sized, N: Node<C>> Hook<C> for Attached<N> {
    #[inline(always)]
    fn call<O: Observer>(&self, at: NodeId, kept: &mut N::Kept, visit: &mut Visit<'_, C, O>) -> Outcome {
        visit::at_once(&self.0, at, kept, visit)
    }
}
