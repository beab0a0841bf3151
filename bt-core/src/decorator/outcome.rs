//! Decorators that map the outcome.

use crate::check::Need;
use crate::decorator::{Decorator, DecoratorShape, Effect, Next};
use crate::outcomes::Outcomes;
use crate::status::{Never, Outcome};

/// The policy of [`invert`](crate::keywords::invert).
#[derive(Clone, Copy, Debug)]
pub struct Invert;

impl DecoratorShape for Invert {
    type Open = ();
    type Kept = ();
    type Pause = Never;
    const EFFECT: Effect = Effect { on_success: Outcomes::FAILURE, on_failure: Outcomes::SUCCESS, ..Effect::SAME };
    const NEEDS: &'static [Need] = &[Need::an_end("`invert` has nothing to invert")];
    const RESTARTS: bool = true;

    fn name(&self) -> &'static str {
        "invert"
    }
}

impl<C: ?Sized> Decorator<C> for Invert {
    #[inline(always)]
    fn end(&self, outcome: Outcome, (): &mut (), (): &mut (), _: &mut C) -> Next<Never> {
        Next::End(Outcome::from(outcome == Outcome::Failure))
    }
}

/// The policy of [`force_success`](crate::keywords::force_success) and [`force_failure`](crate::keywords::force_failure).
#[derive(Clone, Copy, Debug)]
pub struct Force<const SUCCESS: bool>;

impl<const SUCCESS: bool> DecoratorShape for Force<SUCCESS> {
    type Open = ();
    type Kept = ();
    type Pause = Never;
    const EFFECT: Effect = {
        let outcome = if SUCCESS { Outcomes::SUCCESS } else { Outcomes::FAILURE };
        Effect { on_success: outcome, on_failure: outcome, ..Effect::SAME }
    };
    const NEEDS: &'static [Need] = &[Need::an_end(if SUCCESS {
        "`force_success` has no outcome to change"
    } else {
        "`force_failure` has no outcome to change"
    })];
    const RESTARTS: bool = true;

    fn name(&self) -> &'static str {
        if SUCCESS { "force_success" } else { "force_failure" }
    }
}

impl<C: ?Sized, const SUCCESS: bool> Decorator<C> for Force<SUCCESS> {
    #[inline(always)]
    fn end(&self, _: Outcome, (): &mut (), (): &mut (), _: &mut C) -> Next<Never> {
        Next::End(Outcome::from(SUCCESS))
    }
}
