//! What the engine is answered: a context together with the nodes of the user.

pub(crate) mod parts;

use std::fmt;
use std::time::Duration;

use bt_behavior3::Scalar;
use bt_core::composite::Children;
use bt_core::engine::{DynObserver, ErasedState, OnlyChild, leave};
use bt_core::{ContextOf, Contexts, End, Foreseen, NodeId, Status, Step, Wake, WakeVisit};

use crate::answers::parts::{Parts, PlacedLeaf};
use crate::error::RunError;
use crate::flat::code::{Code, Cursor, NO_STEP, Pass, Reached};
use crate::flat::host::{AnyChild, AnyChildren, Host, HostContext, Reading};
use crate::nodes::leaf::Leaf;
use crate::nodes::policy::Policy;

/// A context with the nodes of the user in a tree over it.
pub(crate) struct Answers<'a, 'x, 'y, F: Contexts> {
    pub(crate) parts: &'a Parts<F>,
    pub(crate) visit: WakeVisit<'a, ContextOf<'x, 'y, F>>,
}

impl<'a, 'x, 'y, F: Contexts> Answers<'a, 'x, 'y, F> {
    #[inline(always)]
    pub(crate) const fn new(parts: &'a Parts<F>, ctx: &'a mut ContextOf<'x, 'y, F>) -> Self {
        Self { parts, visit: WakeVisit::new(ctx) }
    }

    fn leaf(&self, leaf: u32) -> &'a dyn Leaf<F> {
        &*self.parts.leaves[leaf as usize].leaf
    }

    fn policy(&self, policy: u32) -> &'a dyn Policy<F> {
        &*self.parts.policies[policy as usize]
    }

    /// Runs the code of a region up to the end of its tick or to an instruction for the engine.
    #[inline(always)]
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
        let (running, reached) = loop {
            let Some(PlacedLeaf { leaf, step: to }) = self.parts.leaves.get(next as usize) else {
                next = match code.pass(next, running) {
                    Pass::Next(next) => next,
                    Pass::Halt { next: then, .. } if self.halt_running(code, running, slots, root) => {
                        next = then;
                        break (NO_STEP, None);
                    }
                    Pass::End(outcome) if IDLE || self.halt_running(code, running, slots, root) => {
                        break (NO_STEP, Some(Reached::Done(outcome.into())));
                    }
                    Pass::Halt { .. } | Pass::End(_) | Pass::Visit(_) => break (running, Some(Reached::Instruction)),
                };
                continue;
            };
            let (is_new, at) = (IDLE || running != to.step, root.skip(to.at));
            let status = match slots.get_mut(to.slot as usize) {
                None => leaf.tick_stateless(is_new, at, self.visit.ctx),
                Some(slot) => leaf.tick(is_new, at, slot, self.visit.ctx, None),
            };
            let targets = if IDLE || !is_new { &to.idle } else { &to.next };
            if let Some(then) = targets.get(status as usize) {
                next = *then;
                if !is_new {
                    break (NO_STEP, None);
                }
                continue;
            }
            leave(&Step::<()>::from(status), at, &mut ());
            if !IDLE && is_new && !self.halt_running(code, running, slots, root) {
                break (running, Some(Reached::Preempted { step: to.step, status }));
            }
            break (if status == Status::Running { to.step } else { NO_STEP }, Some(Reached::Done(status)));
        };
        *cursor = Cursor { next, running };
        reached
    }

    /// Halts the running step if it is a leaf. Otherwise returns `false`.
    #[inline(never)]
    fn halt_running(&mut self, code: &Code, running: u32, slots: &mut [ErasedState], root: NodeId) -> bool {
        let Some(leaf) = code.leaf_of(running) else { return false };
        let PlacedLeaf { leaf, step } = &self.parts.leaves[leaf as usize];
        let none = &mut ErasedState::Empty;
        leaf.halt(root.skip(step.at), slots.get_mut(step.slot as usize).unwrap_or(none), self.visit.ctx, None);
        true
    }
}

