//! Checks of a node at its location in a `tree!`. The constants of expansions call these functions.

use core::marker::PhantomData;

use bt_words::analysis::{Below, Lints, Message, Unreachable, must_end};
use bt_words::{Flags, Lint};

use crate::check::report::{self, stop, unused};
use crate::describe::{Located, SourceNode};
use crate::facts::Facts;
use crate::node::NodeShape;

/// The type of a tree in a constant of its expansion, inferred from the use of the constant.
///
/// The tree's type is mentioned only here, since each mention costs compile time. The facts about the tree have a type without it.
pub struct TreeType<N>(PhantomData<fn() -> N>);

impl<N> TreeType<N> {
    /// Returns the type of a tree.
    #[expect(clippy::new_without_default, reason = "only expansions construct it")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<N> Clone for TreeType<N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N> Copy for TreeType<N> {}

/// The checked source locations of a tree.
pub struct CheckedSource<N> {
    /// The source location of the root.
    pub place: &'static SourceNode,
    /// The type of the tree.
    pub of: TreeType<N>,
}

/// Returns a tree with its source locations.
#[inline(always)]
pub fn located<N>(tree: N, spot: CheckedSource<N>) -> Located<N> {
    Located::new(spot.place, tree)
}

/// Returns the facts about a tree.
pub const fn facts<N: NodeShape>(_: TreeType<N>) -> &'static Facts {
    &N::FACTS
}

/// Returns the facts about the parent of the node at a path of indices, such as `0/3/1`, and the index of the node.
///
/// A path is a single token, which compiles faster than a variable for each ancestor.
pub(crate) const fn parent(root: &'static Facts, path: &str) -> (&'static Facts, usize) {
    let path = path.as_bytes();
    let (mut facts, mut index, mut at) = (root, 0, 0);
    while at < path.len() {
        if path[at] == b'/' {
            facts = facts.child(index);
            index = 0;
        } else {
            index = index * 10 + (path[at] - b'0') as usize;
        }
        at += 1;
    }
    (facts, index)
}

/// Returns the source location of a tree's root. Ends the compilation if the root has a lint that `flags` do not allow.
#[track_caller]
pub const fn root(facts: &'static Facts, flags: u32, text: &'static str) -> SourceNode {
    let flags = Flags(flags);
    let lints = if flags.has(Flags::RUST) { Lints::NONE } else { facts.certain() };
    settle(lints, flags, Flags::NONE, facts);
    SourceNode::new(None, text)
}

/// Returns the source location of a leaf of Rust code. Its own mistakes are reported at its definition.
#[track_caller]
pub const fn leaf_at(root: &'static Facts, path: &str, text: &'static str) -> SourceNode {
    child(root, path, Flags::RUST.0, text)
}

/// Returns the source location of the node at a path. Ends the compilation if the node has a lint that `flags` do not allow.
#[track_caller]
pub const fn child(root: &'static Facts, path: &str, flags: u32, text: &'static str) -> SourceNode {
    let flags = Flags(flags);
    let (parent, index) = parent(root, path);
    let unreachable = report::found(parent.unreachable(index), flags);
    let is_condition = flags.has(Flags::CONDITION)
        || index == 0 && matches!(parent.below, Below::Children { unreachable: Unreachable::Unselected(_), .. });
    if is_condition && parent.child(index).returns.runs() {
        stop(&Message::new(must_end::IF));
    }
    let lints = if flags.has(Flags::RUST) { Lints::NONE } else { parent.child(index).certain() };
    settle(lints, flags, unreachable, parent);
    SourceNode::new(None, text)
}

/// Ends the compilation if a child of the user's node is never ticked and `flags` do not allow that. `count` is the number of children in the source.
/// A user's function can return any node: if the node has another number of children, nothing is checked. All other checks of the child are those of
/// a tree of its own.
#[track_caller]
pub const fn own_child(root: &'static Facts, path: &str, count: usize, flags: u32) {
    let flags = Flags(flags);
    let (parent, index) = parent(root, path);
    let unreachable = match parent.below {
        Below::Children { each, .. } if each.len() == count => parent.unreachable(index),
        Below::Children { .. } | Below::Nothing | Below::Spread | Below::One(_) | Below::States(_) => None,
    };
    let excused = report::found(unreachable, flags);
    let expected = Flags::expects(Lint::Unreachable);
    settle(Lints::NONE, if flags.has(expected) { expected } else { Flags::NONE }, excused, parent);
}

/// Ends the compilation if a lint is not allowed, or if an expected lint does not occur, unless that may depend on a parameter in the tree
/// described by `within`.
#[track_caller]
pub(crate) const fn settle(lints: Lints, flags: Flags, excused: Flags, within: &Facts) {
    let excused = excused.or(report::lints(&lints, flags));
    let mut at = 0;
    while at < Lint::ALL.len() {
        let lint = Lint::ALL[at];
        if flags.has(Flags::expects(lint)) && !excused.has(Flags::allows(lint)) && !within.varies {
            unused(lint);
        }
        at += 1;
    }
}
