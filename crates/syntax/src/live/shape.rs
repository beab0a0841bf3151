//! Classifies the nodes of a tree as data or compiled parts. The macro and the running program call the same function.

use bt_words::{Flags, Word};
use proc_macro2::{Ident, TokenStream};
use serde_json::{Map, Value};

use super::constant::{constant, number};
use super::template::{Template, cases};
use crate::plan::{Args, Guard, Located, Node, State, Target, Threshold, Transition};

/// The kind of a part: something that only the compiler can make.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PartKind {
    /// A leaf, or a whole node that cannot be taken apart.
    Leaf,
    /// A decorator of the user, or one whose argument is computed.
    Decorator,
    /// A composite of the user.
    Composite,
    /// The score of a child.
    Score,
    /// The function of a `match` with its patterns.
    Selection,
}

/// The classification of a node.
pub enum Shape<'a> {
    /// A word whose arguments are constants: properties of a file.
    Word { word: Word, properties: Map<String, Value>, children: Vec<&'a Located> },
    /// A leaf.
    Leaf(Template),
    /// A decorator of the vocabulary with a computed argument.
    Decorator { word: Word, template: Template, child: &'a Located },
    /// A node of the user: a decorator if it has one child, without an expression before it.
    Own { kind: PartKind, template: Template, children: &'a [Located] },
    /// A utility selector, with the score of each child.
    Utility { word: Word, keep: Option<Value>, scores: Vec<Score>, children: &'a [Located] },
    /// A `match`: the function and its patterns, and the texts of all patterns except the last.
    Match { word: Word, selection: Template, cases: Vec<String>, children: &'a [Located] },
    /// A `service` with a constant period.
    Service { word: Word, every: Value, action: Attached<'a>, child: &'a Located },
    /// A machine.
    Machine { word: Word, states: Vec<StateShape<'a>>, any: Vec<Guarded<'a>> },
    /// A node that cannot be taken apart: it is compiled as a whole.
    Island,
}

/// The score of a child.
pub enum Score {
    Constant(Value),
    Part(Template),
}

/// A leaf that is not a child: a condition of a transition, a hook, an action.
pub struct Attached<'a> {
    pub template: Template,
    /// Whether the node is more than a leaf, and so is compiled as a whole.
    pub is_island: bool,
    /// Whether it is written after `!`.
    pub negated: bool,
    /// The leaf, without the `!`.
    pub leaf: &'a Located,
}

/// A state of a machine.
pub struct StateShape<'a> {
    pub state: &'a State,
    pub transitions: Vec<Guarded<'a>>,
    pub enter: Option<Attached<'a>>,
    pub exit: Option<Attached<'a>>,
}

/// A transition of a machine.
pub struct Guarded<'a> {
    pub transition: &'a Transition,
    /// The condition; `None` for the end of the state's node.
    pub condition: Option<Attached<'a>>,
}

impl Guarded<'_> {
    /// Returns the name of the target in a file.
    pub fn target(&self) -> String {
        match &self.transition.target {
            Target::State(_, name) => syn::ext::IdentExt::unraw(name).to_string(),
            Target::Out(true) => "success".to_owned(),
            Target::Out(false) => "failure".to_owned(),
        }
    }
}

/// Classifies a node.
pub fn shape(node: &Located) -> Shape<'_> {
    of(node).unwrap_or(Shape::Island)
}

