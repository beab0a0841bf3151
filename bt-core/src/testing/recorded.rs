//! A unit test from recorded ticks.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt::{self, Write as _};
use core::ops::RangeInclusive;

use bt_words::{ParamType, Word};

use crate::describe::{Described, Description, Kind};
use crate::id::NodeId;
use crate::recording::{Event, EventKind, TickRecord};
use crate::testing::scripts::Scripts;
use crate::testing::steps;

/// The source of a unit test that repeats recorded ticks with a [`TreeTest`](super::TreeTest): the leaves return what they
/// returned, and the test asserts the statuses of the tree and the [log](super::TreeTest::log) of each tick.
///
/// The ticks are [`TickRecord`](crate::observe::TickRecord)s, of a [`Recorder`](crate::observe::Recorder) in memory or of a file
/// ([`Recorded`](crate::observe::Recorded)).
///
/// ```
/// use bt_core::observe::Recorder;
/// use bt_core::prelude::*;
/// use bt_core::testing::RecordedTest;
///
/// # struct Guard { enemy: bool }
/// fn enemy_near(guard: &Guard) -> bool { guard.enemy }
/// fn attack(_: &mut Guard) -> Status { Status::Running }
/// fn patrol(_: &mut Guard) -> Status { Status::Running }
///
/// let tree = tree! { selector { sequence "fight" { enemy_near, attack } patrol } };
/// let (mut memory, mut recorder) = (tree.memory(), Recorder::new(1000));
/// for enemy in [false, false, true] {
///     tree.tick_with(&mut Guard { enemy }, &mut memory, &mut recorder);
/// }
///
/// let test = RecordedTest::new("the_guard_attacks", "guard()", "Guard { enemy: false }");
/// let ticks = recorder.recording(0).unwrap().ticks();
/// assert_eq!(test.source(&tree.description(), ticks, 1..=2)?, r#"##[test]
/// fn the_guard_attacks() {
///     use bt_core::prelude::*;
///     use bt_core::testing::TreeTest;
///
///     let mut test = TreeTest::new(guard(), Guard { enemy: false });
///     test.replace("fight/enemy_near", [Status::Failure, Status::Failure, Status::Success]);
///     test.replace("fight/attack", [Status::Running]);
///     test.replace("patrol", [Status::Running]);
///     test.tick(); // tick 0
///     test.log();
///     // Tick 1
///     assert_eq!(test.tick(), Status::Running);
///     assert_eq!(test.log(), ["enemy_near: failure", "patrol: running"]);
///     // Tick 2
///     assert_eq!(test.tick(), Status::Running);
///     assert_eq!(test.log(), ["enemy_near: success", "attack: running", "patrol: halted"]);
/// }
/// "#.replace("##", "#"));
/// # Ok::<(), bt_core::testing::NotRepeatable>(())
/// ```
///
/// The test starts with a new agent. So it begins at a tick, in or before the range, before which the agent was as if new: its
/// tree was not running, and none of its nodes had kept state across runs. Draws of random composites are repeated. Custom
/// decorators, and numbers and times that are computed from the context, depend on the context of the test. A transition that an observer has
/// [forced](crate::machine::ForceState) within a tick is not recorded as such, so the test does not repeat it.
#[derive(Clone, Copy, Debug)]
pub struct RecordedTest<'a> {
    name: &'a str,
    tree: &'a str,
    context: &'a str,
    clock: &'a str,
}

/// The reason why a test cannot repeat recorded ticks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotRepeatable(String);

impl fmt::Display for NotRepeatable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl core::error::Error for NotRepeatable {}

impl<'a> RecordedTest<'a> {
    /// Creates the writer of a test with this name. `tree` and `context` are Rust expressions, such as `guard()` and
    /// `Guard::default()`.
    pub const fn new(name: &'a str, tree: &'a str, context: &'a str) -> Self {
        Self { name, tree, context, clock: "*ctx = bt_core::testing::ManualClock::new(now)" }
    }

    /// Sets the statement that sets the clock of the context `ctx` to the time `now` of a recorded tick. The default is for a
    /// context that is a [`ManualClock`](super::ManualClock). The statement is written only if a decorator of the tree depends on
    /// the clock.
    ///
    /// ```
    /// # use bt_core::testing::RecordedTest;
    /// let test = RecordedTest::new("the_drive_times_out", "robot()", "Robot::default()").clock("ctx.now = now");
    /// ```
    #[must_use]
    pub const fn clock(self, clock: &'a str) -> Self {
        Self { clock, ..self }
    }

