//! Decorators that count runs in the life of a memory.

use crate::check::Requirement;
use crate::decorator::{AfterChild, Decorator, DecoratorShape, Gate, StatusMap};
use crate::describe::Param;
use crate::outcomes::Outcomes;
use crate::status::{Never, Outcome};

/// The policy of [`limit`](crate::keywords::limit).
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub(crate) runs: u32,
}

impl DecoratorShape for Limit {
    type Open = ();
    /// How many runs there were.
    type Kept = u32;
    type Pause = Never;
    const STATUSES: StatusMap = StatusMap { always: Outcomes::FAILURE, ..StatusMap::SAME };

    fn name(&self) -> &'static str {
        "limit"
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("runs", &self.runs)]);
    }
}

impl<C: ?Sized> Decorator<C> for Limit {
    #[inline]
    fn open(&self, (): &mut (), runs: &mut u32, _: &mut C) -> Gate<Never> {
        if *runs >= self.runs {
            return Gate::End(Outcome::Failure);
        }
        *runs += 1;
        Gate::Go
    }
}

/// The policy of [`run_once`](crate::keywords::run_once).
#[derive(Clone, Copy, Debug)]
pub struct RunOnce;

impl DecoratorShape for RunOnce {
    type Open = ();
    /// How the one run ended.
    type Kept = Option<Outcome>;
    type Pause = Never;
    const STATUSES: StatusMap = StatusMap::SAME;
    const REQUIRES: &'static [Requirement] = &[Requirement::an_end("`run_once` has no outcome to keep")];

    fn name(&self) -> &'static str {
        "run_once"
    }
}

impl<C: ?Sized> Decorator<C> for RunOnce {
    #[inline]
    fn open(&self, (): &mut (), ended: &mut Option<Outcome>, _: &mut C) -> Gate<Never> {
        ended.map_or(Gate::Go, Gate::End)
    }

    #[inline]
    fn end(&self, outcome: Outcome, (): &mut (), ended: &mut Option<Outcome>, _: &mut C) -> AfterChild<Never> {
        *ended = Some(outcome);
        AfterChild::End(outcome)
    }
}
