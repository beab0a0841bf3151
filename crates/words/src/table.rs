//! The table of words.

use crate::columns::Bound::{All, One};
use crate::columns::Family::{self, Composite, Decorator, Leaf, Machine, State};
use crate::columns::{Arity, Param, ParamType, Returns, Thresholds};
use crate::lint::Lint;
use crate::outcomes::Outcomes;
use crate::requirement::Requirement;
use crate::role::Role;
use crate::status_map::StatusMap;

/// One word of the vocabulary.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The word.
    pub word: Word,
    /// Its name in `tree!` and in files. Two words may share a name: `repeat` and `repeat(3)`.
    pub name: &'static str,
    /// The function in `bt_core::keywords` that makes the node.
    pub function: &'static str,
    /// The kind of node.
    pub family: Family,
    /// Its arguments, in order.
    pub params: &'static [Param],
    /// The statuses that the node can return.
    pub returns: Returns,
    /// Properties that most words lack.
    pub more: More,
    /// A description in one line.
    pub doc: &'static str,
}

/// Properties that most words lack.
#[derive(Clone, Copy, Debug)]
pub struct More {
    /// The requirements of a decorator on its child. If one is not met, the decorator has no effect, or never ends.
    pub requires: &'static [Requirement],
    /// The statuses of a decorator whose number of runs is 0.
    pub without_runs: Outcomes,
    /// `true` if a node keeps state of its own across runs.
    pub keeps_state: bool,
}

impl More {
    const NOTHING: Self = Self { requires: &[], without_runs: Outcomes::NONE, keeps_state: false };
    const KEEPS_STATE: Self = Self { keeps_state: true, ..Self::NOTHING };

    const fn requires(requires: &'static [Requirement]) -> Self {
        Self { requires, ..Self::NOTHING }
    }

    const fn and_keeps_state(self) -> Self {
        Self { keeps_state: true, ..self }
    }

    /// Without runs, the child does not matter.
    const fn or_without_runs(self, returns: Outcomes) -> Self {
        Self { without_runs: returns, ..self }
    }
}

impl Row {
    /// Returns the number of children.
    pub const fn arity(&self) -> Arity {
        match (self.family, self.returns) {
            (_, Returns::Branches) => Arity::Branches,
            (_, Returns::BodyAndCleanup) => Arity::BodyAndCleanup,
            (Family::Composite | Family::Machine, _) => Arity::Many,
            (Family::Decorator | Family::State, _) => Arity::One,
            (Family::Leaf, _) => Arity::Zero,
        }
    }

    /// Returns the argument of this type.
    pub fn param(&self, ty: ParamType) -> Option<&'static Param> {
        self.params.iter().find(|param| param.ty == ty)
    }

    /// Returns `true` if the context must provide the time: if an argument is a time.
    pub const fn needs_clock(&self) -> bool {
        let mut at = 0;
        while at < self.params.len() {
            if matches!(self.params[at].ty, ParamType::Time) {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Returns `true` if the context must provide random numbers: if an argument is a probability or the weights of the children.
    pub const fn needs_random(&self) -> bool {
        let mut at = 0;
        while at < self.params.len() {
            if matches!(self.params[at].ty, ParamType::Weights | ParamType::Probability) {
                return true;
            }
            at += 1;
        }
        false
    }
}

macro_rules! words {
    ($($word:ident $name:literal $(as $function:literal)?, $family:ident, [$($param:expr),*], $returns:expr $(; $more:expr)?, $doc:literal;)+) => {
        /// A word of the vocabulary.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Word {
            $(#[doc = $doc] $word,)+
        }

        impl Word {
            /// All words, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$word),+];

            /// Their names, in the same order.
            const NAMES: &'static [&'static str] = &[$($name),+];

            /// Returns the row of this word.
            pub const fn row(self) -> &'static Row {
                match self {
                    $(Self::$word => &const {
                        let function = $name;
                        $(let function = { let _ = function; $function };)?
                        let more = More::NOTHING;
                        $(let more = { let _ = more; $more };)?
                        Row { word: Self::$word, name: $name, function, family: $family, params: &[$($param),*], returns: $returns, more, doc: $doc }
                    },)+
                }
            }
        }
    };
}

