//! Builds the operation of a checked node. Leaves and decorators are created from properties.

use bt_behavior3::{Amount, Args, AttachedLeaf, Node, NodeKind, OwnNode, Source, Transition, When, wrong_children};
use bt_core::argument::{Ranged, Sample};
use bt_core::check::Requirement;
use bt_core::composite;
use bt_core::decorator::StatusMap;
use bt_core::describe::Role;
use bt_core::engine::Length;
use bt_core::file::{Properties, VariableUse};
use bt_core::keywords;
use bt_core::{Outcome, Outcomes, Status};
use bt_words::{ParamType, Returns, Word};

use crate::answers::parts::{Parts, PlacedLeaf};
use crate::flat::built_in::{BuiltIn, decorators};
use crate::flat::code::LeafStep;
use crate::flat::composites::{CompositeRule, composites};
use crate::flat::host::Reading;
use crate::flat::op::{Attachment, LoadedTransition, LoadedWhen, NodeOp, index};
use crate::flat::values::{LoadedAmount, LoadedCases, LoadedScores, LoadedWeights, Values};
use crate::named::Named;
use crate::nodes::leaf::AnyLeaf;
use crate::nodes::policy::{AnyPolicy, Typed};
use crate::nodes::rule::AnyRule;
use bt_core::Contexts;

