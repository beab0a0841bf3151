//! The host of the engine: a context together with the nodes of the user.

pub(crate) mod nodes;
pub(crate) mod parts;

use std::fmt;
use std::marker::PhantomData;

use bt_behavior3::Scalar;
use bt_core::composite::Children;
use bt_core::decorator::Gate;
use bt_core::engine::{DynObserver, ErasedState, Then, leave};
use bt_core::{
    CleanUp, ContextOf, Contexts, End, NodeId, Status, Step, Wake,
    protocol::{Foreseen, Interrupt, WakeVisit},
};

use crate::answers::nodes::Nodes;
use crate::error::RunError;
use crate::flat::code::{Code, Cursor, NO_STEP, Pass, Reached};
use crate::flat::host::{AnyChildren, Host, HostContext, Reading};

/// A context with the nodes of the user in a tree over it.
pub(crate) struct Answers<'a, 'x, 'y, F: Contexts, P> {
    pub(crate) nodes: &'a P,
    pub(crate) visit: WakeVisit<'a, ContextOf<'x, 'y, F>>,
}

impl<'a, 'x, 'y, F: Contexts, P: Nodes<F>> Answers<'a, 'x, 'y, F, P> {
    #[inline(always)]
    pub(crate) const fn new(nodes: &'a P, ctx: &'a mut ContextOf<'x, 'y, F>) -> Self {
        Self { nodes, visit: WakeVisit::new(ctx) }
    }

    /// Runs the code of a region up to the end of its tick or to an instruction for the engine.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn run_code(
        &mut self,
        code: &Code,
        slots: &mut [ErasedState],
        root: NodeId,
        cursor: &mut Cursor,
    ) -> Reached {
        if cursor.running != NO_STEP
            && let Some(reached) = self.steps::<false>(code, slots, root, cursor)
        {
            return reached;
        }
        // Most steps are ticked while none runs.
        self.steps::<true>(code, slots, root, cursor).unwrap_or(Reached::Instruction)
    }

    /// Runs the code while a step runs, or while none does (`IDLE`). Returns `None` if the former is over.
    #[inline(always)]
    fn steps<const IDLE: bool>(
        &mut self,
        code: &Code,
        slots: &mut [ErasedState],
        root: NodeId,
        cursor: &mut Cursor,
    ) -> Option<Reached> {
        let Cursor { mut next, running } = *cursor;
        let running = if IDLE { NO_STEP } else { running };
        let nodes = self.nodes;
        let (running, reached) = loop {
            let Some(to) = nodes.place(next) else {
                next = match code.pass(next, running) {
                    Pass::Next(next) => next,
                    Pass::Halt { next: then, .. }
                        if self.halt_running(Interrupt::ENDED, code, running, slots, root) =>
                    {
                        next = then;
                        break (NO_STEP, None);
                    }
                    Pass::End(outcome) if IDLE || self.halt_running(Interrupt::ENDED, code, running, slots, root) => {
                        break (NO_STEP, Some(Reached::Done(outcome.into())));
                    }
                    Pass::Halt { .. } | Pass::End(_) | Pass::Visit(_) => break (running, Some(Reached::Instruction)),
                };
                continue;
            };
            let (is_new, at) = (IDLE || running != to.step, root.skip(to.at));
            let (leaf, scope) = (nodes.leaf_over(next), nodes.scope(next));
            let status = match slots.get_mut(to.slot as usize) {
                None => leaf.tick_stateless(is_new, at, self.visit.ctx),
                Some(slot) => leaf.tick(is_new, at, slot, self.visit.ctx, None),
            };
            drop(scope);
            let targets = if IDLE || !is_new { &to.idle } else { &to.next };
            if let Some(then) = targets.get(status as usize) {
                next = *then;
                if !is_new {
                    break (NO_STEP, None);
                }
                continue;
            }
            let step = Step::<()>::from(status);
            leave(&step, at, &mut ());
            if !IDLE && is_new && !self.halt_running(Interrupt::after(&step), code, running, slots, root) {
                break (running, Some(Reached::Preempted { step: to.step, status }));
            }
            break (if status == Status::Running { to.step } else { NO_STEP }, Some(Reached::Done(status)));
        };
        *cursor = Cursor { next, running };
        reached
    }

    /// Halts the running step if it is a leaf. Otherwise returns `false`.
    #[inline(never)]
    fn halt_running(
        &mut self,
        how: Interrupt,
        code: &Code,
        running: u32,
        slots: &mut [ErasedState],
        root: NodeId,
    ) -> bool {
        let Some(index) = code.leaf_of(running) else { return false };
        let Some(step) = self.nodes.place(index) else { return false };
        let _scope = self.nodes.scope(index);
        let none = &mut ErasedState::Empty;
        self.nodes.leaf_over(index).interrupt(
            root.skip(step.at),
            slots.get_mut(step.slot as usize).unwrap_or(none),
            how,
            self.visit.ctx,
            None,
        );
        true
    }
}

