//! What an exploration has found.

use std::fmt;

use crate::coverage::Unseen;
use crate::run::Run;

/// The result of an exploration, returned by [`Explorer::run`](crate::Explorer::run) and [`check`](crate::Explorer::check). `Display` writes a summary.
#[derive(Clone, Debug)]
pub struct Exploration {
    pub(crate) states: usize,
    pub(crate) transitions: u64,
    pub(crate) depth: u32,
    pub(crate) limit: Option<Limit>,
    pub(crate) verdicts: Vec<Verdict>,
    pub(crate) stuck: Option<Run>,
    pub(crate) stuck_states: usize,
    pub(crate) bytes: usize,
    pub(crate) unseen: Unseen,
    /// A node that needs a clock, if there is none.
    pub(crate) timed: Option<String>,
}

/// Why an exploration ended before all states were explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The [limit of states](crate::Explorer::max_states) was reached.
    States,
    /// The [limit of transitions](crate::Explorer::max_transitions) was reached.
    Transitions,
    /// The [limit of ticks](crate::Explorer::max_ticks) was reached.
    Ticks,
    /// A violation was found, which ends [`check`](crate::Explorer::check).
    Violation,
}

/// A property, and the result for it.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The name of the property.
    pub name: String,
    /// The result.
    pub result: Finding,
    /// Whether a violation is a state from which something cannot happen any more.
    pub(crate) is_future: bool,
}

/// The result for a property.
#[derive(Clone, Debug)]
pub enum Finding {
    /// The property holds in all runs.
    Holds,
    /// The property is violated at the end of this run, a shortest such run.
    Violated(Run),
    /// A [`sometimes`](crate::Explorer::sometimes) property holds at the end of this run, a shortest such run.
    Reached(Run),
    /// A [`sometimes`](crate::Explorer::sometimes) property holds in no run.
    NotReached,
    /// Nothing was found before a limit ended the exploration.
    Unknown,
}

impl Verdict {
    /// Returns `true` if the property is violated.
    pub const fn is_violated(&self) -> bool {
        matches!(self.result, Finding::Violated(_) | Finding::NotReached)
    }

    /// Returns the run that violates the property, or in which a `sometimes` property holds.
    pub const fn run(&self) -> Option<&Run> {
        match &self.result {
            Finding::Violated(run) | Finding::Reached(run) => Some(run),
            Finding::Holds | Finding::NotReached | Finding::Unknown => None,
        }
    }
}

/// Writes the result, with the run of a violation.
impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.result {
            Finding::Holds => write!(out, "holds: {name}"),
            Finding::Reached(run) => write!(out, "reached in {}: {name}", ticks(run.ticks.len())),
            Finding::NotReached => write!(out, "violated: {name}\nnote: it happens in no run"),
            Finding::Unknown => write!(out, "not decided: {name}"),
            Finding::Violated(run) if self.is_future => {
                write!(
                    out,
                    "violated: {name}\nnote: after this run of {}, it cannot happen any more\n{run}",
                    ticks(run.ticks.len())
                )
            }
            Finding::Violated(run) => {
                write!(out, "violated: {name}\nnote: in the last of {}\n{run}", ticks(run.ticks.len()))
            }
        }
    }
}

fn ticks(number: usize) -> String {
    if number == 1 { "1 tick".to_owned() } else { format!("{number} ticks") }
}

impl Exploration {
    /// Returns `true` if all states were explored. Otherwise, properties were checked only in a part of them.
    pub const fn is_complete(&self) -> bool {
        self.limit.is_none()
    }

    /// Returns why the exploration ended before all states were explored.
    pub const fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// Returns `true` if no property is violated, and all states were explored.
    pub fn holds(&self) -> bool {
        self.is_complete()
            && self.verdicts.iter().all(|verdict| matches!(verdict.result, Finding::Holds | Finding::Reached(_)))
    }

    /// Returns all properties, in the order in which they were added. A panic in a leaf comes first, as a property of its own.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }

    /// Returns the property with this name.
    pub fn verdict(&self, name: &str) -> Option<&Verdict> {
        self.verdicts.iter().find(|verdict| verdict.name == name)
    }

    /// Returns the violated properties.
    pub fn violations(&self) -> impl Iterator<Item = &Verdict> {
        self.verdicts.iter().filter(|verdict| verdict.is_violated())
    }

    /// Returns the number of states: of distinct contexts and memories.
    pub const fn states(&self) -> usize {
        self.states
    }

    /// Returns the number of transitions: of ticks with different choices.
    pub const fn transitions(&self) -> u64 {
        self.transitions
    }

    /// Returns the depth of the search, in ticks.
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the size of the set of found states, in bytes per state. States that are not explored yet take more: a context and a memory.
    pub const fn bytes_per_state(&self) -> usize {
        self.bytes / self.states
    }

    /// Returns a shortest run after which nothing can change any more, although the tree is running. `None` if there is none.
    pub const fn stuck(&self) -> Option<&Run> {
        self.stuck.as_ref()
    }

    /// Returns the number of states in which nothing can change any more, although the tree is running.
    pub const fn stuck_states(&self) -> usize {
        self.stuck_states
    }

    /// Returns what occurred in no run: nodes that were never visited, statuses, transitions of machines.
    pub const fn unseen(&self) -> &Unseen {
        &self.unseen
    }
}

impl fmt::Display for Exploration {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { states, transitions, depth, .. } = self;
        write!(out, "{states} states, {transitions} transitions, {depth} ticks deep: ")?;
        writeln!(
            out,
            "{}",
            match self.limit {
                None => "complete",
                Some(Limit::States) => "not complete, the limit of states was reached",
                Some(Limit::Transitions) => "not complete, the limit of transitions was reached",
                Some(Limit::Ticks) => "not complete, the limit of ticks was reached",
                Some(Limit::Violation) => "not complete, ended at a violation",
            }
        )?;
        for verdict in &self.verdicts {
            writeln!(out, "{verdict}")?;
        }
        if let Some(stuck) = &self.stuck {
            let (number, ticks) = (self.stuck_states, ticks(stuck.ticks.len()));
            writeln!(out, "nothing changes any more in {number} of the states, in the first after {ticks}")?;
        }
        if let Some(node) = &self.timed {
            writeln!(
                out,
                "note: `{node}` needs a clock, but there is none: no time passes, unless the environment advances it"
            )?;
        }
        for node in &self.unseen.nodes {
            writeln!(out, "never visited: {node}")?;
        }
        for (node, status) in &self.unseen.statuses {
            writeln!(out, "never {}: {node}", format!("{status:?}").to_lowercase())?;
        }
        for (machine, from, to) in &self.unseen.transitions {
            writeln!(out, "never taken: {machine}: {from} -> {to}")?;
        }
        Ok(())
    }
}
