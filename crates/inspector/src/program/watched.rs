//! The observer that reports an agent's ticks to the inspector.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bt_core::Observer;
use bt_core::Wake;
use bt_core::describe::Visitor;
use bt_core::engine::described;
use bt_core::observe::{ForAgent, Recording, Tick, TickRecord};
use bt_core::prelude::*;
use serde::Serialize;
use serde_json::Value;

use super::past::{self, Rewound, Snapshots};
use super::target::Target;
use crate::state::{
    self, About, Agent, BREAKPOINTS, Breakpoints, COLUMNS, COUNTED, EDITED, Held, OBSERVED, PAUSED, SAMPLE, SELECTED,
    Shared, Stop, Trigger, Variables, WATCHED, lock,
};
use crate::values::{Values, text};

/// The error of the node in which a panic has ended a tick.
const PANICKED: &str = "a panic has ended the tick";
/// The maximum number of recorded events per tick.
const MAX_EVENTS: usize = 1 << 16;
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
    /// The version of the tree of the current tick.
    tree: Option<Arc<state::Tree>>,
    breakpoints: Option<Arc<Breakpoints>>,
    /// The values that were shown last, if a breakpoint depends on them.
    values: Value,
    /// Where the agent stops in the current tick, as requested by a page.
    target: Option<Target>,
    /// Whether the last tick was stored. Values are attached to a stored tick only.
    is_stored: bool,
    past: Snapshots,
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
            tree: None,
            breakpoints: None,
            values: Value::Null,
            target: None,
            is_stored: false,
            past: Snapshots::default(),
        }
    }

    /// Returns an observer for [`Tree::tick_with`] that timestamps the tick with `now`. Without it, all ticks have the time 0.
    pub fn at(&mut self, now: Duration) -> At<'_> {
        let agent = self.agent.key as u64;
        self.for_agent(agent, now)
    }

    /// Shows values next to the last tick; while [`is_held`](Self::is_held) returns `true`, as the present ones. `values` may return any type that serde can
    /// serialize. The function is called only while its ticks are [collected](crate::Inspector::collect), or a page has selected this agent or depends on its values: columns of the list of agents, conditions of breakpoints,
    /// watched values.
    ///
    /// ```
    /// # let inspector = bt_inspector::Inspector::serve("127.0.0.1:0")?;
    /// # let mut ann = inspector.agent(inspector.tree("guard", &bt_core::leaf::succeed()), "Ann");
    /// # let (mut hp, mut board) = (3, bt_core::board::Board::new());
    /// ann.show(|| serde_json::json!({ "hp": hp, "board": bt_inspector::board(&board) }));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn show<T: Serialize>(&mut self, values: impl FnOnce() -> T) {
        if self.needs_values() {
            self.shown(&text(&values()));
        }
    }

    /// Returns whether a page shows the values of this agent, or depends on them.
    fn needs_values(&self) -> bool {
        let is_shown = self.agent.is_awake(SELECTED) && (self.is_stored || self.is_skipped());
        is_shown || self.agent.is_awake(COLUMNS) || self.is_stored && self.stops_by_values()
    }

    /// Returns whether the values of this agent decide whether it stops.
    fn stops_by_values(&self) -> bool {
        self.breakpoints.as_ref().is_some_and(|breakpoints| breakpoints.need_values_of(self.agent.key))
    }

    /// Returns whether the program continues without this agent.
    fn is_skipped(&self) -> bool {
        self.agent.is_awake(PAUSED) && self.agent.hold.held() == Held::Skipped
    }

    fn shown(&mut self, text: &str) {
        let stops = self.stops_by_values();
        if stops || self.agent.is_awake(COLUMNS) {
            let values = serde_json::from_str(text).unwrap_or_default();
            // An agent that stops now cannot be asked for them later.
            self.agent.set_awake(COLUMNS, false);
            lock(&self.agent.cells).update(&self.shared.columns(), &values, self.ticks);
            if stops {
                let before = std::mem::replace(&mut self.values, values);
                let changed = self.breakpoints.as_ref().filter(|_| !before.is_null());
                if let Some(why) = changed.and_then(|of| of.changed(self.agent.key, &before, &self.values)) {
                    self.agent.pause_because(why);
                }
            }
        }
        if self.agent.is_awake(SELECTED) && self.is_skipped() {
            lock(&self.agent.history).present = Some(text.into());
        } else if self.is_stored && (stops || self.agent.is_awake(SELECTED)) {
            lock(&self.agent.history).show(Variables::Values(text.into()));
        }
    }

    /// Shows values next to the last tick like [`show`](Self::show), and lets pages edit those that the function passes to [`Values::edit`] or
    /// [`Values::board`]. The function is called only when [`shows_values`](Self::shows_values) returns `true`.
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
        if edits.is_empty() && !self.needs_values() {
            return;
        }
        let mut shown = Values::new(edits);
        values(&mut shown);
        let (shown, editable) = shown.finish();
        *lock(&self.agent.editable) = editable;
        self.shown(&shown);
    }

    /// Returns whether a page holds this agent: the program must not tick it now. A program that calls this method before each tick, and skips
    /// the ticks of held agents, continues with its other agents. Otherwise the next tick blocks its thread.
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
    /// A breakpoint stops an agent in the middle of a tick. Then its thread waits, whether or not the program calls this method.
    pub fn is_held(&self) -> bool {
        self.shared.skip(&self.agent)
    }

    /// Lets pages take this agent back to an earlier tick. A page can store the memory and the context before each tick, or before each *n*th, and take the agent
    /// back to a stored one, from which the agent continues. Call this method before each tick. Returns the tick that the agent has gone back to, for programs with a
    /// clock of their own.
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # let inspector = bt_inspector::Inspector::serve("127.0.0.1:0")?;
    /// # let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    /// # let mut ann = inspector.agent(inspector.tree("counter", &tree), "Ann");
    /// let (mut context, mut memory) = (0, tree.memory());
    /// for tick in 0..5 {
    ///     let now = millis(50 * tick);
    ///     ann.rewind(now, &mut memory, &mut context);
    ///     tree.tick_with(&mut context, &mut memory, &mut ann.at(now));
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// If the context contains all that its leaves read, including the clock and the random number generator, the ticks repeat exactly. While no page stores the
    /// past, a call costs the check of a flag; otherwise two clones and an allocation. The snapshots of all agents take at most 64 MiB, with an equal share for each
    /// agent; the oldest are dropped. Heap memory of `context` is not counted: if it is large, use [`rewind_with`](Self::rewind_with). The future of a running
    /// asynchronous action cannot be copied: the action starts again.
    ///
    /// While the agent is paused, this method waits, unless the program calls [`is_held`](Self::is_held).
    pub fn rewind<M, C>(&mut self, now: Duration, memory: &mut M, context: &mut C) -> Option<Rewound>
    where
        M: Clone + Send + 'static,
        C: Clone + Send + 'static,
    {
        self.rewind_with(
            now,
            &mut (memory, context),
            |(memory, context)| ((M::clone(memory), C::clone(context)), 0),
            |(memory, context), state| (**memory, **context) = state,
        )
    }

    /// Lets pages take this agent back like [`rewind`](Self::rewind), with functions for contexts that cannot be cloned. `save` returns a copy of the state, and
    /// the number of bytes that the copy takes on the heap. `load` replaces the state by such a copy.
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # let inspector = bt_inspector::Inspector::serve("127.0.0.1:0")?;
    /// # let tree = tree! { for Robot: |robot: &mut Robot| robot.path.push(1) };
    /// # let mut ann = inspector.agent(inspector.tree("robot", &tree), "Ann");
    /// struct Robot { path: Vec<u32>, motor: Motor }
    /// # struct Motor;
    ///
    /// let (mut robot, mut memory) = (Robot { path: vec![], motor: Motor }, tree.memory());
    /// ann.rewind_with(
    ///     millis(0),
    ///     &mut (&mut memory, &mut robot),
    ///     |(memory, robot)| ((Memory::clone(memory), robot.path.clone()), robot.path.len() * 4),
    ///     |(memory, robot), (past, path)| (**memory, robot.path) = (past, path),
    /// );
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn rewind_with<T: ?Sized, S: Clone + Send + 'static>(
        &mut self,
        now: Duration,
        target: &mut T,
        save: impl Fn(&T) -> (S, usize),
        mut load: impl FnMut(&mut T, S),
    ) -> Option<Rewound> {
        // A page that is gone does not need the past any more.
        if self.agent.past.offer() == 0 && self.past.is_empty() {
            return None;
        }
        let mut rewound = None;
        loop {
            let place = (&*self.shared, &*self.agent);
            rewound = self.past.turn(place, (self.ticks, now), target, &save, &mut load).or(rewound);
            if !self.agent.is_awake(PAUSED) || !past::wait(&self.shared, &self.agent) {
                return rewound;
            }
        }
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

    /// Returns whether a page has selected this agent and has not received a tick of it yet. Then a program whose agents sleep wakes
    /// the agent, so that the page shows its tree: the tick of a sleeping agent changes nothing.
    pub fn needs_tick(&self) -> bool {
        self.is_selected() && lock(&self.agent.history).ticks.is_empty()
    }

    /// Returns whether a page has selected this agent, and shows the values of [`show`](Self::show).
    pub fn is_selected(&self) -> bool {
        self.agent.is_awake(SELECTED)
    }

    /// Returns whether [`show`](Self::show) and [`show_mut`](Self::show_mut) would call their functions now or after the next tick: its ticks are collected, or a page has selected this agent,
    /// has edited one of its values, shows one in the list of agents, or stops the agent by its values.
    pub fn shows_values(&self) -> bool {
        self.agent.is_awake(SELECTED | EDITED | COLUMNS)
            || self.agent.is_awake(BREAKPOINTS) && self.agent.tree().breakpoints().need_values_of(self.agent.key)
    }

    /// Returns whether a page has selected or paused this agent, or has set breakpoints that can stop the agent, or its ticks are [collected](crate::Inspector::collect).
    pub fn is_watched(&self) -> bool {
        self.agent.is_awake(WATCHED)
    }

    /// Stores a tick if a page watches the agent. Returns whether it does.
    fn store(&self, record: TickRecord, tree: Arc<state::Tree>) -> bool {
        let mut history = lock(&self.agent.history);
        // Check under the lock: nothing may be stored after the last page disconnects.
        let is_watched = self.agent.is_awake(WATCHED);
        if is_watched {
            history.push(record, tree, self.shared.time_of_day(), self.agent.is_awake(SELECTED));
        } else {
            // The list of agents only shows the status.
            history.sample(record.status);
        }
        is_watched
    }

    /// Stores the last tick if a panic has ended it.
    fn store_panicked(&mut self) {
        let (Some(mut record), Some(tree)) = (self.current.current(), self.tree.take()) else { return };
        record.number = self.ticks - 1;
        record.reasons.extend(self.current.executing().map(|node| (node, PANICKED.to_owned())));
        self.store(record, tree);
        self.current.clear();
        self.shared.return_recording(std::mem::replace(&mut self.current, Self::NO_EVENTS));
    }

    /// Waits if the agent stops at an event.
    fn stop_at(&mut self, at: NodeId, on: Trigger) {
        let is_reached = self.target.take_if(|target| target.is_reached(at, on)).is_some();
        let hit = self.breakpoints.as_ref().is_some_and(|of| of.hit(at, on, self.agent.key, &self.values));
        if !is_reached && !hit {
            return;
        }
        let current = self.current.current().map(|record| TickRecord { number: self.ticks - 1, ..record });
        let stop = Stop { at: Some((at, on)), tree: self.tree.clone(), why: None, current: current.clone() };
        let walk = self.shared.stop(&self.agent, stop, hit);
        self.target = walk.and_then(|walk| Target::of(walk, at, on, current.as_ref()));
    }
}

