//! The words: what a name of Behavior3, or of `tree!`, means.

use std::time::Duration;

use crate::names::Arity;
use crate::properties::Properties;

/// What a node is. Each has a name in `tree!`, and some one in Behavior3 too:
///
/// | name in Behavior3 | properties | in `tree!` |
/// |---|---|---|
/// | `Priority`, `Sequence`, `MemPriority`, `MemSequence` | | `selector`, `sequence`, `mem_selector`, `mem_sequence` |
/// | `Inverter` | | `invert` |
/// | `Limiter` | `maxLoop` | `limit(n)` |
/// | `MaxTime` | `maxTime`, ms | `timeout(…)` |
/// | `Repeater` | `maxLoop`, -1 for ever | `repeat`, `repeat(n)` |
/// | `RepeatUntilFailure`, `RepeatUntilSuccess` | `maxLoop`, -1 for ever | `until_failure`, `until_success`; with a bound `force_success { retry(n) { !… } }`, `retry(n)` |
/// | `Wait` | `milliseconds` | `wait(…)` |
/// | `Succeeder`, `Failer`, `Runner`, `Error` | | `succeed`, `fail`, `run`, `error` |
///
/// The words of `tree!` have the properties that descriptions show: `times`, `runs`, `time`, `success`, `failure`, `weights`; `service` has `every` and `action`, the
/// name of a leaf. The children of a `machine` are `state`s with a `name` and `transitions`, a list of texts such as `"herded -> obey"` and `"success -> idle"`; those of `any` lead out of
/// any state. A state's `enter` and `exit` are names of leaves, which are called on entering and on leaving it. A time is a number of milliseconds, or text as Rust writes it: `1.5s`.
///
/// Where we depart from behavior3js: a `Limiter` counts runs in the whole life of the agent (its author's article counts calls in the whole life, the library calls from each opening); past its `MaxTime` a child is
/// halted, not ticked once more; `Repeater` and `RepeatUntilFailure` succeed in the end; a loop without a bound starts its child at most once per tick, so it cannot
/// hang; the child of a `Repeater` can be used at all.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the variants are the vocabulary")]
pub enum Word {
    Selector {
        remembers: bool,
    },
    Sequence {
        remembers: bool,
    },
    Random {
        selects: bool,
        weights: Option<Vec<f64>>,
    },
    Parallel {
        remembers: bool,
        success: usize,
        failure: usize,
    },
    Invert,
    ForceSuccess,
    ForceFailure,
    Repeat,
    RepeatTimes(u32),
    Retry(u32),
    UntilFailure,
    UntilSuccess,
    WaitUntil,
    Limit(u32),
    RunOnce,
    Timeout(Duration),
    Delay(Duration),
    Cooldown(Duration),
    /// How often, and the name of the leaf.
    Service(Duration, String),
    /// Its states are its children; these transitions lead out of any of them.
    Machine {
        any: Vec<Transition>,
    },
    /// A state of a machine.
    State {
        name: String,
        transitions: Vec<Transition>,
        /// The leaf that is done on entering it.
        enter: Option<String>,
        /// The leaf that is done on leaving it.
        exit: Option<String>,
    },
    Wait(Duration),
    Just(Ends),
    /// One of the user's own.
    Own,
}

/// A transition of a machine, `herded -> obey` in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// When it may be followed.
    pub on: When,
    /// The name of the state that it leads to; `success` or `failure` if it leads out.
    pub to: String,
}

/// What a leaf is to the node that names it in a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The action of a service.
    Action,
    /// The condition of a transition.
    Condition {
        /// The transition is followed where it does not hold.
        negated: bool,
    },
    /// The hook of entering a state.
    Enter,
    /// The hook of leaving a state.
    Exit,
}

