//! Asynchronous actions: leaves that run a future, which ticks poll.

mod context;
mod leaf;
mod mailbox;
mod output;
mod running;
mod signal;

pub use context::AsyncContext;
pub use leaf::AsyncAction;
pub use mailbox::{Mail, Mailbox, Requests};
pub use output::{FutureOutput, IsClosure, IsFailing, IsOptional, IsValue};
pub use running::Task;
pub(crate) use signal::{AgentSignal, Signal, lock};
