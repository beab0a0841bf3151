//! Explores every run of a behavior tree in a unit test.
//!
//! The state of an agent is a context and a memory of a few bytes. [`explore`] visits all states that a tree can reach, by any choice that leaves and the
//! environment can make, and checks properties of all runs. A property that does not hold is reported with a shortest run that violates it.
//!
//! ```
//! use bt_core::prelude::*;
//! use bt_explore::{explore, flip, pick};
//!
//! /// A model of the robot: only what the tree depends on.
//! #[derive(Clone, Default, Hash, Debug)]
//! struct Robot { door_open: bool, driving: bool }
//!
//! fn door_closed(robot: &Robot) -> bool { !robot.door_open }
//! struct Drive;
//! #[leaf]
//! impl Leaf<Robot> for Drive {
//!     fn open(&self, robot: &mut Robot) { robot.driving = true }
//!     fn tick(&self, _: &mut (), _: &mut Robot) -> Status {
//!         pick("drive", &[Status::Running, Status::Success, Status::Failure])      // it may do anything
//!     }
//!     fn close(&self, _: &mut (), robot: &mut Robot, _: End) { robot.driving = false }
//! }
//!
//! // `mem_sequence` does not look at the door again while it drives.
//! let hasty = tree! { for Robot: mem_sequence { door_closed, (Drive) } };
//! let careful = tree! { for Robot: sequence { door_closed, (Drive) } };
//!
//! let moves_door = |robot: &mut Robot| if flip("the door moves") { robot.door_open = !robot.door_open };
//! let drives_into_door = |tick: &bt_explore::Ticked<'_, Robot>| tick.ctx.driving && tick.ctx.door_open;
//!
//! let exploration = explore(&hasty, Robot::default())
//!     .environment(moves_door)
//!     .never("drives with the door open", drives_into_door)
//!     .run();
//! assert_eq!(exploration.violations().next().unwrap().to_string(), "\
//! violated: drives with the door open
//! note: in the last of 2 ticks
//! tick  status   leaves
//!    1  running  door_closed: success, Drive: running
//!                chosen: the door moves: 0 of 2, drive: 0 of 3
//!    2  running  Drive: running
//!                chosen: the door moves: 1 of 2, drive: 0 of 3
//! ");
//!
//! let exploration = explore(&careful, Robot::default())
//!     .environment(moves_door)
//!     .never("drives with the door open", drives_into_door)
//!     .eventually("arrives", |tick| tick.status == Status::Success)
//!     .check();
//! assert_eq!((exploration.states(), exploration.transitions()), (6, 24));
//! ```
//!
//! # Models
//!
//! The context must be `Clone` and `Hash`, and small: what it contains multiplies the states. It can be the context of the program, or a model with the same leaves, if they
//! are generic over a trait. Leaves and the environment call [`choose`], [`flip`] or [`pick`] where several things can happen. [`Draws`] makes the random numbers
//! of a context choices.
//!
//! Without a model, leaves can be [free](Explorer::free): they are not called, and return any status that their types allow.
//! [`free_tree`] makes a tree of free leaves from a tree over any context, even a context that borrows or cannot be cloned; with
//! [`model_tree`], some leaves are those of a model.
//!
//! The memory must be serializable, as for a [`Save`](bt_core::Save). Everything that a leaf reads must be in the context, in the
//! memory, or a choice, and everything that distinguishes two states must be hashed or serialized.
//!
//! # Properties
//!
//! | property | holds if |
//! |---|---|
//! | [`always`](Explorer::always), [`never`](Explorer::never) | in each tick, in none |
//! | [`sometimes`](Explorer::sometimes) | in at least one tick of at least one run |
//! | [`eventually`](Explorer::eventually) | sooner or later in each fair run |
//! | [`leads_to`](Explorer::leads_to) | sooner or later after each trigger, in each fair run |
//! | [`always_possible`](Explorer::always_possible) | in some run from each state |
//! | [`responds`](Explorer::responds) | after each trigger, within a number of ticks |
//! | [`before_end`](Explorer::before_end) | after each trigger, before the tree ends |
//! | [`no_leaf_ticks_twice`](Explorer::no_leaf_ticks_twice) | no leaf is ticked twice in a tick |
//!
//! A panic in a leaf is a violation, too: `assert!` in a model is a property. [`Exploration`] also lists what never happens:
//! nodes that are never visited, statuses that are never returned, transitions that are never taken, and states in which nothing
//! changes any more.
//!
//! # States
//!
//! States are distinguished by a 128-bit hash of the context and the memory. Among 10^9 states, the probability that two have the
//! same hash is about 10^-21. The search is breadth first, on one thread.

#![forbid(unsafe_code)]

// The README's code is run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod bits;
mod choices;
mod coverage;
mod draws;
mod explorable;
mod exploration;
mod explorer;
mod free;
mod free_leaf;
mod free_tree;
mod futures;
mod key;
mod live;
mod model_tree;
mod names;
mod progress;
mod property;
mod replay;
mod run;
mod samples;
mod search;
mod states;
mod subject;
mod ticked;
mod watch;

pub use choices::{Choice, choose, choose_labeled, flip, pick, with_choices};
pub use coverage::Unseen;
pub use draws::Draws;
pub use explorable::Explorable;
pub use exploration::{Exploration, Finding, Limit, Verdict};
pub use explorer::{Explorer, explore};
pub use free_tree::{FreeContext, FreeTree, free_tree, free_tree_with};
pub use model_tree::{ModelError, model_tree};
pub use run::{Run, RunTick};
pub use ticked::Ticked;
