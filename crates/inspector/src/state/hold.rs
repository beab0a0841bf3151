//! Holding an agent: before its next tick, or in the middle of a tick.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bt_core::NodeId;
use bt_core::observe::TickRecord;
use serde::{Deserialize, Serialize};

use super::breakpoints::Trigger;
use super::lock;
use super::tree::Tree;

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
    /// How far to run in the current tick, despite the pause, one after the other.
    walks: VecDeque<Walk>,
    /// Why the agent is paused, if a watched value has changed.
    why: Option<String>,
    /// Whether a thread that waits in [`Hold::wait_for_call`] has to act.
    is_called: bool,
    stop: Option<Stop>,
    /// Whether the program continues without the agent. Otherwise a thread waits at `stop`.
    is_skipped: bool,
    /// Incremented on each change.
    version: u64,
}

/// How far an agent runs within a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Walk {
    /// To the next visit of a node.
    Into,
    /// To the end of the visit at which the agent is stopped; from an end, to the next visit or end.
    Over,
    /// To the end of the visit around the one at which the agent is stopped.
    Out,
}

/// The position at which an agent is held.
#[derive(Clone, Default)]
pub(crate) struct Stop {
    /// The node and the trigger, if the agent is stopped in the middle of a tick.
    pub(crate) at: Option<(NodeId, Trigger)>,
    /// The version of the tree of the current tick.
    pub(crate) tree: Option<Arc<Tree>>,
    /// What has changed, if the agent is held because of that.
    pub(crate) why: Option<String>,
    /// The current tick so far.
    pub(crate) current: Option<TickRecord>,
}

/// How a tick waits until a page releases its agent.
#[derive(Clone, Default)]
pub(crate) enum Waiting {
    /// Its thread sleeps.
    #[default]
    Sleep,
    /// By calling a function of the program, which receives what pages send.
    Call(Arc<dyn Fn() + Send + Sync>),
    /// Not at all: the agent is held before its next tick.
    Never,
}

/// What can release an agent.
pub(super) struct Release<'a> {
    /// Whether a page is there that can.
    pub(super) is_possible: &'a dyn Fn() -> bool,
    pub(super) waiting: &'a Waiting,
}

/// How an agent is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Held {
    /// Not at all.
    #[serde(skip)]
    No,
    /// The program continues without the agent.
    Skipped,
    /// A thread waits before the agent's next tick.
    Waiting,
    /// A thread waits in the middle of a tick.
    Stopped,
}

impl Hold {
    /// Holds the agent before its next tick, after `steps` ticks or the rest of the current tick.
    pub(super) fn pause(&self, steps: u32) {
        self.change(|state| {
            state.paused = true;
            if steps > 0 {
                state.why = None;
                state.steps = state.steps.saturating_add(steps).min(MAX_STEPS);
                state.release();
            }
        });
    }

    /// Runs a part of the current tick, or of the next one.
    pub(super) fn walk(&self, walk: Walk) {
        self.change(|state| {
            state.paused = true;
            state.why = None;
            if state.walks.len() < MAX_STEPS as usize {
                state.walks.push_back(walk);
            }
            state.release();
        });
    }

    /// Holds the agent before its next tick, because a value has changed.
    pub(super) fn pause_because(&self, why: String) {
        self.change(|state| {
            state.paused = true;
            state.steps = 0;
            state.walks.clear();
            state.why = Some(why);
        });
    }

