//! The statuses that a valid tree can return, and what can never happen in it: the functions of [`bt_words::analysis`] over the
//! nodes of a file.

use std::collections::HashMap;

use bt_words::analysis::{
    ChildFacts, Facts, Finding, Form, Given, Lints, Reach, StateFacts, StateListFacts, Target, TransitionFacts,
    TransitionList, must_end,
};
use bt_words::{Arity, Family, Lint, Outcomes, ParamType, Returns, Role, Thresholds, Word};

use crate::amount::Amount;
use crate::args::Args;
use crate::checked::Node;
use crate::diagnostic::Diagnostic;
use crate::kind::NodeKind;
use crate::names::NodeNames;
use crate::own::OwnNode;
use crate::transition::{Transition, When};

/// A mistake of a node.
#[derive(Clone, Copy)]
enum Mistake {
    /// One that the node can allow.
    Found(Finding),
    /// A node that can be running, where none must be: an error of [`must_end`].
    Running(&'static str),
}

impl Mistake {
    fn lint(self) -> Option<Lint> {
        match self {
            Self::Found(finding) => Some(finding.lint()),
            Self::Running(_) => None,
        }
    }

    fn message(self, form: Form) -> String {
        match self {
            Self::Found(finding) => finding.message(form).to_string(),
            Self::Running(what) => what.replace('\n', "; "),
        }
    }
}

impl From<Finding> for Mistake {
    fn from(finding: Finding) -> Self {
        Self::Found(finding)
    }
}

/// Sets the statuses that each node can return. Returns a warning for each mistake that is not allowed.
pub(crate) fn analyze(nodes: &mut [Node], names: &NodeNames) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut cleans_up = vec![false; nodes.len()];
    // Children come after their parents.
    for index in (0..nodes.len()).rev() {
        let node = &nodes[index];
        cleans_up[index] =
            node.kind.word() == Some(Word::Finally) || node.children.iter().any(|child| cleans_up[*child]);
        let mut analysis = Analysis { nodes, names, cleans_up: &cleans_up, found: &mut found };
        let returns = analysis.node(index);
        analysis.running(index);
        nodes[index].returns = returns;
    }
    found.sort_by_key(|(index, _)| *index);
    let mut warnings: Vec<Diagnostic> = Vec::new();
    for (index, mistake) in found {
        let node = &nodes[index];
        let lint = mistake.lint();
        // Of the words that one name means, the first is reported.
        let is_known = |before: &Diagnostic| before.id == node.origin() && before.lint == lint;
        let is_inner = node.id.len() > node.origin().len();
        if lint.is_some_and(|lint| node.allows(lint)) || is_inner && warnings.last().is_some_and(is_known) {
            continue;
        }
        let form = if node.spec.place.is_some() { Form::Text } else { Form::File };
        let (id, reason) = (node.origin().to_owned(), mistake.message(form));
        warnings.push(Diagnostic { id, lint, ..node.diagnostic(reason) });
    }
    warnings
}

struct Analysis<'n> {
    nodes: &'n [Node],
    names: &'n NodeNames,
    /// Whether there is a `finally` in a node.
    cleans_up: &'n [bool],
    found: &'n mut Vec<(usize, Mistake)>,
}

