//! Holding an agent: before its next tick, or in the middle of a tick.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bt_core::NodeId;
use bt_core::observe::TickRecord;

use super::breakpoints::Trigger;
use super::lock;

/// How often a waiting thread checks whether a page can still resume the agent.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The maximum number of steps that a page can request before the agent has run them.
const MAX_STEPS: u32 = 1000;

/// Whether an agent is held, and where.
#[derive(Default)]
pub(crate) struct Hold {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    paused: bool,
    /// The number of ticks to run despite the pause.
    steps: u32,
    stop: Option<Stop>,
    /// Whether the program goes on without the agent. Otherwise a thread waits at `stop`.
    is_skipped: bool,
    /// Incremented on each change.
    version: u64,
}

/// The position at which an agent is held.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    /// The node and the trigger, if the agent is stopped at a breakpoint.
    pub(crate) at: Option<(NodeId, Trigger)>,
    /// The current tick so far.
    pub(crate) current: Option<TickRecord>,
}

/// How an agent is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Held {
    /// Not at all.
    No,
    /// The program goes on without the agent.
    Skipped,
    /// A thread waits before the agent's next tick.
    Waiting,
    /// A thread waits at a breakpoint.
    Stopped,
}

impl Hold {
    /// Holds the agent before its next tick, after `steps` ticks or the rest of the current tick.
    pub(super) fn pause(&self, steps: u32) {
        self.change(|state| {
            state.paused = true;
            if steps > 0 {
                state.steps = state.steps.saturating_add(steps).min(MAX_STEPS);
                state.release();
            }
        });
    }

    pub(super) fn resume(&self) {
        self.change(|state| {
            state.paused = false;
            state.steps = 0;
            state.release();
        });
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = lock(&self.state);
        change(&mut state);
        state.version += 1;
        self.changed.notify_all();
    }

    /// Returns whether the program must not tick the agent now. Does not wait.
    pub(super) fn skip(&self, can_be_resumed: bool) -> bool {
        let mut state = lock(&self.state);
        if !state.paused || state.steps > 0 || !can_be_resumed {
            return false;
        }
        if !state.is_skipped {
            state.is_skipped = true;
            state.stop = Some(Stop { at: None, current: None });
            state.version += 1;
        }
        true
    }

    /// Waits before a tick while the agent is paused. Returns whether the agent is still paused.
    pub(super) fn wait_while_paused(&self, can_be_resumed: impl Fn() -> bool) -> bool {
        let mut state = lock(&self.state);
        if state.paused && state.steps == 0 {
            state = self.wait(state, Stop { at: None, current: None }, can_be_resumed);
        }
        state.steps = state.steps.saturating_sub(1);
        state.paused
    }

    /// Waits in the middle of a tick until a page resumes or steps the agent. Returns whether the agent is still paused.
    pub(super) fn stop(&self, stop: Stop, can_be_resumed: impl Fn() -> bool) -> bool {
        let mut state = lock(&self.state);
        state.paused = true;
        state.steps = 0;
        state = self.wait(state, stop, can_be_resumed);
        // The step that resumed the agent covers the rest of this tick.
        state.steps = state.steps.saturating_sub(1);
        state.paused
    }

    fn wait<'a>(
        &self,
        mut state: MutexGuard<'a, State>,
        stop: Stop,
        can_be_resumed: impl Fn() -> bool,
    ) -> MutexGuard<'a, State> {
        state.is_skipped = false;
        state.stop = Some(stop);
        state.version += 1;
        while state.paused && state.steps == 0 && can_be_resumed() {
            state = self.changed.wait_timeout(state, POLL_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        }
        // The agent may have stopped just after the last page disconnected.
        state.paused &= can_be_resumed();
        state.stop = None;
        state.version += 1;
        state
    }

    /// Returns the version, whether the agent is paused and where it is held, or `None` if the version is `known`.
    pub(crate) fn state(&self, known: Option<u64>) -> Option<(u64, bool, Option<Stop>)> {
        let state = lock(&self.state);
        (known != Some(state.version)).then(|| (state.version, state.paused, state.stop.clone()))
    }

    /// Returns whether a thread waits until the agent is released.
    pub(crate) fn has_thread(&self) -> bool {
        matches!(self.held(), Held::Waiting | Held::Stopped)
    }

    pub(crate) fn held(&self) -> Held {
        let state = lock(&self.state);
        match &state.stop {
            None => Held::No,
            Some(_) if state.is_skipped => Held::Skipped,
            Some(Stop { at: None, .. }) => Held::Waiting,
            Some(_) => Held::Stopped,
        }
    }
}

impl State {
    /// Forgets that the program goes on without the agent. A thread that waits forgets its stop itself.
    fn release(&mut self) {
        if std::mem::take(&mut self.is_skipped) {
            self.stop = None;
        }
    }
}
