//! Behavior trees, written inline and checked by the compiler.
//!
//! The [`tree!`] macro expands to statically typed nodes over a user-defined context type. A tree is an immutable value
//! that any number of agents share. The state of one agent is a plain value of a few bytes. Subtrees are functions.
//!
//! ```
//! use bt_core::prelude::*;
//!
//! struct Guard { enemy: Option<f32>, post: u32, now: Duration }
//!
//! impl Clock for Guard { fn now(&self) -> Duration { self.now } }
//!
//! #[condition]  // a leaf with a parameter
//! fn enemy_within(guard: &Guard, meters: f32) -> bool {
//!     guard.enemy.is_some_and(|distance| distance < meters)
//! }
//! fn attack(_: &mut Guard) -> Status { Status::Running }  // a leaf: a function of the context
//! fn next_post(guard: &mut Guard) { guard.post += 1 }
//!
//! #[subtree]  // a reusable subtree: a function that returns a node
//! fn guard() -> impl Node<Guard> {
//!     tree! {
//!         selector {
//!             sequence "fight" { enemy_within(10.0), attack }
//!             mem_sequence "patrol" { next_post, wait(secs(5)) }
//!         }
//!     }
//! }
//!
//! let tree = guard();  // one tree for all guards
//! let mut memory = tree.memory();  // one memory for each guard
//! let mut ann = Guard { enemy: None, post: 0, now: secs(0) };
//! assert_eq!(tree.tick(&mut ann, &mut memory), Status::Running);
//! assert_eq!(ann.post, 1);
//! ```
//!
//! # Terms
//!
//! | term | meaning |
//! |---|---|
//! | context | The value that leaves read and change, of any type. See [`Tree`]. |
//! | leaf | A node without children: a *condition* reads the context, an *action* changes it. See [`leaf::IntoNode`]. |
//! | composite | A node that ticks several children by a rule, such as `selector` and `sequence`. |
//! | decorator | A node with one child. It decides when the child is ticked, and can change its outcome. See [`decorator::Decorator`]. |
//! | tick | One evaluation of the tree for one agent. A tick *visits* the nodes that it reaches. |
//! | status, outcome | A tick returns a [`Status`]: `Success`, `Failure`, `Running` or `Error`. All but `Running` are [outcomes](Outcome). |
//! | run | The time from the tick that starts a node to its outcome or its halt. A run can span many ticks. |
//! | halt | To end a run from outside. A halted node can clean up, but is not ticked. |
//! | memory | The state of one agent in one tree: a [`Memory`]. |
//! | `Open` | The part of a node's state that exists while the node runs. It is created when a run starts and dropped when the run ends. |
//! | `Kept` | The part of a node's state that is kept across runs, such as the count of a `limit`. Most nodes have none. |
//!
//! # Overview
//!
//! | topic | items |
//! |---|---|
//! | the grammar of trees | [`tree!`] |
//! | all composites and decorators, with an example each | [`keywords`] |
//! | leaves | [`leaf::IntoNode`], [`macro@action`], [`macro@condition`], [`leaf::Leaf`] |
//! | ticking and halting trees, memories | [`Tree`], [`Memory`], [`Brain`] |
//! | custom decorators | [`decorator::Decorator`] |
//! | asynchronous actions, a loop that ticks a tree | [`task`], [`drive`] |
//! | time, randomness, errors | [`Clock`], [`Random`], [`OnError`] |
//! | times and counts that depend on the context or are random | [`argument::IntoArgument`] |
//! | state machines | [`keywords::machine`], [`machine::StateMachine`] |
//! | the blackboard | [`board`] |
//! | many agents, saving and loading | [`Herd`], [`Save`] |
//! | going back to an earlier tick | [`Rewind`] |
//! | observing, recording, counting | [`Observer`], [`observe`] |
//! | drawing | [`describe::Description`], [`draw::Drawing`] |
//! | files of the Behavior3 editor | the crate `bt-dynamic` |
//! | checks at compile time | [`check`] |
//! | the names of Behavior3, Engine22 and other sources | [`coming_from`] |
//!
//! # Semantics
//!
//! 1. `sequence` and `selector` are reactive: each tick starts at the first child. `mem_sequence` and `mem_selector`
//!    resume at the running child. Their position is cleared when they end or are halted.
//! 2. The children of a reactive composite keep their state. If the composite continues past the children before a
//!    running child, that child is resumed, not restarted.
//! 3. A child before the running one can become running or end the composite. Then the running child is halted, after
//!    the earlier child was ticked. Nodes are halted deepest first, children in order. Only running nodes are halted.
//! 4. `Error` ends every ancestor at once, like `?`, unless a decorator handles it ([`decorator::Decorator::error`]). Running
//!    nodes on the way are halted. `finally` returns it after its cleanup.
//! 5. After a run ends, the next tick starts a new one.
//! 6. `parallel` ticks every child every tick, in order. It stops at the first threshold reached; success is checked
//!    first. When it ends, running children are halted. `mem_parallel` does not tick finished children again. It fails
//!    at once when it can no longer succeed.
//! 7. Bounded loops (`repeat(n)`, `retry(n)`) continue within the tick. Unbounded loops start their child at most once
//!    per tick, so that no tick loops forever.
//! 8. After the time of a `timeout` has passed, its child is not ticked again: the child is halted, and `timeout`
//!    fails.
//! 9. A composite without children is a compile error.
//! 10. The guards of transitions, the `enter:` and `exit:` actions of states, and the action of a `service` are nodes
//!     with ids and state of their own. If one of them returns `Error`, the machine or service ends with `Error` and
//!     halts its running nodes.
//! 11. `finally` runs its second child after the first has ended or was halted. A halt ticks it once; if it is then running, each
//!     tick of the tree begins with it. `if`, `match`, `machine`, the node itself and a `finally` above it start their next child after it.
//! 12. After a panic in a leaf, no node is running, except in cleanups that a halt has left (rule 11). A panic in such a cleanup ends only
//!     the cleanup: see [`Memory`].
//!
//! # Performance
//!
//! In release builds, a tree compiles to one function. Conditions take no memory. A reactive tree of plain functions
//! compiles to the code of a hand-written `if`/`else` chain, plus one store that records whether the tree is running. A
//! tree with memory jumps to the running child through one byte, like a hand-written `match` over a state.
//!
//! Very large trees need one or two more instructions per level to find the running child. At 1000 nodes, a tree
//! executes 1.03 to 1.33 times the instructions of a hand-written function. A tick does not allocate, except when a
//! [`BoxNode`] runs for the first time. Debug builds take about 10 ns per visited node. The `benches` in the repository
//! measure all of this, and CI checks the instruction counts.
//!
//! # Features
//!
//! Without features the crate is `no_std` and does not allocate.
//!
//! | feature | adds |
//! |---|---|
//! | `alloc` (default) | everything that needs a heap: descriptions and drawings, [`board::Board`], [`BoxNode`], [`Brain`], [`Herd`], [`Rewind`] |
//! | `std` (default) | a report of errors that nothing receives, in debug builds: see [`OnError`] |
//! | `random` | `random_selector`, `random_sequence`, `chance`, random times and counts, [`Random`] |
//! | `rayon` | [`Herd::par_tick_all`], [`Herd::par_for_each`] (needs `std`) |
//! | `serde` | saving and loading: [`Save`], [`Herd::load`], [`board::Board::load`] |
//! | `record` | files of recorded ticks: [`observe::RecordFile`] (needs `std`) |
//! | `json` | `tree_from_json!`, and leaves that are created from the properties in a file (needs `std`) |
//! | `text` | `tree_from_file!` |
//! | `async` | asynchronous actions ([`task`]), wakers of agents, driving loops ([`drive`]) (needs `std`) |
//! | `tracing` | [`observe::Tracer`]: a span per tick, an event per visited node |
//! | `live` | trees that follow their source while the program runs, with the crate `bt-live` |

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
// The documentation links to items of optional features.
#![cfg_attr(
    not(all(feature = "async", feature = "random", feature = "rayon", feature = "text", feature = "tracing")),
    allow(rustdoc::broken_intra_doc_links)
)]

