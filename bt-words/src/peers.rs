//! The words of other libraries, so that an error can name ours.

use crate::table::Word;

/// A word of another library, or of the texts about behavior trees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Peer {
    /// The word that means the same here.
    pub word: Word,
    /// Where the meaning differs, in one clause; empty if it does not.
    pub difference: &'static str,
}

/// Names, the word here, and the difference.
const PEERS: &[(&[&str], Word, &str)] = &[
    // Behavior trees in general, Unreal, Unity, Lua.
    (&["priority", "activeselector", "dynamicselector", "dynamicpriorityselector", "or"], Word::Selector, ""),
    (&["activesequence", "dynamicsequence", "and", "eternalguard"], Word::Sequence, ""),
    (&["mempriority", "selectorwithmemory", "prioritywithmemory", "memoryselector"], Word::MemSelector, ""),
    (&["memorysequence"], Word::MemSequence, ""),
    (&["randompriority", "shuffledselector", "randomizedselector", "probabilityselector"], Word::RandomSelector, ""),
    (&["shuffledsequence", "randomizedsequence"], Word::RandomSequence, ""),
    (&["concurrent", "parallelnode"], Word::Parallel, ""),
    (
        &["simpleparallel"],
        Word::Parallel,
        "write `parallel(success = 1, failure = 1)` to end with the first child that ends",
    ),
    (&["parallelall"], Word::MemParallel, "it ends when all children have ended, with `failure = 1` by default"),
    (&["not", "inverter", "negate", "negation"], Word::Invert, "`!child` is short for it"),
    (&["succeeder", "alwayssucceed", "failureissuccess"], Word::ForceSuccess, "as a leaf it is `succeed`"),
    (&["failer", "alwaysfail", "successisfailure"], Word::ForceFailure, "as a leaf it is `fail`"),
    (
        &["repeater", "loop", "repeatforever", "forever"],
        Word::Repeat,
        "with a number, as in `repeat(3)`, it runs its child that often",
    ),
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
    (
        &["sequencewithmemory", "sequencestar"],
        Word::MemSequence,
        "after a failure it starts from the first child again",
    ),
    (&["retryuntilsuccessful"], Word::Retry, ""),
    (&["keeprunninguntilfailure"], Word::UntilFailure, "it succeeds when its child fails; BehaviorTree.CPP's fails"),
    // py_trees.
    (&["failureisrunning"], Word::WaitUntil, ""),
];

/// Returns the word of another library that has this name. Case and underscores do not count.
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
