//! The decorators of a loaded tree, for their rule.

use bt_core::decorator::{AfterChild, Decorator, DecoratorShape, Gate};
use bt_core::engine::{DecoratorParts, OnlyChild, check_stated, explain};
use bt_core::{End, Observer, Outcome, Outcomes, Status};

use crate::built_in::{BuiltIn, with_policy};
use crate::capabilities::Capable;
use crate::error::{MAX_RESTARTS, RunFault};
use crate::op::LoadedNode;
use crate::packed::Packed;
use crate::policy::Policy;
use crate::run::Run;
use bt_core::engine::ErasedState;
use bt_core::{ContextOf, Contexts};

/// A decorator of a loaded tree, with its policy.
pub(crate) struct Decorating<'r, 'a, F: Contexts, O, P> {
    pub(crate) run: &'r mut Run<'a, F, O>,
    pub(crate) node: &'r LoadedNode<F>,
    pub(crate) policy: P,
    /// What the child has returned in this tick, with debug assertions.
    pub(crate) seen: Outcomes,
}

impl<F: Contexts, O: Observer, P> OnlyChild<ContextOf<'_, '_, F>> for Decorating<'_, '_, F, O, P> {
    fn tick_child(&mut self, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        let status = self.run.child(self.run.tree.children_of(self.node)[0] as usize, ctx);
        if cfg!(debug_assertions) {
            self.seen = self.seen.or(status.into());
        }
        status
    }

    fn halt_child(&mut self, ctx: &mut ContextOf<'_, '_, F>) {
        self.run.halt_children(self.node, ctx);
    }

    fn may_restart(&mut self, ctx: &mut ContextOf<'_, '_, F>) -> bool {
        if self.run.restarts == MAX_RESTARTS {
            self.run.fail(self.node, RunFault::TooManyRestarts, ctx);
            return false;
        }
        self.run.restarts += 1;
        true
    }
}

impl<F: Contexts, O: Observer, P: DecoratorShape<Open: Packed, Kept: Packed>> Decorating<'_, '_, F, O, &P> {
    /// Calls a policy of the vocabulary with its state, which is in the words of the node: `Open`, then `Kept`.
    fn with_words<'x, 'y, R>(
        &mut self,
        ctx: &mut ContextOf<'x, 'y, F>,
        act: impl FnOnce(&P, &mut P::Open, &mut P::Kept, &mut Capable<'_, 'x, 'y, F>) -> R,
    ) -> R {
        let middle = <P::Open as Packed>::WORDS;
        let words = self.run.words(self.node);
        let (mut open, mut kept) = (P::Open::unpack(words), P::Kept::unpack(&words[middle..]));
        let result = act(self.policy, &mut open, &mut kept, &mut self.run.capable(ctx));
        let words = self.run.words(self.node);
        open.pack(words);
        kept.pack(&mut words[middle..]);
        result
    }
}

impl<'x, 'y, F: Contexts, O: Observer, P> DecoratorParts<ContextOf<'x, 'y, F>> for Decorating<'_, '_, F, O, &P>
where
    P: for<'c> Decorator<Capable<'c, 'x, 'y, F>, Open: Packed, Kept: Packed>,
{
    fn open(&mut self, ctx: &mut ContextOf<'x, 'y, F>) -> Gate<()> {
        let gate = self.with_words(ctx, |policy, open, kept, ctx| {
            *open = P::Open::default();
            policy.open(open, kept, ctx).without_pause()
        });
        if gate == Gate::End(Outcome::Error) {
            self.run.no_value(self.node, ctx, |ctx, show| self.policy.reason(ctx, show));
        }
        gate
    }

    fn resume(&mut self, ctx: &mut ContextOf<'x, 'y, F>) -> Gate<()> {
        self.with_words(ctx, |policy, open, kept, ctx| policy.resume(open, kept, ctx).without_pause())
    }

    fn running(&mut self, ctx: &mut ContextOf<'x, 'y, F>) -> Option<Outcome> {
        self.with_words(ctx, |policy, open, kept, ctx| policy.running(open, kept, ctx))
    }

    fn error(&mut self, ctx: &mut ContextOf<'x, 'y, F>) -> Outcome {
        self.with_words(ctx, |policy, open, kept, ctx| policy.error(open, kept, ctx))
    }

    fn end(&mut self, outcome: Outcome, ctx: &mut ContextOf<'x, 'y, F>) -> AfterChild<()> {
        self.with_words(ctx, |policy, open, kept, ctx| policy.end(outcome, open, kept, ctx).without_pause())
    }

    fn close(&mut self, end: End, ctx: &mut ContextOf<'x, 'y, F>) {
        self.with_words(ctx, |policy, open, kept, ctx| policy.close(open, kept, ctx, end));
    }
}

impl<F: Contexts, O: Observer> Decorating<'_, '_, F, O, &dyn Policy<F>> {
    /// Calls a custom policy with its slot.
    fn with_slot<R>(&mut self, act: impl FnOnce(&dyn Policy<F>, &mut ErasedState) -> R) -> R {
        let policy = self.policy;
        self.run.in_slot(self.node.slot, |slot, _| act(policy, slot))
    }
}

impl<F: Contexts, O: Observer> DecoratorParts<ContextOf<'_, '_, F>> for Decorating<'_, '_, F, O, &dyn Policy<F>> {
    fn open(&mut self, ctx: &mut ContextOf<'_, '_, F>) -> Gate<()> {
        let gate = self.with_slot(|policy, slot| policy.open(slot, ctx));
        if gate == Gate::End(Outcome::Error) {
            let at = self.run.id(self.node);
            self.policy.reason(ctx, &mut |reason| explain(at, reason, self.run.observer));
        }
        gate
    }

