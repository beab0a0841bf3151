//! The nodes that tick their children in order, which can be skipped.

use bt_core::composite::{Children, Composite, Several};
use bt_core::{Status, composite};
use serde::{Deserialize, Serialize};

use crate::nodes::signal::{Ticked, skip, tick, wake};

/// A `Sequence` or `Fallback`: it ends with the first child that does not return the passing status.
pub(crate) struct InOrder {
    pub(crate) name: &'static str,
    /// The status with which the next child is ticked.
    pub(crate) pass: Status,
    /// Whether it returns `Running` after each child that ends at once.
    pub(crate) yields: bool,
}

/// The position of a node that ticks its children in order.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Position {
    pub(crate) next: usize,
    pub(crate) skipped: usize,
}

#[composite]
impl<C: ?Sized> Composite<C> for InOrder {
    type Open = Position;
    type Running = Several;

    fn name(&self) -> &str {
        self.name
    }

    fn tick(&self, children: &mut impl Children<C>, at: &mut Position, (): &mut (), ctx: &mut C) -> Status {
        in_order(self.pass, self.yields, children, (&mut at.next, &mut at.skipped), ctx)
    }
}

/// Ticks children in order, from the position on.
fn in_order<C: ?Sized>(
    pass: Status,
    yields: bool,
    children: &mut impl Children<C>,
    (next, skipped): (&mut usize, &mut usize),
    ctx: &mut C,
) -> Status {
    while *next < children.len() {
        let starts = !children.is_running(*next);
        match tick(children, *next, ctx) {
            Ticked::Skipped => {
                *next += 1;
                *skipped += 1;
            }
            Ticked::As(status) if status == pass => {
                *next += 1;
                if yields && starts && *next < children.len() {
                    wake();
                    return Status::Running;
                }
            }
            Ticked::As(status) => return status,
        }
    }
    *next = 0;
    if *skipped == children.len() { skip() } else { pass }
}

/// A `SequenceWithMemory`: the next run starts at the child with which the last one ended.
pub(crate) struct WithMemory;

#[composite]
impl<C: ?Sized> Composite<C> for WithMemory {
    /// The number of skipped children.
    type Open = usize;
    /// The next child.
    type Kept = usize;
    type Running = Several;

    fn name(&self) -> &'static str {
        "SequenceWithMemory"
    }

    fn tick(&self, children: &mut impl Children<C>, skipped: &mut usize, next: &mut usize, ctx: &mut C) -> Status {
        in_order(Status::Success, true, children, (next, skipped), ctx)
    }
}

/// A `ReactiveSequence` or `ReactiveFallback`: it starts with the first child in each tick.
pub(crate) struct Reactive {
    pub(crate) name: &'static str,
    /// The status with which the next child is ticked.
    pub(crate) pass: Status,
}

#[composite]
impl<C: ?Sized> Composite<C> for Reactive {
    type Running = Several;

    fn name(&self) -> &str {
        self.name
    }

    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        let mut is_skipped = true;
        for child in 0..children.len() {
            match tick(children, child, ctx) {
                // It may be skipped again in the next tick.
                Ticked::Skipped => children.halt(child, ctx),
                Ticked::As(Status::Running) => {
                    (0..children.len()).filter(|other| *other != child).for_each(|other| children.halt(other, ctx));
                    return Status::Running;
                }
                Ticked::As(status) if status == self.pass => is_skipped = false,
                Ticked::As(status) => return status,
            }
        }
        if is_skipped { skip() } else { self.pass }
    }
}
