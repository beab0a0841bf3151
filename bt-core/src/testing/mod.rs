//! Tests of trees: a log of the statuses of leaves, scripted leaves, and a clock that is set by hand.
//!
//! A [`TreeTest`] holds a tree, the memory of one agent and its context. It logs events, and can replace nodes
//! by scripted statuses.
//!
//! ```
//! use bt_core::prelude::*;
//! use bt_core::testing::TreeTest;
//!
//! struct Guard { enemy: bool }
//! fn enemy_near(guard: &Guard) -> bool { guard.enemy }
//! fn attack(_: &mut Guard) -> Status { Status::Running }
//! fn patrol(_: &mut Guard) -> Status { Status::Running }
//!
//! #[subtree]
//! fn guard() -> impl Node<Guard> { tree! { selector { sequence "fight" { enemy_near, attack } patrol } } }
//!
//! let mut test = TreeTest::new(guard(), Guard { enemy: false });
//! assert_eq!(test.tick(), Status::Running);
//! assert_eq!(test.log(), ["enemy_near: failure", "patrol: running"]);
//!
//! test.ctx.enemy = true;                         // the guard attacks, and its patrol is halted
//! test.replace("attack", [Status::Running, Status::Success]);
//! assert_eq!(test.tick(), Status::Running);
//! assert_eq!(test.log(), ["enemy_near: success", "attack: running", "patrol: halted"]);
//! assert_eq!(test.tick(), Status::Success);
//! ```

mod clock;
mod event_log;
mod moment;
mod past;
mod recorded;
mod replacements;
mod script;
mod scripts;
mod steps;
mod tree_test;

pub use clock::ManualClock;
pub use event_log::EventLog;
pub use moment::Moment;
pub use recorded::{NotRepeatable, RecordedTest};
pub use script::{Script, Scripted, scripted};
#[doc(hidden)]
pub use scripts::Scripts;
pub use tree_test::TreeTest;
