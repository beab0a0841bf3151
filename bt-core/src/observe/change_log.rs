//! A log of the changes of nodes' statuses.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::describe::{Described, Description, Matching};
use crate::id::NodeId;
use crate::node::NodeShape;
use crate::observe::statuses::Last;
use crate::observer::{Observer, Tick};
use crate::recording::shortened;
use crate::status::{End, Status};

/// An observer that reports each change of a node's status, and of the reason of an error or failure.
///
/// A node is `Idle` if it is not running and was not visited in the tick before. A change to `Idle` is not reported.
/// So a condition that succeeds in every tick is reported once, and again after a tick that did not visit it.
///
/// ```
/// use bt_core::observe::ChangeLog;
/// use bt_core::prelude::*;
///
/// struct Robot { now: Duration, hit: bool }
/// impl Clock for Robot { fn now(&self) -> Duration { self.now } }
/// fn is_hit(robot: &Robot) -> bool { robot.hit }
/// fn flee(_: &mut Robot) -> Status { Status::Running }
///
/// let tree = tree! { selector { sequence { is_hit, flee } wait(secs(5)) "rest" } };
/// let mut lines = vec![];
/// let mut log = ChangeLog::new(&tree, |change| lines.push(change.to_string()));
/// let (mut robot, mut memory) = (Robot { now: secs(0), hit: false }, tree.memory());
/// for second in 0..3 {
///     robot.now = secs(second);
///     robot.hit = second == 2;
///     tree.tick_with(&mut robot, &mut memory, &mut log.for_agent(0, secs(second)));
/// }
/// assert_eq!(lines, [
///     "[    0.000] is_hit           Idle    -> Failure",
///     "[    0.000] sequence         Idle    -> Failure",
///     "[    0.000] rest             Idle    -> Running",
///     "[    0.000] selector         Idle    -> Running",
///     "[    2.000] is_hit           Failure -> Success",
///     "[    2.000] flee             Idle    -> Running",
///     "[    2.000] sequence         Failure -> Running",
///     "[    2.000] rest             Running -> Halted",
/// ]);
/// ```
///
/// `ChangeLog::to_writer` (with the feature `record`) writes the lines, and `ChangeLog::to_tracing` (with the feature
/// `tracing`) reports them to the crate `tracing`. [`for_agent`](Observer::for_agent) adds the agent and the time. The log
/// stores the statuses of each agent until it [forgets](Self::forget) the agent.
pub struct ChangeLog<S> {
    description: Description,
    agents: BTreeMap<u64, Vec<Mark>>,
    tick: Tick,
    is_ticking: bool,
    /// The reason of the error or failure that a node is about to return.
    reason: Option<(NodeId, String)>,
    sink: S,
}

/// The last status of a node.
#[derive(Clone, Default)]
struct Mark {
    last: Option<Last>,
    /// The reason that was stated for it.
    reason: Option<String>,
    /// Whether it is of this tick, of the last one, or older.
    age: Age,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Age {
    Now,
    LastTick,
    #[default]
    Older,
}

impl Mark {
    /// Returns the status that the node has now.
    fn status(&self) -> Option<Last> {
        match (self.last, self.age) {
            (Some(Last::Returned(Status::Running)), _) | (_, Age::Now | Age::LastTick) => self.last,
            (_, Age::Older) => None,
        }
    }
}

/// A change of a node's status, reported by a [`ChangeLog`]. `Display` formats it as a line.
#[derive(Clone, Copy, Debug)]
pub struct StatusChange<'a> {
    /// The agent and the time.
    pub tick: Tick,
    /// The node.
    pub node: &'a Described,
    /// The status before the change; `None` if the node was idle.
    pub from: Option<Last>,
    /// The status after the change, or the halt of the node.
    pub to: Last,
    /// The reason of an error or of a failure.
    pub reason: Option<&'a str>,
}

impl StatusChange<'_> {
    /// Returns the label of the node, or its name.
    #[doc(hidden)]
    pub fn name(&self) -> &str {
        self.node.label.as_deref().unwrap_or(&self.node.name)
    }
}

/// The status before a change: `None` is idle.
struct From(Option<Last>);

impl fmt::Display for From {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => out.pad("Idle"),
            Some(last) => last.fmt(out),
        }
    }
}

