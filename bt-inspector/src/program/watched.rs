//! The observer that reports an agent's ticks to the inspector.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bt_core::Wake;
use bt_core::observe::{ForAgent, Observer, Recording, Tick, TickRecord};
use bt_core::prelude::*;
use serde::Serialize;

use crate::state::{
    Agent, BREAKPOINTS, Breakpoints, EDITED, SAMPLE, SELECTED, Shared, Stop, Trigger, Variables, WATCHED, lock,
};
use crate::values::{Values, text};

/// The maximum number of recorded events per tick.
const MAX_EVENTS: usize = 1 << 16;
/// The maximum number of running nodes that are noted per tick.
const MAX_RUNNING: usize = 256;

/// A watched agent at a point in time, returned by [`Watched::at`].
pub type At<'a> = ForAgent<'a, Watched>;

/// The observer of one agent, returned by [`Inspector::agent`](crate::Inspector::agent).
///
/// Store it next to the agent's memory. Dropping it removes the agent from the page.
pub struct Watched {
    shared: Arc<Shared>,
    agent: Arc<Agent>,
    /// The number of ticks so far, including those that were not reported.
    ticks: u64,
    /// The events of the current tick.
    current: Recording,
    breakpoints: Option<Arc<Breakpoints>>,
    /// The nodes that are running in the current tick, leaves first.
    running: Vec<NodeId>,
    /// Whether the current tick is recorded.
    is_live: bool,
    /// Whether the last tick was stored. Values are attached to a stored tick only.
    is_stored: bool,
}

impl Watched {
    /// A recording that has allocated nothing.
    const NO_EVENTS: Recording = Recording::new(MAX_EVENTS);

    pub(crate) fn new(shared: Arc<Shared>, agent: Arc<Agent>) -> Self {
        Self {
            shared,
            agent,
            ticks: 0,
            current: Self::NO_EVENTS,
            breakpoints: None,
            running: Vec::new(),
            is_live: false,
            is_stored: false,
        }
    }

    /// Returns an observer for [`Tree::tick_with`] that timestamps the tick with `now`. Without it, all ticks have the time 0.
    pub fn at(&mut self, now: Duration) -> At<'_> {
        let agent = self.agent.key as u64;
        self.for_agent(agent, now)
    }

    /// Shows values next to the last tick. `values` may return any type that serde can serialize; it is called only while a page has selected this agent.
    ///
    /// ```
    /// # let inspector = bt_inspector::Inspector::serve("127.0.0.1:0")?;
    /// # let mut ann = inspector.agent(inspector.tree("guard", &bt_core::succeed()), "Ann");
    /// # let (mut hp, mut board) = (3, bt_core::Board::new());
    /// ann.show(|| serde_json::json!({ "hp": hp, "board": bt_inspector::board(&board) }));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn show<T: Serialize>(&mut self, values: impl FnOnce() -> T) {
        if self.is_stored && self.agent.is_awake(SELECTED) {
            // Before the lock: the values are the program's code.
            let values = Variables::Values(text(&values()).into());
            lock(&self.agent.history).show(values);
        }
    }

    /// Shows values next to the last tick like [`show`](Self::show), and lets pages edit those that the function passes to [`Values::edit`] or
    /// [`Values::board`]. The function is called only while a page has selected this agent, or has edited one of its values.
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # let inspector = bt_inspector::Inspector::serve("127.0.0.1:0")?;
    /// # let mut ann = inspector.agent(inspector.tree("guard", &succeed()), "Ann");
    /// # let (mut health, mut board, mut path) = (3, Board::new(), vec![(1, 2)]);
    /// ann.show_mut(|values| {
    ///     values.edit("health", &mut health).board("board", &mut board).show("path", &path);
    /// });
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// An edit takes effect when the program calls this method the next time: after the next tick of the agent, or at once while
    /// [`is_held`](Self::is_held) returns `true`.
    pub fn show_mut(&mut self, values: impl FnOnce(&mut Values)) {
        let edits = self.agent.take_edits();
        if edits.is_empty() && !(self.is_stored && self.agent.is_awake(SELECTED)) {
            return;
        }
        let mut shown = Values::new(edits);
        values(&mut shown);
        let (shown, editable) = shown.finish();
        *lock(&self.agent.editable) = editable;
        let shown = Variables::Values(shown.into());
        let mut history = lock(&self.agent.history);
        let is_changed = history.ticks.back().is_some_and(|(_, before)| *before != shown);
        if is_changed && self.agent.is_awake(SELECTED) {
            history.show(shown);
        }
    }

    /// Returns whether a page holds this agent: the program must not tick it now. A program that calls this method before each tick, and skips
    /// the tick, goes on with its other agents. Otherwise the next tick waits, and the whole thread with it.
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # let inspector = bt_inspector::Inspector::serve("127.0.0.1:0")?;
    /// # let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    /// # let key = inspector.tree("counter", &tree);
    /// # let mut agents = ["Ann", "Bob"].map(|name| (0, tree.memory(), inspector.agent(key.clone(), name)));
    /// for (context, memory, watched) in &mut agents {
    ///     if !watched.is_held() {
    ///         tree.tick_with(context, memory, watched);
    ///     }
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// A breakpoint stops an agent in the middle of a tick. Its thread waits then, whether or not the program calls this method.
    pub fn is_held(&self) -> bool {
        self.shared.skip(&self.agent)
    }

    /// Shows until when the agent sleeps: the result of [`Tree::due`], [`Herd::due`] or [`Brain::due`] after its last tick.
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # let inspector = bt_inspector::Inspector::serve("127.0.0.1:0")?;
    /// # let tree = tree! { for (): run };
    /// # let mut ann = inspector.agent(inspector.tree("guard", &tree), "Ann");
    /// let mut memory = tree.memory();
    /// let status = tree.tick_with(&mut (), &mut memory, &mut ann.at(secs(3)));
    /// ann.due(tree.due(status, &memory, &mut ()));           // "asleep until an event"
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn due(&mut self, due: Wake) {
        *lock(&self.agent.due) = due;
    }

    /// Returns whether a page has selected this agent and has not received a tick of it yet. A program whose agents sleep wakes
    /// the agent then, so that the page shows its tree: the tick of a sleeping agent changes nothing.
    pub fn needs_tick(&self) -> bool {
        self.is_selected() && lock(&self.agent.history).ticks.is_empty()
    }

    /// Returns whether a page has selected this agent, and shows what [`show`](Self::show) passes to it.
    pub fn is_selected(&self) -> bool {
        self.agent.is_awake(SELECTED)
    }

    /// Returns whether [`show_mut`](Self::show_mut) would call its function now or after the next tick: a page has selected this agent, or has edited one of its values.
    pub fn shows_values(&self) -> bool {
        self.agent.is_awake(SELECTED | EDITED)
    }

    /// Returns whether a page has selected or paused this agent, or has set breakpoints in its tree.
    pub fn is_watched(&self) -> bool {
        self.agent.is_awake(WATCHED)
    }

    fn stop_on_breakpoint(&mut self, at: NodeId, on: Trigger) {
        if self.breakpoints.as_ref().is_some_and(|breakpoints| breakpoints.hit(at, on, self.agent.key)) {
            let current = self.current.current().map(|record| TickRecord { number: self.ticks - 1, ..record });
            let stop = Stop { at: Some((at, on)), current };
            self.shared.stop(&self.agent, stop);
        }
    }
}

