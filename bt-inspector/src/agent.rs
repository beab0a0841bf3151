//! An agent that can be watched: an observer of its ticks.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bt_core::observe::{ForAgent, Observer, Recording, Tick};
use bt_core::prelude::*;
use serde::Serialize;

use crate::breaks::{Breaks, On};
use crate::past::Variables;
use crate::shared::{Agent, BREAKS, CHOSEN, PAUSED, SAMPLE, Shared, Stop, lock};
use crate::values;

/// So many events of a single tick are recorded.
const MOST_EVENTS: usize = 1 << 16;

/// This agent at a time: what [`Watched::at`] gives.
pub type At<'a> = ForAgent<'a, Watched>;

/// An agent that can be watched, an observer of its ticks: [`Inspector::agent`](crate::Inspector::agent). Keep it beside the agent's memory; the page forgets
/// the agent when it is dropped.
pub struct Watched {
    shared: Arc<Shared>,
    agent: Arc<Agent>,
    /// The tick that is not over.
    current: Recording,
    breaks: Option<Arc<Breaks>>,
    /// This tick is recorded.
    is_live: bool,
    /// The last tick was stored, so that there is something to show values next to.
    is_stored: bool,
}

impl Watched {
    pub(crate) fn new(shared: Arc<Shared>, agent: Arc<Agent>) -> Self {
        Self { shared, agent, current: Recording::new(MOST_EVENTS), breaks: None, is_live: false, is_stored: false }
    }

    /// This agent at a time, for [`Tree::tick_with`]: the page shows it. Without it all ticks are at nought.
    pub fn at(&mut self, now: Duration) -> At<'_> {
        let agent = self.agent.key as u64;
        self.for_agent(agent, now)
    }

    /// Shows values next to the last tick: any that serde can serialize. `values` is called only while a page has chosen this agent.
    ///
    /// ```
    /// # let inspector = bt_inspector::Inspector::serve("127.0.0.1:0")?;
    /// # let mut ann = inspector.agent(inspector.tree("guard", &bt_core::succeed()), "Ann");
    /// # let (mut hp, mut board) = (3, bt_core::Board::new());
    /// ann.show(|| serde_json::json!({ "hp": hp, "board": bt_inspector::board(&board) }));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn show<T: Serialize>(&mut self, values: impl FnOnce() -> T) {
        if self.is_stored && self.agent.is_awake(CHOSEN) {
            lock(&self.agent.past).show(Variables::Values(values::text(&values()).into()));
        }
    }

    /// Returns whether a page has chosen this agent, has paused it, or has breakpoints in its tree.
    pub fn is_watched(&self) -> bool {
        self.agent.is_awake(CHOSEN | BREAKS | PAUSED)
    }

    fn stop_at(&mut self, at: NodeId, on: On) {
        if self.breaks.as_ref().is_some_and(|breaks| breaks.has(at, on)) {
            let stop = Stop { at: Some((at, on)), current: self.current.current() };
            self.agent.stop(stop, &self.shared);
        }
    }
}

impl Observer for Watched {
    const SLEEPS: bool = true;

    #[inline]
    fn is_asleep(&self) -> bool {
        self.agent.awake.load(Ordering::Relaxed) == 0
    }

    fn begin(&mut self, tick: Tick) {
        self.is_stored = false;
        self.is_live = self.agent.is_awake(CHOSEN | BREAKS | PAUSED);
        if self.is_live {
            self.agent.wait_for_turn(&self.shared);
            let awake = self.agent.awake.load(Ordering::Relaxed);
            self.breaks = (awake & BREAKS != 0).then(|| self.agent.tree.breaks());
            self.current.begin(tick);
        }
    }

    fn end(&mut self, tick: Tick, status: Option<Status>) {
        self.agent.want(SAMPLE, false);
        if !self.is_live {
            // A sample: the list of agents shows nothing but the status.
            lock(&self.agent.past).sample(status);
            return;
        }
        self.current.end(tick, status);
        let record = self.current.ticks().next();
        self.current.clear();
        let mut past = lock(&self.agent.past);
        // Looked at under the lock: when the last page goes, nothing is stored after that.
        if let Some(record) = record
            && self.agent.is_awake(CHOSEN | BREAKS | PAUSED)
        {
            past.push(record, self.agent.is_awake(CHOSEN));
            self.is_stored = true;
        }
    }

    fn enter(&mut self, at: NodeId) {
        if self.is_live {
            self.current.enter(at);
            self.stop_at(at, On::Visit);
        }
    }

    fn open(&mut self, at: NodeId) {
        if self.is_live {
            Observer::open(&mut self.current, at);
        }
    }

    fn tick(&mut self, at: NodeId, status: Status) {
        if self.is_live {
            self.current.tick(at, status);
            self.stop_at(at, status.into());
        }
    }

    fn close(&mut self, at: NodeId, end: End) {
        if self.is_live {
            self.current.close(at, end);
            if let Some(on) = On::halted(end) {
                self.stop_at(at, on);
            }
        }
    }

    fn state(&mut self, at: NodeId, state: usize) {
        if self.is_live {
            self.current.state(at, state);
        }
    }

    fn exit(&mut self, at: NodeId, status: Status) {
        if self.is_live {
            self.current.exit(at, status);
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.shared.remove(&self.agent);
    }
}