impl fmt::Display for StatusChange<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "[{:>9.3}] ", self.tick.now.as_secs_f64())?;
        if self.tick.agent != 0 {
            write!(out, "{:<4} ", self.tick.agent)?;
        }
        write!(out, "{:<16} {:<7} -> {}", self.name(), From(self.from), self.to)?;
        match self.reason {
            Some(reason) => write!(out, ": {reason}"),
            None => Ok(()),
        }
    }
}

/// A receiver of the changes of a [`ChangeLog`]: a function, or the sink that `to_writer` or `to_tracing` creates.
#[doc(hidden)]
pub trait ChangeSink {
    /// Called for each change.
    fn change(&mut self, change: &StatusChange<'_>);
}

impl<F: FnMut(&StatusChange<'_>)> ChangeSink for F {
    fn change(&mut self, change: &StatusChange<'_>) {
        self(change);
    }
}

impl<F: FnMut(&StatusChange<'_>)> ChangeLog<F> {
    /// Creates a log of this tree that calls a function for each change.
    pub fn new<N: NodeShape>(tree: &N, change: F) -> Self {
        Self::of(tree, change)
    }
}

impl<S: ChangeSink> ChangeLog<S> {
    fn of<N: NodeShape>(tree: &N, sink: S) -> Self {
        let description = Description::of(tree);
        Self { description, agents: BTreeMap::new(), tick: Tick::default(), is_ticking: false, reason: None, sink }
    }

    /// Continues with another tree. Nodes that `matching` assigns to a node of the tree before take over its status.
    ///
    /// ```
    /// use bt_core::describe::Matching;
    /// use bt_core::observe::ChangeLog;
    /// use bt_core::prelude::*;
    ///
    /// fn walk(_: &mut ()) -> Status { Status::Running }
    /// let (old, new) = (tree! { for (): walk }, tree! { for (): repeat(3) { walk } });
    /// let mut log = ChangeLog::to_writer(&old, Vec::new());
    /// old.tick_with(&mut (), &mut old.memory(), &mut log);
    /// log.replace(&new, &Matching::new([Some(NodeId::new(1))]));
    /// new.tick_with(&mut (), &mut new.memory(), &mut log);
    /// // `walk` continues.
    /// assert_eq!(String::from_utf8(log.finish()?).unwrap(), "\
    /// [    0.000] walk             Idle    -> Running
    /// [    0.000] repeat           Idle    -> Running
    /// ");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn replace<N: NodeShape>(&mut self, new: &N, matching: &Matching) {
        self.description = Description::of(new);
        for seen in self.agents.values_mut() {
            let old = core::mem::replace(seen, alloc::vec![Mark::default(); self.description.nodes().len()]);
            for (from, to) in matching.pairs() {
                if let (Some(mark), Some(place)) = (old.get(from.index()), seen.get_mut(to.index())) {
                    place.clone_from(mark);
                }
            }
        }
    }

    /// Forgets the statuses of an agent. Call this method when the agent is removed.
    pub fn forget(&mut self, agent: u64) {
        self.agents.remove(&agent);
    }

    fn change(&mut self, at: NodeId, to: Last) {
        let Some(node) = self.description.node(at) else { return };
        let seen = self.agents.entry(self.tick.agent).or_default();
        if seen.len() <= at.index() {
            seen.resize(self.description.nodes().len().max(at.index() + 1), Mark::default());
        }
        let mark = &mut seen[at.index()];
        let from = mark.status();
        let reason = self.reason.take_if(|(of, _)| *of == at).map(|(_, reason)| reason);
        let is_change = from != Some(to) || mark.reason != reason;
        *mark = Mark { last: Some(to), reason, age: Age::Now };
        if is_change {
            self.sink.change(&StatusChange { tick: self.tick, node, from, to, reason: mark.reason.as_deref() });
        }
    }
}

impl<S: ChangeSink> Observer for ChangeLog<S> {
    const INLINE: bool = false;

