//! A decorator of Nav2.

use bt_core::Outcomes;
use bt_core::decorator::{Decorated, Gate, StatusMap, decorate};
use bt_core::prelude::*;

/// Starts its child at most at a rate, and runs in between. The rate is measured from the last success. (`RateController`
/// of Nav2.)
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    period: Duration,
}

#[decorator]
impl<C: ?Sized + Clock> Decorator<C> for Rate {
    type Open = bool; // whether the child has been started
    type Kept = Option<Duration>; // the time of the last success
    type Pause = ();
    const RETURNS: StatusMap = StatusMap::SAME.and_always(Outcomes::RUNNING);

    fn open(&self, started: &mut bool, last: &mut Option<Duration>, ctx: &mut C) -> Gate<()> {
        *started = last.is_none_or(|last| ctx.now() >= last + self.period);
        if *started { Gate::Go } else { Gate::Pause(()) }
    }

    fn resume(&self, started: &mut bool, last: &mut Option<Duration>, ctx: &mut C) -> Gate<()> {
        if *started { Gate::Go } else { self.open(started, last, ctx) }
    }

    fn close(&self, _: &mut bool, last: &mut Option<Duration>, ctx: &mut C, end: End) {
        *last = (end == End::Success).then(|| ctx.now());
    }

    fn shift(&self, _: Option<&mut bool>, last: &mut Option<Duration>, by: bt_core::Shift) {
        *last = last.map(|last| by.time(last));
    }
}

/// See [`Rate`].
pub(crate) const fn rate<N>(period: Duration, child: N) -> Decorated<Rate, N> {
    decorate(Rate { period }, child)
}
