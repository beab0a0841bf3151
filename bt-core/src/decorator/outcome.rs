//! Decorators that map the outcome.

use crate::check::Requirement;
use crate::decorator::{AfterChild, Decorator, DecoratorShape, StatusMap};
use crate::outcomes::Outcomes;
use crate::status::{Never, Outcome};

/// The policy of [`invert`](crate::keywords::invert).
#[derive(Clone, Copy, Debug)]
pub struct Invert;

impl DecoratorShape for Invert {
    type Open = ();
    type Kept = ();
    type Pause = Never;
    const STATUSES: StatusMap =
        StatusMap { on_success: Outcomes::FAILURE, on_failure: Outcomes::SUCCESS, ..StatusMap::SAME };
    const REQUIRES: &'static [Requirement] = &[Requirement::an_end("`invert` has nothing to invert")];
    const RESTARTS: bool = true;

    fn name(&self) -> &'static str {
        "invert"
    }
}

impl<C: ?Sized> Decorator<C> for Invert {
    #[inline(always)]
    fn end(&self, outcome: Outcome, (): &mut (), (): &mut (), _: &mut C) -> AfterChild<Never> {
        AfterChild::End(Outcome::from(outcome == Outcome::Failure))
    }
}

/// The policy of [`force_success`](crate::keywords::force_success) and [`force_failure`](crate::keywords::force_failure).
#[derive(Clone, Copy, Debug)]
pub struct Force<const SUCCESS: bool>;

impl<const SUCCESS: bool> DecoratorShape for Force<SUCCESS> {
    type Open = ();
    type Kept = ();
    type Pause = Never;
    const STATUSES: StatusMap = {
        let outcome = if SUCCESS { Outcomes::SUCCESS } else { Outcomes::FAILURE };
        StatusMap { on_success: outcome, on_failure: outcome, ..StatusMap::SAME }
    };
    const REQUIRES: &'static [Requirement] = &[Requirement::an_end(if SUCCESS {
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
    fn end(&self, _: Outcome, (): &mut (), (): &mut (), _: &mut C) -> AfterChild<Never> {
        AfterChild::End(Outcome::from(SUCCESS))
    }
}
