//! Decorators: nodes with one child, each with a policy that decides when the child is ticked and what it returns.

#[cfg(feature = "random")]
mod chance;
mod count;
mod decorated;
mod event;
mod looping;
mod outcome;
mod policy;
mod rule;
mod service;
mod time;

pub use decorated::{Decorated, decorate};
pub use policy::{AfterChild, Decorator, DecoratorShape, Gate, StatusMap};

// What the types of trees consist of, and what the loaded engine uses.
#[doc(hidden)]
#[cfg(feature = "random")]
pub use chance::Chance;
#[doc(hidden)]
pub use {
    count::{Fresh, Limit, RunOnce, SucceedOnce},
    decorated::{Child, DecoratedOpen},
    event::ByEvent,
    looping::{
        Attempts, Counted, Repeat, RepeatTimes, RepeatWhileSuccess, Retry, UntilFailure, UntilSuccess, WaitUntil,
    },
    outcome::{Force, Invert},
    policy::goes_on,
    rule::{DecoratorParts, Served, Then, after, gate, service as serve, tick_decorator},
    service::Service,
    time::{Cooldown, Delay, Timeout},
};

/// The keywords of decorators.
pub(crate) mod keywords {
    #[cfg(feature = "random")]
    pub use super::chance::chance;
    pub use super::count::{fresh, limit, run_once, succeed_once};
    pub use super::event::by_event;
    pub use super::looping::{
        repeat, repeat_times, repeat_while_success, retry, until_failure, until_success, wait_until,
    };
    pub use super::outcome::{force_failure, force_success, invert};
    pub use super::service::service;
    pub use super::time::{cooldown, delay, timeout};
}
