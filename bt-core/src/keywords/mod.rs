//! The keywords of [`tree!`](crate::tree!), as items, so that their documentation shows where you write them.
//!
//! You do not call these functions yourself: in a tree you write `selector { a, b }` or `timeout(secs(5)) { a }`.

mod composites;
mod decorators;
mod machine;

pub use composites::{all, at_least, mem_parallel, mem_selector, mem_sequence, one, parallel, selector, sequence};
#[cfg(feature = "random")]
pub use composites::{random_selector, random_sequence};
pub use decorators::{
    cooldown, delay, force_failure, force_success, invert, limit, repeat, repeat_times, retry, run_once, service,
    timeout, until_failure, until_success, wait_until,
};
pub use machine::machine;