impl<F: Contexts> Host for Answers<'_, '_, '_, F> {
    fn now(&self) -> Duration {
        self.parts.capabilities.now.map_or(Duration::ZERO, |now| now(self.visit.ctx))
    }

    fn random(&mut self) -> u64 {
        self.parts.capabilities.random.map_or(0, |random| random(self.visit.ctx))
    }

    fn read(&self, reading: &Reading) -> Option<Scalar> {
        match reading {
            Reading::Number(number) => Some(Scalar::Number(*number)),
            Reading::Function(function) => Some(self.parts.functions[*function as usize](self.visit.ctx)),
            Reading::Variable(name) => self.parts.capabilities.variable.and_then(|read| read(self.visit.ctx, name)),
        }
    }

    fn fail(&mut self, at: NodeId, error: &RunError) -> bool {
        let Some(on_error) = self.parts.capabilities.on_error else { return false };
        on_error(self.visit.ctx, at, error.clone());
        true
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
        self.leaf(leaf).tick(opening, at, slot, self.visit.ctx, observer)
    }

    fn halt_leaf(&mut self, leaf: u32, at: NodeId, slot: &mut ErasedState, observer: Option<&mut dyn DynObserver>) {
        self.leaf(leaf).halt(at, slot, self.visit.ctx, observer);
    }

    fn open_replaced(&mut self, leaf: u32, at: NodeId, slot: &mut ErasedState) -> bool {
        self.leaf(leaf).open_replaced(at, slot, self.visit.ctx)
    }

    fn wake_leaf(&mut self, leaf: u32, slot: &ErasedState) -> Wake {
        self.leaf(leaf).wake(slot, &mut self.visit)
    }

    fn foresee_leaf(&mut self, leaf: u32, slot: &ErasedState, event: bool) -> Foreseen {
        self.leaf(leaf).foresee(slot, self.visit.ctx, event)
    }

    fn tick_policy(&mut self, policy: u32, opening: bool, child: &mut AnyChild<'_>, slot: &mut ErasedState) -> Status {
        let parts = self.parts;
        self.policy(policy).tick(opening, &mut Below { parts, below: child }, slot, self.visit.ctx)
    }

    fn adopt_policy(&mut self, policy: u32, slot: &mut ErasedState) -> bool {
        self.policy(policy).adopt(slot, self.visit.ctx)
    }

    fn close_policy(&mut self, policy: u32, slot: &mut ErasedState, end: End) {
        self.policy(policy).close(slot, self.visit.ctx, end);
    }

    fn tick_rule(
        &mut self,
        rule: u32,
        opening: bool,
        children: &mut AnyChildren<'_>,
        slot: &mut ErasedState,
    ) -> Status {
        let parts = self.parts;
        parts.rules[rule as usize].tick(opening, &mut Below { parts, below: children }, slot, self.visit.ctx)
    }

    fn close_rule(&mut self, rule: u32, slot: &mut ErasedState, end: End) {
        self.parts.rules[rule as usize].close(slot, self.visit.ctx, end);
    }
}

/// What is below a decorator or composite of the user. That passes the context on to the engine, which asks with it again.
struct Below<'b, F: Contexts, B: ?Sized> {
    parts: &'b Parts<F>,
    below: &'b mut B,
}

impl<F: Contexts> OnlyChild<ContextOf<'_, '_, F>> for Below<'_, F, AnyChild<'_>> {
    fn tick(&mut self, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        self.below.tick(&mut HostContext(&mut Answers::new(self.parts, ctx)))
    }

    fn halt(&mut self, ctx: &mut ContextOf<'_, '_, F>) {
        self.below.halt(&mut HostContext(&mut Answers::new(self.parts, ctx)));
    }

    fn may_restart(&mut self, ctx: &mut ContextOf<'_, '_, F>) -> bool {
        self.below.may_restart(&mut HostContext(&mut Answers::new(self.parts, ctx)))
    }

    fn explain(&mut self, reason: &dyn fmt::Display) {
        self.below.explain(reason);
    }
}

impl<F: Contexts> Children<ContextOf<'_, '_, F>> for Below<'_, F, AnyChildren<'_>> {
    fn len(&self) -> usize {
        self.below.len()
    }

    fn is_running(&self, child: usize) -> bool {
        self.below.is_running(child)
    }

    fn running(&self) -> Option<usize> {
        self.below.running()
    }

    fn tick(&mut self, child: usize, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        self.below.tick(child, &mut HostContext(&mut Answers::new(self.parts, ctx)))
    }

    fn halt(&mut self, child: usize, ctx: &mut ContextOf<'_, '_, F>) {
        self.below.halt(child, &mut HostContext(&mut Answers::new(self.parts, ctx)));
    }

    fn is_marked(&self, child: usize) -> bool {
        self.below.is_marked(child)
    }

    fn mark(&mut self, child: usize) {
        self.below.mark(child);
    }

    fn choose(&mut self, number: usize) -> Option<usize> {
        self.below.choose(number)
    }

    fn score(&mut self, child: usize, score: f32) {
        self.below.score(child, score);
    }
}