    fn resume(&mut self, ctx: &mut ContextOf<'_, '_, F>) -> Gate<()> {
        self.with_slot(|policy, slot| policy.resume(slot, ctx))
    }

    fn running(&mut self, ctx: &mut ContextOf<'_, '_, F>) -> Option<Outcome> {
        self.with_slot(|policy, slot| policy.running(slot, ctx))
    }

    fn error(&mut self, ctx: &mut ContextOf<'_, '_, F>) -> Outcome {
        self.with_slot(|policy, slot| policy.error(slot, ctx))
    }

    fn end(&mut self, outcome: Outcome, ctx: &mut ContextOf<'_, '_, F>) -> AfterChild<()> {
        self.with_slot(|policy, slot| policy.end(outcome, slot, ctx))
    }

    fn close(&mut self, end: End, ctx: &mut ContextOf<'_, '_, F>) {
        self.with_slot(|policy, slot| policy.close(slot, ctx, end));
    }
}

impl<F: Contexts, O: Observer> Run<'_, F, O> {
    /// Ticks a decorator of the vocabulary.
    #[inline(never)]
    pub(crate) fn decorator(
        &mut self,
        policy: &BuiltIn<F>,
        opening: bool,
        index: usize,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> Status {
        if opening && policy.forgets() {
            self.forget_below(index);
        }
        let node = &self.tree.nodes[index];
        with_policy!(policy, policy => Decorating { run: self, node, policy, seen: Outcomes::NONE }.tick(opening, ctx))
    }

    /// Ticks a custom decorator.
    #[inline(never)]
    pub(crate) fn policy(
        &mut self,
        policy: &dyn Policy<F>,
        opening: bool,
        index: usize,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> Status {
        if opening && policy.forgets() {
            self.forget_below(index);
        }
        let node = &self.tree.nodes[index];
        let mut decorating = Decorating { run: self, node, policy, seen: Outcomes::NONE };
        let status = decorating.tick(opening, ctx);
        // A tree that restarts its nodes too often ends with an error.
        if cfg!(debug_assertions) && policy.is_checked() && status != Status::Error {
            let child = decorating.run.tree.sources[index + 1].returns.or(decorating.seen);
            let stated = policy.returns().of(if O::ON { Outcomes::ANY } else { child });
            check_stated("decorator", || policy.name(), status, stated);
        }
        status
    }
}
