//! The words of this library for nodes of BehaviorTree.CPP, and the nodes for words.

use bt_words::Word;

use crate::builtin::Builtin;

/// Returns the word that behaves in the same way.
pub(crate) fn word(builtin: Builtin) -> Option<Word> {
    let is_it = |word: &Word| counterpart(*word).is_some_and(|(of, _)| of == builtin);
    Word::ALL.iter().copied().find(is_it).filter(|_| !differs(builtin))
}

/// Returns `true` if the word that is written as a node is only nearly the same.
const fn differs(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::SequenceWithMemory
            | Builtin::Parallel
            | Builtin::WhileDoElse
            | Builtin::IfThenElse
            | Builtin::Repeat
            | Builtin::RetryUntilSuccessful
            | Builtin::RunOnce
    )
}

/// Returns `true` if the word for a node is another one when a child can be skipped. Others pass the failure of a skipped child on.
pub(crate) const fn skips_differ(builtin: Builtin) -> bool {
    !matches!(builtin, Builtin::Timeout | Builtin::Delay)
}

/// Returns the node that a word is written as, and the port for its argument.
pub const fn counterpart(word: Word) -> Option<(Builtin, Option<&'static str>)> {
    Some(match word {
        Word::Selector => (Builtin::ReactiveFallback, None),
        Word::Sequence => (Builtin::ReactiveSequence, None),
        Word::MemSelector => (Builtin::Fallback, None),
        Word::MemSequence => (Builtin::Sequence, None),
        Word::KeptSequence => (Builtin::SequenceWithMemory, None),
        Word::MemParallel => (Builtin::Parallel, None),
        Word::If => (Builtin::WhileDoElse, None),
        Word::MemIf => (Builtin::IfThenElse, None),
        Word::Invert => (Builtin::Inverter, None),
        Word::ForceSuccess => (Builtin::ForceSuccess, None),
        Word::ForceFailure => (Builtin::ForceFailure, None),
        Word::RepeatWhileSuccess => (Builtin::Repeat, Some("num_cycles")),
        Word::Retry => (Builtin::RetryUntilSuccessful, Some("num_attempts")),
        Word::RunOnce => (Builtin::RunOnce, Some("then_skip")),
        Word::Timeout => (Builtin::Timeout, Some("msec")),
        Word::Delay => (Builtin::Delay, Some("delay_msec")),
        Word::Wait => (Builtin::Sleep, Some("msec")),
        Word::Succeed => (Builtin::AlwaysSuccess, None),
        Word::Fail => (Builtin::AlwaysFailure, None),
        Word::UtilitySelector
        | Word::MemUtilitySelector
        | Word::Finally
        | Word::RandomSelector
        | Word::RandomSequence
        | Word::Parallel
        | Word::Match
        | Word::MemMatch
        | Word::Machine
        | Word::State
        | Word::Repeat
        | Word::RepeatTimes
        | Word::UntilFailure
        | Word::UntilSuccess
        | Word::WaitUntil
        | Word::Limit
        | Word::SucceedOnce
        | Word::Fresh
        | Word::ByEvent
        | Word::Cooldown
        | Word::Chance
        | Word::Service
        | Word::Run
        | Word::Error => return None,
    })
}
