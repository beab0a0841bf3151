//! The control nodes that tick one child after the other.

use std::collections::BTreeMap;
use std::sync::Arc;

use bt_core::board::{HasBoard, Key, Untyped};
use bt_core::composite::{ChildCount, Children, Composite};
use bt_core::describe::Param;
use bt_core::file::VariableTypes;
use bt_core::{End, Status, composite};
use serde::{Deserialize, Serialize};

use crate::nodes::port::{Port, set};
use crate::nodes::signal::{Ticked, skip, tick};
use crate::plugins::CHILD;
use crate::script::Scope;

/// A `RecoveryNode`: when its first child fails, it ticks its second child and then the first one again.
pub(crate) struct Recovery {
    pub(crate) retries: Port<u32>,
}

#[composite]
impl<C: HasBoard + ?Sized> Composite<C> for Recovery {
    /// Whether the recovery is next.
    type Open = bool;
    /// The number of recoveries so far. A skipped recovery ends the run without a reset of the number.
    type Kept = u32;
    const CHILDREN: ChildCount = ChildCount::exactly(2);

    fn name(&self) -> &'static str {
        "RecoveryNode"
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("number_of_retries", &self.retries)]);
    }

    fn tick(&self, children: &mut impl Children<C>, recovers: &mut bool, count: &mut u32, ctx: &mut C) -> Status {
        let retries = self.retries.get(ctx).unwrap_or(1);
        while *count <= retries {
            if !*recovers {
                match tick(children, 0, ctx) {
                    Ticked::Skipped => {
                        *count = 0;
                        return skip();
                    }
                    Ticked::As(Status::Failure) if *count < retries => *recovers = true,
                    Ticked::As(Status::Running) => return Status::Running,
                    Ticked::As(status) => {
                        *count = 0;
                        return status;
                    }
                }
            }
            match tick(children, 1, ctx) {
                Ticked::Skipped => return Status::Failure,
                Ticked::As(Status::Success) => {
                    *count += 1;
                    *recovers = false;
                }
                Ticked::As(Status::Running) => return Status::Running,
                Ticked::As(status) => {
                    *count = 0;
                    return status;
                }
            }
        }
        *count = 0;
        Status::Failure
    }

    fn close(&self, _: &mut bool, count: &mut u32, _: &mut C, end: End) {
        if matches!(end, End::Halted(_)) {
            *count = 0;
        }
    }
}

/// A `RoundRobin`: it ticks its children until one succeeds, and continues with the next one in its next run.
pub(crate) struct RoundRobin {
    pub(crate) wraps_around: Port<bool>,
}

/// The position of a [`RoundRobin`].
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Turn {
    next: usize,
    failed: usize,
}

#[composite]
impl<C: HasBoard + ?Sized> Composite<C> for RoundRobin {
    type Kept = Turn;
    const CHILDREN: ChildCount = ChildCount::at_least(1);

    fn name(&self) -> &'static str {
        "RoundRobin"
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("wrap_around", &self.wraps_around)]);
    }

    fn tick(&self, children: &mut impl Children<C>, (): &mut (), turn: &mut Turn, ctx: &mut C) -> Status {
        let wraps_around = self.wraps_around.get(ctx).unwrap_or(false);
        let (all, mut skipped) = (children.len(), 0);
        while turn.failed + skipped < all {
            let child = tick(children, turn.next, ctx);
            let is_last = turn.next + 1 == all;
            match child {
                Ticked::As(Status::Running | Status::Error) => {}
                _ => turn.next = if is_last { 0 } else { turn.next + 1 },
            }
            match child {
                // Without a wrap around, the end is a failure even if the last child succeeds.
                Ticked::As(Status::Success) if is_last && !wraps_around => break,
                Ticked::As(Status::Success) => {
                    turn.failed = 0;
                    return Status::Success;
                }
                Ticked::As(Status::Failure) => turn.failed += 1,
                Ticked::Skipped => skipped += 1,
                Ticked::As(status) => return status,
            }
            if is_last && !wraps_around {
                break;
            }
        }
        *turn = Turn::default();
        if skipped == all { skip() } else { Status::Failure }
    }

    fn close(&self, (): &mut (), turn: &mut Turn, _: &mut C, end: End) {
        if matches!(end, End::Halted(_)) {
            *turn = Turn::default();
        }
    }
}

/// A `PersistentSequence`: a sequence whose position is a variable.
pub(crate) struct PersistentSequence {
    current: Port<i64>,
    key: Key<()>,
    scope: Scope,
}

impl PersistentSequence {
    pub(crate) fn new(key: Key<()>, types: VariableTypes) -> Self {
        let scope = Scope { constants: Arc::new(BTreeMap::new()), types };
        Self { current: Port::Variable(key.clone()), key, scope }
    }

    fn set<C: HasBoard + ?Sized>(&self, child: usize, ctx: &mut C) -> Result<(), String> {
        let child = i64::try_from(child).unwrap_or(i64::MAX);
        set(&self.scope, &self.key, Untyped::Int(child), ctx)
    }

    fn run<C: HasBoard + ?Sized>(&self, children: &mut impl Children<C>, ctx: &mut C) -> Result<Status, String> {
        let current = self.current.get(ctx)?;
        let mut current = usize::try_from(current).map_err(|_| format!("there is no child {current}"))?;
        while current < children.len() {
            match tick(children, current, ctx) {
                Ticked::Skipped | Ticked::As(Status::Success) => {
                    current += 1;
                    self.set(current, ctx)?;
                }
                Ticked::As(Status::Failure) => {
                    self.set(0, ctx)?;
                    return Ok(Status::Failure);
                }
                Ticked::As(status) => return Ok(status),
            }
        }
        self.set(0, ctx)?;
        Ok(Status::Success)
    }
}

#[composite]
impl<C: HasBoard + ?Sized> Composite<C> for PersistentSequence {
    type Running = bt_core::composite::Several;

    fn name(&self) -> &'static str {
        "PersistentSequence"
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new(CHILD, &self.key)]);
    }

    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        self.run(children, ctx).unwrap_or(Status::Error)
    }
}
