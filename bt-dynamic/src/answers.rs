//! What the engine is answered: a context together with the nodes of the user.

use std::fmt;
use std::time::Duration;

use bt_behavior3::Scalar;
use bt_core::composite::Children;
use bt_core::decorator::{AfterChild, Gate};
use bt_core::engine::{DynObserver, ErasedState};
use bt_core::{ContextOf, Contexts, End, Foreseen, NodeId, Outcome, Status, Wake, WakeVisit};

use crate::code::{Code, Cursor, NO_STEP, Reached};
use crate::error::RunError;
use crate::host::{AnyChildren, Host, HostContext};
use crate::leaf::Leaf;
use crate::parts::{Parts, PlacedLeaf};
use crate::policy::Policy;
use crate::values::Reading;

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

    #[inline]
    fn leaves(&mut self, code: &Code, slots: &mut [ErasedState], root: NodeId, cursor: &mut Cursor) -> Reached {
        let Self { parts, visit } = self;
        let Cursor { mut next, mut running } = *cursor;
        loop {
            let Some(PlacedLeaf { leaf, step: to }) = parts.leaves.get(next as usize) else {
                *cursor = Cursor { next, running };
                match code.pass(cursor) {
                    Some(reached) => return reached,
                    None => next = cursor.next,
                }
                continue;
            };
            let (is_new, at) = (running != to.step, root.skip(to.at));
            let status = match slots.get_mut(to.slot as usize) {
                None => leaf.tick_stateless(is_new, at, visit.ctx),
                Some(slot) => leaf.tick(is_new, at, slot, visit.ctx, None),
            };
            next = match status {
                Status::Success => to.success,
                Status::Failure => to.failure,
                Status::Running if !is_new || running == NO_STEP => {
                    *cursor = Cursor { next, running: to.step };
                    return Reached::Done(status);
                }
                Status::Running | Status::Error => {
                    *cursor = Cursor { next, running };
                    return Reached::Stopped { step: to.step, at: to.at, status };
                }
            };
            if !is_new {
                running = NO_STEP;
            }
        }
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

    fn open_policy(&mut self, policy: u32, slot: &mut ErasedState) -> Gate<()> {
        self.policy(policy).open(slot, self.visit.ctx)
    }

    fn adopt_policy(&mut self, policy: u32, slot: &mut ErasedState) -> bool {
        self.policy(policy).adopt(slot, self.visit.ctx)
    }

    fn resume_policy(&mut self, policy: u32, slot: &mut ErasedState) -> Gate<()> {
        self.policy(policy).resume(slot, self.visit.ctx)
    }

    fn end_policy(&mut self, policy: u32, outcome: Outcome, slot: &mut ErasedState) -> AfterChild<()> {
        self.policy(policy).end(outcome, slot, self.visit.ctx)
    }

    fn running_policy(&mut self, policy: u32, slot: &mut ErasedState) -> Option<Outcome> {
        self.policy(policy).running(slot, self.visit.ctx)
    }

    fn error_policy(&mut self, policy: u32, slot: &mut ErasedState) -> Outcome {
        self.policy(policy).error(slot, self.visit.ctx)
    }

    fn explain_policy(&self, policy: u32, show: &mut dyn FnMut(&dyn fmt::Display)) {
        self.policy(policy).reason(self.visit.ctx, show);
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
        parts.rules[rule as usize].tick(opening, &mut Below { parts, children }, slot, self.visit.ctx)
    }

    fn close_rule(&mut self, rule: u32, slot: &mut ErasedState, end: End) {
        self.parts.rules[rule as usize].close(slot, self.visit.ctx, end);
    }
}

/// The children of a composite of the user. Its rule passes the context on to the engine, which asks with it again.
struct Below<'b, 'c, F: Contexts> {
    parts: &'b Parts<F>,
    children: &'b mut AnyChildren<'c>,
}

impl<F: Contexts> Children<ContextOf<'_, '_, F>> for Below<'_, '_, F> {
    fn len(&self) -> usize {
        self.children.len()
    }

    fn is_running(&self, child: usize) -> bool {
        self.children.is_running(child)
    }

    fn running(&self) -> Option<usize> {
        self.children.running()
    }

    fn tick(&mut self, child: usize, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        self.children.tick(child, &mut HostContext(&mut Answers::new(self.parts, ctx)))
    }

    fn halt(&mut self, child: usize, ctx: &mut ContextOf<'_, '_, F>) {
        self.children.halt(child, &mut HostContext(&mut Answers::new(self.parts, ctx)));
    }

    fn is_marked(&self, child: usize) -> bool {
        self.children.is_marked(child)
    }

    fn mark(&mut self, child: usize) {
        self.children.mark(child);
    }

    fn choose(&mut self, number: usize) -> Option<usize> {
        self.children.choose(number)
    }

    fn score(&mut self, child: usize, score: f32) {
        self.children.score(child, score);
    }
}
