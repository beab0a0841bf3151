//! Statistics of nodes over any number of agents: visits, statuses and time.

use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;

use crate::describe::{Described, Description, Matching};
use crate::id::NodeId;
use crate::observer::{Observer, Tick};
use crate::recording::{EventKind, TickRecord};
use crate::status::{End, Status};

/// An observer that counts events, over any number of ticks and agents of one tree.
///
/// ```
/// use bt_core::observe::Statistics;
/// use bt_core::prelude::*;
///
/// fn near(near: &bool) -> bool { *near }
/// fn flee(_: &mut bool) -> bool { false }
/// let tree = tree! { for bool: selector { sequence { near, flee, run }, succeed } };
///
/// let mut statistics = Statistics::default();
/// for is_near in [true, false, false] {
///     tree.tick_with(&mut is_near.clone(), &mut tree.memory(), &mut statistics);
/// }
/// assert_eq!(statistics.of(NodeId::new(2)).visits, 3);
///
/// let description = tree.description();
/// let coverage = statistics.coverage(&description);
/// let names = |nodes: &[&bt_core::describe::Described]| nodes.iter().map(|node| node.name.clone()).collect::<Vec<_>>();
/// assert_eq!(names(&coverage.never_visited), ["run"]);
/// assert_eq!(names(&coverage.never_succeeded), ["flee"]);
/// println!("{coverage}");         // one line per node, with file and line
/// ```
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    nodes: Vec<NodeCounts>,
    clock: Option<fn() -> Duration>,
    /// The start time of each visit that is not over.
    began: Vec<Duration>,
}

/// The counts of a node so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeCounts {
    /// The number of visits.
    pub visits: u64,
    /// The number of runs that started.
    pub runs: u64,
    /// The number of visits that returned success.
    pub success: u64,
    /// The number of visits that returned failure.
    pub failure: u64,
    /// The number of visits that returned running.
    pub running: u64,
    /// The number of visits that returned an error.
    pub error: u64,
    /// The number of halts.
    pub halts: u64,
    /// The total time of the visits, including the visits of the nodes below; zero without a [clock](Statistics::timed).
    pub time: Duration,
}

/// The events that have never occurred in a tree, returned by [`Statistics::coverage`]. `Display` writes a line for
/// each node, with its source location.
#[derive(Clone, PartialEq, Debug)]
pub struct Coverage<'a> {
    /// The nodes that were never visited, without the nodes below them.
    pub never_visited: Vec<&'a Described>,
    /// The nodes that were visited and can succeed, but never did.
    pub never_succeeded: Vec<&'a Described>,
    /// The number of nodes in the tree.
    pub nodes: usize,
    /// The number of nodes that were visited.
    pub visited: usize,
}

const NOTHING: NodeCounts =
    NodeCounts { visits: 0, runs: 0, success: 0, failure: 0, running: 0, error: 0, halts: 0, time: Duration::ZERO };

impl Statistics {
    /// Creates statistics that also measure the time of visits, with this clock.
    ///
    /// ```
    /// use bt_core::observe::Statistics;
    /// use bt_core::prelude::*;
    /// use std::sync::LazyLock;
    /// use std::time::Instant;
    ///
    /// static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    /// let mut statistics = Statistics::timed(|| BEGAN.elapsed());
    /// let tree = tree! { for (): |_: &mut ()| std::thread::sleep(millis(2)) };
    /// tree.tick_with(&mut (), &mut tree.memory(), &mut statistics);
    /// assert!(statistics.of(NodeId::ROOT).time >= millis(2));
    /// ```
    pub const fn timed(clock: fn() -> Duration) -> Self {
        Self { nodes: Vec::new(), clock: Some(clock), began: Vec::new() }
    }

    /// Returns the counts of a node so far.
    pub fn of(&self, id: NodeId) -> &NodeCounts {
        self.nodes.get(id.index()).unwrap_or(&NOTHING)
    }

    /// Adds the events of a recorded tick.
    ///
    /// ```
    /// use bt_core::observe::Recording;
    /// use bt_core::observe::Statistics;
    /// use bt_core::prelude::*;
    ///
    /// let tree = tree! { for (): sequence { succeed, run } };
    /// let mut recording = Recording::new(100);
    /// let mut memory = tree.memory();
    /// for _ in 0..3 {
    ///     tree.tick_with(&mut (), &mut memory, &mut recording);
    /// }
    ///
    /// let mut statistics = Statistics::default();
    /// for tick in recording.ticks() {
    ///     statistics.count(&tick);
    /// }
    /// assert_eq!(statistics.of(NodeId::new(2)).to_string(), "3 visits: 100 % running");
    /// ```
    pub fn count(&mut self, tick: &TickRecord) {
        for event in &tick.events {
            match event.what {
                EventKind::Visited { opened, status } => {
                    let count = self.at(event.node.index());
                    count.visits += 1;
                    count.runs += u64::from(opened);
                    if let Some(status) = status {
                        self.tick(event.node, status);
                    }
                }
                EventKind::Halted(cause) => self.close(event.node, End::Halted(cause)),
                EventKind::State(_) | EventKind::Score(_) => {}
            }
        }
    }

    /// Adds the counts of other statistics of the same tree.
    pub fn add(&mut self, other: &Self) {
        for (index, count) in other.nodes.iter().enumerate() {
            let sum = self.at(index);
            sum.visits += count.visits;
            sum.runs += count.runs;
            sum.success += count.success;
            sum.failure += count.failure;
            sum.running += count.running;
            sum.error += count.error;
            sum.halts += count.halts;
            sum.time += count.time;
        }
    }