impl Word {
    /// The leaves that a node names in its properties, in the order of their ids.
    pub fn leaves(&self) -> impl Iterator<Item = (Part, &str)> {
        let (action, transitions, enter, exit) = match self {
            Word::Service(_, action) => (Some(action), [].as_slice(), None, None),
            Word::Machine { any } => (None, any.as_slice(), None, None),
            Word::State { transitions, enter, exit, .. } => {
                (None, transitions.as_slice(), enter.as_ref(), exit.as_ref())
            }
            _ => (None, [].as_slice(), None, None),
        };
        let conditions = transitions.iter().filter_map(|transition| match &transition.on {
            When::Leaf { name, negated } => Some((Part::Condition { negated: *negated }, name.as_str())),
            When::Success | When::Failure => None,
        });
        let action = action.map(|name| (Part::Action, name.as_str()));
        let enter = enter.map(|name| (Part::Enter, name.as_str()));
        let exit = exit.map(|name| (Part::Exit, name.as_str()));
        action.into_iter().chain(conditions).chain(enter).chain(exit)
    }
}

/// Whether a transition to this name leads out of the machine.
pub(crate) fn is_end(name: &str) -> bool {
    matches!(name, "success" | "failure")
}

/// When a transition may be followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum When {
    /// The state's node has succeeded.
    Success,
    /// It has failed.
    Failure,
    /// A leaf succeeds, or does not.
    Leaf {
        /// Its name.
        name: String,
        /// It does not: `!herded -> idle`.
        negated: bool,
    },
}

impl std::str::FromStr for Transition {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (on, to) = text.split_once("->").ok_or(())?;
        let (on, to) = (on.trim(), to.trim());
        let name = on.trim_start_matches('!').trim();
        if name.is_empty() || to.is_empty() || on.len() > name.len() + 1 {
            return Err(());
        }
        let on = match on {
            "success" => When::Success,
            "failure" => When::Failure,
            on => When::Leaf { name: name.to_owned(), negated: on.starts_with('!') },
        };
        Ok(Self { on, to: to.to_owned() })
    }
}

impl std::fmt::Display for When {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            When::Success => out.write_str("success"),
            When::Failure => out.write_str("failure"),
            When::Leaf { name, negated } => write!(out, "{}{name}", if *negated { "!" } else { "" }),
        }
    }
}

/// What a ready leaf always gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "they are the statuses")]
pub enum Ends {
    Success,
    Failure,
    Running,
    Error,
}

/// A name and what it means.
pub(crate) struct Known {
    pub(crate) name: &'static str,
    pub(crate) takes: Arity,
    /// The words that it stands for, outermost first, from the properties and the number of children.
    pub(crate) words: fn(&Properties<'_>, usize) -> Vec<Word>,
}

macro_rules! words {
    ($($($name:literal)|+, $takes:ident, |$properties:pat_param, $children:pat_param| $words:expr;)+) => {
        /// All names.
        pub(crate) const WORDS: &[Known] = &[
            $($(Known { name: $name, takes: Arity::$takes, words: |$properties, $children| Vec::from($words) },)+)+
        ];
    };
}

words! {
    "Priority" | "selector", Many, |_, _| [Word::Selector { remembers: false }];
    "Sequence" | "sequence", Many, |_, _| [Word::Sequence { remembers: false }];
    "MemPriority" | "mem_selector", Many, |_, _| [Word::Selector { remembers: true }];
    "MemSequence" | "mem_sequence", Many, |_, _| [Word::Sequence { remembers: true }];
    "random_selector", Many, |given, children| [Word::Random { selects: true, weights: given.weights(children) }];
    "random_sequence", Many, |given, children| [Word::Random { selects: false, weights: given.weights(children) }];
    "parallel", Many, |given, children| [parallel(given, children, false)];
    "mem_parallel", Many, |given, children| [parallel(given, children, true)];
    "Inverter" | "invert", One, |_, _| [Word::Invert];
    "force_success", One, |_, _| [Word::ForceSuccess];
    "force_failure", One, |_, _| [Word::ForceFailure];
    "Repeater", One, |given, _| [given.bound("maxLoop").map_or(Word::Repeat, Word::RepeatTimes)];
    "repeat", One, |given, _| [given.bound("times").map_or(Word::Repeat, Word::RepeatTimes)];
    "retry", One, |given, _| [Word::Retry(given.needed_number("times"))];
    "RepeatUntilFailure", One, |given, _| match given.bound("maxLoop") {
        None => vec![Word::UntilFailure],
        Some(times) => vec![Word::ForceSuccess, Word::Retry(times), Word::Invert],
    };
    "RepeatUntilSuccess", One, |given, _| [given.bound("maxLoop").map_or(Word::UntilSuccess, Word::Retry)];
    "until_failure", One, |_, _| [Word::UntilFailure];
    "until_success", One, |_, _| [Word::UntilSuccess];
    "wait_until", One, |_, _| [Word::WaitUntil];
    "Limiter", One, |given, _| [Word::Limit(given.needed_number("maxLoop"))];
    "limit", One, |given, _| [Word::Limit(given.needed_number("runs"))];
    "run_once", One, |_, _| [Word::RunOnce];
    "MaxTime", One, |given, _| [Word::Timeout(given.time("maxTime"))];
    "timeout", One, |given, _| [Word::Timeout(given.time("time"))];
    "delay", One, |given, _| [Word::Delay(given.time("time"))];
    "cooldown", One, |given, _| [Word::Cooldown(given.time("time"))];
    "service", One, |given, _| [Word::Service(given.time("every"), given.needed_text("action"))];
    "machine", Many, |given, _| [Word::Machine { any: given.transitions("any") }];
    "state", One, |given, _| [Word::State {
        name: given.needed_text("name"), transitions: given.transitions("transitions"), enter: given.text("enter"), exit: given.text("exit"),
    }];
    "Wait", Zero, |given, _| [Word::Wait(given.time("milliseconds"))];
    "wait", Zero, |given, _| [Word::Wait(given.time("time"))];
    "Succeeder" | "succeed", Zero, |_, _| [Word::Just(Ends::Success)];
    "Failer" | "fail", Zero, |_, _| [Word::Just(Ends::Failure)];
    "Runner" | "run", Zero, |_, _| [Word::Just(Ends::Running)];
    "Error" | "error", Zero, |_, _| [Word::Just(Ends::Error)];
}

fn parallel(given: &Properties<'_>, children: usize, remembers: bool) -> Word {
    let success = given.threshold("success", children, children);
    Word::Parallel { remembers, success, failure: given.threshold("failure", 1, children) }
}

/// The word of this name.
pub(crate) fn word(name: &str) -> Option<&'static Known> {
    WORDS.iter().find(|word| word.name == name)
}

