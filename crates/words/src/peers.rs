//! The words of other libraries, so that an error can suggest the counterpart here. The guide's chapter "Coming from other libraries" has a
//! row for each.

use core::fmt;

use crate::table::Word;

/// A word of another library, or of behavior-tree literature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Peer {
    /// The counterpart in this library.
    pub counterpart: Counterpart,
    /// The difference in meaning, as one clause; empty if there is none.
    pub difference: &'static str,
}

/// The counterpart of a word of another library. Displayed as a noun with code in backquotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counterpart {
    /// A word of this library.
    Word(Word),
    /// Several words, or no word.
    Other(&'static str),
}

impl fmt::Display for Counterpart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => write!(f, "`{}`", word.name()),
            Self::Other(text) => f.write_str(text),
        }
    }
}

/// Names of our words, and the difference.
const WORDS: &[(&[&str], Word, &str)] = &[
    // General, Unreal, Unity, Lua, LimboAI, bonsai.
    (&["Priority", "ActiveSelector", "DynamicSelector", "DynamicPrioritySelector", "Or"], Word::Selector, ""),
    (&["ActiveSequence", "DynamicSequence", "And"], Word::Sequence, ""),
    (&["MemPriority", "SelectorWithMemory", "PriorityWithMemory", "MemorySelector", "Select"], Word::MemSelector, ""),
    (&["MemorySequence"], Word::MemSequence, ""),
    (&["RandomPriority", "ShuffledSelector", "RandomizedSelector"], Word::RandomSelector, ""),
    (&["ProbabilitySelector"], Word::RandomSelector, "a weight is written before a child: `3 => child`"),
    (&["ShuffledSequence", "RandomizedSequence"], Word::RandomSequence, ""),
    (&["Concurrent", "ParallelNode"], Word::Parallel, ""),
    (
        &["SimpleParallel"],
        Word::Parallel,
        "`parallel(success = one) { main, repeat { background } }` ends with its main child",
    ),
    (&["WhenAll"], Word::MemParallel, ""),
    (&["WhenAny"], Word::MemParallel, "`mem_parallel(success = one, failure = all)` ends with the first success"),
    (&["Race"], Word::MemParallel, "`mem_parallel(success = one)` ends with the first child that ends"),
    (&["Not", "Inverter", "Negate", "Negation"], Word::Invert, "`!child` is short for `invert { child }`"),
    (&["Succeeder", "AlwaysSucceed", "FailureIsSuccess"], Word::ForceSuccess, "the leaf is `succeed`"),
    (&["Failer", "AlwaysFail", "SuccessIsFailure"], Word::ForceFailure, "the leaf is `fail`"),
    (&["Repeater", "Loop", "RepeatForever", "Forever"], Word::Repeat, "`repeat(3)` runs its child 3 times"),
    (&["RepeatUntilFailure", "RepeatUntilFail", "UntilFail", "WhileSuccess"], Word::UntilFailure, ""),
    (&["RepeatUntilSuccess", "UntilSucceed", "UntilSucceeded", "WhileFailure"], Word::UntilSuccess, ""),
    (&["Limiter", "MaxRuns", "RunLimit"], Word::Limit, ""),
    (&["Probability", "RandomChance", "WithProbability"], Word::Chance, ""),
    (&["OneShot", "Once"], Word::RunOnce, "`succeed_once` runs its child until it has succeeded once"),
    (&["MaxTime", "MaxSeconds", "TimeLimit"], Word::Timeout, ""),
    (&["CooldownTimer"], Word::Cooldown, ""),
    (&["FSM", "StateMachine"], Word::Machine, ""),
    (&["WaitForever"], Word::Run, ""),
    (&["RandomWait"], Word::Wait, "a random time is a range: `wait(secs(1)..=secs(3))`"),
    (&["WaitBlackboardTime"], Word::Wait, "the time can be a variable: `wait(PAUSE)`"),
    // BehaviorTree.CPP, Nav2.
    (
        &["Fallback"],
        Word::MemSelector,
        "`selector` starts from the first child every tick, like BehaviorTree.CPP's ReactiveFallback",
    ),
    (&["AsyncFallback"], Word::MemSelector, TICKED_AGAIN),
    (&["AsyncSequence"], Word::MemSequence, TICKED_AGAIN),
    (&["ReactiveFallback", "ReactiveSelector", "MemorylessSelector"], Word::Selector, ""),
    (&["ReactiveSequence", "MemorylessSequence"], Word::Sequence, ""),
    (&["FallbackStar"], Word::MemSelector, ""),
    (&["SequenceWithMemory", "SequenceStar"], Word::KeptSequence, TICKED_AGAIN),
    (&["PersistentSequence"], Word::KeptSequence, "`kept_sequence` also keeps its position after a failure"),
    (&["RetryUntilSuccessful"], Word::Retry, ""),
    (
        &["KeepRunningUntilFailure"],
        Word::UntilFailure,
        "`until_failure` succeeds when its child fails; KeepRunningUntilFailure fails",
    ),
    (
        &["SuccessIsRunning"],
        Word::UntilFailure,
        "`until_failure` succeeds when its child fails; SuccessIsRunning fails",
    ),
    (&["WhileDoElse"], Word::If, "`if condition { a } else { b }`"),
    (&["IfThenElse", "IfThen"], Word::MemIf, "`mem_if condition { a } else { b }` decides once per run"),
    (
        &["Switch", "Switch2", "Switch3", "Switch4", "Switch5", "Switch6"],
        Word::Match,
        "`match value { pattern => child, _ => child }`",
    ),
    (&["AlwaysSuccess"], Word::Succeed, "the decorator is `force_success`"),
    (&["AlwaysFailure"], Word::Fail, "the decorator is `force_failure`"),
    (&["Sleep"], Word::Wait, ""),
    // py_trees.
    (&["FailureIsRunning"], Word::WaitUntil, ""),
    (&["EternalGuard"], Word::Sequence, "the condition is its first child"),
    (&["PickUpWhereYouLeftOff"], Word::KeptSequence, ""),
    (&["EitherOr"], Word::If, "`if condition { a } else { b }`"),
];

