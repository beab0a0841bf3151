//! The control nodes that tick children again that have ended.

use bt_core::composite::{Children, Composite, Several};
use bt_core::{Status, composite};
use serde::{Deserialize, Serialize};

use crate::nodes::signal::{Ended, Ticked, skip};

/// A `PipelineSequence`: it ticks all children up to the last one that was running, also those that are running before it.
pub(crate) struct Pipeline;

/// The position of a [`Pipeline`].
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Flow {
    /// The last child that was running.
    last: usize,
    ended: Ended,
}

#[composite]
impl<C: ?Sized> Composite<C> for Pipeline {
    type Open = Flow;
    type Running = Several;

    fn name(&self) -> &'static str {
        "PipelineSequence"
    }

    fn tick(&self, children: &mut impl Children<C>, flow: &mut Flow, (): &mut (), ctx: &mut C) -> Status {
        let mut skipped = 0;
        for child in 0..children.len() {
            match flow.ended.tick(children, child, ctx) {
                Ticked::Skipped => skipped += 1,
                Ticked::As(Status::Success) => {}
                Ticked::As(Status::Running) if child < flow.last => {}
                Ticked::As(Status::Running) => {
                    flow.last = child;
                    return Status::Running;
                }
                Ticked::As(status) => return status,
            }
        }
        if skipped == children.len() { skip() } else { Status::Success }
    }
}

/// A `NonblockingSequence`: it ticks all children in each tick, and succeeds when all of them succeed in the same tick.
pub(crate) struct Nonblocking;

#[composite]
impl<C: ?Sized> Composite<C> for Nonblocking {
    type Open = Ended;
    type Running = Several;

    fn name(&self) -> &'static str {
        "NonblockingSequence"
    }

    fn tick(&self, children: &mut impl Children<C>, ended: &mut Ended, (): &mut (), ctx: &mut C) -> Status {
        let mut is_running = false;
        for child in 0..children.len() {
            match ended.tick(children, child, ctx) {
                Ticked::As(Status::Success) => {}
                Ticked::As(Status::Running) => is_running = true,
                Ticked::As(status) => return status,
                // It has no rule for children that are skipped.
                Ticked::Skipped => return Status::Error,
            }
        }
        if is_running { Status::Running } else { Status::Success }
    }
}
