//! The decorators that evaluate scripts.

use std::fmt;

use bt_core::board::HasBoard;
use bt_core::decorator::{AfterChild, Decorator, Gate};
use bt_core::describe::Param;
use bt_core::{End, Never, Outcome, decorator};

use crate::builtin::CONDITION_NAMES;
use crate::nodes::decorators::{skipped, skipping};
use crate::nodes::port::{Instead, Port};
use crate::nodes::signal::{fault, forget, is_skipped, show_fault, skip};
use crate::script::{Scope, Script};

/// A script of a node, with what the scripts of its tree share.
#[derive(Clone, Debug)]
pub(crate) struct Scripted {
    pub(crate) script: Script,
    pub(crate) scope: Scope,
}

impl Scripted {
    pub(crate) fn holds<C: HasBoard + ?Sized>(&self, ctx: &mut C) -> Result<bool, String> {
        self.script.holds(ctx, &self.scope).map_err(|error| error.to_string())
    }

    pub(crate) fn run<C: HasBoard + ?Sized>(&self, ctx: &mut C) -> Result<(), String> {
        self.script.run(ctx, &self.scope).map(|_| ()).map_err(|error| error.to_string())
    }
}

/// A `Precondition`: it starts its child if a script is true.
pub(crate) struct Precondition {
    pub(crate) condition: Scripted,
    pub(crate) otherwise: Port<Instead>,
}

impl Precondition {
    fn gate<C: HasBoard + ?Sized>(&self, ctx: &mut C) -> Result<Gate<()>, String> {
        forget();
        if self.condition.holds(ctx)? { Ok(Gate::Go) } else { Ok(self.otherwise.get(ctx)?.gate()) }
    }
}

#[decorator]
impl<C: HasBoard + ?Sized> Decorator<C> for Precondition {
    /// Whether the child is running.
    type Open = bool;
    type Pause = ();

    fn name(&self) -> &'static str {
        "Precondition"
    }

    fn open(&self, _: &mut bool, (): &mut (), ctx: &mut C) -> Gate<()> {
        self.gate(ctx).unwrap_or_else(|reason| Gate::End(fault(reason)))
    }

    fn resume(&self, is_running: &mut bool, (): &mut (), ctx: &mut C) -> Gate<()> {
        if *is_running {
            forget();
            return Gate::Go;
        }
        self.gate(ctx).unwrap_or_else(|reason| Gate::End(fault(reason)))
    }

    fn running(&self, is_running: &mut bool, (): &mut (), _: &mut C) -> Option<Outcome> {
        *is_running = true;
        None
    }

    fn reason(&self, _: &C, show: &mut dyn FnMut(&dyn fmt::Display)) {
        show_fault(show);
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("if", &Text(self.condition.script.text())), Param::new("else", &self.otherwise)]);
    }
}

/// The scripts of a node: its conditions, in the order in which they are evaluated, and what follows a run.
#[derive(Default)]
pub(crate) struct Conditions {
    pub(crate) failure_if: Option<Scripted>,
    pub(crate) success_if: Option<Scripted>,
    pub(crate) skip_if: Option<Scripted>,
    pub(crate) while_true: Option<Scripted>,
    pub(crate) on_halted: Option<Scripted>,
    pub(crate) on_failure: Option<Scripted>,
    pub(crate) on_success: Option<Scripted>,
    pub(crate) post: Option<Scripted>,
}

/// Returns the value of a condition; `default` if there is none.
fn holds<C: HasBoard + ?Sized>(condition: Option<&Scripted>, default: bool, ctx: &mut C) -> Result<bool, String> {
    condition.map_or(Ok(default), |condition| condition.holds(ctx))
}

impl Conditions {
    /// Returns the scripts, in the order of their names.
    const fn all(&self) -> [&Option<Scripted>; 8] {
        let Self { failure_if, success_if, skip_if, while_true, on_halted, on_failure, on_success, post } = self;
        [failure_if, success_if, skip_if, while_true, on_halted, on_failure, on_success, post]
    }

    /// Returns whether the child is started.
    fn gate<C: HasBoard + ?Sized>(&self, ctx: &mut C) -> Result<Gate<Never>, String> {
        forget();
        for (condition, outcome) in [(&self.failure_if, Outcome::Failure), (&self.success_if, Outcome::Success)] {
            if holds(condition.as_ref(), false, ctx)? {
                return self.after(outcome, ctx).map(Gate::End);
            }
        }
        if holds(self.skip_if.as_ref(), false, ctx)? || !holds(self.while_true.as_ref(), true, ctx)? {
            return Ok(skipping());
        }
        Ok(Gate::Go)
    }

    /// Evaluates what follows an outcome, and returns it.
    fn after<C: HasBoard + ?Sized>(&self, outcome: Outcome, ctx: &mut C) -> Result<Outcome, String> {
        let first = match outcome {
            Outcome::Success => &self.on_success,
            Outcome::Failure => &self.on_failure,
            Outcome::Error => return Ok(outcome),
        };
        for script in [first, &self.post].into_iter().flatten() {
            script.run(ctx)?;
        }
        Ok(outcome)
    }
}

#[decorator]
impl<C: HasBoard + ?Sized> Decorator<C> for Conditions {
    /// Whether the child was halted because `_while` is no longer true.
    type Open = bool;

    fn name(&self) -> &'static str {
        "Conditions"
    }

    fn open(&self, _: &mut bool, (): &mut (), ctx: &mut C) -> Gate<Never> {
        self.gate(ctx).unwrap_or_else(|reason| Gate::End(fault(reason)))
    }

    fn resume(&self, is_stopped: &mut bool, (): &mut (), ctx: &mut C) -> Gate<Never> {
        forget();
        match holds(self.while_true.as_ref(), true, ctx) {
            Ok(true) => Gate::Go,
            Ok(false) => {
                *is_stopped = true;
                skipping()
            }
            Err(reason) => Gate::End(fault(reason)),
        }
    }

    fn end(&self, outcome: Outcome, _: &mut bool, (): &mut (), ctx: &mut C) -> AfterChild<Never> {
        if outcome == Outcome::Failure && is_skipped() {
            return skipped();
        }
        AfterChild::End(self.after(outcome, ctx).unwrap_or_else(fault))
    }

    fn close(&self, is_stopped: &mut bool, (): &mut (), ctx: &mut C, end: End) {
        if (*is_stopped || matches!(end, End::Halted(_)))
            && let Some(script) = &self.on_halted
        {
            // A halt has no status that could report an error.
            let _ = script.run(ctx);
        }
        if *is_stopped {
            // Halting the child may have ticked other trees.
            skip();
        }
    }

    fn reason(&self, _: &C, show: &mut dyn FnMut(&dyn fmt::Display)) {
        show_fault(show);
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        let all = CONDITION_NAMES.into_iter().zip(self.all());
        let given = all.filter_map(|(name, script)| Some((name, Text(script.as_ref()?.script.text()))));
        let given: Vec<_> = given.collect();
        let params: Vec<_> = given.iter().map(|(name, text)| Param::new(name, text)).collect();
        show(&params);
    }
}

/// A script as it is shown.
pub(crate) struct Text<'a>(pub(crate) &'a str);

impl fmt::Debug for Text<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0)
    }
}