    /// Returns the source of a test that asserts the ticks of a range of numbers. `ticks` are the ticks of one agent, oldest
    /// first.
    ///
    /// # Errors
    ///
    /// Returns an error if no tick of the range is recorded, if ticks are missing or recorded only in part, if the tree was
    /// replaced within the range, if a panic has ended a tick, if a machine was put into a state from outside, if the agent was
    /// never as if new, or if a node depended on the context or on random numbers that are not recorded: `utility_selector`,
    /// `match`, `chance`, and ranges.
    pub fn source<T: Borrow<TickRecord>>(
        &self,
        tree: &Description,
        ticks: impl IntoIterator<Item = T>,
        range: RangeInclusive<u64>,
    ) -> Result<String, NotRepeatable> {
        let all: Vec<T> = ticks.into_iter().collect();
        let all: Vec<&TickRecord> = all.iter().map(Borrow::borrow).filter(|tick| tick.number <= *range.end()).collect();
        let first = all.partition_point(|tick| tick.number < *range.start());
        if first == all.len() {
            let (from, to) = (range.start(), range.end());
            return Err(NotRepeatable(format!("no tick from {from} to {to} is recorded")));
        }
        let replaced = replaced_before(&all, first).map_err(NotRepeatable)?;
        let (all, first) = (&all[replaced..], first - replaced);
        let start = start(tree, all, first, replaced > 0).map_err(NotRepeatable)?;
        let ticks = &all[start..];
        let scripts = scripts(tree, ticks).map_err(NotRepeatable)?;
        let mut source = format!("#[test]\nfn {}() {{\n", self.name);
        source += "    use bt_core::prelude::*;\n    use bt_core::testing::TreeTest;\n\n";
        let has_clock = tree.nodes().iter().any(is_timed);
        if has_clock {
            source += &steps::times(ticks);
        }
        let _ = write!(source, "    let mut test = TreeTest::new({}, {})", self.tree, self.context);
        if has_clock {
            source += ".before_each_tick(move |ctx| {\n        let now = times.next().unwrap_or_default();\n";
            let _ = write!(source, "        {};\n    }})", self.clock);
        }
        source += ";\n";
        source += &scripts.source();
        steps::write(&mut source, tree, ticks, first - start, has_clock.then_some(self.clock));
        source += "}\n";
        Ok(source)
    }
}

/// Returns the words that a node may be.
fn words(node: &Described) -> impl Iterator<Item = Word> {
    Word::named(&node.name).filter(|word| Kind::of(word.row().family) == node.kind)
}

/// Returns `true` if a node depends on the clock. A leaf is replaced.
fn is_timed(node: &Described) -> bool {
    node.kind == Kind::Decorator && words(node).any(|word| word.row().needs_clock())
}

/// Returns `true` if a node may keep state across its runs. It is unknown for nodes of users.
fn keeps(node: &Described) -> bool {
    match node.kind {
        Kind::Composite | Kind::Decorator => {
            let mut words = words(node).peekable();
            words.peek().is_none() || words.any(|word| word.row().more.keeps_state)
        }
        Kind::Subtree | Kind::Machine | Kind::State | Kind::Condition | Kind::Action => false,
    }
}

/// Returns the first tick after the last replacement of the tree before `first`; 0 if there is none.
fn replaced_before(ticks: &[&TickRecord], first: usize) -> Result<usize, String> {
    let range = &ticks[first..];
    if let Some([_, tick]) = range.windows(2).find(|pair| pair[0].replaced != pair[1].replaced) {
        let number = tick.number;
        return Err(format!(
            "the tree was replaced before tick {number}: a test repeats ticks of one tree, so end before it, or begin with it"
        ));
    }
    if range[0].replaced != 0 {
        return Err(format!("the tree was another one at tick {}", range[0].number));
    }
    Ok(ticks[..first].iter().rposition(|tick| tick.replaced != 0).map_or(0, |last| last + 1))
}