/// Classifies a node; returns `None` for a node that cannot be taken apart.
fn of(node: &Located) -> Option<Shape<'_>> {
    match &node.node {
        Node::Leaf { rust, .. } => Some(Shape::Leaf(Template::of(rust))),
        Node::Composite { keyword, args, children } => {
            let word = word(keyword)?;
            let properties = thresholds(word, args, node.flags)?;
            Some(Shape::Word { word, properties, children: whole(children)?.iter().collect() })
        }
        Node::Random { keyword, weights, children } => {
            let word = word(keyword)?;
            let mut properties = Map::new();
            if let Some(weights) = weights {
                let values: Option<Vec<_>> = weights.iter().map(number).collect();
                properties.insert(word.row().params.first()?.name.to_owned(), Value::Array(values?));
            }
            Some(Shape::Word { word, properties, children: whole(children)?.iter().collect() })
        }
        Node::Utility { keyword, keep, scores, children, .. } => {
            let keep = match keep {
                Some(keep) => Some(number(keep)?),
                None => None,
            };
            let score = |score: &TokenStream| match number(score) {
                Some(value) => Score::Constant(value),
                None => Score::Part(Template::of(score)),
            };
            let scores = scores.iter().map(score).collect();
            Some(Shape::Utility { word: word(keyword)?, keep, scores, children: whole(children)? })
        }
        Node::Match { keyword, function, patterns, children, .. } => {
            let selection = Template::selection(&function.tokens, patterns);
            Some(Shape::Match { word: word(keyword)?, selection, cases: cases(patterns), children: whole(children)? })
        }
        Node::Machine { keyword, states, any } => {
            let states = states.iter().map(state).collect();
            Some(Shape::Machine { word: word(keyword)?, states, any: transitions(any) })
        }
        Node::Decorator { keyword, args, child } => decorator(word(keyword)?, args, child),
        Node::Service { keyword, every, action, child } => {
            let action = self::action(action);
            Some(Shape::Service { word: word(keyword)?, every: constant(every)?, action, child })
        }
        Node::Own { path, args, annotations, children } => {
            let template = Template::call(path, args, annotations.as_deref());
            let is_decorator = children.len() == 1 && annotations.is_none();
            let kind = if is_decorator { PartKind::Decorator } else { PartKind::Composite };
            let shape = Shape::Own { kind, template, children: whole(children)? };
            // It is made in another place than the one where it is written.
            matches!(&shape, Shape::Own { template, .. } if template.is_free).then_some(shape)
        }
        Node::Within { .. } | Node::Spread(_) | Node::Cfg { .. } | Node::Bound { .. } | Node::Broken => None,
    }
}

fn decorator<'a>(word: Word, args: &Args, child: &'a Located) -> Option<Shape<'a>> {
    let mut properties = Map::new();
    let value = match args {
        Args::None => None,
        Args::Times(times, _) => Some((*times).into()),
        Args::Rust(tokens) => match constant(tokens) {
            Some(value) => Some(value),
            None => {
                let name = Ident::new(word.name(), proc_macro2::Span::call_site());
                let template = Template::call(&quote::quote!(#name), tokens, None);
                return Some(Shape::Decorator { word, template, child });
            }
        },
        Args::Bound(_) => return None,
    };
    if let Some(value) = value {
        properties.insert(word.row().params.first()?.name.to_owned(), value);
    }
    Some(Shape::Word { word, properties, children: vec![child] })
}

/// Returns the word with this function.
pub(super) fn word(function: &Ident) -> Option<Word> {
    Word::ALL.iter().copied().find(|word| function == word.row().function)
}

/// Returns the thresholds of a parallel that are written as properties.
fn thresholds(word: Word, args: &[Threshold], flags: Flags) -> Option<Map<String, Value>> {
    let of = |threshold: &Threshold| match threshold {
        Threshold::Word(word) => Some(word.to_string().into()),
        Threshold::Number(number) => Some((*number).into()),
        Threshold::Computed(_) => None,
    };
    let written = [Flags::SUCCESS_WRITTEN, Flags::FAILURE_WRITTEN];
    let params = word.row().params.iter().zip(args).zip(written).filter(|(_, written)| flags.has(*written));
    params.map(|((param, threshold), _)| Some((param.name.to_owned(), of(threshold)?))).collect()
}

/// Returns children whose number is known.
fn whole(children: &[Located]) -> Option<&[Located]> {
    (!children.iter().any(Located::varies)).then_some(children)
}

fn state(state: &State) -> StateShape<'_> {
    StateShape {
        state,
        transitions: transitions(&state.transitions),
        enter: state.enter.as_ref().map(action),
        exit: state.exit.as_ref().map(action),
    }
}

fn transitions(transitions: &[Transition]) -> Vec<Guarded<'_>> {
    let guarded = transitions.iter().map(|transition| {
        let condition = match &transition.guard {
            Guard::End(_) => None,
            Guard::Condition(condition) => Some(attached(condition)),
        };
        Guarded { transition, condition }
    });
    guarded.collect()
}

/// Returns a condition: a leaf, possibly after `!`, or more, which is compiled as a whole.
pub(super) fn attached(node: &Located) -> Attached<'_> {
    let (leaf, negated) = match &node.node {
        Node::Decorator { keyword, child, .. } if keyword == Word::Invert.name() => (&**child, true),
        _ => (node, false),
    };
    match shape(leaf) {
        Shape::Leaf(template) => Attached { template, is_island: false, negated, leaf },
        _ => island(node),
    }
}

/// Returns an action: a leaf, or more. Files have no `!` before it.
pub(super) fn action(node: &Located) -> Attached<'_> {
    Some(attached(node)).filter(|action| !action.negated).unwrap_or_else(|| island(node))
}

fn island(node: &Located) -> Attached<'_> {
    let template = Template::of_text(super::island::text(node));
    Attached { template, is_island: true, negated: false, leaf: node }
}
