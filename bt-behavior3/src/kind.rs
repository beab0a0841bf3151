//! What a node of a file is.

use bt_words::{Arity, FileForm, Role, Word, file_forms};

use crate::args::{Arg, Args};
use crate::properties::Properties;
use crate::transition::When;

/// What a node of a file is: a word of the vocabulary, or a node of the user's own.
///
/// The words have the names of `tree!`, and the arguments of `tree!` as properties: `times`, `runs`, `time`, `success`, `failure`, `weights`; `service` has `every` and `action`,
/// the name of a leaf. The children of a `machine` are `state`s with a `name` and `transitions`, a list of texts such as `"herded -> obey"` and `"success -> idle"`; those of
/// the machine's `any` lead out of any state. A state's `enter` and `exit` are names of leaves, which are called on entering and on leaving it. A time is a number of milliseconds,
/// or text as Rust writes it: `1.5s`. Some words have a name of Behavior3 too:
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
/// Where the semantics differ from behavior3js: a `Limiter` counts runs in the whole life of the agent (its author's article counts calls in the whole life, the library calls from
/// each opening); past its `MaxTime` a child is halted, not ticked once more; `Repeater` and `RepeatUntilFailure` succeed in the end; a loop without a bound starts its child at most
/// once per tick, so it cannot hang; the child of a `Repeater` can be used at all.
#[derive(Clone, PartialEq, Debug)]
pub enum NodeKind {
    /// A word of the vocabulary, with its arguments.
    Word(Word, Args),
    /// A node of the user's own.
    Own,
}

/// A leaf that a node names in a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AttachedLeaf<'a> {
    /// How it belongs to the node.
    pub role: Role,
    /// Whether its outcome is inverted: the condition `!herded`.
    pub negated: bool,
    /// The name under which it is registered.
    pub name: &'a str,
}

impl NodeKind {
    /// The word; `None` if the node is one of the user's own.
    pub const fn word(&self) -> Option<Word> {
        match self {
            NodeKind::Word(word, _) => Some(*word),
            NodeKind::Own => None,
        }
    }

    /// The arguments of the word.
    pub fn args(&self) -> &Args {
        const NONE: &Args = &Args(Vec::new());
        match self {
            NodeKind::Word(_, args) => args,
            NodeKind::Own => NONE,
        }
    }

    /// The leaves that a node names in its properties, in the order of their ids.
    pub fn attached_leaves(&self) -> impl Iterator<Item = AttachedLeaf<'_>> {
        self.args().0.iter().flatten().flat_map(|arg| {
            let (leaf, transitions) = match arg {
                Arg::Leaf(role, name) => (Some(AttachedLeaf { role: *role, negated: false, name }), [].as_slice()),
                Arg::Transitions(transitions) => (None, transitions.as_slice()),
                Arg::Number(_)
                | Arg::Time(_)
                | Arg::Probability(_)
                | Arg::Threshold(_)
                | Arg::Weights(_)
                | Arg::Name(_) => (None, [].as_slice()),
            };
            let conditions = transitions.iter().filter_map(|transition| match &transition.on {
                When::Leaf { name, negated } => Some(AttachedLeaf { role: Role::Guard, negated: *negated, name }),
                When::Success | When::Failure => None,
            });
            leaf.into_iter().chain(conditions)
        })
    }
}

/// What the name of a node means, outermost first, and how many children such a node takes; `None` if it is not the name of a word.
pub(crate) fn kinds(name: &str, given: &Properties<'_>, children: usize) -> Option<(Arity, Vec<NodeKind>)> {
    let is_meant = |form: &FileForm| form.unbounded.is_none_or(|property| given.is_unbounded(property));
    let form = file_forms(name).find(is_meant)?;
    let arity = form.words.first()?.row().arity();
    let kinds = form.words.iter().map(|word| {
        let row = word.row();
        let params = row.params.iter().enumerate();
        let args = params.map(|(index, param)| given.argument(param, form.property(row, index), children));
        NodeKind::Word(*word, Args(args.collect()))
    });
    Some((arity, kinds.collect()))
}