impl Observer for Watched {
    const INLINE: bool = false;
    const SLEEPS: bool = true;

    #[inline]
    fn is_asleep(&self) -> bool {
        self.agent.awake.load(Ordering::Relaxed) & OBSERVED == 0
    }

    #[inline]
    fn skipped(&mut self) {
        self.ticks += 1;
    }

    fn edited(&mut self, edits: u32, describe: &dyn Fn(&mut dyn Visitor)) {
        let versions = &self.agent.versions;
        if !versions.follows(edits) {
            return;
        }
        let (current, (description, fingerprint)) = (versions.current(), described(describe));
        if description != current.description {
            let matching = current.description.matching(&description);
            self.shared.replace(versions, About { fingerprint, description, bytes: Vec::new() }, &matching);
        }
    }

    fn begin(&mut self, tick: Tick) {
        self.store_panicked();
        self.ticks += 1;
        self.is_stored = false;
        let walk = if self.agent.is_awake(PAUSED) { self.shared.wait_while_paused(&self.agent) } else { None };
        self.target = walk.and_then(Target::in_tick);
        let tree = self.agent.tree();
        self.breakpoints = self.agent.is_awake(BREAKPOINTS).then(|| tree.breakpoints());
        self.tree = Some(tree);
        if !self.stops_by_values() {
            self.values = Value::Null;
        }
        self.current = self.shared.take_recording().unwrap_or(Self::NO_EVENTS);
        self.current.begin(tick);
    }

