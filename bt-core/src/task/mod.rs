//! Asynchronous actions: leaves that run a future, which ticks poll. Requires the feature `async`.
//!
//! An [`#[action]`](macro@crate::action) can read the context and return a future, or be an `async fn` that
//! accesses the context through an [`AsyncContext`]. A plain function or a closure can return a future too.
//!
//! ```
//! use bt_core::prelude::*;
//! use std::future::Future;
//!
//! struct Robot { speed: u32 }
//!
//! #[action]
//! fn go(robot: &mut Robot, goal: u32) -> impl Future<Output = bool> {
//!     let time = goal / robot.speed;
//!     async move { time < 100 }                              // any future, of any runtime
//! }
//!
//! let tree = tree! { go(40) };
//! assert_eq!(tree.tick(&mut Robot { speed: 2 }, &mut tree.memory()), Status::Success);
//! ```
//!
//! - The function is called when a run starts. The future is polled in that tick, and in each later tick before which it was
//!   woken. Until it is ready, the action is `Running`.
//! - Halting the action drops the future.
//! - The output is an [`ActionOutput`](crate::leaf::ActionOutput), as of any action. It can also be a function of the context,
//!   `impl FnOnce(&mut Robot) -> bool`, which is called in the tick in which the future is ready. [`FutureOutput`] has a table.
//! - The future must be `Send`, and cannot borrow the context or the node. Parameters that are passed by value are cloned.
//! - A clone of a memory does not contain the future, and neither does a save: the action is called again in the next tick.
//! - A waker of the future makes the agent due: see [`Herd::tick_due`](crate::Herd::tick_due),
//!   [`Brain::tick_due`](crate::Brain::tick_due) and [`drive`](crate::drive).

mod context;
mod leaf;
mod mailbox;
mod output;
mod running;
mod signal;

pub use context::AsyncContext;
#[doc(hidden)]
pub use leaf::AsyncAction;
#[doc(hidden)]
pub use mailbox::{Mail, Mailbox, Requests};
pub use output::FutureOutput;
#[doc(hidden)]
pub use output::{IsClosure, IsFailing, IsFailingOptional, IsOptional, IsValue};
#[doc(hidden)]
pub use running::Task;
pub(crate) use signal::{AgentSignal, NextWaker, lock};
