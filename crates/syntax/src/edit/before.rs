//! The expressions before the children of a node: weights, scores, patterns.

use std::sync::Arc;

use bt_words::{ParamType, Word};

use super::head::Head;
use super::node::{Node, Style};

/// The kind of expression before the children of a node, with `=>`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    Nothing,
    Weights,
    Scores,
    Patterns,
    /// The arguments of a custom composite.
    Any,
}

impl Before {
    /// Returns the kind of expression before the children of a node. JSON and XML have it in a property of the node.
    pub(super) fn of(node: &Node, style: Style) -> Self {
        if style.is_data() {
            return Self::Nothing;
        }
        let head = Head::of(&node.head);
        let types = || Word::named(head.last_name()).flat_map(|word| word.row().params).map(|param| param.ty);
        let has = |wanted: ParamType| types().any(|ty| ty == wanted);
        let is_word = Word::named(head.last_name()).next().is_some();
        match is_word {
            _ if has(ParamType::Cases) => Self::Patterns,
            _ if has(ParamType::Scores) => Self::Scores,
            _ if has(ParamType::Weights) => Self::Weights,
            true => Self::Nothing,
            false => Self::Any,
        }
    }

    /// Makes what is before a child fit its new parent.
    pub(super) fn fit(self, child: &mut Node, siblings: &[Arc<Node>], was: Option<Self>) {
        if was.is_some_and(|was| was != self && (was == Self::Patterns || self == Self::Patterns))
            || self == Self::Nothing
        {
            child.before.clear();
        }
        let has_weights = siblings.iter().any(|sibling| !sibling.before.is_empty());
        let default = match self {
            Self::Patterns => "_",
            Self::Scores => "0.0",
            Self::Weights if has_weights => "1",
            Self::Weights | Self::Any | Self::Nothing => "",
        };
        if child.before.is_empty() {
            default.clone_into(&mut child.before);
        }
    }
}