    fn end(&mut self, tick: Tick, status: Option<Status>) {
        self.agent.set_awake(SAMPLE, false);
        self.target = None;
        self.current.end(tick, status);
        let record = self.current.ticks().next().map(|record| TickRecord { number: self.ticks - 1, ..record });
        self.current.clear();
        self.shared.return_recording(std::mem::replace(&mut self.current, Self::NO_EVENTS));
        let (Some(record), Some(tree)) = (record, self.tree.take()) else { return };
        lock(&self.agent.tracked).update(&record, &self.shared.columns(), &tree);
        if self.agent.is_awake(COUNTED) {
            self.agent.versions.count(&record, &tree);
        }
        self.is_stored = self.store(record, tree);
    }

    fn enter(&mut self, at: NodeId) {
        self.current.enter(at);
        self.stop_at(at, Trigger::Visit);
    }

    fn open(&mut self, at: NodeId) {
        Observer::open(&mut self.current, at);
    }

    fn close(&mut self, at: NodeId, end: End) {
        self.current.close(at, end);
        if let Some(on) = Trigger::halted(end) {
            self.stop_at(at, on);
        }
    }

    fn state(&mut self, at: NodeId, state: usize) {
        self.current.state(at, state);
    }

    fn score(&mut self, at: NodeId, score: f32) {
        self.current.score(at, score);
    }

    fn error(&mut self, at: NodeId, error: &dyn std::fmt::Display) {
        self.current.error(at, error);
    }

    fn failure(&mut self, at: NodeId, reason: &dyn std::fmt::Display) {
        self.current.failure(at, reason);
    }

    fn exit(&mut self, at: NodeId, status: Status) {
        self.current.exit(at, status);
        self.stop_at(at, status.into());
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.past.drop_all(&self.shared);
        self.store_panicked();
        self.shared.remove(&self.agent);
    }
}
