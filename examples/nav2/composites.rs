//! The control nodes of Nav2: composites that are rules over their children.

use bt_core::Outcomes;
use bt_core::composite::{Children, Several};
use bt_core::composite::{Composed, Returns, compose};
use bt_core::decorator::StatusMap;
use bt_core::prelude::*;
use serde::Deserialize;

/// Ticks its first child. When it fails, runs the second, and tries the first again, up to `retries` times in a run.
/// Fails if the second child fails. (`RecoveryNode` of Nav2.)
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recovery {
    /// The maximum number of recoveries.
    #[serde(rename = "number_of_retries")]
    pub(crate) retries: u32,
}

#[composite(children = 2)]
impl<C: ?Sized> Composite<C> for Recovery {
    type Open = u32; // the number of recoveries in this run
    const RETURNS: Returns = Returns::AnyChild(StatusMap::SAME);

    fn tick(&self, children: &mut impl Children<C>, recoveries: &mut u32, (): &mut (), ctx: &mut C) -> Status {
        loop {
            if !children.is_running(1) {
                match children.tick(0, ctx) {
                    Status::Failure if *recoveries < self.retries => *recoveries += 1,
                    other => return other,
                }
            }
            match children.tick(1, ctx) {
                Status::Success => {}
                other => return other,
            }
        }
    }

    fn params(&self, show: &mut dyn FnMut(&[bt_core::describe::Param<'_>])) {
        show(&[bt_core::describe::Param::new("number_of_retries", &self.retries)]);
    }
}

/// See [`Recovery`].
pub(crate) const fn recovery<L>(retries: u32, children: L) -> Composed<Recovery, L> {
    compose(Recovery { retries }, children)
}

/// Ticks its children in a circle until one succeeds, and begins the next run at the child after it. Fails if all
/// children have failed in a run; the next run then begins at the first child, as after a halt. (`RoundRobin` of Nav2.)
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoundRobin {}

#[composite]
impl<C: ?Sized> Composite<C> for RoundRobin {
    type Open = usize; // the number of children that have failed in this run
    type Kept = usize; // the child to tick
    const RETURNS: Returns = Returns::AnyChild(StatusMap { on_failure: Outcomes::FAILURE, ..StatusMap::SAME });

    fn tick(&self, children: &mut impl Children<C>, failed: &mut usize, current: &mut usize, ctx: &mut C) -> Status {
        let len = children.len();
        while *failed < len {
            // A save may have been edited.
            *current = if *current < len { *current } else { 0 };
            let status = children.tick(*current, ctx);
            if status == Status::Running {
                return status;
            }
            *current += 1;
            if status != Status::Failure {
                return status;
            }
            *failed += 1;
        }
        Status::Failure
    }

    fn close(&self, _: &mut usize, current: &mut usize, _: &mut C, end: End) {
        if end != End::Success {
            *current = 0;
        }
    }
}

/// See [`RoundRobin`].
pub(crate) const fn round_robin<L>(children: L) -> Composed<RoundRobin, L> {
    compose(RoundRobin {}, children)
}

/// Ticks its children in order while they succeed, and those before the last one that was reached also while they run:
/// a planner that is running does not stop the controller after it. (`PipelineSequence` of Nav2.)
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PipelineSequence {}

#[composite]
impl<C: ?Sized> Composite<C> for PipelineSequence {
    type Running = Several;
    type Open = usize; // the last child that was reached
    const RETURNS: Returns = Returns::AnyChild(StatusMap::SAME);

    fn tick(&self, children: &mut impl Children<C>, last: &mut usize, (): &mut (), ctx: &mut C) -> Status {
        for child in 0..children.len() {
            match children.tick(child, ctx) {
                Status::Success => {}
                Status::Running if child < *last => {}
                Status::Running => {
                    *last = child;
                    return Status::Running;
                }
                other => return other,
            }
        }
        Status::Success
    }
}

/// See [`PipelineSequence`].
pub(crate) const fn pipeline_sequence<L>(children: L) -> Composed<PipelineSequence, L> {
    compose(PipelineSequence {}, children)
}
