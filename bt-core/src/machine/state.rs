//! One state of a machine: a node, its arrows, what is done on entering and leaving.

use crate::clock::Shift;
use crate::composite::plus;
use crate::describe::{ArrowText, Info, Kind, Name, Place, Role, Visitor, one_more};
use crate::id::NodeId;
use crate::machine::arrows::{Arrows, ArrowsShape, Target};
use crate::machine::hook::{Edge, Hook, HookShape};
use crate::node::{Node, Shape, Visit};
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Outcome, Step};
use crate::visit;

/// One state of a machine.
///
/// Below it are, in the order of their ids: its node, the conditions of its arrows, and what is done on entering and on leaving it.
#[derive(Clone, Copy)]
pub struct State<N, R> {
    pub(crate) node: N,
    rules: R,
    pub(crate) name: &'static str,
    arrows: &'static [ArrowText],
}

/// What goes with a state's node: its arrows, and what is done on entering and leaving it.
#[derive(Clone, Copy, Debug)]
pub struct Rules<A, E, X> {
    /// The arrows, in order.
    pub arrows: A,
    /// What is done on entering.
    pub enter: E,
    /// What is done on leaving.
    pub exit: X,
}

/// What of a state's rules does not depend on the context.
pub trait RulesShape {
    /// The arrows.
    type Arrows: ArrowsShape;
    /// What the conditions of arrows and what is done on entering and on leaving keep.
    type Kept: Default + Clone + Send + Sync + 'static;
    /// What is done on entering and on leaving can give.
    const HOOKS: [Outcomes; 2];
    /// How many nodes these have together, where the type says it.
    const COUNT: Option<u32>;

    /// How many nodes these have together.
    fn count(&self) -> u32;
    /// Takes times that these store over to another clock.
    fn shift_times(&self, kept: &mut Self::Kept, by: Shift);
    /// Shows these to a visitor.
    fn describe(&self, places: &mut &'static [Place], visitor: &mut dyn Visitor);
}

/// A state's rules over the context `C`. `at` is always the id of the first node that belongs to them.
pub trait RulesOver<C: ?Sized>: RulesShape {
    /// The target of the first arrow that may be followed.
    fn first<O: Observer>(
        &self,
        ended: Option<Outcome>,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Target>;
    /// The target of the first arrow that waits for this end of the state's node.
    fn on_end(&self, ended: Outcome) -> Option<Target>;
    /// Calls the hook of entering or leaving the state. Returns how it ended.
    fn hook<O: Observer>(&self, edge: Edge, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) -> Outcome;
}

impl<A: ArrowsShape, E: HookShape, X: HookShape> RulesShape for Rules<A, E, X> {
    type Arrows = A;
    type Kept = (A::Kept, E::Kept, X::Kept);
    const HOOKS: [Outcomes; 2] = [E::CAN, X::CAN];
    const COUNT: Option<u32> = plus(A::COUNT, plus(E::COUNT, X::COUNT));

    #[inline(always)]
    fn count(&self) -> u32 {
        match Self::COUNT {
            Some(count) => count,
            None => self.arrows.count() + self.enter.count() + self.exit.count(),
        }
    }

    fn shift_times(&self, kept: &mut Self::Kept, by: Shift) {
        self.arrows.shift_times(&mut kept.0, by);
        self.enter.shift_times(&mut kept.1, by);
        self.exit.shift_times(&mut kept.2, by);
    }

    fn describe(&self, places: &mut &'static [Place], visitor: &mut dyn Visitor) {
        self.arrows.describe(places, visitor);
        self.enter.describe(Role::Enter, places, visitor);
        self.exit.describe(Role::Exit, places, visitor);
    }
}

impl<C: ?Sized, A: Arrows<C>, E: Hook<C>, X: Hook<C>> RulesOver<C> for Rules<A, E, X> {
    #[inline(always)]
    fn first<O: Observer>(
        &self,
        ended: Option<Outcome>,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Target> {
        self.arrows.first(None, ended, at, &mut kept.0, visit)
    }

    #[inline(always)]
    fn on_end(&self, ended: Outcome) -> Option<Target> {
        self.arrows.on_end(None, ended)
    }

    #[inline(always)]
    fn hook<O: Observer>(&self, edge: Edge, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) -> Outcome {
        let at = at.skip(self.arrows.count());
        match edge {
            Edge::Enter => self.enter.call(at, &mut kept.1, visit),
            Edge::Exit => self.exit.call(at.skip(self.enter.count()), &mut kept.2, visit),
        }
    }
}

impl<N: Shape, R: RulesShape> State<N, R> {
    /// A state with this node and these rules.
    pub const fn new(name: &'static str, node: N, rules: R, arrows: &'static [ArrowText]) -> Self {
        Self { node, rules, name, arrows }
    }

    /// The state's rules, and the id of the first node that belongs to them. `at` is the id of the state.
    #[inline(always)]
    pub(super) fn rules(&self, at: NodeId) -> (&R, NodeId) {
        (&self.rules, at.first_child().after(&self.node))
    }
}

impl<N: Shape, R: RulesShape> Shape for State<N, R> {
    type Open = N::Open;
    type Kept = N::Kept;
    const CAN: Outcomes = N::CAN;
    const COUNT: Option<u32> = one_more(plus(N::COUNT, R::COUNT));
    const RESTARTS: bool = N::RESTARTS;

    #[inline(always)]
    fn count(&self) -> u32 {
        match Self::COUNT {
            Some(count) => count,
            None => 1 + self.node.count() + self.rules.count(),
        }
    }

    fn shift_times(&self, open: Option<&mut N::Open>, kept: &mut N::Kept, by: Shift) {
        self.node.shift_times(open, kept, by);
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.arrows(self.arrows);
        let info = Info { kind: Kind::State, name: Name::Known(self.name), can: Self::CAN, params: &[] };
        let places = visitor.enter(&info);
        visitor.child(places, 0, &self.node);
        self.rules.describe(&mut places.get(1..).unwrap_or_default(), visitor);
        visitor.leave();
    }
}

/// The state as a node: what its rules say is the machine's to ask.
impl<C: ?Sized, N: Node<C>, R: RulesShape> Node<C> for State<N, R> {
    #[inline(always)]
    fn start<O: Observer>(&self, at: NodeId, kept: &mut N::Kept, visit: &mut Visit<'_, C, O>) -> Step<N::Open> {
        visit::start(&self.node, at.first_child(), kept, visit)
    }

    #[inline(always)]
    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut N::Open,
        kept: &mut N::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        visit::resume(&self.node, at.first_child(), open, kept, visit)
    }

    #[inline(always)]
    fn interrupt<O: Observer>(&self, at: NodeId, open: &mut N::Open, kept: &mut N::Kept, visit: &mut Visit<'_, C, O>) {
        visit::halt(&self.node, at.first_child(), open, kept, visit);
    }
}
