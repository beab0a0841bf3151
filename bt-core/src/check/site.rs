//! Checks of a node at its location in a `tree!`. The constants of expansions call these functions.

use core::marker::PhantomData;

use bt_words::Flags;

use crate::check::facts::{Below, ChildFacts, Facts, Unreachable};
use crate::check::lints::{Lint, Lints, unused};
use crate::check::text::Text;
use crate::describe::{Located, SourceNode};
use crate::node::NodeShape;
use crate::outcomes::Outcomes;

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
    if flags.has(Flags::CONDITION) && parent.child(index).can.runs() {
        running_condition();
    }
    if let Below::Branches { each } = parent.below
        && branch(each, index, flags)
    {
        excused = Flags::allows(Lint::Unreachable);
    }
    if let Below::States(reach) = &parent.below
        && !reach.ticks(index)
        && !parent.varies()
    {
        if !flags.has(Flags::allows(Lint::Unreachable)) {
            Text::new("unreachable node\nnote: the state is always left before its node is ticked")
                .add("\nhelp: change the transitions, write `run` in place of the node")
                .add(", or write `#[allow(unreachable)]` before this node")
                .panic();
        }
        excused = Flags::allows(Lint::Unreachable);
    }
    let lints = if flags.has(Flags::RUST) { Lints::NONE } else { parent.child(index).certain() };
    settle(lints, flags, excused, parent);
    SourceNode::new(None, text)
}

/// Reports a condition of `if` that can be running.
#[track_caller]
const fn running_condition() -> ! {
    Text::new("the condition of an `if` must never return `Running`\nhelp: use a `fn(&Context) -> bool`")
        .add("; a decorator of your own declares its statuses with `const STATUSES`")
        .panic()
}

/// Checks a child of `if`. Returns `true` if it is unreachable and allowed to be.
#[track_caller]
const fn branch(each: ChildFacts, index: usize, flags: Flags) -> bool {
    let condition = each.get(0);
    if index == 0 {
        if condition.can.runs() {
            running_condition();
        }
        return false;
    }
    if condition.can.meets(ChildFacts::selecting(index)) || condition.varies() {
        return false;
    }
    if !flags.has(Flags::allows(Lint::Unreachable)) {
        Text::new("unreachable node\nnote: the condition only returns ")
            .outcomes(condition.can)
            .add("\nhelp: change the condition or remove the node, or write `#[allow(unreachable)]` before the node")
            .panic();
    }
    true
}

#[track_caller]
const fn unreachable(hidden: Unreachable, index: usize, before: Outcomes) -> ! {
    let text = Text::new("unreachable node\nnote: ");
    let text = if hidden.goes_on.is_empty() {
        text.add("the children before it always end ").keyword(hidden.keyword)
    } else {
        let text =
            if hidden.from == index { text.add("the child before it") } else { text.add("child ").number(hidden.from) };
        text.add(" only returns ")
            .outcomes(before)
            .add(", and ")
            .keyword(hidden.keyword)
            .add(" continues only after ")
            .outcomes(hidden.goes_on)
    };
    text.add("\nhelp: move or remove one of them, or write `#[allow(unreachable)]` before this node").panic()
}

/// Ends the compilation if a lint is not allowed, or if an expected lint does not occur, unless that may depend on a parameter in the tree
/// described by `within`.
#[track_caller]
pub(crate) const fn settle(lints: Lints, flags: Flags, excused: Flags, within: &Facts) {
    let excused = excused.or(lints.check(flags));
    let mut at = 0;
    while at < Lint::ALL.len() {
        let lint = Lint::ALL[at];
        if flags.has(Flags::expects(lint)) && !excused.has(Flags::allows(lint)) && !within.varies() {
            unused(lint);
        }
        at += 1;
    }
}
