//! Behaviour trees written inline.
//!
//! `tree!` is parsed at compile time into statically typed nodes over your own context type. The tree is an immutable value that any
//! number of agents share; what an agent remembers is a plain value of a few bytes. Subtrees are functions, and mistakes in a
//! tree are compile errors that point at the token at fault.
//!
//! ```
//! use bt_core::prelude::*;
//!
//! struct Guard { enemy: Option<f32>, post: u32, now: Duration }
//!
//! impl Clock for Guard { fn now(&self) -> Duration { self.now } }
//!
//! #[condition]  // a leaf with a parameter
//! fn enemy_within(guard: &Guard, metres: f32) -> bool {
//!     guard.enemy.is_some_and(|distance| distance < metres)
//! }
//! fn attack(_: &mut Guard) -> Status { Status::Running }  // a leaf: any function of the context
//! fn next_post(guard: &mut Guard) { guard.post += 1 }
//!
//! #[subtree]  // a stored subtree: a function that builds one
//! fn guard() -> impl Node<Guard> {
//!     tree! {
//!         selector {
//!             sequence "fight" { enemy_within(10.0), attack }
//!             mem_sequence "patrol" { next_post, wait(secs(5)) }
//!         }
//!     }
//! }
//!
//! let tree = guard();  // one for all guards
//! let mut memory = tree.memory();  // one for each
//! let mut ann = Guard { enemy: None, post: 0, now: secs(0) };
//! assert_eq!(tree.tick(&mut ann, &mut memory), Status::Running);
//! assert_eq!(ann.post, 1);
//! ```
//!
//! # Where to look
//!
//! | for | see |
//! |---|---|
//! | the grammar of trees | [`tree!`] |
//! | every composite and decorator, with an example each | [`keywords`] |
//! | what can be a leaf | [`leaf::IntoNode`], [`macro@action`], [`macro@condition`], [`Leaf`] |
//! | ticking, halting, memories | [`Tree`], [`Memory`], [`Brain`] |
//! | your own decorator | [`Decorator`] |
//! | time, chance and errors | [`Clock`], [`Random`], [`OnError`] |
//! | state machines | [`keywords::machine`], [`StateMachine`] |
//! | the blackboard | [`board`] |
//! | many agents, saving them | [`Herd`], [`Save`] |
//! | watching, recording, counting | [`Observer`], [`observe`] |
//! | drawing | [`describe::Description`], [`draw::Drawing`] |
//! | files of the Behavior3 editor | the crate `bt-dynamic` |
//! | what the compiler checks, and what it says | [`check`], [`errors`] |
//! | words and differences of Behavior3, Engine22 and the other texts | [`coming_from`] |
//!
//! # Semantics
//!
//! 1. `sequence` and `selector` are reactive: each tick begins again at the first child. `mem_sequence` and `mem_selector` go on at the
//!    running child and forget when they end or are halted.
//! 2. Reactive does not mean that children forget: a running child to the right is resumed, not restarted, when the children before
//!    it let the tick pass.
//! 3. When a child before the running one becomes running or stops the composite, the old child is halted after the new one was
//!    ticked. Halting goes deepest first, children in order; only running nodes are halted.
//! 4. `Error` passes through every node at once, like `?`; whatever was open on the way is halted.
//! 5. After an end the next tick starts afresh.
//! 6. `parallel` ticks every child every tick, in order, and stops visiting at the first threshold reached; success is asked first. At its end
//!    running children are halted. `mem_parallel` does not tick finished children again and fails at once when it can no longer succeed.
//! 7. Bounded loops (`repeat(n)`, `retry(n)`) go on within the tick; unbounded ones start their child at most once per tick, so no tree
//!    can hang a tick.
//! 8. Past its deadline the child of a `timeout` is not ticked: it is halted, and the node fails.
//! 9. A composite without children is a compile error.
//! 10. The conditions of a machine's transitions, what is done on entering and leaving its states, and the action of a `service` are nodes as well: they have ids, keep what their decorators
//!     keep, and an `Error` of theirs ends the machine or service, which halts what is open.
//! 11. After a panic in a leaf nothing is running: see [`Memory`].
//!
//! # What to expect of the machine code
//!
//! In release builds a tree becomes one function. Conditions take no memory and leave no trace in it. A reactive tree of plain functions is the
//! `if`/`else` chain that you would write, and a store for whether it runs; one with memory jumps to the running child through one byte, as a
//! `match` over a state of yours would. Very large trees pay an instruction or two per level for finding the running child: 1.03 to 1.33 times the
//! instructions of a hand-written function at 1000 nodes. Nothing allocates. Debug builds take about ten nanoseconds per visited node. `benches` in the
//! repository measures all of this, and CI watches the instruction counts.
//!
//! # Features
//!
//! Without features the crate is `no_std` and allocates nowhere.
//!
//! | feature | adds |
//! |---|---|
//! | `alloc` (on by default) | what needs a heap: descriptions and drawings, [`Board`], [`BoxNode`], [`Brain`], [`Herd`] |
//! | `random` | `random_selector`, `random_sequence`, [`Random`] |
//! | `rayon` | [`Herd::par_tick_all`] (needs std) |
//! | `serde` | saving and loading: [`Save`], [`Herd::load`], [`Board::load`] |
//! | `record` | files of recorded ticks: [`observe::RecordFile`] (needs std) |
//! | `json` | `tree_from_json!`, and leaves that files can name (needs std) |
//! | `tracing` | [`observe::Tracer`]: a span per tick, an event per visited node |

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
// The documentation links to items of optional features.
#![cfg_attr(
    not(all(feature = "alloc", feature = "random", feature = "rayon", feature = "json", feature = "tracing")),
    allow(rustdoc::broken_intra_doc_links)
)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(test, feature = "record"))]
extern crate std;
// The macros' expansions name this crate from outside; its own doctests and modules do so too.
#[allow(unused_extern_crates)]
extern crate self as bt_core;