    pub(super) fn resume(&self) {
        self.change(|state| {
            state.paused = false;
            state.steps = 0;
            state.why = None;
            state.walks.clear();
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
        if !state.is_held() || !can_be_resumed {
            return false;
        }
        if !state.is_skipped {
            let why = state.why.clone();
            state.skip(Stop { why, ..Stop::default() });
        }
        true
    }

    /// Waits before a tick while the agent is paused. Returns whether the agent is still paused, and how far it runs in the tick.
    pub(super) fn wait_while_paused(&self, release: &Release<'_>) -> (bool, Option<Walk>) {
        let mut state = lock(&self.state);
        if state.is_held() {
            let why = state.why.clone();
            state = self.wait(state, Stop { why, ..Stop::default() }, State::is_held, release);
        }
        state.begin()
    }

    /// Lets a thread that waits in [`wait_for_call`](Self::wait_for_call) act.
    pub(super) fn call(&self) {
        self.change(|state| state.is_called = true);
    }

    /// Waits before a tick while the agent is paused, until it is released or called. Returns whether it was called.
    pub(super) fn wait_for_call(&self, release: &Release<'_>) -> bool {
        let mut state = lock(&self.state);
        let waits = |state: &State| state.is_held() && !state.is_called;
        if waits(&state) {
            let why = state.why.clone();
            state = self.wait(state, Stop { why, ..Stop::default() }, waits, release);
        }
        std::mem::take(&mut state.is_called)
    }

    /// Waits in the middle of a tick until a page resumes or steps the agent. A breakpoint ends what the page has let the agent run. Returns whether
    /// the agent is still paused, and how far it runs in the tick.
    pub(super) fn stop(&self, stop: Stop, is_breakpoint: bool, release: &Release<'_>) -> (bool, Option<Walk>) {
        let mut state = lock(&self.state);
        state.paused = true;
        state.steps = 0;
        if is_breakpoint {
            state.walks.clear();
        }
        if matches!(release.waiting, Waiting::Never) {
            // The first stop of a tick is the one that is shown.
            if state.stop.is_none() {
                state.skip(stop);
            }
            return (true, None);
        }
        // The step that resumes the agent covers the rest of this tick.
        self.wait(state, stop, State::is_held, release).begin()
    }

    fn wait<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        stop: Stop,
        waits: impl Fn(&State) -> bool,
        release: &Release<'_>,
    ) -> MutexGuard<'a, State> {
        state.is_skipped = false;
        state.stop = Some(stop);
        state.version += 1;
        while waits(&state) && (release.is_possible)() {
            state = match release.waiting {
                Waiting::Sleep => {
                    self.changed.wait_timeout(state, POLL_INTERVAL).unwrap_or_else(PoisonError::into_inner).0
                }
                Waiting::Call(receive) => {
                    drop(state);
                    receive();
                    lock(&self.state)
                }
                Waiting::Never => break,
            };
        }
        // The agent may have stopped just after the last page disconnected.
        state.paused &= (release.is_possible)();
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

    /// Returns whether pages name the agent as waiting: a thread waits, or a value has stopped the agent.
    pub(crate) fn is_waiting(&self) -> bool {
        self.has_thread() || lock(&self.state).stop.as_ref().is_some_and(|stop| stop.why.is_some())
    }

    /// Returns the position at which the agent is held, without its tick.
    pub(crate) fn position(&self) -> Option<Stop> {
        let without_tick =
            |stop: &Stop| Stop { at: stop.at, tree: stop.tree.clone(), why: stop.why.clone(), current: None };
        lock(&self.state).stop.as_ref().map(without_tick)
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
    /// Returns whether the agent must not run.
    fn is_held(&self) -> bool {
        self.paused && self.steps == 0 && self.walks.is_empty()
    }

    /// Runs a tick, or the rest of one. Returns whether the agent is still paused, and how far it runs.
    fn begin(&mut self) -> (bool, Option<Walk>) {
        let walk = self.walks.pop_front();
        if walk.is_none() {
            self.steps = self.steps.saturating_sub(1);
        }
        (self.paused, walk)
    }

    /// Notes that the program continues without the agent.
    fn skip(&mut self, stop: Stop) {
        self.is_skipped = true;
        self.stop = Some(stop);
        self.version += 1;
    }

    /// Forgets that the program continues without the agent. A thread that waits forgets its stop itself.
    fn release(&mut self) {
        if std::mem::take(&mut self.is_skipped) {
            self.stop = None;
        }
    }
}
