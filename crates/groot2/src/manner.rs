//! When a node is running and when its children are idle again: what the nodes of BehaviorTree.CPP do with statuses beside returning them.

use bt_behavior3::bt_words::Word;
use bt_core::describe::Kind;

use bt_btcpp::builtin::{Builtin, Category};

/// When a node that is ticked becomes running.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Starts {
    /// As soon as it is ticked.
    AtOnce,
    /// As soon as it is ticked, if it was idle.
    IfIdle,
    /// Before its first child is ticked.
    AtChild,
    /// When it returns.
    AtEnd,
}

/// When the children of a node that have ended become idle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Resets {
    /// Before the node ends or is skipped because its children were.
    AtEnd,
    /// Before the node ends, but not if it is skipped.
    UnlessSkipped,
    /// Before the node ends, and all others when one of them is running.
    Reactive,
    /// Before the node succeeds. When it fails, only the child that has failed, and those after it.
    FromFailed,
    /// Before the node ends, and when one of them, other than the last, has failed.
    Try,
    /// As soon as one ends.
    AtChild,
    /// As soon as one ends or is skipped.
    AtChildOrSkip,
    /// After the node has its status.
    After,
}

impl Resets {
    /// Returns `true` if children become idle when the node is skipped because they were.
    pub(crate) const fn on_skip(self) -> bool {
        matches!(self, Self::AtEnd | Self::Reactive | Self::FromFailed | Self::Try)
    }
}

/// Both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) starts: Starts,
    pub(crate) resets: Resets,
}

impl Manner {
    /// Returns what a node of BehaviorTree.CPP does.
    pub(crate) const fn of_builtin(builtin: Builtin) -> Self {
        let resets = match builtin {
            Builtin::ReactiveSequence | Builtin::ReactiveFallback => Resets::Reactive,
            Builtin::SequenceWithMemory => Resets::FromFailed,
            Builtin::TryCatch => Resets::Try,
            Builtin::Repeat | Builtin::RetryUntilSuccessful => Resets::AtChildOrSkip,
            Builtin::SkipUnlessUpdated | Builtin::WaitValueUpdate => Resets::After,
            Builtin::Parallel | Builtin::ParallelAll => Resets::UnlessSkipped,
            Builtin::Switch2 | Builtin::Switch3 | Builtin::Switch4 | Builtin::Switch5 | Builtin::Switch6 => {
                Resets::UnlessSkipped
            }
            _ if matches!(builtin.category(), Category::Decorator) => Resets::AtChild,
            _ => Resets::AtEnd,
        };
        let starts = match builtin {
            Builtin::Precondition | Builtin::SkipUnlessUpdated | Builtin::WaitValueUpdate => Starts::AtEnd,
            Builtin::Switch2 | Builtin::Switch3 | Builtin::Switch4 | Builtin::Switch5 | Builtin::Switch6 => {
                Starts::AtEnd
            }
            Builtin::LoopInt | Builtin::LoopBool | Builtin::LoopDouble | Builtin::LoopString | Builtin::RunOnce => {
                Starts::AtChild
            }
            _ => match builtin.category() {
                Category::Control | Category::Decorator => Starts::AtOnce,
                Category::Action | Category::Condition | Category::SubTree => Starts::AtEnd,
            },
        };
        Self { starts, resets }
    }

    /// Returns what any other node does.
    pub(crate) const fn of(kind: Kind, word: Option<Word>) -> Self {
        match kind {
            Kind::Subtree => Self { starts: Starts::IfIdle, resets: Resets::AtChild },
            Kind::Decorator | Kind::State => Self { starts: Starts::AtOnce, resets: Resets::AtChild },
            Kind::Condition | Kind::Action => Self { starts: Starts::AtEnd, resets: Resets::AtEnd },
            _ => {
                let is_reactive = matches!(word, Some(Word::UtilitySelector | Word::Match));
                Self { starts: Starts::AtOnce, resets: if is_reactive { Resets::Reactive } else { Resets::AtEnd } }
            }
        }
    }
}