const TICKED_AGAIN: &str = "BehaviorTree.CPP ticks the tree again after each child that ends at once, so conditions before it are checked again";

/// Names without a single word of ours. Only the spelling of their library is known: `round_robin` can be a user's own function.
const OTHERS: &[(&[&str], &str, &str)] = &[
    // Names of several libraries, with several meanings.
    (
        &["Sequence"],
        "`mem_sequence` or `sequence`",
        "`mem_sequence` resumes at the running child, like the Sequence of BehaviorTree.CPP, Unreal and LimboAI; `sequence` starts from the first child every tick, like that of Behavior3",
    ),
    (
        &["Selector"],
        "`mem_selector` or `selector`",
        "`mem_selector` resumes at the running child, like the Selector of Unreal and LimboAI; `selector` starts from the first child every tick, like Behavior3's Priority",
    ),
    (
        &["Parallel"],
        "`mem_parallel` or `parallel`",
        "`mem_parallel` does not tick an ended child again, like the Parallel of BehaviorTree.CPP and LimboAI; `parallel` ticks all children every tick, like that of py_trees without `synchronise`",
    ),
    (
        &["Repeat"],
        "`repeat_while_success` or `repeat`",
        "`repeat_while_success(3)` fails when its child fails, like the Repeat of BehaviorTree.CPP and py_trees; `repeat(3)` counts failures too",
    ),
    (
        &["If"],
        "`mem_if` or `if`",
        "`mem_if condition { a } else { b }` decides once per run; `if` checks its condition every tick",
    ),
    (
        &["While"],
        "`until_failure { mem_sequence { condition, child } }`",
        "it succeeds at the end; `force_failure` around it fails",
    ),
    (
        &["ForEach", "LoopInt", "LoopBool", "LoopDouble", "LoopString"],
        "`repeat_while_success(COUNT) { mem_sequence { next, child } }`",
        "`next` is an action that takes the next element",
    ),
    (&["Condition"], "`wait_until { child }`, or for a failure `wait_until { !child }`", ""),
    // General.
    (&["cleanup", "on_halt", "on_exit", "defer", "ensure", "always"], "`finally { body, cleanup }`", ""),
    // BehaviorTree.CPP.
    (
        &["ParallelAll"],
        "your own composite",
        "`mem_parallel` ends with the first failure; ParallelAll waits for all children",
    ),
    (&["TryCatch"], "`mem_selector { mem_sequence { … } force_failure { … } }`", ""),
    (&["Precondition"], "`mem_if condition { child }`", ""),
    (&["Script", "ScriptCondition"], "a function or closure of the context", ""),
    (
        &["SetBlackboard", "SetVar", "SetBlackboardVariable"],
        "the leaf `set(KEY, value)`, or a function of the context",
        "",
    ),
    (&["UnsetBlackboard", "UnsetBlackboardVariable"], "the leaf `unset(KEY)`, or a function of the context", ""),
    (
        &["SubTree", "Subtree", "SubTreePlus", "RunBehavior"],
        "a `#[subtree]` function; in files the name of the tree",
        "",
    ),
    (&["WasEntryUpdated"], "a condition that stores `board.changes(&KEY)`", ""),
    (
        &["SkipUnlessUpdated"],
        "`mem_if updated { child } else { succeed }`",
        "`updated` is a condition that stores `board.changes(&KEY)`",
    ),
    (
        &["WaitValueUpdate"],
        "`mem_sequence { wait_until { updated } child }`",
        "`updated` is a condition that stores `board.changes(&KEY)`",
    ),
    (
        &["_autoremap"],
        "the variables' own names",
        "variables are shared by all trees unless they are made with `Key::local`",
    ),
    (&["_skipIf"], "`mem_if condition { succeed } else { child }`", "it succeeds in place of a skipped child"),
    (&["_successIf"], "`mem_if condition { succeed } else { child }`", ""),
    (&["_failureIf"], "`mem_if condition { fail } else { child }`", ""),
    (&["_while"], "`if condition { child } else { succeed }`", "it succeeds in place of a skipped child"),
    (&["_onSuccess"], "an action after the child in a `mem_sequence`", ""),
    (&["_onFailure"], "an action after the child in a `mem_selector`", ""),
    (
        &["_onHalted"],
        "`finally { child, action }`",
        "the action is ticked after every end; `close` of a `Leaf` receives the reason",
    ),
    (&["_post"], "`finally { child, action }`", ""),
    // Nav2.
    (
        &["RateController"],
        "your own decorator",
        "`selector { cooldown(secs(1)) { child } run }` limits the rate as well, and does not fail",
    ),
    (
        &["DistanceController", "SpeedController", "GoalUpdatedController", "GoalUpdater", "PathLongerOnApproach"],
        "your own decorator",
        "",
    ),
    (&["RecoveryNode", "RoundRobin", "PipelineSequence", "PauseResumeController"], "your own composite", ""),
    (&["NonblockingSequence"], "`parallel`", ""),
    (&["SingleTrigger"], "`limit(1)`", "it counts for the life of the memory; `fresh` around the parent resets it"),
    // py_trees.
    (&["Success"], "`succeed`", ""),
    (&["Failure"], "`fail`", ""),
    (&["Running"], "`run`", ""),
    (
        &["Dummy", "Periodic", "StatusQueue", "SuccessEveryN", "TickCounter"],
        "the leaf `scripted` in tests, or an action with `#[kept]` state",
        "",
    ),
    (&["CheckBlackboardVariableExists"], "the leaf `is_set(KEY)`", ""),
    (&["WaitForBlackboardVariable"], "`wait_until { is_set(KEY) }`", ""),
    (&["CheckBlackboardVariableValue"], "the leaf `compare(KEY, …)`", ""),
    (
        &["CheckBlackboardVariableValues", "CompareBlackboardVariables"],
        "a condition with several `#[input]` parameters",
        "",
    ),
    (&["WaitForBlackboardVariableValue"], "`wait_until { compare(KEY, …) }`", ""),
    (&["BlackboardToStatus"], "an action with an `#[input]` that returns a `Status`", ""),
    (&["StatusToBlackboard"], "your own decorator with `end`", ""),
    (&["ProbabilisticBehaviour"], "an action that draws a number", ""),
    (&["RunningIsFailure", "RunningIsSuccess"], "your own decorator with `running`", ""),
    (&["Count"], "the observer `Statistics`", ""),
    (&["PassThrough"], "the child alone", ""),
    // Unreal.
    (&["Blackboard"], "the leaf `is_set(KEY)` or `compare(KEY, …)` before the node in a `sequence`", ""),
    (&["RunBehaviorDynamic"], "a `BoxNode`, or a loaded tree", ""),
    (&["ConditionalLoop"], "`until_failure { mem_sequence { condition, child } }`", ""),
    // LimboAI.
    (&["NewScope"], "`Key::local`", ""),
    (&["CheckVar", "CheckTrigger"], "the leaf `compare(KEY, …)`, or a condition", ""),
    (&["WaitTicks"], "an action with `#[open]` state that counts", "`wait` waits for a time"),
    // bonsai, bevy_behave.
    (&["WhileAll", "After"], "your own composite", ""),
    (&["Action"], "a function of the context", ""),
    (&["TriggerReq"], "a function of the context", ""),
    (&["DynamicEntity"], "a `task` of `bt-bevy`, or a `Leaf`", ""),
];