// The README's code is run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;
// Macro expansions refer to this crate by its name, also in its own modules and doctests.
#[allow(unused_extern_crates)]
extern crate self as bt_core;

/// Expands to nothing: without the feature `json`, leaves are not created from properties.
#[cfg(not(feature = "json"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __from_properties {
    ($($anything:tt)*) => {};
}

/// Expands to an asynchronous action.
#[cfg(feature = "async")]
#[doc(hidden)]
#[macro_export]
macro_rules! __async_action {
    ({ $($action:tt)* } { $($stand_in:tt)* }) => { $($action)* };
}

/// Expands to an error and to a function in place of the action.
#[cfg(not(feature = "async"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __async_action {
    ({ $($action:tt)* } { $($stand_in:tt)* }) => {
        ::core::compile_error!("an action with a future needs the feature `async` of `bt-core`");
        $($stand_in)*
    };
}

#[doc(hidden)]
pub use expansion as __private;

pub mod argument;
pub mod board;
#[cfg(feature = "random")]
mod chance;
pub mod check;
mod clock;
pub mod composite;
pub mod decorator;
pub mod describe;
#[cfg(feature = "alloc")]
pub mod draw;
#[cfg(feature = "async")]
pub mod drive;
mod edits;
#[doc(hidden)]
pub mod engine;
#[cfg(feature = "alloc")]
mod erased;
mod error;
#[doc(hidden)]
pub mod expansion;
#[doc(hidden)]
pub mod facts;
mod family;
#[cfg(feature = "json")]
pub mod file;
#[doc = include_str!("../COMING_FROM.md")]
pub mod coming_from {
    #[cfg(all(doc, feature = "json"))]
    #[allow(unused_imports, reason = "for the links of the page")]
    use crate::*;
}
mod forward;
mod hash;
#[cfg(feature = "alloc")]
mod herd;
mod id;
pub mod keywords;
pub mod leaf;
#[doc(hidden)]
pub mod list;
pub mod machine;
mod macros;
mod memory;
mod node;
pub mod observe;
mod observer;
mod outcomes;
mod pointer;
mod property;
#[cfg(feature = "random")]
mod random;
#[cfg(feature = "alloc")]
mod recording;
#[cfg(all(debug_assertions, feature = "std"))]
mod report;
#[cfg(feature = "alloc")]
mod rewind;
#[cfg(feature = "serde")]
mod save;
#[cfg(feature = "alloc")]
mod schedule;
mod silent;
mod stated;
mod status;
#[cfg(feature = "async")]
pub mod task;
#[cfg(feature = "alloc")]
pub mod testing;
mod tree;
#[doc(hidden)]
pub mod visit;
mod visitor;
mod wake;
mod walk;
mod within;
#[doc(hidden)]
pub mod words;

