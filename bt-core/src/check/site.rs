//! Whether it is right that a node stands where it does in a `tree!`: what the constants of expansions call.

use core::marker::PhantomData;

use bt_words::Flags;

use crate::check::facts::{Below, Facts, Unreachable};
use crate::check::lints::{Lint, Lints, in_vain};
use crate::check::text::Text;
use crate::describe::{Located, SourceNode};
use crate::node::NodeShape;
use crate::outcomes::Outcomes;

/// The type of a tree, in a constant of its expansion: inferred from what the constant is used with.
///
/// A tree's type is mentioned there, and there only, since each mention takes time: the facts about it have a type of their own.
pub struct TreeType<N>(PhantomData<fn() -> N>);

impl<N> TreeType<N> {
    /// The site of a tree of this type.
    #[expect(clippy::new_without_default, reason = "made by expansions alone")]
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

/// Where a tree and all its nodes stand.
pub struct CheckedSource<N> {
    /// The place.
    pub place: &'static SourceNode,
    /// Whose.
    pub of: TreeType<N>,
}

/// A tree at its place.
#[inline(always)]
pub fn located<N>(tree: N, spot: CheckedSource<N>) -> Located<N> {
    Located::new(spot.place, tree)
}

/// What is known of a tree.
pub const fn facts<N: NodeShape>(_: TreeType<N>) -> &'static Facts {
    &N::FACTS
}

/// What is known of the parent of the node at a path of indices, such as `0/3/1`, and the node's index.
///
/// A path is one token where a variable for each node on the way would be many, and a tree has many nodes.
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

/// The place of a tree's root. Ends the compilation if something is wrong with it that `flags` do not allow.
#[track_caller]
pub const fn root(facts: &'static Facts, flags: u32, text: &'static str) -> SourceNode {
    let flags = Flags(flags);
    let lints = if flags.has(Flags::RUST) { Lints::NONE } else { facts.certain() };
    settle(lints, flags, Flags::NONE, facts);
    SourceNode::new(None, text)
}

/// The place of a leaf that is given by Rust: what is wrong in it is told where that is written.
#[track_caller]
pub const fn leaf_at(root: &'static Facts, path: &str, text: &'static str) -> SourceNode {
    child(root, path, Flags::RUST.0, text)
}

/// The place of the node at a path. Ends the compilation if something is wrong with it that `flags` do not allow.
#[track_caller]
pub const fn child(root: &'static Facts, path: &str, flags: u32, text: &'static str) -> SourceNode {
    let flags = Flags(flags);
    let (parent, index) = parent(root, path);
    let mut excused = Flags::NONE;
    if let Below::Children { each, unreachable: Some(hidden) } = parent.below
        && hidden.from <= index
        && !(hidden.goes_on.is_empty() && each.varies_before(hidden.from))
    {
        if !flags.has(Flags::allows(Lint::Unreachable)) {
            unreachable(hidden, index, each.get(hidden.from - 1).can);
        }
        excused = Flags::allows(Lint::Unreachable);
    }
    let lints = if flags.has(Flags::RUST) { Lints::NONE } else { parent.child(index).certain() };
    settle(lints, flags, excused, parent);
    SourceNode::new(None, text)
}

#[track_caller]
const fn unreachable(hidden: Unreachable, index: usize, before: Outcomes) -> ! {
    let text = Text::new("this can never run: ");
    let text = if hidden.goes_on.is_empty() {
        text.add("the children before it always end the `").add(hidden.keyword).add("`")
    } else {
        let text =
            if hidden.from == index { text.add("the child before it") } else { text.add("child ").number(hidden.from) };
        text.add(" can only give ")
            .outcomes(before)
            .add(", and a `")
            .add(hidden.keyword)
            .add("` goes on only after ")
            .outcomes(hidden.goes_on)
    };
    text.add("; move or remove one of them, or write `#[allow(unreachable)]` before this one if it is meant").panic()
}

/// Ends the compilation if there is a lint that is not allowed, or one expected that is not there: unless that may depend on a parameter
/// in the tree that `within` is about.
#[track_caller]
pub(crate) const fn settle(lints: Lints, flags: Flags, excused: Flags, within: &Facts) {
    let excused = excused.or(lints.check(flags));
    let mut at = 0;
    while at < Lint::ALL.len() {
        let lint = Lint::ALL[at];
        if flags.has(Flags::expects(lint)) && !excused.has(Flags::allows(lint)) && !within.varies() {
            in_vain(lint);
        }
        at += 1;
    }
}