    /// Continues with another tree. Nodes that `matching` assigns to a node of the tree before take over its counts.
    ///
    /// ```
    /// use bt_core::describe::Matching;
    /// use bt_core::observe::Statistics;
    /// use bt_core::prelude::*;
    ///
    /// fn walk(_: &mut ()) -> Status { Status::Running }
    /// let (old, new) = (tree! { for (): walk }, tree! { for (): repeat(3) { walk } });
    /// let mut statistics = Statistics::default();
    /// old.tick_with(&mut (), &mut old.memory(), &mut statistics);
    /// statistics.replace(&Matching::new([Some(NodeId::new(1))]));
    /// new.tick_with(&mut (), &mut new.memory(), &mut statistics);
    /// assert_eq!([0, 1].map(|node| statistics.of(NodeId::new(node)).visits), [1, 2]);
    /// ```
    pub fn replace(&mut self, matching: &Matching) {
        let old = core::mem::take(&mut self.nodes);
        for (from, to) in matching.pairs() {
            if let Some(count) = old.get(from.index()) {
                *self.at(to.index()) = *count;
            }
        }
    }

    /// Returns the nodes that were never visited, or never succeeded.
    pub fn coverage<'a>(&self, description: &'a Description) -> Coverage<'a> {
        let visited = |id: NodeId| self.of(id).visits > 0;
        let nodes = description.nodes();
        let never_visited = nodes.iter().filter(|node| !visited(node.id) && node.parent.is_none_or(visited)).collect();
        let never_succeeded = nodes.iter().filter(|node| {
            let count = self.of(node.id);
            count.visits > 0 && count.success == 0 && node.returns.succeeds()
        });
        Coverage {
            never_visited,
            never_succeeded: never_succeeded.collect(),
            nodes: nodes.len(),
            visited: nodes.iter().filter(|node| visited(node.id)).count(),
        }
    }

    #[inline]
    fn at(&mut self, index: usize) -> &mut NodeCounts {
        if self.nodes.len() <= index {
            self.grow(index);
        }
        &mut self.nodes[index]
    }

    #[cold]
    fn grow(&mut self, index: usize) {
        self.nodes.resize(index + 1, NOTHING);
    }

    // Out of line, so that visits that are only counted save no registers.
    #[inline(never)]
    fn time_begins(&mut self, clock: fn() -> Duration) {
        self.began.push(clock());
    }

    #[inline(never)]
    fn time_ends(&mut self, clock: fn() -> Duration, at: NodeId) {
        if let Some(began) = self.began.pop() {
            self.at(at.index()).time += clock().saturating_sub(began);
        }
    }
}

impl Observer for Statistics {
    #[inline]
    fn begin(&mut self, _: Tick) {
        // Discard the visits that a panic has interrupted.
        self.began.clear();
    }

    #[inline]
    fn enter(&mut self, at: NodeId) {
        self.at(at.index()).visits += 1;
        if let Some(clock) = self.clock {
            self.time_begins(clock);
        }
    }

    #[inline]
    fn open(&mut self, at: NodeId) {
        self.at(at.index()).runs += 1;
    }

    #[inline]
    fn tick(&mut self, at: NodeId, status: Status) {
        let count = self.at(at.index());
        match status {
            Status::Success => count.success += 1,
            Status::Failure => count.failure += 1,
            Status::Running => count.running += 1,
            Status::Error => count.error += 1,
        }
    }

    #[inline]
    fn close(&mut self, at: NodeId, end: End) {
        if let End::Halted(_) = end {
            self.at(at.index()).halts += 1;
        }
    }

    #[inline]
    fn exit(&mut self, at: NodeId, _: Status) {
        if let Some(clock) = self.clock {
            self.time_ends(clock, at);
        }
    }
}

/// Formats the counts, such as `3 visits: 67 % success, 33 % running, 1 halt, 12µs each`.
impl fmt::Display for NodeCounts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |number: u64| if number == 1 { "" } else { "s" };
        if self.visits == 0 && self.halts == 0 {
            return out.write_str("never visited");
        }
        write!(out, "{} visit{}", self.visits, plural(self.visits))?;
        let parts =
            [(self.success, "success"), (self.failure, "failure"), (self.running, "running"), (self.error, "error")];
        let mut before = ": ";
        for (number, name) in parts.into_iter().filter(|(number, _)| *number > 0) {
            let percent = (number * 100 + self.visits / 2) / self.visits.max(1);
            write!(out, "{before}{percent} % {name}")?;
            before = ", ";
        }
        if self.halts > 0 {
            write!(out, "{before}{} halt{}", self.halts, plural(self.halts))?;
        }
        if self.time > Duration::ZERO {
            let each = self.time.as_nanos() / u128::from(self.visits.max(1));
            write!(out, ", {:?} each", Duration::from_nanos(u64::try_from(each).unwrap_or(u64::MAX)))?;
        }
        Ok(())
    }
}

impl fmt::Display for Coverage<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{} of {} nodes visited", self.visited, self.nodes)?;
        for node in &self.never_visited {
            writeln!(out, "never visited:   {node}")?;
        }
        for node in &self.never_succeeded {
            writeln!(out, "never succeeded: {node}")?;
        }
        Ok(())
    }
}
