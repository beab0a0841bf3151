//! The control nodes whose children can be skipped, or that our words differ from.

use bt_core::board::HasBoard;
use bt_core::composite::{Children, Composite, PerRun, Several};
use bt_core::describe::Param;
use bt_core::{Status, composite};
use serde::{Deserialize, Serialize};

use crate::nodes::port::Port;
use crate::nodes::signal::{Ended, Ticked, skip, tick, wake};
use crate::script::Scope;

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
    next: usize,
    skipped: usize,
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

/// The results of the children of a parallel node in its run.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Tally {
    successes: usize,
    failures: usize,
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
            if !children.is_marked(child) {
                match tick(children, child, ctx) {
                    Ticked::Skipped => skipped += 1,
                    Ticked::As(Status::Success) => {
                        children.mark(child);
                        tally.successes += 1;
                    }
                    Ticked::As(Status::Failure) => {
                        children.mark(child);
                        tally.failures += 1;
                    }
                    Ticked::As(Status::Running) => {}
                    Ticked::As(Status::Error) => return Status::Error,
                }
            }
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
            if children.is_marked(child) {
                continue;
            }
            match tick(children, child, ctx) {
                Ticked::Skipped => skipped += 1,
                Ticked::As(Status::Success) => {
                    children.mark(child);
                    tally.successes += 1;
                }
                Ticked::As(Status::Failure) => {
                    children.mark(child);
                    tally.failures += 1;
                }
                Ticked::As(Status::Running) => {}
                Ticked::As(Status::Error) => return Status::Error,
            }
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

/// An `IfThenElse`: it evaluates the condition once in a run.
pub(crate) struct IfThenElse;

#[composite]
impl<C: ?Sized> Composite<C> for IfThenElse {
    /// The branch that was selected; 0 if none was.
    type Open = usize;
    type Running = Several;

    fn name(&self) -> &'static str {
        "IfThenElse"
    }

    fn tick(&self, children: &mut impl Children<C>, branch: &mut usize, (): &mut (), ctx: &mut C) -> Status {
        if *branch == 0 {
            *branch = match tick(children, 0, ctx) {
                Ticked::As(Status::Success) => 1,
                Ticked::As(Status::Failure) if children.len() == 3 => 2,
                // A skipped condition decides nothing.
                Ticked::Skipped => return Status::Error,
                Ticked::As(status) => return status,
            };
        }
        passed(tick(children, *branch, ctx))
    }
}

/// A `WhileDoElse`: it evaluates the condition in each tick.
pub(crate) struct WhileDoElse;

#[composite]
impl<C: ?Sized> Composite<C> for WhileDoElse {
    /// Whether the condition has ended.
    type Open = Ended;
    type Running = Several;

    fn name(&self) -> &'static str {
        "WhileDoElse"
    }

    fn tick(&self, children: &mut impl Children<C>, ended: &mut Ended, (): &mut (), ctx: &mut C) -> Status {
        let (branch, other) = match ended.tick(children, 0, ctx) {
            Ticked::As(Status::Success) => (1, 2),
            Ticked::As(Status::Failure) if children.len() == 3 => (2, 1),
            // A skipped condition decides nothing.
            Ticked::Skipped => return Status::Error,
            Ticked::As(status) => return status,
        };
        children.halt(other, ctx);
        passed(tick(children, branch, ctx))
    }
}

/// Returns the status of a node that passes that of its child.
fn passed(child: Ticked) -> Status {
    match child {
        Ticked::Skipped => skip(),
        Ticked::As(status) => status,
    }
}

/// A `TryCatch`: it ticks all children but the last in order, and the last after one of them has failed.
pub(crate) struct TryCatch;

/// The position of a [`TryCatch`].
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Trying {
    at: Position,
    has_failed: bool,
}

#[composite]
impl<C: ?Sized> Composite<C> for TryCatch {
    type Open = Trying;
    type Running = Several;

    fn name(&self) -> &'static str {
        "TryCatch"
    }

    fn tick(&self, children: &mut impl Children<C>, trying: &mut Trying, (): &mut (), ctx: &mut C) -> Status {
        let last = children.len() - 1;
        while !trying.has_failed && trying.at.next < last {
            match tick(children, trying.at.next, ctx) {
                Ticked::Skipped => {
                    trying.at.next += 1;
                    trying.at.skipped += 1;
                }
                Ticked::As(Status::Success) => trying.at.next += 1,
                Ticked::As(Status::Failure) => trying.has_failed = true,
                Ticked::As(status) => return status,
            }
        }
        if !trying.has_failed {
            return if trying.at.skipped == last { skip() } else { Status::Success };
        }
        match tick(children, last, ctx) {
            Ticked::As(Status::Success) => Status::Failure,
            Ticked::Skipped => Status::Failure,
            Ticked::As(status) => status,
        }
    }
}

/// A `Switch2` to `Switch6`: it compares a variable in each tick.
pub(crate) struct Switch {
    pub(crate) name: &'static str,
    pub(crate) variable: Port<String>,
    pub(crate) cases: Vec<Port<String>>,
    pub(crate) scope: Scope,
}

#[composite]
impl<C: HasBoard + ?Sized> Composite<C> for Switch {
    type Running = Several;

    fn name(&self) -> &str {
        self.name
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("variable", &self.variable), Param::new("cases", &self.cases)]);
    }

    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        let child = match self.variable.get(ctx) {
            Ok(value) => {
                let is_case = |case: &Port<String>| case.get(ctx).is_ok_and(|case| self.is_equal(&value, &case));
                self.cases.iter().position(is_case).unwrap_or(self.cases.len())
            }
            // Without a value, the last child is ticked.
            Err(_) => self.cases.len(),
        };
        if let Some(running) = children.running().filter(|running| *running != child) {
            children.halt(running, ctx);
        }
        passed(tick(children, child, ctx))
    }
}

impl Switch {
    /// Compares as text, then as numbers.
    fn is_equal(&self, value: &str, case: &str) -> bool {
        let number = |text: &str| match self.scope.constants.get(text) {
            Some(number) => Some(f64::from(*number)),
            // What `std::from_chars` does not read: signs, and spaces.
            None if text.starts_with(|sign: char| sign.is_ascii_digit() || sign == '-') => text.parse().ok(),
            None => None,
        };
        let is_near = |(value, case): (f64, f64)| (value - case).abs() <= f64::from(f32::EPSILON);
        value == case || number(value).zip(number(case)).is_some_and(is_near)
    }
}
