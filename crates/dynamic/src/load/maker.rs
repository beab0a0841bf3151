//! Builds the operation of a checked node. Leaves and decorators are created from properties.

use bt_behavior3::{
    Amount, Args, AttachedLeaf, Fault, Node, NodeKind, OwnNode, Scalar, Source, Transition, When, wrong_children,
};
use bt_core::argument::{Ranged, Sample};
use bt_core::composite;
use bt_core::describe::Role;
use bt_core::engine::Length;
use bt_core::file::{Properties, TypedVariable, VariableTypes, VariableUse};
use bt_core::keywords;
use bt_core::{Outcome, Status};
use bt_words::{ParamType, Word};

use crate::flat::built_in::{BuiltIn, decorators};
use crate::flat::composites::{CompositeOp, CompositeRule, composites};
use crate::flat::host::Reading;
use crate::flat::op::{Attachment, LoadedTransition, LoadedWhen, NodeOp};
use crate::flat::values::{LoadedAmount, LoadedCases, LoadedScores, LoadedWeights};
use crate::load::known::Known;
use crate::load::stock::Stock;
use crate::nodes::policy::Typed;

/// A node under construction.
pub(crate) struct Making<'n, 'p> {
    pub(crate) node: &'n Node,
    pub(crate) properties: Properties<'p>,
    known: &'n Known,
    /// What makes the nodes of the user.
    stock: &'n mut dyn Stock,
}

/// The variables that a node uses.
pub(crate) struct Uses {
    pub(crate) of: Vec<VariableUse>,
    /// Those whose type is that of a parameter.
    pub(crate) typed: Vec<TypedVariable>,
}

impl NodeOp {
    /// Returns the operation of a node, and the variables that its leaf uses. Adds its errors to `errors`.
    pub(crate) fn make(
        node: &Node,
        known: &Known,
        stock: &mut dyn Stock,
        variables: &VariableTypes,
        errors: &mut Vec<Fault>,
    ) -> Option<(Self, Uses)> {
        let properties = Properties::of_tree(node.properties(), variables);
        let mut making = Making { node, properties, known, stock };
        let op = match &node.kind {
            NodeKind::Word(word, args) => making.word(*word, args),
            NodeKind::Own => making.own(),
            NodeKind::Tree(name) => {
                let properties = node.written_properties().map(|(name, value)| (name.to_owned(), value)).collect();
                Some(NodeOp::Nested { name: name.clone(), properties })
            }
        };
        let uses = Uses { of: making.properties.variables(), typed: making.properties.typed_variables() };
        errors.extend(making.properties.into_errors());
        op.map(|op| (op, uses))
    }
}

impl Making<'_, '_> {
    fn own(&mut self) -> Option<NodeOp> {
        let (maker, own) = self.known.nodes.get(self.node.name())?;
        let made = self.stock.make(maker, &mut self.properties)?;
        Some(match own {
            OwnNode::Decorator(..) => NodeOp::Policy(made),
            OwnNode::Composite(_) => {
                let children = self.stock.shapes().rule(made).children();
                if let Some(reason) = wrong_children(children, self.node.children.len()) {
                    self.properties.report(reason);
                    return None;
                }
                NodeOp::Composite(CompositeOp::new(CompositeRule::Own(made), self.stock.shapes()))
            }
            OwnNode::Leaf(_) | OwnNode::Unknown(_) => NodeOp::Leaf(made),
        })
    }

    /// Returns a value that the node reads; `None` if the tree cannot read it, which is reported.
    fn value(&mut self, source: &Source) -> Option<Reading> {
        match source {
            Source::Number(number) => Some(Reading::Number(*number)),
            Source::Registered(name) => {
                let (function, ()) = self.known.values.get(name)?;
                Some(Reading::Function(self.stock.function(function)))
            }
            Source::Variable(name) => {
                let can_read = self.stock.has().board;
                if !can_read {
                    let reason =
                        format!("variable `{{{name}}}` cannot be read; help: call `with_board()` on the registry");
                    self.properties.report(self.node.kind.fault_of_source(source, reason));
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
            source => self.known.shown(source),
        });
        Some(LoadedScores { texts: texts.collect(), readings: readings.into_iter().collect::<Option<_>>()? })
    }

    #[expect(clippy::cast_possible_truncation, clippy::unused_self, reason = "scores are compared as f32")]
    pub(crate) fn keep(&self, args: &Args) -> f32 {
        args.bonus() as f32
    }

    pub(crate) fn cases(&mut self, args: &Args) -> Option<LoadedCases> {
        let (source, cases) = (args.value()?, args.cases()?.to_vec());
        let is_shown_as_text = self.known.is_shown(source);
        let shown = cases.iter().map(|case| match case {
            Scalar::Text(pattern) if is_shown_as_text => pattern.clone(),
            case => case.to_string(),
        });
        let texts = shown.collect();
        Some(LoadedCases { on: self.known.shown(source), reading: self.value(source)?, cases, texts })
    }

    /// Returns the attached leaf with this role, which the node must have.
    pub(crate) fn attachment(&mut self, role: Role) -> Option<Attachment> {
        let name = self.node.kind.args().leaf(role)?;
        let param = self.node.kind.word()?.row().param(ParamType::Leaf(role))?;
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
        let leaf = match self.known.nodes.get(attached.name) {
            Some((maker, OwnNode::Leaf(returns))) => self.stock.make(maker, &mut own).map(|leaf| (leaf, *returns)),
            Some((_, OwnNode::Decorator(..) | OwnNode::Composite(_) | OwnNode::Unknown(_))) | None => None,
        };
        for error in own.into_errors() {
            self.properties.report(Fault::of(property, format!("{property} `{}`: {}", attached.name, error.reason)));
        }
        leaf.map(|(leaf, returns)| Attachment::new(attached, leaf, returns))
    }
}

macro_rules! words {
    (
        ($($composite:ident($rule:ty) after($before:ident) = |$composing:ident, $arguments:ident| $compose:expr;)+)
        $($decorator:ident($policy:ty) keeps($($number:tt)+) = |$making:ident, $args:ident| $make:expr;)+
    ) => {
        impl Making<'_, '_> {
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
                        let rule = CompositeRule::$composite(Typed($compose));
                        NodeOp::Composite(CompositeOp::new(rule, self.stock.shapes()))
                    })+
                    Word::Selector => NodeOp::Sequential { pass: Outcome::Failure, has_memory: false },
                    Word::Sequence => NodeOp::Sequential { pass: Outcome::Success, has_memory: false },
                    Word::MemSelector => NodeOp::Sequential { pass: Outcome::Failure, has_memory: true },
                    Word::MemSequence => NodeOp::Sequential { pass: Outcome::Success, has_memory: true },
                    Word::Finally => NodeOp::Finally,
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
    pub(crate) fn of(transition: &Transition, making: &mut Making<'_, '_>) -> Option<Self> {
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