/// Returns the last tick up to `first` before which the agent was as if new.
fn start(tree: &Description, ticks: &[&TickRecord], first: usize, is_replaced: bool) -> Result<usize, String> {
    let is_kept = |event: &Event| tree.node(event.node).is_some_and(keeps);
    let keeping = tree.nodes().iter().find(|node| keeps(node));
    let is_complete = ticks.first().is_some_and(|tick| tick.number == 0);
    let is_new = |tick: usize| {
        let begins =
            |event: &Event| event.node == NodeId::ROOT && matches!(event.what, EventKind::Visited { opened: true, .. });
        let has_kept = || !is_complete || ticks[..tick].iter().any(|tick| tick.events.iter().any(is_kept));
        ticks[tick].events.first().is_some_and(begins) && (keeping.is_none() || !has_kept())
    };
    if let Some(start) = (0..=first).rev().find(|tick| is_new(*tick)) {
        return Ok(start);
    }
    let number = ticks[first].number;
    if let Some(node) = keeping {
        let reason = if is_replaced {
            format!("the tree was replaced before tick {}", ticks[0].number)
        } else {
            "the recording has no tick 0 of a new agent".into()
        };
        return Err(format!(
            "the state before tick {number} is not recorded: `{}` keeps state across runs, and {reason}",
            node.call()
        ));
    }
    let help = (first..ticks.len())
        .find(|tick| is_new(*tick))
        .map_or_else(String::new, |tick| format!("; help: the next run begins at tick {}", ticks[tick].number));
    let before = if is_replaced {
        format!("tick {}, the first after the tree was replaced", ticks[0].number)
    } else {
        "the recording".into()
    };
    Err(format!("the run that tick {number} belongs to began before {before}{help}"))
}

/// Returns what the nodes did in ticks that a test can repeat.
fn scripts(tree: &Description, ticks: &[&TickRecord]) -> Result<Scripts, String> {
    let mut scripts = Scripts::default();
    // The children that each random composite has chosen in its run.
    let mut chosen: Vec<Vec<NodeId>> = Vec::new();
    chosen.resize(tree.nodes().len(), Vec::new());
    for (index, tick) in ticks.iter().enumerate() {
        let number = tick.number;
        if let Some(before) = index.checked_sub(1).map(|before| ticks[before].number)
            && number != before.saturating_add(1)
        {
            let (from, to) = (before.saturating_add(1), number.saturating_sub(1));
            let missing = if from == to { format!("tick {from} is") } else { format!("ticks {from} to {to} are") };
            return Err(format!("{missing} not recorded; help: select only ticks before or after that"));
        }
        if tick.cut > 0 {
            return Err(format!("tick {number} is recorded only in part: {} events are missing", tick.cut));
        }
        let visits_root = |event: &Event| event.node == NodeId::ROOT && matches!(event.what, EventKind::Visited { .. });
        if !tick.events.iter().any(visits_root)
            && tick.events.iter().any(|event| matches!(event.what, EventKind::State(_)))
        {
            return Err(format!("in tick {number}, a machine was put into a state from outside"));
        }
        for event in &tick.events {
            let EventKind::Visited { opened, status } = event.what else { continue };
            let Some(node) = tree.node(event.node) else {
                return Err(format!("tick {number} has an event of {}, which the tree does not have", event.node));
            };
            let Some(status) = status else {
                return Err(format!("tick {number} is not over: a visit of `{}` did not end", node.call()));
            };
            if opened {
                chosen[node.id.index()].clear();
            }
            if let Some(fault) = unknown(node) {
                return Err(format!(
                    "`{}` {fault}, which is not recorded: it was visited in tick {number}",
                    node.call()
                ));
            }
            if matches!(node.kind, Kind::Action | Kind::Condition) {
                scripts.add_status(tree, node.id, status);
            }
            if let Some(parent) = node.parent.and_then(|parent| tree.node(parent))
                && is_random(parent)
                && !chosen[parent.id.index()].contains(&node.id)
            {
                let chosen = &mut chosen[parent.id.index()];
                let left = tree.children(parent.id).filter(|child| !chosen.contains(&child.id));
                let child = left.take_while(|child| child.id != node.id).count();
                chosen.push(node.id);
                scripts.add_choice(tree, parent.id, child);
            }
        }
    }
    Ok(scripts)
}

/// Returns `true` if a node chooses its children.
fn is_random(node: &Described) -> bool {
    words(node).any(|word| word.row().param(ParamType::Weights).is_some())
}

/// Returns on what a node depends that is not recorded.
fn unknown(node: &Described) -> Option<&'static str> {
    if matches!(node.kind, Kind::Action | Kind::Condition) {
        return None;
    }
    let has = |is: fn(&ParamType) -> bool| words(node).any(|word| word.row().params.iter().any(|param| is(&param.ty)));
    if has(|ty| matches!(ty, ParamType::Scores)) {
        Some("depends on scores of the context")
    } else if has(|ty| matches!(ty, ParamType::Cases)) {
        Some("depends on a value of the context")
    } else if has(|ty| matches!(ty, ParamType::Probability))
        || node.params.iter().any(|param| param.value.contains("..="))
    {
        Some("draws a random number")
    } else {
        None
    }
}