impl<F: Contexts, P: Nodes<F>> Host for Answers<'_, '_, '_, F, P> {
    fn nanos(&self) -> u64 {
        self.nodes.nanos(self.visit.ctx)
    }

    fn random(&mut self) -> u64 {
        self.nodes.random(self.visit.ctx)
    }

    fn read(&self, reading: &Reading) -> Option<Scalar> {
        match reading {
            Reading::Number(number) => Some(Scalar::Number(*number)),
            Reading::Function(function) => Some(self.nodes.function(*function, self.visit.ctx)),
            Reading::Variable(name) => self.nodes.variable(name, self.visit.ctx),
        }
    }

    fn fail(&mut self, at: NodeId, error: &RunError) -> bool {
        self.nodes.fail(at, error, self.visit.ctx)
    }

    fn leaves(&mut self, code: &Code, slots: &mut [ErasedState], root: NodeId, cursor: &mut Cursor) -> Reached {
        self.run_code(code, slots, root, cursor)
    }

    fn tick_leaf(
        &mut self,
        leaf: u32,
        opening: bool,
        at: NodeId,
        slot: &mut ErasedState,
        observer: Option<&mut dyn DynObserver>,
    ) -> Status {
        let _scope = self.nodes.scope(leaf);
        self.nodes.leaf_over(leaf).tick(opening, at, slot, self.visit.ctx, observer)
    }

    fn interrupt_leaf(
        &mut self,
        leaf: u32,
        at: NodeId,
        slot: &mut ErasedState,
        how: Interrupt,
        observer: Option<&mut dyn DynObserver>,
    ) {
        let _scope = self.nodes.scope(leaf);
        self.nodes.leaf_over(leaf).interrupt(at, slot, how, self.visit.ctx, observer);
    }

    fn clean_up_leaf(
        &mut self,
        leaf: u32,
        at: NodeId,
        slot: &mut ErasedState,
        how: CleanUp,
        observer: Option<&mut dyn DynObserver>,
    ) {
        let _scope = self.nodes.scope(leaf);
        self.nodes.leaf_over(leaf).clean_up(at, slot, how, self.visit.ctx, observer);
    }

    fn open_replaced(&mut self, leaf: u32, at: NodeId, slot: &mut ErasedState) -> bool {
        let _scope = self.nodes.scope(leaf);
        self.nodes.leaf_over(leaf).open_replaced(at, slot, self.visit.ctx)
    }

    fn wake_leaf(&mut self, leaf: u32, slot: &ErasedState) -> Wake {
        let _scope = self.nodes.scope(leaf);
        self.nodes.leaf_over(leaf).wake(slot, &mut self.visit)
    }

    fn foresee_leaf(&mut self, leaf: u32, slot: &ErasedState, event: bool) -> Foreseen {
        let _scope = self.nodes.scope(leaf);
        self.nodes.leaf_over(leaf).foresee(slot, self.visit.ctx, event)
    }

    fn gate_of(&mut self, policy: u32, opening: bool, slot: &mut ErasedState) -> Gate<()> {
        self.nodes.policy_over(policy).gate(opening, slot, self.visit.ctx)
    }

    fn after_child(&mut self, policy: u32, child: Status, slot: &mut ErasedState) -> Then {
        self.nodes.policy_over(policy).after(child, slot, self.visit.ctx)
    }

    fn reason_of(&self, policy: u32, show: &mut dyn FnMut(&dyn fmt::Display)) {
        self.nodes.policy_over(policy).reason(self.visit.ctx, show);
    }

    fn adopt_policy(&mut self, policy: u32, slot: &mut ErasedState) -> bool {
        self.nodes.policy_over(policy).adopt(slot, self.visit.ctx)
    }

    fn close_policy(&mut self, policy: u32, slot: &mut ErasedState, end: End) {
        self.nodes.policy_over(policy).close(slot, self.visit.ctx, end);
    }

    fn tick_rule(
        &mut self,
        rule: u32,
        opening: bool,
        children: &mut AnyChildren<'_>,
        slot: &mut ErasedState,
    ) -> Status {
        let nodes = self.nodes;
        nodes.rule_over(rule).tick(
            opening,
            &mut Below { nodes, inner: children, over: PhantomData::<fn() -> F> },
            slot,
            self.visit.ctx,
        )
    }

    fn close_rule(&mut self, rule: u32, slot: &mut ErasedState, end: End) {
        self.nodes.rule_over(rule).close(slot, self.visit.ctx, end);
    }
}

/// The children of a composite of the user. Passes the context on to the engine, which calls the host with it again.
struct Below<'b, 'c, F, P> {
    nodes: &'b P,
    inner: &'b mut AnyChildren<'c>,
    over: PhantomData<fn() -> F>,
}

impl<F: Contexts, P: Nodes<F>> Children<ContextOf<'_, '_, F>> for Below<'_, '_, F, P> {
    fn len(&self) -> usize {
        self.inner.len()
    }

    fn is_running(&self, child: usize) -> bool {
        self.inner.is_running(child)
    }

    fn running(&self) -> Option<usize> {
        self.inner.running()
    }

    fn tick(&mut self, child: usize, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        self.inner.tick(child, &mut HostContext(&mut Answers::<F, P>::new(self.nodes, ctx)))
    }

    fn halt(&mut self, child: usize, ctx: &mut ContextOf<'_, '_, F>) {
        self.inner.halt(child, &mut HostContext(&mut Answers::<F, P>::new(self.nodes, ctx)));
    }

    fn is_cleaning_up(&self) -> bool {
        self.inner.is_cleaning_up()
    }

    fn is_marked(&self, child: usize) -> bool {
        self.inner.is_marked(child)
    }

    fn mark(&mut self, child: usize) {
        self.inner.mark(child);
    }

    fn choose(&mut self, number: usize) -> Option<usize> {
        self.inner.choose(number)
    }

    fn score(&mut self, child: usize, score: f32) {
        self.inner.score(child, score);
    }
}
