//! Finite state machines as nodes: `machine` in a [`tree!`](crate::tree!).
//!
//! States hold any node; arrows lead from state to state. See [`keywords::machine`](crate::keywords::machine) for the syntax.

mod arrows;
mod control;
mod node;
mod state;
mod states;

pub use arrows::{Arrow, Arrows, ArrowsShape, Guard, GuardShape, Leads, OnFailure, OnSuccess, Out, Target, To, When};
pub use control::{StateMachine, StateNames, UnknownState};
pub use node::Machine;
pub use state::{Do, Hook, NoHook, Rules, RulesOver, RulesShape, State};
pub use states::{Phase, States, StatesShape};
