//! The words of this library for nodes of BehaviorTree.CPP, and the nodes for words.

use bt_words::Word;

use crate::builtin::Builtin;

/// Returns the word that behaves in the same way, and the name of the property for its only port.
pub(crate) const fn word(builtin: Builtin) -> Option<(&'static str, Option<&'static str>)> {
    Some(match builtin {
        Builtin::Sequence => ("mem_sequence", None),
        Builtin::Fallback => ("mem_selector", None),
        Builtin::ReactiveSequence => ("sequence", None),
        Builtin::ReactiveFallback => ("selector", None),
        Builtin::Inverter => ("invert", None),
        Builtin::ForceSuccess => ("force_success", None),
        Builtin::ForceFailure => ("force_failure", None),
        Builtin::Timeout => ("timeout", Some("time")),
        Builtin::Delay => ("delay", Some("time")),
        Builtin::AlwaysSuccess => ("succeed", None),
        Builtin::AlwaysFailure => ("fail", None),
        Builtin::Sleep => ("wait", Some("time")),
        Builtin::AsyncSequence
        | Builtin::AsyncFallback
        | Builtin::SequenceWithMemory
        | Builtin::Parallel
        | Builtin::ParallelAll
        | Builtin::IfThenElse
        | Builtin::WhileDoElse
        | Builtin::TryCatch
        | Builtin::Switch2
        | Builtin::Switch3
        | Builtin::Switch4
        | Builtin::Switch5
        | Builtin::Switch6
        | Builtin::Repeat
        | Builtin::RetryUntilSuccessful
        | Builtin::KeepRunningUntilFailure
        | Builtin::RunOnce
        | Builtin::Precondition
        | Builtin::LoopInt
        | Builtin::LoopBool
        | Builtin::LoopDouble
        | Builtin::LoopString
        | Builtin::SkipUnlessUpdated
        | Builtin::WaitValueUpdate
        | Builtin::Script
        | Builtin::ScriptCondition
        | Builtin::SetBlackboard
        | Builtin::UnsetBlackboard
        | Builtin::WasEntryUpdated => return None,
    })
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
