//! Nodes of a plan that stand alone, or in the place of others.

use bt_words::Flags;
use proc_macro2::{Ident, Span};
use quote::quote;

use crate::plan::{Located, Node};

/// Returns a node without a label.
pub(super) fn unlabeled(node: Node, span: Span) -> Located {
    Located { node, label: None, text: String::new(), span, flags: Flags::NONE, is_saved: false }
}

/// Returns a leaf in the place of a missing child: an editor completes what can be written there.
pub(super) fn missing(span: Span) -> Located {
    unlabeled(Node::Leaf { rust: quote!(__bt_core::__private::broken()), every: false }, span)
}

/// Returns children that have no valid parent.
pub(super) fn in_sequence(children: Vec<Located>, span: Span) -> Node {
    if children.is_empty() {
        return Node::Broken;
    }
    let keyword = Ident::new("sequence", Span::mixed_site().located_at(span));
    Node::Composite { keyword, args: Vec::new(), children }
}
