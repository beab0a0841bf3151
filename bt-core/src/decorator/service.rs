//! A decorator that does something else beside its child.

use core::time::Duration;

use crate::clock::Clock;
use crate::decorator::time::since;
use crate::decorator::{Decorator, DecoratorShape, Effect, Gate};
use crate::describe::Param;
use crate::machine::{Hook, HookShape};
use crate::status::Never;

/// The policy of [`service`](crate::keywords::service).
#[derive(Clone, Copy, Debug)]
pub struct Service<H> {
    pub(crate) every: Duration,
    pub(crate) action: H,
    /// The action as it is written.
    pub(crate) text: &'static str,
}

impl<H: HookShape> DecoratorShape for Service<H> {
    /// When the action was last done.
    type Open = Duration;
    type Kept = ();
    type Pause = Never;
    const EFFECT: Effect = Effect::SAME;
    const BROKEN: Option<&'static str> = if H::CAN.runs() {
        Some("the action of a `service` is done at once, so it cannot be running: take a `fn(&mut Context)`")
    } else {
        None
    };

    fn name(&self) -> &'static str {
        "service"
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("every", &self.every), Param::new("action", &format_args!("{}", self.text))]);
    }
}

impl<C: ?Sized + Clock, H: Hook<C>> Decorator<C> for Service<H> {
    #[inline]
    fn open(&self, last: &mut Duration, (): &mut (), ctx: &mut C) -> Gate<Never> {
        *last = ctx.now();
        self.action.call(ctx);
        Gate::Go
    }

    #[inline]
    fn resume(&self, last: &mut Duration, (): &mut (), ctx: &mut C) -> Gate<Never> {
        if since(*last, ctx) >= self.every {
            *last = ctx.now();
            self.action.call(ctx);
        }
        Gate::Go
    }
}