impl Word {
    /// Returns the words of this name, in the order of the table: none, one, or two with different arguments.
    pub fn named(name: &str) -> impl Iterator<Item = Self> + '_ {
        // Most names are of leaves.
        let is_possible =
            name.bytes().next().is_some_and(|first| Self::LENGTHS[usize::from(first)] >> name.len().min(63) & 1 == 1);
        let all =
            Self::ALL.iter().copied().zip(Self::NAMES.iter().copied()).take(if is_possible { usize::MAX } else { 0 });
        all.filter(move |(_, known)| *known == name).map(|(word, _)| word)
    }

    /// The lengths of the names that begin with a byte, as bits.
    const LENGTHS: [u64; 256] = {
        let (mut lengths, mut word) = ([0; 256], 0);
        while word < Self::NAMES.len() {
            let name = Self::NAMES[word].as_bytes();
            lengths[name[0] as usize] |= 1 << name.len();
            word += 1;
        }
        lengths
    };

    /// Returns the slice of only this word.
    pub(crate) fn alone(self) -> &'static [Self] {
        let at = Self::ALL.iter().position(|word| *word == self).unwrap_or(0);
        &Self::ALL[at..=at]
    }

    /// Returns its name in `tree!` and in files.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns `true` if the word is a keyword of `tree!`: any word except leaves, which are functions.
    pub const fn is_keyword(self) -> bool {
        !matches!(self.row().family, Family::Leaf)
    }

    /// Returns `true` if a list of children follows the word and its arguments in `tree!`.
    pub const fn is_before_children(self) -> bool {
        let has_own_syntax = matches!(self, Self::If | Self::MemIf | Self::Match | Self::MemMatch);
        matches!(self.row().family, Family::Composite | Family::Decorator) && !has_own_syntax
    }
}

const fn required(name: &'static str, ty: ParamType, example: &'static str) -> Param {
    Param { name, ty, required: true, example }
}

const fn optional(name: &'static str, ty: ParamType, example: &'static str) -> Param {
    Param { name, ty, required: false, example }
}

const TIMES: Param = required("times", ParamType::Times, "3");
const SUCCESS_THRESHOLD: Param = optional("success", ParamType::Threshold(All), "all");
const FAILURE_THRESHOLD: Param = optional("failure", ParamType::Threshold(One), "one");
const WEIGHTS: Param = optional("weights", ParamType::Weights, "3 => child");

const SCORES: Param = required("scores", ParamType::Scores, "hunger => child");
const ON: Param = required("on", ParamType::Value, "mood");
const CASES: Param = required("cases", ParamType::Cases, "Mood::Calm => child");

const fn time(example: &'static str) -> Param {
    required("time", ParamType::Time, example)
}

const RETURNS_SUCCESS: Returns = Returns::These(Outcomes::SUCCESS);
const MAP: StatusMap = StatusMap::SAME;

const fn map(map: StatusMap) -> Returns {
    Returns::Map(map)
}

/// Returns the requirements of a loop that one outcome ends. A child that cannot return `last` makes it endless; a
/// child that can return nothing else is never started again, so `instead` is meant.
const fn ends(last: Outcomes, endless: &'static str, single: &'static str, instead: &'static str) -> [Requirement; 2] {
    let others = Outcomes::SUCCESS.or(Outcomes::FAILURE).or(Outcomes::RUNNING).without(last);
    [
        Requirement { any_of: last, lint: Lint::Endless, or: endless, help: "change the child" },
        Requirement { help: instead, ..Requirement::pointless(others, single) },
    ]
}

/// The arguments of a node are its thresholds.
const fn thresholds(has_memory: bool) -> Returns {
    Returns::Thresholds(Thresholds { success: None, failure: None, has_memory })
}