impl Analysis<'_> {
    /// Returns the statuses that a node can return, and adds the mistakes of the node and those of its children that follow from it.
    fn node(&mut self, index: usize) -> Outcomes {
        let node = &self.nodes[index];
        let children: Vec<_> = node.children.iter().map(|child| self.facts(*child)).collect();
        let each: Vec<_> = children.iter().collect();
        let facts = match &node.kind {
            NodeKind::Tree(_) => children.first().copied().unwrap_or(Facts::leaf(Outcomes::ANY)),
            NodeKind::Own => self.own(node, &each),
            NodeKind::Word(Word::Machine, _) => return self.machine(index),
            NodeKind::Word(word, args) => self.word(*word, args, &each),
        };
        let number = number(&node.kind);
        let is_word = node.kind.word().is_some();
        let is_written = |name: &str| is_word && node.properties().get(name).is_some_and(|value| !value.is_null());
        let findings = facts.lints.found.into_iter().flatten().filter(|finding| match finding {
            Finding::Threshold { success, .. } => is_written(threshold(*success)),
            // As in a `tree!`, where the number is checked first.
            finding => number.is_none_or(|number| number.lint() != finding.lint()),
        });
        self.found.extend(number.into_iter().chain(findings).map(|finding| (index, finding.into())));
        let unreachable = node.children.iter().enumerate();
        self.found.extend(unreachable.filter_map(|(number, child)| Some((*child, facts.unreachable(number)?.into()))));
        facts.returns
    }

    /// Returns the facts about a node that has been analyzed.
    fn facts(&self, index: usize) -> Facts<'static> {
        Facts::leaf(self.nodes[index].returns).and_cleans_up(self.cleans_up[index])
    }

    fn own<'c>(&self, node: &Node, each: &'c [&'c Facts<'c>]) -> Facts<'c> {
        let known = self.names.node(node.name());
        match (known.unwrap_or(OwnNode::Unknown(Arity::Zero)), each) {
            (OwnNode::Unknown(_), _) => Facts::leaf(Outcomes::ANY),
            (OwnNode::Leaf(returns), _) => Facts::leaf(returns),
            (OwnNode::Decorator(map, requires), [child]) => {
                Facts::above(map.of(child.returns), Lints::of(requires, child.returns), child)
            }
            (OwnNode::Decorator(..), _) => Facts::leaf(Outcomes::ANY),
            (OwnNode::Composite(returns), each) => returns.facts(None, ChildFacts::These(each)),
        }
    }

    fn word<'c>(&self, word: Word, args: &Args, each: &'c [&'c Facts<'c>]) -> Facts<'c> {
        let given = self.given(args);
        match (word.row().returns, each) {
            (Returns::These(returns), _) => Facts::leaf(returns.or(Outcomes::ERROR.only_if(given.can_fail))),
            (Returns::Map(_), [child]) => {
                let lints = Lints::of(word.requires(given), child.returns);
                Facts::above(word.statuses(given).of(child.returns), lints, child)
            }
            (Returns::States, [node]) => **node,
            // The number of children is checked before.
            (Returns::Map(_) | Returns::States, _) => Facts::leaf(Outcomes::ANY),
            (
                returns @ (Returns::InOrder(_)
                | Returns::AnyOrder(_)
                | Returns::AnyChild(_)
                | Returns::Thresholds(_)
                | Returns::Branches
                | Returns::BodyAndCleanup),
                each,
            ) => {
                let returns = match (returns, args.thresholds()) {
                    (Returns::Thresholds(of), Some([success, failure])) => {
                        Returns::Thresholds(Thresholds { success: Some(success), failure: Some(failure), ..of })
                    }
                    (returns, _) => returns,
                };
                returns.facts(Some(word.name()), ChildFacts::These(each))
            }
        }
    }

    /// Adds the nodes that can be running where none must be, in a node and in the leaves that it names.
    fn running(&mut self, index: usize) {
        let node = &self.nodes[index];
        if let (NodeKind::Word(Word::If | Word::MemIf, _), [condition, ..]) = (&node.kind, &*node.children) {
            self.condition(*condition);
        }
        for leaf in node.kind.attached_leaves() {
            let runs = matches!(self.names.node(leaf.name), Some(OwnNode::Leaf(returns)) if returns.runs());
            let what = must_end::of(leaf.role).filter(|_| runs);
            self.found.extend(what.map(|what| (index, Mistake::Running(what))));
        }
    }

    /// Adds a condition of an `if` that can be running, or the parts of it.
    fn condition(&mut self, index: usize) {
        let node = &self.nodes[index];
        let is_combined = matches!(node.kind, NodeKind::Tree(_) | NodeKind::Word(Word::Invert, _))
            || node.kind.word().is_some_and(|word| word.row().family == Family::Composite);
        if is_combined {
            return node.children.iter().for_each(|child| self.condition(*child));
        }
        if node.returns.runs() && self.is_known(index) {
            self.found.push((index, Mistake::Running(must_end::IF)));
        }
    }

    /// Returns `true` if every custom node in a subtree states what it returns.
    fn is_known(&self, index: usize) -> bool {
        let node = &self.nodes[index];
        let states = || !matches!(self.names.node(node.name()), Some(OwnNode::Unknown(_)) | None);
        (node.kind != NodeKind::Own || states()) && node.children.iter().all(|child| self.is_known(*child))
    }

    /// Returns what is known of the arguments of a word.
    fn given(&self, args: &Args) -> Given {
        let service = args.leaf(Role::Service).is_some_and(|action| self.leaf(action, false).errs());
        Given {
            is_positive: matches!(args.number(), Some(Amount::Fixed(1..))),
            can_fail: service || args.amounts().next().is_some(),
        }
    }

    /// Returns the statuses of an attached leaf. One that is running is halted and counts as failed.
    fn leaf(&self, name: &str, is_negated: bool) -> Outcomes {
        let returns = match self.names.node(name) {
            Some(OwnNode::Leaf(returns)) => returns,
            Some(OwnNode::Decorator(..) | OwnNode::Composite(_) | OwnNode::Unknown(_)) | None => Outcomes::ANY,
        };
        let returns = returns.without(Outcomes::RUNNING).or(Outcomes::FAILURE.only_if(returns.runs()));
        if is_negated { Word::Invert.statuses(Given::NOTHING).of(returns) } else { returns }
    }

    /// Returns the statuses that a machine can return, and adds its mistakes.
    fn machine(&mut self, index: usize) -> Outcomes {
        let machine = &self.nodes[index];
        let states: Vec<_> = machine.children.iter().map(|state| &self.nodes[*state]).collect();
        let names = states.iter().enumerate().map(|(number, state)| (state.kind.args().name(), number)).collect();
        let transitions = |node: &Node| -> Vec<_> {
            node.kind.args().transitions().iter().map(|transition| self.transition(transition, &names)).collect()
        };
        let any = transitions(machine);
        let own: Vec<_> = states.iter().map(|state| transitions(state)).collect();
        let nodes: Vec<_> = machine.children.iter().map(|state| self.facts(*state)).collect();
        let hook =
            |state: &Node, role| state.kind.args().leaf(role).map_or(Outcomes::NONE, |leaf| self.leaf(leaf, false));
        let each: Vec<_> = states
            .iter()
            .zip(nodes.iter().zip(&own))
            .map(|(state, (node, own))| StateFacts {
                node,
                transitions: TransitionList::These(own),
                hooks: [hook(state, Role::Enter), hook(state, Role::Exit)],
            })
            .collect();
        let reach = Reach::new(StateListFacts::These(&each), TransitionList::These(&any));
        let stuck = |why: Option<&'static str>| why.map(Finding::Transition);
        for (number, state) in machine.children.iter().enumerate() {
            if !reach.enters(number) {
                self.found.push((*state, Finding::State.into()));
            }
            let node = self.nodes[*state].children.first().filter(|node| !self.is_filler(**node));
            self.found.extend(node.filter(|_| !reach.ticks(number)).map(|node| (*node, Finding::Idle.into())));
            let never = (0..own[number].len()).filter_map(|transition| stuck(reach.stuck(number, transition)));
            self.found.extend(never.map(|finding| (*state, finding.into())));
        }
        let never = (0..any.len()).filter_map(|transition| stuck(reach.stuck_any(transition)));
        self.found.extend(never.map(|finding| (index, finding.into())));
        reach.gives
    }

    /// Returns `true` for a leaf that only fills a state which is left at once, because a state needs a node.
    fn is_filler(&self, index: usize) -> bool {
        matches!(self.nodes[index].kind, NodeKind::Word(Word::Run | Word::Succeed | Word::Fail, _))
    }

    fn transition(&self, transition: &Transition, states: &HashMap<&str, usize>) -> TransitionFacts {
        let (ends, returns) = match &transition.on {
            When::Success => (Outcomes::SUCCESS, Outcomes::NONE),
            When::Failure => (Outcomes::FAILURE, Outcomes::NONE),
            When::Leaf { name, negated } => (Outcomes::NONE, self.leaf(name, *negated)),
        };
        let state = states.get(&*transition.to);
        let end = || if transition.to == "success" { Outcomes::SUCCESS } else { Outcomes::FAILURE };
        TransitionFacts {
            ends,
            returns,
            target: state.map_or_else(|| Target::End(end()), |state| Target::State(*state)),
        }
    }
}

/// Returns the name of the property with a threshold.
fn threshold(success: bool) -> &'static str {
    let params = Word::Parallel.row().params.iter().filter(|param| matches!(param.ty, ParamType::Threshold(_)));
    params.map(|param| param.name).nth(usize::from(!success)).unwrap_or_default()
}

/// Returns the mistake of a number with which a word does nothing.
fn number(kind: &NodeKind) -> Option<Finding> {
    match kind.args().number() {
        Some(Amount::Fixed(number)) => kind.word()?.idle(*number),
        _ => None,
    }
}
