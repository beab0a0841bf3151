//! The kinds of nodes in files.

use bt_words::{Arity, FileForm, Role, Word, file_forms, is_behavior3};

use crate::args::{Arg, Args};
use crate::diagnostic::Fault;
use crate::reading::Reading;
use crate::source::Source;
use crate::transition::When;

/// The kind of a node in a file: a word of the vocabulary, a custom node or a nested tree.
///
/// The words have the names of `tree!`, and the arguments of `tree!` as properties: `times`, `runs`, `time`, `success`, `failure`, `weights`; `service` has `every` and `action`,
/// the name of a leaf. The children of a `machine` are `state`s with a `name` and `transitions`, a list of strings such as `"herded -> obey"` and `"success -> idle"`. The
/// transitions in the machine's `any` lead out of any state. A state's `enter` and `exit` are names of leaves, which are called on entering and leaving the state. A time is a
/// number of milliseconds, or a string in the format of Rust: `1.5s`. Numbers and times can also be a range, the name of a registered value, or a variable in braces: see [`Amount`](crate::Amount). Some words also have a name of Behavior3:
///
/// | name in Behavior3 | properties | in `tree!` |
/// |---|---|---|
/// | `Priority`, `Sequence`, `MemPriority`, `MemSequence` | | `selector`, `sequence`, `mem_selector`, `mem_sequence` |
/// | `Inverter` | | `invert` |
/// | `Limiter` | `maxLoop` | `limit(n)` |
/// | `MaxTime` | `maxTime`, ms | `timeout(…)` |
/// | `Repeater` | `maxLoop`, -1 for no bound | `repeat`, `repeat(n)` |
/// | `RepeatUntilFailure`, `RepeatUntilSuccess` | `maxLoop`, -1 for no bound | `until_failure`, `until_success`; with a bound `force_success { retry(n) { !… } }`, `retry(n)` |
/// | `Wait` | `milliseconds` | `wait(…)` |
/// | `Succeeder`, `Failer`, `Runner`, `Error` | | `succeed`, `fail`, `run`, `error` |
///
/// The semantics differ from behavior3js:
///
/// - A `Limiter` counts runs in the lifetime of the agent. (The author's article counts calls in the lifetime; the library
///   restarts the count with each opening, so it limits nothing.)
/// - After its `MaxTime`, a child is halted, not ticked once more.
/// - `Repeater` and `RepeatUntilFailure` succeed in the end.
/// - A loop without a bound starts its child at most once per tick, so it cannot hang.
/// - A `Repeater` can have a child. (In behavior3js its child cannot be used.)
#[derive(Clone, PartialEq, Debug)]
pub enum NodeKind {
    /// A word of the vocabulary, with its arguments.
    Word(Word, Args),
    /// A custom node.
    Own,
    /// A nested tree, by its title, or by its id if it has no title. Its only child is the root of the tree.
    Tree(String),
}

/// A leaf named in a property of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AttachedLeaf<'a> {
    /// Its role.
    pub role: Role,
    /// Whether its outcome is inverted: the condition `!herded`.
    pub negated: bool,
    /// Its registered name.
    pub name: &'a str,
}

impl NodeKind {
    /// Returns the word; `None` for a custom node and a nested tree.
    pub const fn word(&self) -> Option<Word> {
        match self {
            NodeKind::Word(word, _) => Some(*word),
            NodeKind::Own | NodeKind::Tree(_) => None,
        }
    }

    /// Returns the arguments of the word.
    pub fn args(&self) -> &Args {
        const NONE: &Args = &Args(Vec::new());
        match self {
            NodeKind::Word(_, args) => args,
            NodeKind::Own | NodeKind::Tree(_) => NONE,
        }
    }

    /// Returns a fault of the argument that reads a value.
    pub fn fault_of_source(&self, source: &Source, reason: String) -> Fault {
        let params = self.word().map_or(&[][..], |word| word.row().params);
        let mut args = params.iter().zip(&self.args().0);
        let found = args.find_map(|(param, arg)| Some((param, arg.as_ref()?.sources().position(|of| of == source)?)));
        match found {
            Some((param, item)) => Fault::of_item(param.name, item, reason),
            None => reason.into(),
        }
    }

    /// Returns the leaves named in the properties of the node, in the order of their ids.
    pub fn attached_leaves(&self) -> impl Iterator<Item = AttachedLeaf<'_>> {
        self.args().0.iter().flatten().flat_map(|arg| {
            let leaf = match arg {
                Arg::Leaf(role, name) => Some(AttachedLeaf { role: *role, negated: false, name }),
                _ => None,
            };
            let transitions = if let Arg::Transitions(transitions) = arg { transitions.as_slice() } else { &[] };
            let conditions = transitions.iter().filter_map(|transition| match &transition.on {
                When::Leaf { name, negated } => Some(AttachedLeaf { role: Role::Guard, negated: *negated, name }),
                When::Success | When::Failure => None,
            });
            leaf.into_iter().chain(conditions)
        })
    }
}

/// The words that a name means, from the outside to the inside.
pub(crate) struct Kinds {
    pub(crate) first: NodeKind,
    pub(crate) inner: Vec<NodeKind>,
}

impl Kinds {
    pub(crate) const fn one(first: NodeKind) -> Self {
        Self { first, inner: Vec::new() }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &NodeKind> {
        std::iter::once(&self.first).chain(&self.inner)
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut NodeKind> {
        std::iter::once(&mut self.first).chain(&mut self.inner)
    }
}

/// Returns the kinds that the name of a node means, outermost first, and the number of its children; `None` if the name is not that of a word.
pub(crate) fn kinds(name: &str, given: &Reading<'_>, children: usize) -> Option<(Arity, Kinds)> {
    let is_unbounded = |property| given.is_unbounded(property, is_behavior3(name));
    let is_meant = |form: &FileForm| form.unbounded.is_none_or(is_unbounded);
    let form = file_forms(name).find(is_meant)?;
    let arity = form.words.first()?.row().arity();
    let mut kinds = form.words.iter().map(|word| {
        let row = word.row();
        let params = row.params.iter().enumerate();
        let args = params.map(|(index, param)| given.argument(param, form.property(row, index), children));
        NodeKind::Word(*word, Args(args.collect()))
    });
    Some((arity, Kinds { first: kinds.next()?, inner: kinds.collect() }))
}
