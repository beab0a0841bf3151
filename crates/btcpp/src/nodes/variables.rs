//! The decorators that see changes of variables, or set them.

use std::fmt;

use bt_core::board::{HasBoard, Key, Untyped, Variable as _};
use bt_core::decorator::{Decorator, Gate};
use bt_core::describe::Param;
use bt_core::engine::Fnv;
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

/// Sets variables before its child is started for the first time: the values that a `SubTree` is passed, if the tree writes them. It sets one again if
/// the board does not have it, such as after a restart of the program, or if the file passes another value.
pub(crate) struct Initial {
    values: Vec<Passed>,
    scope: Scope,
}

/// A value that a nested tree is passed.
struct Passed {
    key: Key<()>,
    text: String,
    value: Untyped,
    hash: u64,
}

impl Initial {
    pub(crate) fn new(values: Vec<(Key<()>, String)>, scope: Scope) -> Self {
        let passed = values.into_iter().map(|(key, text)| {
            let (value, hash) = (number_or_text(&text), hash(&key, &text));
            Passed { key, text, value, hash }
        });
        Self { values: passed.collect(), scope }
    }
}

#[decorator]
impl<C: HasBoard + ?Sized> Decorator<C> for Initial {
    /// A hash of each value that is set.
    type Kept = Vec<u64>;

    fn name(&self) -> &'static str {
        "Initial"
    }

    fn open(&self, (): &mut (), set_before: &mut Vec<u64>, ctx: &mut C) -> Gate<Never> {
        set_before.resize(self.values.len(), 0);
        for (Passed { key, value, hash, .. }, before) in self.values.iter().zip(set_before) {
            if before == hash && ctx.board().untyped(key).is_some() {
                continue;
            }
            if let Err(reason) = set(&self.scope, key, value.clone(), ctx) {
                return Gate::End(fault(reason));
            }
            *before = *hash;
        }
        Gate::Go
    }

    fn reason(&self, _: &C, show: &mut dyn FnMut(&dyn fmt::Display)) {
        show_fault(show);
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        let params = self.values.iter().map(|passed| Param::new(passed.key.name(), &passed.text));
        show(&params.collect::<Vec<_>>());
    }
}

/// Returns a hash of a variable and its value. It is the same in every run of a program, since it is saved.
fn hash(key: &Key<()>, text: &str) -> u64 {
    let mut hash = Fnv::new();
    hash.write(key.name().as_bytes());
    hash.write(&[0]);
    hash.write(text.as_bytes());
    hash.finish()
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
