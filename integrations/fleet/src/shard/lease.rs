//! How long a process may tick its agents.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Until when a process may tick the agents that it had when the lease began. A lease that has been replaced is never extended: an agent that the process has lost meanwhile
/// cannot be ticked by it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lease(Arc<AtomicU64>);

impl Lease {
    pub(crate) fn until(end: Duration) -> Self {
        Self(Arc::new(AtomicU64::new(nanoseconds(end))))
    }

    pub(crate) fn extend(&self, end: Duration) {
        self.0.fetch_max(nanoseconds(end), Ordering::AcqRel);
    }

    pub(crate) fn holds(&self, now: Duration) -> bool {
        nanoseconds(now) < self.0.load(Ordering::Acquire)
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Returns how long a keeper waits before it gives the agents of a process to others: the clocks of two machines may run at rates that differ by 10 %.
pub(crate) fn with_margin(lease: Duration) -> Duration {
    lease + lease / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_holds_until_its_end_and_never_shrinks() {
        let second = Duration::from_secs;
        assert!(!Lease::default().holds(Duration::ZERO));
        let lease = Lease::until(second(2));
        let same = lease.clone();
        assert!(lease.holds(second(1)) && !lease.holds(second(2)));
        lease.extend(second(5));
        lease.extend(second(3));
        assert!(same.holds(second(4)) && !same.holds(second(5)));
    }
}
