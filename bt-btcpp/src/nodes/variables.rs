//! The decorators that see changes of variables, or set them.

use std::fmt;

use bt_core::board::{HasBoard, Key, Untyped, Variable as _};
use bt_core::decorator::{Decorator, Gate};
use bt_core::describe::Param;
use bt_core::{Never, Outcome, decorator};

use crate::nodes::port::{Instead, set};
use crate::nodes::signal::{fault, forget, show_fault};
use crate::script::Scope;

/// A `SkipUnlessUpdated` or `WaitValueUpdate`: it starts its child after a variable has changed.
pub(crate) struct Updated {
    pub(crate) name: &'static str,
    pub(crate) entry: Key<()>,
    /// What it returns if the variable has not changed.
    pub(crate) instead: Instead,
}

#[decorator]
impl<C: HasBoard + ?Sized> Decorator<C> for Updated {
    /// Whether the child is running.
    type Open = bool;
    /// The number of changes of the variable when the child was last started.
    type Kept = u64;
    type Pause = ();

    fn name(&self) -> &str {
        self.name
    }

    fn open(&self, _: &mut bool, seen: &mut u64, ctx: &mut C) -> Gate<()> {
        forget();
        let changes = ctx.board().changes(&self.entry);
        if std::mem::replace(seen, changes) == changes { self.instead.gate() } else { Gate::Go }
    }

    fn resume(&self, is_running: &mut bool, seen: &mut u64, ctx: &mut C) -> Gate<()> {
        if *is_running {
            forget();
            return Gate::Go;
        }
        Decorator::open(self, is_running, seen, ctx)
    }

    fn running(&self, is_running: &mut bool, _: &mut u64, _: &mut C) -> Option<Outcome> {
        *is_running = true;
        None
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("entry", &self.entry)]);
    }
}

/// Sets variables before its child is started for the first time: the values that a `SubTree` is passed, if the tree writes them.
pub(crate) struct Initial {
    pub(crate) values: Vec<(Key<()>, String)>,
    pub(crate) scope: Scope,
}

#[decorator]
impl<C: HasBoard + ?Sized> Decorator<C> for Initial {
    /// Whether the variables are set.
    type Kept = bool;

    fn name(&self) -> &'static str {
        "Initial"
    }

    fn open(&self, (): &mut (), is_set: &mut bool, ctx: &mut C) -> Gate<Never> {
        for (key, text) in self.values.iter().filter(|_| !*is_set) {
            if let Err(reason) = set(&self.scope, key, number_or_text(text), ctx) {
                return Gate::End(fault(reason));
            }
        }
        *is_set = true;
        Gate::Go
    }

    fn reason(&self, _: &C, show: &mut dyn FnMut(&dyn fmt::Display)) {
        show_fault(show);
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        let params = self.values.iter().map(|(key, value)| Param::new(key.name(), value));
        show(&params.collect::<Vec<_>>());
    }
}

/// Returns the value of a text: a number if it is one.
fn number_or_text(text: &str) -> Untyped {
    if let Ok(number) = text.parse() {
        return Untyped::Int(number);
    }
    match text.parse() {
        Ok(number) if text.starts_with(|sign: char| sign.is_ascii_digit() || sign == '-') => Untyped::Real(number),
        _ => Untyped::Text(text.to_owned()),
    }
}