    fn begin(&mut self, tick: Tick) {
        self.reason = None;
        let is_lost = core::mem::replace(&mut self.is_ticking, true);
        let before = core::mem::replace(&mut self.tick, tick).agent;
        if is_lost {
            // A panic has ended the last tick, so no node of its agent is running.
            self.agents.remove(&before);
        }
        for seen in self.agents.get_mut(&tick.agent).into_iter().flatten() {
            seen.age = if seen.age == Age::Now { Age::LastTick } else { Age::Older };
        }
    }

    fn end(&mut self, _: Tick, _: Option<Status>) {
        self.is_ticking = false;
    }

    fn tick(&mut self, at: NodeId, status: Status) {
        self.change(at, Last::Returned(status));
    }

    fn error(&mut self, at: NodeId, error: &dyn fmt::Display) {
        self.reason = Some((at, shortened(error)));
    }

    fn failure(&mut self, at: NodeId, reason: &dyn fmt::Display) {
        self.reason = Some((at, shortened(reason)));
    }

    fn close(&mut self, at: NodeId, end: End) {
        if let End::Halted(_) = end {
            self.change(at, Last::Halted);
        }
    }
}

impl<S> fmt::Debug for ChangeLog<S> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ChangeLog").field("agents", &self.agents.len()).finish_non_exhaustive()
    }
}

#[cfg(feature = "record")]
pub use lines::ToWriter;

#[cfg(feature = "record")]
mod lines {
    use std::io::{self, Write};

    use super::{ChangeLog, ChangeSink, StatusChange};
    use crate::node::NodeShape;

    /// Writes the lines of a [`ChangeLog`].
    #[derive(Debug)]
    pub struct ToWriter<W> {
        out: W,
        error: Option<io::Error>,
    }

    impl<W: Write> ChangeSink for ToWriter<W> {
        fn change(&mut self, change: &StatusChange<'_>) {
            if self.error.is_none() {
                self.error = writeln!(self.out, "{change}").err();
            }
        }
    }

    impl<W: Write> ChangeLog<ToWriter<W>> {
        /// Creates a log of this tree that writes a line for each change. After an error, nothing more is written: see
        /// [`finish`](Self::finish).
        ///
        /// ```
        /// use bt_core::observe::ChangeLog;
        /// use bt_core::prelude::*;
        ///
        /// let tree = tree! { for (): run "guard" };
        /// let mut log = ChangeLog::to_writer(&tree, Vec::new());     // or a file, or `std::io::stderr()`
        /// tree.tick_with(&mut (), &mut tree.memory(), &mut log.for_agent(7, millis(250)));
        /// assert_eq!(log.finish()?, b"[    0.250] 7    guard            Idle    -> Running\n");
        /// # Ok::<(), std::io::Error>(())
        /// ```
        pub fn to_writer<N: NodeShape>(tree: &N, out: W) -> Self {
            Self::of(tree, ToWriter { out, error: None })
        }

        /// Flushes and returns the writer.
        ///
        /// # Errors
        ///
        /// Returns the first error of the writer.
        pub fn finish(mut self) -> io::Result<W> {
            match self.sink.error.take() {
                Some(error) => Err(error),
                None => self.sink.out.flush().map(|()| self.sink.out),
            }
        }
    }
}

#[cfg(feature = "tracing")]
pub use events::ToTracing;

#[cfg(feature = "tracing")]
mod events {
    use alloc::format;
    use alloc::string::String;

    use super::{ChangeLog, ChangeSink, From, StatusChange};
    use crate::node::NodeShape;

    /// Reports the changes of a [`ChangeLog`] to the crate `tracing`.
    #[derive(Clone, Copy, Debug)]
    pub struct ToTracing;

    impl ChangeSink for ToTracing {
        fn change(&mut self, change: &StatusChange<'_>) {
            let (tick, node, name) = (change.tick, change.node.id.index(), change.name());
            let (from, to) = (From(change.from), change.to);
            let reason = change.reason.map_or(String::new(), |reason| format!(": {reason}"));
            tracing::info!(target: "bt", agent = tick.agent, now = ?tick.now, node, "{name}: {from} -> {to}{reason}");
        }
    }

    impl ChangeLog<ToTracing> {
        /// Creates a log of this tree whose changes are events of the crate `tracing`, with the level `INFO` and the target
        /// `bt`.
        pub fn to_tracing<N: NodeShape>(tree: &N) -> Self {
            Self::of(tree, ToTracing)
        }
    }
}
