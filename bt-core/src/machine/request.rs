//! States requested by leaves.

use crate::describe::{Kind, Param, Visitor};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Never, Outcome, Step};

/// A field of the context for the state that a leaf has requested. See [`requested`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct StateRequest(Option<&'static str>);

impl StateRequest {
    /// Creates a field without a request.
    pub const fn new() -> Self {
        Self(None)
    }

    /// Requests a state. Replaces an earlier request.
    pub const fn to(&mut self, state: &'static str) {
        self.0 = Some(state);
    }

    /// Returns the requested state; `None` if there is no request.
    pub const fn get(&self) -> Option<&'static str> {
        self.0
    }

    /// Withdraws the request.
    pub const fn clear(&mut self) {
        self.0 = None;
    }
}

/// A context in which leaves can request a state.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no state request",
    label = "the context must implement `HasStateRequest`",
    note = "add `impl HasStateRequest for {Self} {{ fn state_request(&mut self) -> &mut StateRequest {{ … }} }}`"
)]
pub trait HasStateRequest {
    /// Returns the field with the requested state.
    fn state_request(&mut self) -> &mut StateRequest;
}

/// Creates a condition that succeeds if a leaf has requested this state, and clears the request. As the guard of a
/// transition, it lets a leaf choose the next state.
///
/// A leaf requests a state with [`StateRequest::to`]. The transition is considered in the next tick, which follows at
/// most one transition. A request that no transition takes remains until another state is requested, or until the request is
/// [cleared](StateRequest::clear).
///
/// ```
/// use bt_core::machine::{HasStateRequest, StateRequest, requested};
/// use bt_core::prelude::*;
///
/// #[derive(Default)]
/// struct Sheep { wolf: bool, next: StateRequest }
///
/// impl HasStateRequest for Sheep {
///     fn state_request(&mut self) -> &mut StateRequest { &mut self.next }
/// }
///
/// fn graze(sheep: &mut Sheep) -> Status {
///     if sheep.wolf { sheep.next.to("fear") }      // `this.to("fear", …)` in the article, in a state's tick
///     Status::Running
/// }
///
/// #[subtree]
/// fn sheep() -> impl StateMachine<Sheep> {
///     tree! {
///         machine {
///             state idle { graze }
///             state fear { run }
///             any { requested("fear") -> fear, requested("idle") -> idle }
///         }
///     }
/// }
///
/// let tree = sheep();
/// let (mut ann, mut memory) = (Sheep { wolf: true, ..Sheep::default() }, tree.memory());
/// tree.tick(&mut ann, &mut memory);
/// assert_eq!(tree.state(&memory), Some("idle"));
/// tree.tick(&mut ann, &mut memory);
/// assert_eq!(tree.state(&memory), Some("fear"));
/// ```
///
/// For trees from files, the condition is registered like any leaf: `registry.add_leaf("WantsFear", requested("fear"))`.
pub const fn requested(state: &'static str) -> Requested {
    Requested { state }
}

/// The leaf created by [`requested`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(hidden)]
pub struct Requested {
    state: &'static str,
}

impl NodeShape for Requested {
    type Open = Never;
    type Kept = ();
    const RETURNS: Outcomes = Outcomes::SUCCESS.or(Outcomes::FAILURE);

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.leaf::<Self>(Kind::Condition, "requested", &[Param::new("state", &self.state)]);
    }
}

impl<C: ?Sized + HasStateRequest> Node<C> for Requested {
    #[inline]
    fn start<O: Observer>(&self, _: NodeId, (): &mut (), visit: &mut Visit<'_, C, O>) -> Step<Never> {
        let request = visit.ctx.state_request();
        let granted = request.get() == Some(self.state);
        if granted {
            request.clear();
        }
        Step::Done(Outcome::from(granted))
    }
}