/// A function that creates a node from its properties, or returns `None` if they are invalid; and what is known of the node's type.
pub(crate) enum Maker<F: Contexts> {
    Leaf(Make<AnyLeaf<F>>, Outcomes),
    Decorator(Make<AnyPolicy<F>>, StatusMap, &'static [Requirement]),
    Composite(Make<AnyRule<F>>, Returns),
}

impl<F: Contexts> Maker<F> {
    /// Returns what is known of its nodes.
    pub(crate) fn known(&self) -> OwnNode {
        match self {
            Self::Leaf(_, returns) => OwnNode::Leaf(*returns),
            Self::Decorator(_, statuses, requires) => OwnNode::Decorator(*statuses, requires),
            Self::Composite(_, returns) => OwnNode::Composite(*returns),
        }
    }
}

pub(crate) type Make<T> = Box<dyn Fn(&mut Properties<'_>) -> Option<T> + Send + Sync>;

/// The registered leaves, decorators and composites, by name.
pub(crate) type Makers<F> = Named<Maker<F>>;

/// A node under construction.
pub(crate) struct Making<'n, 'p, F: Contexts> {
    pub(crate) node: &'n Node,
    pub(crate) properties: Properties<'p>,
    makers: &'n Makers<F>,
    values: &'n Values<F>,
    /// Where the nodes of the user go.
    parts: &'n mut Parts<F>,
}

impl NodeOp {
    /// Returns the operation of a node, and the variables that its leaf uses. Adds its errors to `errors`.
    pub(crate) fn make<F: Contexts>(
        node: &Node,
        makers: &Makers<F>,
        values: &Values<F>,
        parts: &mut Parts<F>,
        errors: &mut Vec<String>,
    ) -> Option<(Self, Vec<VariableUse>)> {
        let properties = Properties::new(node.properties());
        let mut making = Making { node, properties, makers, values, parts };
        let op = match &node.kind {
            NodeKind::Word(word, args) => making.word(*word, args),
            NodeKind::Own => making.own(),
            NodeKind::Tree(name) => {
                let properties = node.written_properties().map(|(name, value)| (name.to_owned(), value)).collect();
                Some(NodeOp::Nested { name: name.clone(), properties })
            }
        };
        let uses = making.properties.variables();
        errors.extend(making.properties.into_errors());
        op.map(|op| (op, uses))
    }
}

impl<F: Contexts> Making<'_, '_, F> {
    fn own(&mut self) -> Option<NodeOp> {
        Some(match self.makers.get(self.node.name())? {
            Maker::Leaf(make, _) => {
                let leaf = make(&mut self.properties)?;
                NodeOp::Leaf(self.parts.add_leaf(leaf))
            }
            Maker::Decorator(make, ..) => {
                let policy = make(&mut self.properties)?;
                NodeOp::Policy(add(&mut self.parts.policies, policy))
            }
            Maker::Composite(make, _) => {
                let rule = make(&mut self.properties)?;
                if let Some(reason) = wrong_children(rule.children(), self.node.children.len()) {
                    self.properties.report(reason);
                    return None;
                }
                NodeOp::Composite(CompositeRule::Own(add(&mut self.parts.rules, rule)))
            }
        })
    }

    /// Returns a value that the node reads; `None` if the tree cannot read it, which is reported.
    fn value(&mut self, source: &Source) -> Option<Reading> {
        match source {
            Source::Number(number) => Some(Reading::Number(*number)),
            Source::Registered(name) => {
                let function = self.values.functions.get(name)?.clone();
                Some(Reading::Function(add(&mut self.parts.functions, function)))
            }
            Source::Variable(name) => {
                let can_read = self.parts.capabilities.variable.is_some();
                if !can_read {
                    self.properties.report(format!(
                        "variable `{{{name}}}` cannot be read; help: call `with_board()` on the registry"
                    ));
                }
                can_read.then(|| Reading::Variable(name.clone()))
            }
        }
    }

    /// Returns a number or time; `None` if the tree cannot read it, which is reported.
    pub(crate) fn amount<T: Sample>(&mut self, amount: &Amount<T>) -> Option<LoadedAmount<T>> {
        Some(match amount {
            Amount::Fixed(value) => LoadedAmount::Fixed(*value),
            Amount::Range(least, most) => LoadedAmount::Range(Ranged::new(*least, *most)),
            Amount::Read(source) => LoadedAmount::Read(source.to_string(), self.value(source)?),
        })
    }

    pub(crate) fn scores(&mut self, args: &Args) -> Option<LoadedScores> {
        let sources = args.scores()?;
        let readings = sources.iter().map(|source| self.value(source)).collect::<Vec<_>>();
        let texts = sources.iter().map(|source| match source {
            Source::Number(number) => format!("{number:?}"),
            source => source.to_string(),
        });
        Some(LoadedScores { texts: texts.collect(), readings: readings.into_iter().collect::<Option<_>>()? })
    }

    #[expect(clippy::cast_possible_truncation, clippy::unused_self, reason = "scores are compared as f32")]
    pub(crate) fn keep(&self, args: &Args) -> f32 {
        args.bonus() as f32
    }

    pub(crate) fn cases(&mut self, args: &Args) -> Option<LoadedCases> {
        let (source, cases) = (args.value()?, args.cases()?.to_vec());
        Some(LoadedCases { on: source.to_string(), reading: self.value(source)?, cases })
    }

    /// Returns the attached leaf with this role, which the node must have.
    pub(crate) fn attachment(&mut self, role: Role) -> Option<Attachment> {
        let name = self.node.kind.args().leaf(role)?;
        let param = self.node.kind.word()?.row().params.iter().find(|param| param.ty == ParamType::Leaf(role))?;
        self.leaf(AttachedLeaf { role, negated: false, name }, param.name)
    }

    /// Returns the `enter` and `exit` actions of a state, if it has any.
    fn hooks(&mut self) -> Option<[Option<Attachment>; 2]> {
        let mut hooks = [None, None];
        for (hook, role) in hooks.iter_mut().zip([Role::Enter, Role::Exit]) {
            if self.node.kind.args().leaf(role).is_some() {
                *hook = Some(self.attachment(role)?);
            }
        }
        Some(hooks)
    }

    /// Returns the transitions of the node. Their targets are resolved after all states have been built.
    pub(crate) fn transitions(&mut self) -> Option<Vec<LoadedTransition>> {
        let node = self.node;
        let transitions = node.kind.args().transitions().iter().map(|text| {
            let to = Err(if text.to == "success" { Status::Success } else { Status::Failure });
            Some(LoadedTransition { on: LoadedWhen::of(text, self)?, to, text: text.clone() })
        });
        transitions.collect()
    }

    /// Returns a registered leaf, created without properties.
    pub(crate) fn leaf(&mut self, attached: AttachedLeaf<'_>, property: &str) -> Option<Attachment> {
        let none = serde_json::Map::new();
        let mut own = Properties::new(&none);
        let leaf = match self.makers.get(attached.name) {
            Some(Maker::Leaf(make, returns)) => make(&mut own).map(|leaf| (leaf, *returns)),
            Some(Maker::Decorator(..) | Maker::Composite(..)) | None => None,
        };
        for error in own.into_errors() {
            self.properties.report(format!("{property} `{}`: {error}", attached.name));
        }
        leaf.map(|(leaf, returns)| Attachment::new(attached, self.parts.add_leaf(leaf), returns))
    }
}

macro_rules! words {
    (
        ($($composite:ident($rule:ty) = |$composing:ident, $arguments:ident| $compose:expr;)+)
        $($decorator:ident($policy:ty) = |$making:ident, $args:ident| $make:expr;)+
    ) => {
        impl<F: Contexts> Making<'_, '_, F> {
            /// Returns the operation of a node with this word; `None` if its arguments are invalid, which is reported. Has one row for each word.
            fn word(&mut self, word: Word, args: &Args) -> Option<NodeOp> {
                // A decorator without an arm needs a row in `built_in.rs`, a composite one in `composites.rs`.
                Some(match word {
                    $(Word::$decorator => {
                        let ($making, $args) = (&mut *self, args);
                        NodeOp::Decorator(BuiltIn::$decorator($make))
                    })+
                    $(Word::$composite => {
                        let ($composing, $arguments) = (&mut *self, args);
                        NodeOp::Composite(CompositeRule::$composite(Typed($compose)))
                    })+
                    Word::Selector => NodeOp::Sequential { pass: Outcome::Failure, has_memory: false },
                    Word::Sequence => NodeOp::Sequential { pass: Outcome::Success, has_memory: false },
                    Word::MemSelector => NodeOp::Sequential { pass: Outcome::Failure, has_memory: true },
                    Word::MemSequence => NodeOp::Sequential { pass: Outcome::Success, has_memory: true },
                    Word::Service => NodeOp::Service { every: Length::new(self.amount(args.time()?)?), action: self.attachment(Role::Service)? },
                    Word::Machine => NodeOp::Machine { any: self.transitions()? },
                    Word::State => {
                        let (transitions, hooks) = (self.transitions()?, self.hooks()?);
                        NodeOp::State { name: args.name().to_owned(), transitions, hooks }
                    }
                    Word::Wait => NodeOp::Wait { wait: bt_core::leaf::wait(self.amount(args.time()?)?) },
                    Word::Succeed => NodeOp::Constant(Status::Success),
                    Word::Fail => NodeOp::Constant(Status::Failure),
                    Word::Run => NodeOp::Constant(Status::Running),
                    Word::Error => NodeOp::Constant(Status::Error),
                })
            }
        }
    };
}

macro_rules! with_composites {
    (() $($rows:tt)+) => { decorators!(words $($rows)+); };
}

composites!(with_composites);

impl LoadedWhen {
    /// Returns when this transition is followed; `None` if its condition is not a leaf, which is reported.
    pub(crate) fn of<F: Contexts>(transition: &Transition, making: &mut Making<'_, '_, F>) -> Option<Self> {
        Some(match &transition.on {
            When::Success => LoadedWhen::Success,
            When::Failure => LoadedWhen::Failure,
            When::Leaf { name, negated } => {
                let attached = AttachedLeaf { role: Role::Guard, negated: *negated, name };
                LoadedWhen::Leaf(making.leaf(attached, "transition on")?)
            }
        })
    }
}

/// Adds a node or function of the user, and returns its number.
fn add<T>(all: &mut Vec<T>, one: T) -> u32 {
    all.push(one);
    index(all.len() - 1)
}

impl<F: Contexts> Parts<F> {
    fn add_leaf(&mut self, leaf: AnyLeaf<F>) -> u32 {
        add(&mut self.leaves, PlacedLeaf { leaf, step: LeafStep::default() })
    }
}