/// Whether a name means something in files by itself: whether it is one of Behavior3's own or one of `tree!`.
pub fn is_word(name: &str) -> bool {
    word(name).is_some()
}

/// Whether a name is one of Behavior3's own, which its editor knows.
pub fn is_behavior3(name: &str) -> bool {
    // Its names are the ones that begin with a capital.
    word(name).is_some() && name.starts_with(|sign: char| sign.is_ascii_uppercase())
}

impl Word {
    /// How many children it takes; `None` for one of the user's own.
    pub fn takes(&self) -> Option<Arity> {
        self.keyword().and_then(word).map(|known| known.takes)
    }

    /// Its name in `tree!`; `None` for one of the user's own.
    pub const fn keyword(&self) -> Option<&'static str> {
        Some(match self {
            Word::Selector { remembers: false } => "selector",
            Word::Selector { remembers: true } => "mem_selector",
            Word::Sequence { remembers: false } => "sequence",
            Word::Sequence { remembers: true } => "mem_sequence",
            Word::Random { selects: true, .. } => "random_selector",
            Word::Random { selects: false, .. } => "random_sequence",
            Word::Parallel { remembers: false, .. } => "parallel",
            Word::Parallel { remembers: true, .. } => "mem_parallel",
            Word::Invert => "invert",
            Word::ForceSuccess => "force_success",
            Word::ForceFailure => "force_failure",
            Word::Repeat | Word::RepeatTimes(_) => "repeat",
            Word::Retry(_) => "retry",
            Word::UntilFailure => "until_failure",
            Word::UntilSuccess => "until_success",
            Word::WaitUntil => "wait_until",
            Word::Limit(_) => "limit",
            Word::RunOnce => "run_once",
            Word::Timeout(_) => "timeout",
            Word::Delay(_) => "delay",
            Word::Cooldown(_) => "cooldown",
            Word::Service(..) => "service",
            Word::Machine { .. } => "machine",
            Word::State { .. } => "state",
            Word::Wait(_) => "wait",
            Word::Just(Ends::Success) => "succeed",
            Word::Just(Ends::Failure) => "fail",
            Word::Just(Ends::Running) => "run",
            Word::Just(Ends::Error) => "error",
            Word::Own => return None,
        })
    }
}
