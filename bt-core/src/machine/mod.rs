//! Finite state machines as nodes: `machine` in a [`tree!`](crate::tree!).
//!
//! States contain any node; transitions lead from state to state. See [`keywords::machine`](crate::keywords::machine)
//! for the syntax.

mod attached;
mod control;
#[cfg(feature = "alloc")]
mod handle;
mod hook;
mod node;
mod request;
mod rule;
mod state;
mod states;
mod target;
mod transitions;

#[doc(hidden)]
pub use attached::{Attached, AttachedShape};
pub use control::{StateMachine, StateNames, UnknownState};
#[cfg(feature = "alloc")]
pub use handle::{ForceState, MachineHandle, UnknownStateName};
#[doc(hidden)]
pub use hook::{Edge, Hook, NoHook};
pub use node::Machine;
#[doc(hidden)]
pub use node::machine;
pub use request::{HasStateRequest, Requested, StateRequest, requested};
#[doc(hidden)]
pub use rule::{MachineParts, Visited, stays};
#[doc(hidden)]
pub use state::{State, StateRules, StateRulesOver, StateRulesShape};
#[doc(hidden)]
pub use states::{Branch, Phase, States, StatesShape};
#[doc(hidden)]
pub use target::Target;
#[doc(hidden)]
pub use transitions::{Guard, GuardShape, Guarded, Leads, OnEnd, Out, To, Transitions, TransitionsShape};