pub use macros::{Blackboard, action, composite, condition, decorator, leaf, subtree};

pub use clock::{Clock, Seconds, Shift, Timed, millis, secs};
#[cfg(feature = "serde")]
pub use erased::SaveMemory;
#[cfg(feature = "alloc")]
pub use erased::{BoxMemory, BoxNode, Brain, DynNode, DynShape, ErasedMemory, boxed};
pub use error::{OnError, OnFailure};
pub use family::{ContextFamily, ContextOf, Contexts, Single};
#[cfg(feature = "serde")]
pub use herd::HerdRef;
#[cfg(feature = "alloc")]
pub use herd::{AgentId, AgentVisit, DueAgent, Herd, HerdMemories, StatusCounts};
pub use id::NodeId;
pub use memory::Memory;
pub use node::{Node, NodeShape};
pub use observer::Observer;
pub use outcomes::Outcomes;
#[cfg(feature = "random")]
pub use random::{Random, rand_core};
#[cfg(feature = "alloc")]
pub use rewind::{Rewind, Snapshot};
#[cfg(feature = "serde")]
pub use save::{MemoryRef, Save, Saved, SavedOpen};
pub use status::{Cause, CleanUp, End, Never, Outcome, Status, Step};
pub use tree::Tree;
pub use wake::Wake;
pub use within::Within;

/// The types that a [`Node`] or [`NodeShape`] written by hand receives and returns, and those of a walk over the state of a tree.
///
/// Leaves, decorators and composites of [`#[leaf]`](macro@leaf), [`#[decorator]`](macro@decorator) and [`#[composite]`](macro@composite) need none
/// of them, except where one states when it has to be ticked again.
pub mod protocol {
    pub use crate::node::Visit;
    pub use crate::status::Interrupt;
    pub use crate::wake::{Foreseen, WakeVisit};
    pub use crate::walk::{NodeState, OwnState, StateBytes, StateVisitor};
}

/// The items that most programs need: `use bt_core::prelude::*;`. Types for custom decorators and composites, for observers, and
/// leaves over a board are in their modules.
pub mod prelude {
    #[cfg(feature = "random")]
    pub use crate::Random;
    #[cfg(feature = "serde")]
    pub use crate::Save;
    pub use crate::board::{Blackboard, HasBoard};
    #[cfg(feature = "alloc")]
    pub use crate::board::{Board, Key};
    pub use crate::composite::Composite;
    pub use crate::decorator::Decorator;
    pub use crate::leaf::{Leaf, error, fail, run, succeed, wait};
    pub use crate::machine::StateMachine;
    pub use crate::macros::{Blackboard, action, composite, condition, decorator, leaf, subtree, tree};
    #[cfg(feature = "alloc")]
    pub use crate::{BoxNode, Brain, Herd, boxed};
    pub use crate::{
        Cause, Clock, End, Memory, Node, NodeId, NodeShape, Observer, OnError, OnFailure, Outcome, Status, Tree,
        millis, secs,
    };
    pub use core::time::Duration;
}
