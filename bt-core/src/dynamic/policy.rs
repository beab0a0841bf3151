//! Decorators of the user's, owner_of type is not known.

use alloc::boxed::Box;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::clock::Shift;
use crate::decorator::{AfterChild, Decorator, Gate};
use crate::describe::{Param, StateType};
use crate::dynamic::memory::Slot;
use crate::status::{End, Outcome};

/// What a decorator can do without its type being known.
pub(super) trait Policy<C: ?Sized>: Send + Sync {
    fn open(&self, slot: &mut Slot, ctx: &mut C) -> Gate<()>;
    fn resume(&self, slot: &mut Slot, ctx: &mut C) -> Gate<()>;
    fn end(&self, outcome: Outcome, slot: &mut Slot, ctx: &mut C) -> AfterChild<()>;
    fn running(&self, slot: &mut Slot, ctx: &mut C) -> Option<Outcome>;
    fn error(&self, slot: &mut Slot, ctx: &mut C) -> Outcome;
    fn close(&self, slot: &mut Slot, ctx: &mut C, end: End);
    fn shift(&self, slot: &mut Slot, by: Shift);
    fn state(&self) -> StateType;
    fn name(&self) -> &str;
    fn params(&self, show: &mut dyn FnMut(&[Param<'_>]));
}

/// A decorator behind a pointer.
pub(super) type AnyPolicy<C> = Box<dyn Policy<C>>;

/// A policy of this type.
pub(super) struct Typed<P>(pub(super) P);

#[derive(Clone, Default, Serialize, Deserialize)]
struct Parts<O, K> {
    open: O,
    kept: K,
}

impl<C: ?Sized, P> Policy<C> for Typed<P>
where
    P: Decorator<C, Open: Serialize + DeserializeOwned, Kept: Serialize + DeserializeOwned> + Send + Sync,
{
    fn open(&self, slot: &mut Slot, ctx: &mut C) -> Gate<()> {
        let Parts { open, kept } = slot.state::<Parts<P::Open, P::Kept>>();
        *open = P::Open::default();
        gate(self.0.open(open, kept, ctx))
    }

    fn resume(&self, slot: &mut Slot, ctx: &mut C) -> Gate<()> {
        let Parts { open, kept } = slot.state::<Parts<P::Open, P::Kept>>();
        gate(self.0.resume(open, kept, ctx))
    }

    fn end(&self, outcome: Outcome, slot: &mut Slot, ctx: &mut C) -> AfterChild<()> {
        let Parts { open, kept } = slot.state::<Parts<P::Open, P::Kept>>();
        match self.0.end(outcome, open, kept, ctx) {
            AfterChild::End(outcome) => AfterChild::End(outcome),
            AfterChild::Again => AfterChild::Again,
            AfterChild::Later(_) => AfterChild::Later(()),
        }
    }

    fn running(&self, slot: &mut Slot, ctx: &mut C) -> Option<Outcome> {
        let Parts { open, kept } = slot.state::<Parts<P::Open, P::Kept>>();
        self.0.running(open, kept, ctx)
    }

    fn error(&self, slot: &mut Slot, ctx: &mut C) -> Outcome {
        let Parts { open, kept } = slot.state::<Parts<P::Open, P::Kept>>();
        self.0.error(open, kept, ctx)
    }

    fn close(&self, slot: &mut Slot, ctx: &mut C, end: End) {
        let Parts { open, kept } = slot.state::<Parts<P::Open, P::Kept>>();
        self.0.close(open, kept, ctx, end);
    }

    fn shift(&self, slot: &mut Slot, by: Shift) {
        if !matches!(slot, Slot::Empty) {
            let Parts { open, kept } = slot.state::<Parts<P::Open, P::Kept>>();
            self.0.shift(Some(open), kept, by);
        }
    }

    fn state(&self) -> StateType {
        StateType::of::<(P::Open, P::Kept)>()
    }

    fn name(&self) -> &str {
        self.0.name()
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        self.0.params(show);
    }
}

fn gate<P>(gate: Gate<P>) -> Gate<()> {
    match gate {
        Gate::Go => Gate::Go,
        Gate::Pause(_) => Gate::Pause(()),
        Gate::End(outcome) => Gate::End(outcome),
    }
}
