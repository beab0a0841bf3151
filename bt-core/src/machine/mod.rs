//! Finite state machines as nodes: `machine` in a [`tree!`](crate::tree!).
//!
//! States hold any node; arrows lead from state to state. See [`keywords::machine`](crate::keywords::machine) for the syntax.

mod arrows;
mod control;
mod hook;
mod node;
mod reach;
mod request;
mod site;
mod state;
mod states;

pub use arrows::{
    Arrow, ArrowFacts, ArrowList, Arrows, ArrowsShape, Guard, GuardShape, Leads, OnFailure, OnSuccess, Out, Target, To,
    When,
};
pub use control::{StateMachine, StateNames, UnknownState};
pub use hook::{Do, Edge, Hook, HookShape, NoHook};
pub use node::Machine;
pub use reach::{EachState, Reach, StateFacts};
pub use request::{HasStateRequest, Requested, StateRequest, requested};
pub use site::{any_arrow, arrow, hook, state};
pub use state::{Rules, RulesOver, RulesShape, State};
pub use states::{Phase, States, StatesShape};
