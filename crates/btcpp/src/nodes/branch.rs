//! The nodes that choose one of their children.

use bt_core::board::HasBoard;
use bt_core::composite::{Children, Composite, Several};
use bt_core::describe::Param;
use bt_core::{Status, composite};
use serde::{Deserialize, Serialize};

use crate::nodes::in_order::Position;
use crate::nodes::port::Port;
use crate::nodes::signal::{Ended, Ticked, skip, tick};
use crate::script::Scope;

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
