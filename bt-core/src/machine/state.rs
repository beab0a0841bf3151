//! One state of a machine: a node, its arrows, what is done on entering and leaving.

use crate::describe::{ArrowText, Info, Kind, Name};
use crate::forward::stands_above_a_node;
use crate::machine::arrows::{Arrows, ArrowsShape};
use crate::node::{Node, NodeId, Shape};
use crate::outcomes::Outcomes;

/// One state of a machine.
#[derive(Clone, Copy)]
pub struct State<N, R> {
    pub(crate) node: N,
    pub(crate) rules: R,
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
    /// What is done on entering and on leaving can give.
    const HOOKS: [Outcomes; 2];
}

/// A state's rules over the context `C`.
pub trait RulesOver<C: ?Sized>: RulesShape {
    /// The arrows.
    fn arrows(&self) -> &impl Arrows<C>;
    /// The state is entered.
    fn enter(&self, ctx: &mut C);
    /// The state is left.
    fn exit(&self, ctx: &mut C);
}

impl<A: ArrowsShape, E: HookShape, X: HookShape> RulesShape for Rules<A, E, X> {
    type Arrows = A;
    const HOOKS: [Outcomes; 2] = [E::CAN, X::CAN];
}

impl<C: ?Sized, A: Arrows<C>, E: Hook<C>, X: Hook<C>> RulesOver<C> for Rules<A, E, X> {
    #[inline(always)]
    fn arrows(&self) -> &impl Arrows<C> {
        &self.arrows
    }

    #[inline(always)]
    fn enter(&self, ctx: &mut C) {
        self.enter.call(ctx);
    }

    #[inline(always)]
    fn exit(&self, ctx: &mut C) {
        self.exit.call(ctx);
    }
}

/// What is done on entering or leaving a state, or every so often, apart from the context.
pub trait HookShape {
    /// What it can give.
    const CAN: Outcomes;
}

/// What is done on entering or leaving a state.
pub trait Hook<C: ?Sized>: HookShape {
    /// Does it.
    fn call(&self, ctx: &mut C);
}

/// Nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoHook;

/// A node that cannot be running; its outcome does not matter.
#[derive(Clone, Copy, Debug)]
pub struct Do<N>(N);

impl<N: Shape> Do<N> {
    /// Does this.
    pub const fn new(action: N) -> Self {
        Self(action)
    }
}

impl HookShape for NoHook {
    const CAN: Outcomes = Outcomes::NONE;
}

impl<N: Shape> HookShape for Do<N> {
    const CAN: Outcomes = N::CAN;
}

impl<C: ?Sized> Hook<C> for NoHook {
    #[inline(always)]
    fn call(&self, _: &mut C) {}
}

impl<C: ?Sized, N: Node<C>> Hook<C> for Do<N> {
    #[inline(always)]
    fn call(&self, ctx: &mut C) {
        let _ = self.0.start(NodeId::ROOT, &mut N::Kept::default(), ctx, &mut ());
    }
}

impl<N: Shape, R: RulesShape> State<N, R> {
    /// A state with this node and these rules.
    pub const fn new(name: &'static str, node: N, rules: R, arrows: &'static [ArrowText]) -> Self {
        Self { node, rules, name, arrows }
    }
}

stands_above_a_node! {
    State<N, R> [R: Sized], node, |this, visitor| {
        visitor.arrows(this.arrows);
        visitor.enter(&Info { kind: Kind::State, name: Name::Known(this.name), can: Self::CAN, params: &[] })
    }
}