/// Returns the word of another library with this name. Ignores case and separators where the counterpart is one word, and a prefix `BT`.
///
/// ```
/// use bt_words::{Counterpart, Word, peer};
///
/// assert_eq!(peer("ReactiveFallback").unwrap().counterpart, Counterpart::Word(Word::Selector));
/// assert_eq!(peer("Parallel").unwrap().counterpart.to_string(), "`mem_parallel` or `parallel`");
/// assert!(peer("parallel").is_none()); // a word of this library
/// assert!(peer("patrol").is_none());
/// ```
pub fn peer(name: &str) -> Option<Peer> {
    if Word::named(name).next().is_some() {
        return None;
    }
    let name = name.strip_prefix("BT").unwrap_or(name);
    let words = WORDS.iter().filter(|(names, ..)| names.iter().any(|peer| letters(peer).eq(letters(name))));
    let others = OTHERS.iter().filter(|(names, ..)| names.iter().any(|peer| is_spelled(peer, name)));
    let words = words.map(|&(_, word, difference)| Peer { counterpart: Counterpart::Word(word), difference });
    words.chain(others.map(|&(_, text, difference)| Peer { counterpart: Counterpart::Other(text), difference })).next()
}

/// The letters of a name, in lower case, without separators.
fn letters(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(|sign| !matches!(sign, '_' | ' ')).flat_map(char::to_lowercase)
}

/// Returns `true` if this is the spelling of another library, where words may be separated by spaces.
fn is_spelled(peer: &str, name: &str) -> bool {
    name.chars().filter(|sign| *sign != ' ').eq(peer.chars())
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::collections::BTreeSet;
    use std::string::String;

    use super::{OTHERS, WORDS, letters};
    use crate::Word;

    #[test]
    fn a_name_has_one_meaning_and_is_no_word_of_ours() {
        let mut names: BTreeSet<String> = Word::ALL.iter().map(|word| letters(word.name()).collect()).collect();
        for name in WORDS.iter().flat_map(|(names, ..)| *names) {
            assert!(names.insert(letters(name).collect()), "{name}");
        }
        // Of the words of several meanings, some are spelled like words of ours.
        let mut spelled: BTreeSet<&str> = WORDS.iter().flat_map(|(names, ..)| *names).copied().collect();
        for name in OTHERS.iter().flat_map(|(names, ..)| *names) {
            assert!(spelled.insert(name) && Word::named(name).next().is_none(), "{name}");
        }
    }
}