words! {
    Selector "selector", Composite, [], Returns::InOrder(Outcomes::FAILURE),
        "Ticks its children in order until one does not fail; starts from the first every tick.";
    Sequence "sequence", Composite, [], Returns::InOrder(Outcomes::SUCCESS),
        "Ticks its children in order until one does not succeed; starts from the first every tick.";
    MemSelector "mem_selector", Composite, [], Returns::InOrder(Outcomes::FAILURE),
        "Ticks its children in order until one does not fail; resumes at the running child.";
    KeptSequence "kept_sequence", Composite, [], Returns::InOrder(Outcomes::SUCCESS);
        More::KEEPS_STATE,
        "Like `mem_sequence`; after a failure or a halt, the next run starts at the child where the last one ended.";
    MemSequence "mem_sequence", Composite, [], Returns::InOrder(Outcomes::SUCCESS),
        "Ticks its children in order until one does not succeed; resumes at the running child.";
    UtilitySelector "utility_selector", Composite, [
            optional("keep", ParamType::Bonus, "0.1"),
            SCORES
        ], Returns::AnyChild(StatusMap::SAME.and_always(Outcomes::FAILURE)),
        "Ticks its children in order of score, the highest first, until one does not fail; computes the scores every tick.";
    MemUtilitySelector "mem_utility_selector", Composite, [SCORES],
        Returns::AnyChild(StatusMap::SAME.and_always(Outcomes::FAILURE)),
        "Like `utility_selector`; the scores are computed when a run starts or a child fails. Resumes at the running child.";
    RandomSelector "random_selector", Composite, [WEIGHTS], Returns::AnyOrder(Outcomes::FAILURE),
        "Ticks its children in random order until one does not fail; resumes at the running child.";
    RandomSequence "random_sequence", Composite, [WEIGHTS], Returns::AnyOrder(Outcomes::SUCCESS),
        "Ticks its children in random order until one does not succeed; resumes at the running child.";
    Parallel "parallel", Composite, [SUCCESS_THRESHOLD, FAILURE_THRESHOLD], thresholds(false),
        "Ticks all its children every tick until enough of them succeed or fail in the same tick.";
    MemParallel "mem_parallel", Composite, [SUCCESS_THRESHOLD, FAILURE_THRESHOLD], thresholds(true),
        "Ticks each of its children until it ends, and ends when enough of them have succeeded or failed.";
    Finally "finally", Composite, [], Returns::BodyAndCleanup;
        More::KEEPS_STATE,
        "Runs its first child, and then its second, the cleanup, also after a failure, an error or a halt.";
    If "if" as "if_else", Composite, [], Returns::Branches,
        "Ticks a condition every tick, and then the node that it selects. Without `else`, fails if the condition fails.";
    MemIf "mem_if" as "mem_if_else", Composite, [], Returns::Branches,
        "Like `if`; the condition is ticked once per run, and the node runs to its end.";
    Match "match" as "match_else", Composite, [ON, CASES], Returns::AnyChild(StatusMap::SAME),
        "Evaluates a function of the context every tick, and ticks the node after the first pattern that matches.";
    MemMatch "mem_match" as "mem_match_else", Composite, [ON, CASES], Returns::AnyChild(StatusMap::SAME),
        "Like `match`; the function is evaluated once per run, and the node runs to its end.";
    Machine "machine", Machine, [optional("any", ParamType::Transitions, "any { tired -> sleep }")], Returns::States,
        "A state machine: ticks the node of its state and follows transitions to other states.";
    State "state", State, [
            required("name", ParamType::Name, "idle"),
            optional("transitions", ParamType::Transitions, "enemy_near -> fight"),
            optional("enter", ParamType::Leaf(Role::Enter), "enter: draw_sword"),
            optional("exit", ParamType::Leaf(Role::Exit), "exit: sheathe_sword")
        ], Returns::States,
        "A state of a machine: a node, its transitions, and actions on entering and leaving the state.";
    Invert "invert", Decorator, [], map(StatusMap { on_success: Outcomes::FAILURE, on_failure: Outcomes::SUCCESS, ..MAP });
        More::requires(&const { [Requirement::an_end("`invert` has no effect")] }),
        "Turns success into failure and failure into success. Short form: `!child`.";
    ForceSuccess "force_success", Decorator, [], map(StatusMap::ends_with(Outcomes::SUCCESS));
        More::requires(&const { [Requirement::an_end("`force_success` has no effect")] }),
        "Succeeds when its child ends.";
    ForceFailure "force_failure", Decorator, [], map(StatusMap::ends_with(Outcomes::FAILURE));
        More::requires(&const { [Requirement::an_end("`force_failure` has no effect")] }),
        "Fails when its child ends.";
    Repeat "repeat", Decorator, [], map(StatusMap::ends_with(Outcomes::RUNNING));
        More::requires(&const { [Requirement::an_end("`repeat` has no effect")] }),
        "Starts its child again each time it ends, at most once per tick. Never ends.";
    RepeatTimes "repeat" as "repeat_times", Decorator, [TIMES], map(StatusMap::ends_with(Outcomes::SUCCESS));
        More::requires(&const { [Requirement::an_end("`repeat` has no effect")] }).or_without_runs(Outcomes::SUCCESS),
        "Runs its child the given number of times, in one tick if the child ends at once. Then succeeds.";
    Retry "retry", Decorator, [TIMES], map(MAP);
        More::requires(&const { [Requirement::pointless(Outcomes::FAILURE, "`retry` has no effect")] })
            .or_without_runs(Outcomes::FAILURE),
        "Starts its child again when it fails, up to the given number of runs.";
    RepeatWhileSuccess "repeat_while_success", Decorator, [TIMES], map(MAP);
        More::requires(&const { [Requirement::pointless(Outcomes::SUCCESS, "`repeat_while_success` has no effect")] })
            .or_without_runs(Outcomes::SUCCESS),
        "Starts its child again when it succeeds, up to the given number of runs. Fails when the child fails.";
    UntilFailure "until_failure", Decorator, [],
        map(StatusMap { on_success: Outcomes::RUNNING, on_failure: Outcomes::SUCCESS, ..MAP });
        More::requires(
            &const {
                let instead = "write `invert`, or change the child";
                ends(Outcomes::FAILURE, "`until_failure` never ends", "`until_failure` never repeats", instead)
            },
        ),
        "Starts its child again, at most once per tick, until it fails. Then succeeds.";
    UntilSuccess "until_success", Decorator, [], map(StatusMap { on_failure: Outcomes::RUNNING, ..MAP });
        More::requires(
            &const { ends(Outcomes::SUCCESS, "`until_success` never ends", "`until_success` has no effect", Requirement::REMOVE) },
        ),
        "Starts its child again, at most once per tick, until it succeeds.";
    WaitUntil "wait_until", Decorator, [], map(StatusMap { on_failure: Outcomes::RUNNING, ..MAP });
        More::requires(
            &const { ends(Outcomes::SUCCESS, "`wait_until` never ends", "`wait_until` has no effect", Requirement::REMOVE) },
        ),
        "Runs until its child succeeds.";
    Limit "limit", Decorator, [required("runs", ParamType::Runs, "3")], map(MAP.and_always(Outcomes::FAILURE));
        More::KEEPS_STATE,
        "Fails after its child has been started the given number of times in the lifetime of the memory.";
    RunOnce "run_once", Decorator, [], map(MAP);
        More::requires(&const { [Requirement::an_end("`run_once` has no effect")] }).and_keeps_state(),
        "Runs its child to its end once in the lifetime of the memory; afterwards returns that outcome.";
    SucceedOnce "succeed_once", Decorator, [], map(MAP);
        More::requires(&const { [Requirement::pointless(Outcomes::SUCCESS, "`succeed_once` has no effect")] })
            .and_keeps_state(),
        "Runs its child until it has succeeded once in the lifetime of the memory; afterwards succeeds.";
    Fresh "fresh", Decorator, [], map(MAP),
        "Clears all state kept across runs below it whenever its child starts: limits, cooldowns, kept state.";
    ByEvent "by_event", Decorator, [], map(MAP),
        "States that the outcome of its child changes only by events, so that a sleeping agent need not tick it.";
    Timeout "timeout", Decorator, [time("secs(5)")],
        map(StatusMap { on_running: Outcomes::RUNNING.or(Outcomes::FAILURE), ..MAP });
        More::requires(&const { [Requirement::pointless(Outcomes::RUNNING, "`timeout` has no effect")] }),
        "Halts its child and fails when the time has elapsed.";
    Delay "delay", Decorator, [time("millis(500)")], map(MAP.and_always(Outcomes::RUNNING)),
        "Waits for the given time before it starts its child.";
    Cooldown "cooldown", Decorator, [time("secs(5)")], map(MAP.and_always(Outcomes::FAILURE));
        More::KEEPS_STATE,
        "Fails for the given time after its child ends or is halted.";
    Chance "chance", Decorator, [required("probability", ParamType::Probability, "0.3")], map(MAP.and_always(Outcomes::FAILURE)),
        "Starts its child with the given probability, otherwise fails.";
    Service "service", Decorator, [
            required("every", ParamType::Time, "secs(1)"),
            required("action", ParamType::Leaf(Role::Service), "look_around")
        ], map(MAP);
        More::KEEPS_STATE,
        "Runs an action when its child first starts, and then periodically while the child runs.";
    Wait "wait", Leaf, [time("millis(500)")], Returns::These(Outcomes::SUCCESS.or(Outcomes::RUNNING)),
        "Runs for the given time, then succeeds.";
    Succeed "succeed", Leaf, [], RETURNS_SUCCESS,
        "Succeeds at once.";
    Fail "fail", Leaf, [], Returns::These(Outcomes::FAILURE),
        "Fails at once.";
    Run "run", Leaf, [], Returns::These(Outcomes::RUNNING),
        "Runs until it is halted.";
    Error "error", Leaf, [], Returns::These(Outcomes::ERROR),
        "Returns an error, which ends the whole tree.";
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::collections::BTreeSet;
    use std::vec::Vec;

    use super::*;
    use crate::{file_forms, is_behavior3};

    #[test]
    fn words_of_one_name_differ_in_their_arguments() {
        for word in Word::ALL {
            let same: Vec<_> = Word::named(word.name()).collect();
            let arguments: BTreeSet<_> = same.iter().map(|word| word.row().params.len()).collect();
            assert_eq!(arguments.len(), same.len(), "{}", word.name());
        }
    }

    #[test]
    fn function_names_are_unique() {
        let functions: BTreeSet<_> = Word::ALL.iter().map(|word| word.row().function).collect();
        assert_eq!(functions.len(), Word::ALL.len());
    }

    #[test]
    fn each_word_has_a_form_in_files_and_each_form_one_word_with_arguments() {
        for word in Word::ALL {
            assert!(file_forms(word.name()).any(|form| form.words == [*word]), "{}", word.name());
        }
        for name in Word::file_names() {
            for form in file_forms(name) {
                let with_arguments: Vec<_> = form.words.iter().filter(|word| !word.row().params.is_empty()).collect();
                assert!(with_arguments.len() <= 1, "{name}");
                let count = with_arguments.first().map_or(0, |word| word.row().params.len());
                assert!(form.properties.is_empty() || form.properties.len() == count, "{name}");
            }
        }
    }

    #[test]
    fn words_of_behavior3_are_written_with_its_names() {
        let form = Word::Limit.behavior3().expect("Behavior3 has it");
        assert_eq!((form.name, form.property(Word::Limit.row(), 0)), ("Limiter", "maxLoop"));
        assert_eq!(Word::Cooldown.behavior3(), None);
        assert!(is_behavior3("MemPriority") && !is_behavior3("mem_selector"));
    }

    #[test]
    fn decorators_map_and_leaves_state_what_they_return() {
        for word in Word::ALL {
            let row = word.row();
            match row.returns {
                Returns::Map(_) => assert_eq!((row.family, row.arity()), (Family::Decorator, Arity::One)),
                Returns::These(_) => assert_eq!((row.family, row.arity()), (Family::Leaf, Arity::Zero)),
                Returns::InOrder(_)
                | Returns::AnyOrder(_)
                | Returns::AnyChild(_)
                | Returns::Thresholds(_)
                | Returns::Branches
                | Returns::BodyAndCleanup => {
                    assert_eq!(row.family, Family::Composite);
                }
                Returns::States => assert!(matches!(row.family, Family::Machine | Family::State)),
            }
        }
    }
}