impl Observer for Watched {
    const INLINE: bool = false;
    const SLEEPS: bool = true;

    #[inline]
    fn is_asleep(&self) -> bool {
        self.agent.awake.load(Ordering::Relaxed) == 0
    }

    #[inline]
    fn skipped(&mut self) {
        self.ticks += 1;
    }

    fn begin(&mut self, tick: Tick) {
        self.ticks += 1;
        self.is_stored = false;
        self.running.clear();
        self.is_live = self.agent.is_awake(WATCHED);
        if self.is_live {
            self.shared.wait_while_paused(&self.agent);
            let awake = self.agent.awake.load(Ordering::Relaxed);
            self.breakpoints = (awake & BREAKPOINTS != 0).then(|| self.agent.tree.breakpoints());
            // A tick that a panic has ended is still in the old one.
            if self.current.current().is_none() {
                self.current = self.shared.take_recording().unwrap_or(Self::NO_EVENTS);
            }
            self.current.begin(tick);
        }
    }

    fn end(&mut self, tick: Tick, status: Option<Status>) {
        self.agent.set_awake(SAMPLE, false);
        std::mem::swap(&mut *lock(&self.agent.running), &mut self.running);
        if !self.is_live {
            // The list of agents only shows the status.
            lock(&self.agent.history).sample(status);
            return;
        }
        self.current.end(tick, status);
        let record = self.current.ticks().next().map(|record| TickRecord { number: self.ticks - 1, ..record });
        self.current.clear();
        self.shared.return_recording(std::mem::replace(&mut self.current, Self::NO_EVENTS));
        let mut history = lock(&self.agent.history);
        // Check under the lock: nothing may be stored after the last page disconnects.
        if let Some(record) = record
            && self.agent.is_awake(WATCHED)
        {
            history.push(record, self.agent.is_awake(SELECTED));
            self.is_stored = true;
        }
    }

    fn enter(&mut self, at: NodeId) {
        if self.is_live {
            self.current.enter(at);
            self.stop_on_breakpoint(at, Trigger::Visit);
        }
    }

    fn open(&mut self, at: NodeId) {
        if self.is_live {
            Observer::open(&mut self.current, at);
        }
    }

    fn tick(&mut self, at: NodeId, status: Status) {
        if status == Status::Running && self.running.len() < MAX_RUNNING {
            self.running.push(at);
        }
        if self.is_live {
            self.current.tick(at, status);
            self.stop_on_breakpoint(at, status.into());
        }
    }

    fn close(&mut self, at: NodeId, end: End) {
        if self.is_live {
            self.current.close(at, end);
            if let Some(on) = Trigger::halted(end) {
                self.stop_on_breakpoint(at, on);
            }
        }
    }

    fn state(&mut self, at: NodeId, state: usize) {
        if self.is_live {
            self.current.state(at, state);
        }
    }

    fn score(&mut self, at: NodeId, score: f32) {
        if self.is_live {
            self.current.score(at, score);
        }
    }

    fn error(&mut self, at: NodeId, error: &dyn std::fmt::Display) {
        if self.is_live {
            self.current.error(at, error);
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
