//! When the ticks of a driving loop begin.

use core::time::Duration;

/// The policy of a driving loop for ticks that it missed because an earlier tick took too long.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MissedTicks {
    /// Skips the missed ticks. The next tick begins at the next multiple of the period.
    #[default]
    Skip,
    /// Catches up: the missed ticks begin at once, one after another.
    Burst,
    /// The next tick begins one period after the end of the late tick. Later ticks are shifted by the same time.
    Delay,
}

/// The times of periodic ticks, from the start of the loop.
#[derive(Clone, Debug)]
pub(super) struct Periodic {
    pub(super) period: Duration,
    pub(super) missed: MissedTicks,
    /// The time of the next periodic tick.
    next: Duration,
}

/// The effect of a tick on the times of later ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Ticked {
    /// Whether it began before its time, because of an event.
    pub(super) is_early: bool,
    /// Whether it ended after the time of the next tick.
    pub(super) is_overrun: bool,
    /// The number of ticks that were skipped because of that.
    pub(super) skipped: u64,
}

impl Periodic {
    pub(super) const fn new(period: Duration, missed: MissedTicks) -> Self {
        Self { period, missed, next: Duration::ZERO }
    }

    /// Returns the time of the next periodic tick.
    pub(super) const fn next(&self) -> Duration {
        self.next
    }

    fn after(&self, periods: u64) -> Duration {
        let nanos = self.period.as_nanos().saturating_mul(u128::from(periods));
        self.next.saturating_add(Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX)))
    }

    /// Notes a tick.
    pub(super) fn ticked(&mut self, began: Duration, ended: Duration) -> Ticked {
        let mut ticked = Ticked { is_early: began < self.next, ..Ticked::default() };
        if !ticked.is_early {
            self.next = self.next.saturating_add(self.period);
        }
        ticked.is_overrun = ended > self.next && !self.period.is_zero();
        if ticked.is_overrun {
            match self.missed {
                MissedTicks::Skip => {
                    // At a multiple of the period, a tick is not too late.
                    ticked.skipped = self.periods_before(ended);
                    self.next = self.after(ticked.skipped);
                }
                MissedTicks::Burst => {}
                MissedTicks::Delay => self.next = ended.saturating_add(self.period),
            }
        }
        ticked
    }

    /// Returns the first time of a tick that is not before this time.
    pub(super) fn first_from(&self, time: Duration) -> Duration {
        if self.period.is_zero() { self.next.max(time) } else { self.after(self.periods_before(time)) }
    }

    /// Notes that the loop continues after a pause, in which no ticks were missed.
    pub(super) fn go_on(&mut self, now: Duration) {
        self.next = self.next.max(now);
    }

    /// Skips the ticks before a time, which is that of a tick. Returns their number.
    pub(super) fn skip_to(&mut self, time: Duration) -> u64 {
        let skipped = self.periods_before(time);
        self.next = self.next.max(time);
        skipped
    }

    /// Skips the ticks until an event at a time. Returns their number.
    pub(super) fn skip_until_event(&mut self, now: Duration) -> u64 {
        // The tick at this time, if there is one, is replaced by that of the event.
        let skipped = self.periods_before(now.saturating_add(Duration::from_nanos(1)));
        self.next = self.after(skipped);
        skipped
    }

    /// Returns the number of ticks before a time.
    fn periods_before(&self, time: Duration) -> u64 {
        let past = time.saturating_sub(self.next).as_nanos();
        if self.period.is_zero() { 0 } else { u64::try_from(past.div_ceil(self.period.as_nanos())).unwrap_or(u64::MAX) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// Returns the times of the ticks that take these times.
    fn times(missed: MissedTicks, takes: &[u64]) -> (std::vec::Vec<u64>, u64, u64) {
        let mut periodic = Periodic::new(ms(10), missed);
        let (mut now, mut overruns, mut skipped) = (ms(0), 0, 0);
        let began = takes.iter().map(|takes| {
            let began = now.max(periodic.next());
            let ticked = periodic.ticked(began, began + ms(*takes));
            now = began + ms(*takes);
            overruns += u64::from(ticked.is_overrun);
            skipped += ticked.skipped;
            u64::try_from(began.as_millis()).expect("a short test")
        });
        (began.collect(), overruns, skipped)
    }

    #[test]
    fn ticks_begin_at_multiples_of_the_period() {
        assert_eq!(times(MissedTicks::Skip, &[1, 9, 10, 0]), (std::vec![0, 10, 20, 30], 0, 0));
    }

    #[test]
    fn missed_ticks_are_skipped_caught_up_or_delay_the_others() {
        let takes = [1, 25, 1, 1, 1, 1];
        assert_eq!(times(MissedTicks::Skip, &takes), (std::vec![0, 10, 40, 50, 60, 70], 1, 2));
        assert_eq!(times(MissedTicks::Burst, &takes), (std::vec![0, 10, 35, 36, 40, 50], 2, 0));
        assert_eq!(times(MissedTicks::Delay, &takes), (std::vec![0, 10, 45, 55, 65, 75], 1, 0));
    }

    #[test]
    fn a_tick_before_its_time_does_not_move_the_others() {
        let mut periodic = Periodic::new(ms(10), MissedTicks::Skip);
        assert!(!periodic.ticked(ms(0), ms(1)).is_early);
        assert!(periodic.ticked(ms(4), ms(5)).is_early);
        assert_eq!(periodic.next(), ms(10));
    }

    #[test]
    fn a_sleep_ends_at_a_multiple_of_the_period() {
        let mut periodic = Periodic::new(ms(10), MissedTicks::Skip);
        periodic.ticked(ms(0), ms(1));
        assert_eq!((periodic.first_from(ms(5)), periodic.first_from(ms(31))), (ms(10), ms(40)));
        assert_eq!((periodic.skip_to(ms(40)), periodic.next()), (3, ms(40)));
        assert_eq!((periodic.skip_to(ms(40)), periodic.next()), (0, ms(40)));
    }

    #[test]
    fn an_event_ends_a_sleep() {
        for (event, skipped, next) in [(5, 0, 10), (10, 1, 20), (25, 2, 30)] {
            let mut periodic = Periodic::new(ms(10), MissedTicks::Skip);
            periodic.ticked(ms(0), ms(1));
            assert_eq!((periodic.skip_until_event(ms(event)), periodic.next()), (skipped, ms(next)));
        }
    }

    #[test]
    fn a_period_of_zero_skips_nothing() {
        let mut periodic = Periodic::new(ms(0), MissedTicks::Skip);
        assert_eq!(periodic.ticked(ms(0), ms(5)), Ticked::default());
        assert_eq!(
            (periodic.first_from(ms(7)), periodic.skip_to(ms(7)), periodic.skip_until_event(ms(9))),
            (ms(7), 0, 0)
        );
    }
}
