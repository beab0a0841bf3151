//! The snapshots of an agent, to which a page takes it back.

use std::any::Any;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bt_core::Rewind;

use crate::state::{Agent, Moment, RewindRequest, Shared, lock};

/// The maximum number of bytes that the snapshots of all agents take.
const MAX_BYTES: usize = 64 << 20;

/// The tick that an agent has gone back to, returned by [`Watched::rewind`](crate::Watched::rewind).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Rewound {
    /// The number of the tick before which the state was stored.
    pub tick: u64,
    /// The time at which the state was stored.
    pub now: Duration,
}

/// A state of any type.
struct Stored {
    /// A mutex is `Sync` even if the state is not. It is never contended.
    state: Mutex<Box<dyn Any + Send>>,
    /// The bytes that it takes outside the ring.
    bytes: usize,
    /// The time of day, if a page needs it.
    at: Option<Duration>,
}

/// The snapshots of an agent while a page needs them.
#[derive(Default)]
pub(super) struct Snapshots {
    ring: Option<Rewind<Stored>>,
}

impl Snapshots {
    pub(super) const fn is_empty(&self) -> bool {
        self.ring.is_none()
    }

    /// Goes back to an earlier state if a page has requested it, and stores the state before the tick with this number. `save` returns a
    /// copy of the state, and the bytes that it takes on the heap.
    pub(super) fn turn<T: ?Sized, S: Clone + Send + 'static>(
        &mut self,
        (shared, agent): (&Shared, &Agent),
        (tick, now): (u64, Duration),
        target: &mut T,
        save: impl Fn(&T) -> (S, usize),
        load: impl FnOnce(&mut T, S),
    ) -> Option<Rewound> {
        let rewound = agent.past.take_request().and_then(|RewindRequest { to, answer }| {
            let found = self.find::<S>(to);
            let _ = answer.set(found.as_ref().map(drop).map_err(Clone::clone));
            let (rewound, state) = found.ok()?;
            load(target, state);
            lock(&agent.history).rewound(tick, rewound.tick);
            Some(rewound)
        });
        let every = agent.past.every();
        if every == 0 {
            self.drop_all(shared);
        } else {
            self.store(shared, every, (tick, now), || {
                let (state, bytes) = save(target);
                let at = shared.time_of_day();
                Stored { state: Mutex::new(Box::new(state)), bytes: size_of::<S>() + bytes, at }
            });
        }
        agent.past.set_ticks(self.ring.as_ref().and_then(Rewind::ticks).map(|ticks| [*ticks.start(), *ticks.end()]));
        rewound
    }

    /// Returns the state at a moment.
    fn find<S: Clone + 'static>(&self, to: Moment) -> Result<(Rewound, S), String> {
        let ring = self.ring.as_ref().ok_or("no past is stored")?;
        let snapshot = match to {
            Moment::Tick(tick) => ring.at(tick).ok_or_else(|| format!("tick {tick} is no longer stored"))?,
            Moment::Time(time) => {
                let found = ring.iter().rev().find(|snapshot| snapshot.now <= time);
                found.ok_or_else(|| format!("{time:?} is before the stored past"))?
            }
            Moment::Day(time) => {
                let found = ring.iter().rev().find(|snapshot| snapshot.state.at.is_some_and(|at| at <= time));
                found.ok_or("this time of day is before the stored past")?
            }
        };
        let state = lock(&snapshot.state.state).downcast_ref::<S>().cloned();
        let state = state.ok_or("the program has stored a state of another type")?;
        Ok((Rewound { tick: snapshot.tick, now: snapshot.now }, state))
    }

    fn store(&mut self, shared: &Shared, every: u64, (tick, now): (u64, Duration), save: impl FnOnce() -> Stored) {
        let ring = self.ring.get_or_insert_with(|| {
            shared.pasts.fetch_add(1, Ordering::Relaxed);
            Rewind::new(MAX_BYTES).weigh(|stored: &Stored| stored.bytes)
        });
        // All agents have the same part of the whole.
        ring.set_bound(MAX_BYTES / shared.pasts.load(Ordering::Relaxed).max(1));
        ring.set_every(every);
        ring.store(tick, now, save);
    }

    /// Frees all snapshots.
    pub(super) fn drop_all(&mut self, shared: &Shared) {
        if self.ring.take().is_some() {
            shared.pasts.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Waits while the agent is paused, until a page takes it back or resumes it. Returns whether a page takes it back.
pub(super) fn wait(shared: &Shared, agent: &Agent) -> bool {
    // A program that skips a held agent is not kept waiting.
    !agent.past.is_skipped.load(Ordering::Relaxed) && shared.wait_for_rewind(agent)
}
