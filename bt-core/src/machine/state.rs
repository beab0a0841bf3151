//! A state of a machine: a node, its transitions, and its `enter:` and `exit:` actions.

use crate::describe::{Info, Kind, Name, Role, SourceNode, TransitionText, Visitor};
use crate::forward::stands_above_a_node;
use crate::id::NodeId;
use crate::machine::attached::AttachedShape;
use crate::machine::hook::{Edge, Hook};
use crate::machine::target::Target;
use crate::machine::transitions::{Transitions, TransitionsShape};
use crate::node::{NodeShape, Visit, plus};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::Outcome;
use crate::wake::Wake;
use crate::walk::{KeptState, StateVisitor, each_way};

/// A state of a machine.
///
/// The nodes below it are, in the order of their ids: its node, the guards of its transitions, the `enter:` action and
/// the `exit:` action.
#[derive(Clone, Copy)]
pub struct State<N, R> {
    pub(crate) node: N,
    pub(super) rules: R,
    pub(crate) name: &'static str,
    transitions: &'static [TransitionText],
}

/// The rules of a state: its transitions, and its `enter:` and `exit:` actions.
#[derive(Clone, Copy, Debug)]
pub struct StateRules<A, E, X> {
    /// The transitions, in order.
    pub transitions: A,
    /// The `enter:` action.
    pub enter: E,
    /// The `exit:` action.
    pub exit: X,
}

/// The context-independent part of a state's rules.
pub trait StateRulesShape {
    /// The transitions.
    type Transitions: TransitionsShape;
    /// The state that the guards and actions keep across their runs.
    type Kept: Default + Clone + Send + Sync + 'static;
    /// The statuses that the `enter:` and the `exit:` action can return.
    const HOOKS: [Outcomes; 2];
    /// The number of nodes in the rules; `None` if it is only known at run time.
    const COUNT: Option<u32>;

    /// Returns the number of nodes in the rules.
    fn count(&self) -> u32;
    /// Walks over the state of the rules. `at` is the id of their first node.
    fn walk(&self, at: NodeId, kept: KeptState<'_, Self::Kept>, visitor: &mut dyn StateVisitor);
    /// Describes the rules to a visitor.
    fn describe(&self, sources: &mut &'static [SourceNode], visitor: &mut dyn Visitor);
}

/// The rules of a state over the context `C`. In all methods, `at` is the id of the first node of the rules.
pub trait StateRulesOver<C: ?Sized>: StateRulesShape {
    /// Returns the target of the first transition whose guard holds.
    fn first<O: Observer>(
        &self,
        ended: Option<Outcome>,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Target>;
    /// Returns the target of the first transition for this outcome of the state's node.
    fn on_end(&self, ended: Outcome) -> Option<Target>;
    /// Returns the [`Wake`] until which no guard holds while the state's node is running.
    fn stays(&self, kept: &Self::Kept, ctx: &mut C) -> Wake;
    /// Runs the `enter:` or `exit:` action and returns its outcome.
    fn hook<O: Observer>(&self, edge: Edge, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) -> Outcome;
}

impl<A: TransitionsShape, E: AttachedShape, X: AttachedShape> StateRulesShape for StateRules<A, E, X> {
    type Transitions = A;
    type Kept = (A::Kept, E::Kept, X::Kept);
    const HOOKS: [Outcomes; 2] = [E::RETURNS, X::RETURNS];
    const COUNT: Option<u32> = plus(A::COUNT, plus(E::COUNT, X::COUNT));

    #[inline]
    fn count(&self) -> u32 {
        self.transitions.count() + self.enter.count() + self.exit.count()
    }

    fn walk(&self, at: NodeId, kept: KeptState<'_, Self::Kept>, visitor: &mut dyn StateVisitor) {
        each_way!(kept, |_, (guards, enter, exit)| {
            self.transitions.walk(at, guards.into(), visitor);
            let at = at.skip(self.transitions.count());
            self.enter.walk(at, enter.into(), visitor);
            self.exit.walk(at.skip(self.enter.count()), exit.into(), visitor);
        });
    }

    fn describe(&self, sources: &mut &'static [SourceNode], visitor: &mut dyn Visitor) {
        self.transitions.describe(sources, visitor);
        self.enter.describe(Role::Enter, sources, visitor);
        self.exit.describe(Role::Exit, sources, visitor);
    }
}

impl<C: ?Sized, A: Transitions<C>, E: Hook<C>, X: Hook<C>> StateRulesOver<C> for StateRules<A, E, X> {
    #[inline(always)]
    fn first<O: Observer>(
        &self,
        ended: Option<Outcome>,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Target> {
        self.transitions.first(None, ended, at, &mut kept.0, visit)
    }

    #[inline(always)]
    fn on_end(&self, ended: Outcome) -> Option<Target> {
        self.transitions.on_end(None, ended)
    }

    fn stays(&self, kept: &Self::Kept, ctx: &mut C) -> Wake {
        self.transitions.stays(None, &kept.0, ctx)
    }

    #[inline(always)]
    fn hook<O: Observer>(&self, edge: Edge, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) -> Outcome {
        let at = at.skip(self.transitions.count());
        match edge {
            Edge::Enter => self.enter.call(at, &mut kept.1, visit),
            Edge::Exit => self.exit.call(at.skip(self.enter.count()), &mut kept.2, visit),
        }
    }
}

impl<N: NodeShape, R: StateRulesShape> State<N, R> {
    /// Creates a state from a node and rules.
    pub const fn new(name: &'static str, node: N, rules: R, transitions: &'static [TransitionText]) -> Self {
        Self { node, rules, name, transitions }
    }

    /// Returns the id of the first node of the rules. `at` is the id of the state.
    #[inline(always)]
    pub(super) fn rules_at(&self, at: NodeId) -> NodeId {
        at.first_child().after(&self.node)
    }
}

// The state as a node. The machine evaluates its rules.
stands_above_a_node! {
    State<N, R> [R: StateRulesShape], node, |this, visitor| {
        visitor.transitions(this.transitions);
        visitor.enter(&Info { kind: Kind::State, name: Name::Known(this.name), returns: Self::RETURNS, params: &[] })
    }, then rules: R::COUNT, |sources| this.rules.describe(sources, visitor)
}
