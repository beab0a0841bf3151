//! The nodes that tick all their children.

use bt_core::board::HasBoard;
use bt_core::composite::{Children, Composite, PerRun, Several};
use bt_core::describe::Param;
use bt_core::{Status, composite};
use serde::{Deserialize, Serialize};

use crate::nodes::port::Port;
use crate::nodes::signal::{Ticked, skip, tick};

/// The results of the children of a parallel node in its run.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Tally {
    successes: usize,
    failures: usize,
}

impl Tally {
    /// Ticks a child unless it has ended in this run, and counts its outcome. Returns 1 if it was skipped, otherwise 0; `None` for an error.
    fn tick<C: ?Sized>(&mut self, children: &mut impl Children<C>, child: usize, ctx: &mut C) -> Option<usize> {
        if children.is_marked(child) {
            return Some(0);
        }
        let count = match tick(children, child, ctx) {
            Ticked::As(Status::Success) => &mut self.successes,
            Ticked::As(Status::Failure) => &mut self.failures,
            Ticked::As(Status::Running) => return Some(0),
            Ticked::Skipped => return Some(1),
            Ticked::As(Status::Error) => return None,
        };
        *count += 1;
        children.mark(child);
        Some(0)
    }
}

/// A `Parallel`: it ends when enough children have succeeded or failed.
pub(crate) struct Parallel {
    pub(crate) success: Port<i64>,
    pub(crate) failure: Port<i64>,
}

/// Returns a threshold as a number of children: -1 means all of them.
fn threshold(count: i64, children: usize) -> usize {
    let children = i64::try_from(children).unwrap_or(i64::MAX);
    let count = if count < 0 { children.saturating_add(count).saturating_add(1).max(0) } else { count };
    usize::try_from(count).unwrap_or(usize::MAX)
}

#[composite]
impl<C: HasBoard + ?Sized> Composite<C> for Parallel {
    type Open = Tally;
    type Running = Several;
    type Marks = PerRun;

    fn name(&self) -> &'static str {
        "Parallel"
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("success_count", &self.success), Param::new("failure_count", &self.failure)]);
    }

    fn tick(&self, children: &mut impl Children<C>, tally: &mut Tally, (): &mut (), ctx: &mut C) -> Status {
        let (Ok(success), Ok(failure)) = (self.success.get(ctx), self.failure.get(ctx)) else { return Status::Error };
        let all = children.len();
        let (needed, allowed) = (threshold(success, all), threshold(failure, all));
        if all < needed || all < allowed {
            return Status::Error;
        }
        let mut skipped = 0;
        for child in 0..all {
            let Some(count) = tally.tick(children, child, ctx) else { return Status::Error };
            skipped += count;
            // A negative threshold counts skipped children too.
            if tally.successes >= needed || success < 0 && tally.successes + skipped >= needed {
                return Status::Success;
            }
            if all - tally.failures < needed || tally.failures == allowed {
                return Status::Failure;
            }
        }
        if skipped == all { skip() } else { Status::Running }
    }
}

/// A `ParallelAll`: it ends when all children have ended.
pub(crate) struct ParallelAll {
    pub(crate) max_failures: Port<i64>,
}

#[composite]
impl<C: HasBoard + ?Sized> Composite<C> for ParallelAll {
    type Open = Tally;
    type Running = Several;
    type Marks = PerRun;

    fn name(&self) -> &'static str {
        "ParallelAll"
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("max_failures", &self.max_failures)]);
    }

    fn tick(&self, children: &mut impl Children<C>, tally: &mut Tally, (): &mut (), ctx: &mut C) -> Status {
        let Ok(failures) = self.max_failures.get(ctx) else { return Status::Error };
        let (all, mut skipped) = (children.len(), 0);
        let allowed = threshold(failures, all);
        if all < allowed {
            return Status::Error;
        }
        for child in 0..all {
            let Some(count) = tally.tick(children, child, ctx) else { return Status::Error };
            skipped += count;
        }
        if skipped == all {
            skip()
        } else if skipped + tally.successes + tally.failures < all {
            Status::Running
        } else if tally.failures >= allowed {
            Status::Failure
        } else {
            Status::Success
        }
    }
}
