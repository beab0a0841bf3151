//! The words of other libraries, so that an error can suggest the word of this one.

use crate::table::Word;

/// A word of another library, or of behavior-tree literature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Peer {
    /// The corresponding word.
    pub word: Word,
    /// The difference in meaning, as one clause; empty if there is none.
    pub difference: &'static str,
}

/// Names, the corresponding word, and the difference.
const PEERS: &[(&[&str], Word, &str)] = &[
    // General, Unreal, Unity, Lua.
    (&["priority", "activeselector", "dynamicselector", "dynamicpriorityselector", "or"], Word::Selector, ""),
    (&["activesequence", "dynamicsequence", "and", "eternalguard"], Word::Sequence, ""),
    (&["mempriority", "selectorwithmemory", "prioritywithmemory", "memoryselector"], Word::MemSelector, ""),
    (&["memorysequence"], Word::MemSequence, ""),
    (&["randompriority", "shuffledselector", "randomizedselector", "probabilityselector"], Word::RandomSelector, ""),
    (&["shuffledsequence", "randomizedsequence"], Word::RandomSequence, ""),
    (&["concurrent", "parallelnode"], Word::Parallel, ""),
    (&["simpleparallel"], Word::Parallel, "`parallel(success = 1, failure = 1)` ends with the first child that ends"),
    (&["parallelall"], Word::MemParallel, "`mem_parallel` has `failure = 1` by default"),
    (&["not", "inverter", "negate", "negation"], Word::Invert, "`!child` is short for `invert { child }`"),
    (&["succeeder", "alwayssucceed", "failureissuccess"], Word::ForceSuccess, "the leaf is `succeed`"),
    (&["failer", "alwaysfail", "successisfailure"], Word::ForceFailure, "the leaf is `fail`"),
    (&["repeater", "loop", "repeatforever", "forever"], Word::Repeat, "`repeat(3)` runs its child 3 times"),
    (&["repeatuntilfailure", "repeatuntilfail", "untilfail", "whilesuccess"], Word::UntilFailure, ""),
    (&["repeatuntilsuccess", "untilsucceed", "untilsucceeded", "whilefailure"], Word::UntilSuccess, ""),
    (&["limiter", "maxruns"], Word::Limit, ""),
    (&["probability", "randomchance", "withprobability"], Word::Chance, ""),
    (&["oneshot", "once"], Word::RunOnce, ""),
    (&["maxtime", "maxseconds", "timelimit"], Word::Timeout, ""),
    (&["cooldowntimer"], Word::Cooldown, ""),
    (&["fsm", "statemachine"], Word::Machine, ""),
    // BehaviorTree.CPP.
    (
        &["fallback"],
        Word::MemSelector,
        "`selector` starts from the first child every tick, like BehaviorTree.CPP's ReactiveFallback",
    ),
    (&["reactivefallback", "reactiveselector"], Word::Selector, ""),
    (&["reactivesequence"], Word::Sequence, ""),
    (&["fallbackstar"], Word::MemSelector, ""),
    (&["sequencewithmemory", "sequencestar"], Word::KeptSequence, ""),
    (&["retryuntilsuccessful"], Word::Retry, ""),
    (
        &["keeprunninguntilfailure"],
        Word::UntilFailure,
        "`until_failure` succeeds when its child fails; KeepRunningUntilFailure fails",
    ),
    // py_trees.
    (&["failureisrunning"], Word::WaitUntil, ""),
];

/// Returns the word of another library with this name. Ignores case and underscores.
///
/// ```
/// use bt_words::{Word, peer};
///
/// assert_eq!(peer("ReactiveFallback").unwrap().word, Word::Selector);
/// assert!(peer("patrol").is_none());
/// ```
pub fn peer(name: &str) -> Option<Peer> {
    let letters = || name.chars().filter(|letter| *letter != '_').flat_map(char::to_lowercase);
    let is_it = |name: &&str| name.chars().eq(letters());
    PEERS
        .iter()
        .find(|(names, ..)| names.iter().any(is_it))
        .map(|(_, word, difference)| Peer { word: *word, difference })
}
