//! Which nodes can be skipped. Others can be words of this library, which have no such status.

use std::collections::BTreeMap;

use crate::builtin::Builtin;
use crate::document::Document;
use crate::node::{Meaning, meaning};
use bt_behavior3::xml::Element;

/// Whether nodes can be skipped.
pub(crate) struct Skips<'d> {
    /// The trees whose root can be skipped.
    trees: BTreeMap<&'d str, bool>,
}

impl<'d> Skips<'d> {
    /// Returns the skips of all trees.
    pub(crate) fn of(document: &'d Document) -> Self {
        let mut skips = Self { trees: BTreeMap::new() };
        // Once a tree can be skipped, more can that contain it.
        loop {
            let can =
                |tree: &&crate::document::Tree| !skips.trees.contains_key(tree.id.as_str()) && skips.can_be(&tree.root);
            let Some(tree) = document.trees.iter().find(can) else { return skips };
            skips.trees.insert(&tree.id, true);
        }
    }

    /// Returns `true` if a node can be skipped.
    pub(crate) fn can_be(&self, element: &Element) -> bool {
        if element.attribute("_skipIf").is_some() || element.attribute("_while").is_some() {
            return true;
        }
        let children = element.children.as_slice();
        let any = |children: &[Element]| children.iter().any(|child| self.can_be(child));
        let all = |children: &[Element]| !children.is_empty() && children.iter().all(|child| self.can_be(child));
        let port = |name| element.value(name).map(str::trim);
        let builtin = match meaning(element) {
            Meaning::Builtin(builtin) => builtin,
            Meaning::Tree(id) => return self.trees.contains_key(id),
            // A decorator of the user passes the failure of its child on, which a node above takes for its own.
            Meaning::Own(_) => return any(children),
        };
        match builtin {
            Builtin::Sequence
            | Builtin::Fallback
            | Builtin::AsyncSequence
            | Builtin::AsyncFallback
            | Builtin::SequenceWithMemory
            | Builtin::ReactiveSequence
            | Builtin::ReactiveFallback
            | Builtin::Parallel
            | Builtin::ParallelAll => all(children),
            Builtin::TryCatch => children.split_last().is_some_and(|(_, tried)| all(tried)),
            Builtin::IfThenElse | Builtin::WhileDoElse => children.get(1..).is_some_and(any),
            Builtin::Switch2 | Builtin::Switch3 | Builtin::Switch4 | Builtin::Switch5 | Builtin::Switch6 => {
                any(children)
            }
            Builtin::Inverter
            | Builtin::ForceSuccess
            | Builtin::ForceFailure
            | Builtin::Repeat
            | Builtin::RetryUntilSuccessful
            | Builtin::Timeout
            | Builtin::Delay
            | Builtin::WaitValueUpdate => any(children),
            Builtin::Precondition => {
                any(children) || port("else").is_some_and(|value| !matches!(value, "SUCCESS" | "FAILURE" | "RUNNING"))
            }
            Builtin::RunOnce => any(children) || !matches!(port("then_skip"), Some("false" | "0")),
            Builtin::LoopInt | Builtin::LoopBool | Builtin::LoopDouble | Builtin::LoopString => {
                port("if_empty").is_some_and(|value| !matches!(value, "SUCCESS" | "FAILURE" | "RUNNING"))
            }
            Builtin::SkipUnlessUpdated => true,
            Builtin::KeepRunningUntilFailure
            | Builtin::AlwaysSuccess
            | Builtin::AlwaysFailure
            | Builtin::Script
            | Builtin::ScriptCondition
            | Builtin::SetBlackboard
            | Builtin::UnsetBlackboard
            | Builtin::Sleep
            | Builtin::WasEntryUpdated => false,
        }
    }

    /// Returns `true` if a child of a node can be skipped.
    pub(crate) fn below(&self, element: &Element) -> bool {
        element.children.iter().any(|child| self.can_be(child))
    }
}