/// Without the feature `json` nothing is made from properties.
#[cfg(not(feature = "json"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __from_properties {
    ($($anything:tt)*) => {};
}

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod board;
#[cfg(feature = "alloc")]
mod boxed;
#[cfg(feature = "alloc")]
mod brain;
mod chance;
pub mod check;
mod clock;
pub mod composite;
pub mod decorator;
pub mod describe;
#[cfg(feature = "alloc")]
pub mod draw;
#[doc(hidden)]
pub mod engine;
mod error;
#[cfg(feature = "json")]
pub mod file;
#[doc = include_str!("../COMING_FROM.md")]
pub mod coming_from {
    #[cfg(all(doc, feature = "json"))]
    #[allow(unused_imports, reason = "for the links of the page")]
    use crate::*;
}
#[doc = include_str!("../ERRORS.md")]
pub mod errors {}
mod forward;
mod hash;
#[cfg(feature = "alloc")]
mod herd;
mod id;
pub mod keywords;
pub mod leaf;
pub mod machine;
mod macros;
mod memory;
mod node;
pub mod observe;
mod outcomes;
mod pointer;
mod property;
#[cfg(feature = "random")]
mod random;
#[cfg(feature = "serde")]
mod save;
mod status;
mod tree;
pub mod visit;
mod visitor;

#[cfg(feature = "json")]
pub use macros::tree_from_json;
pub use macros::{Blackboard, action, condition, decorator, leaf, subtree, tree};

pub use board::{Blackboard, HasBoard};
#[cfg(feature = "alloc")]
pub use board::{Board, Key};
#[cfg(feature = "alloc")]
pub use boxed::{BoxMemory, BoxNode, boxed};
#[cfg(feature = "alloc")]
pub use brain::{Brain, DynBrain, TypedBrain};
pub use check::{Lint, Requirement};
pub use clock::{Clock, Shift, Timed, millis, secs};
pub use decorator::{AfterChild, Decorated, Decorator, Gate, StatusMap, decorate};
pub use error::OnError;
#[cfg(feature = "alloc")]
pub use herd::{AgentId, Herd, StatusCounts};
pub use id::NodeId;
pub use leaf::{Leaf, error, fail, run, succeed, wait};
pub use machine::{StateMachine, StateNames, UnknownState};
pub use memory::Memory;
pub use node::{Node, NodeShape, Visit};
pub use observe::Observer;
pub use outcomes::Outcomes;
#[cfg(feature = "random")]
pub use random::{Random, rand_core};
#[cfg(feature = "serde")]
pub use save::{HerdRef, Save, Saved, SavedOpen};
pub use status::{End, Never, Outcome, Status, Step};
pub use tree::Tree;

/// What you want in scope where you write trees: `use bt_core::prelude::*;`.
pub mod prelude {
    #[cfg(feature = "random")]
    pub use crate::Random;
    #[cfg(feature = "serde")]
    pub use crate::Save;
    pub use crate::board::{compare, copy, is_set, set, unset};
    #[cfg(feature = "alloc")]
    pub use crate::observe::{Statistics, Statuses};
    pub use crate::{
        AfterChild, Blackboard, Clock, Decorated, Decorator, End, Gate, HasBoard, Leaf, Lint, Memory, Never, Node,
        NodeId, NodeShape, Observer, OnError, Outcome, Outcomes, Requirement, StateMachine, StateNames, Status,
        StatusMap, Tree, action, condition, decorate, decorator, error, fail, leaf, millis, run, secs, subtree,
        succeed, tree, wait,
    };
    #[cfg(feature = "alloc")]
    pub use crate::{Board, BoxNode, Brain, Herd, Key, boxed};
    pub use core::time::Duration;
}
