//! The decorators of a loaded tree, for their rule.

use bt_core::decorator::DecoratorShape;
use bt_core::engine::DecoratorParts;
use bt_core::{AfterChild, Decorator, End, Gate, Observer, Outcome, Status};

use crate::capabilities::Capable;
use crate::error::MAX_RESTARTS;
use crate::packed::Packed;
use crate::policy::Policy;
use crate::run::Run;
use crate::slot::Slot;
use crate::tree::DynNode;

/// A decorator of the vocabulary. Its state is in the words of the node: `Open`, then `Kept`.
pub(crate) struct BuiltInParts<'r, 'a, C: ?Sized, O, P> {
    pub(crate) run: &'r mut Run<'a, C, O>,
    pub(crate) node: &'r DynNode<C>,
    pub(crate) policy: &'r P,
}

impl<C: ?Sized, O: Observer, P: DecoratorShape<Open: Packed, Kept: Packed>> BuiltInParts<'_, '_, C, O, P> {
    /// Calls the policy with its state.
    fn call<R>(
        &mut self,
        ctx: &mut C,
        act: impl FnOnce(&P, &mut P::Open, &mut P::Kept, &mut Capable<'_, C>) -> R,
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

impl<C: ?Sized, O: Observer, P> DecoratorParts<C> for BuiltInParts<'_, '_, C, O, P>
where
    P: for<'c> Decorator<Capable<'c, C>, Open: Packed, Kept: Packed>,
{
    fn open(&mut self, ctx: &mut C) -> Gate<()> {
        self.call(ctx, |policy, open, kept, ctx| {
            *open = P::Open::default();
            policy.open(open, kept, ctx).without_pause()
        })
    }

    fn resume(&mut self, ctx: &mut C) -> Gate<()> {
        self.call(ctx, |policy, open, kept, ctx| policy.resume(open, kept, ctx).without_pause())
    }

    fn running(&mut self, ctx: &mut C) -> Option<Outcome> {
        self.call(ctx, |policy, open, kept, ctx| policy.running(open, kept, ctx))
    }

    fn error(&mut self, ctx: &mut C) -> Outcome {
        self.call(ctx, |policy, open, kept, ctx| policy.error(open, kept, ctx))
    }

    fn end(&mut self, outcome: Outcome, ctx: &mut C) -> AfterChild<()> {
        self.call(ctx, |policy, open, kept, ctx| policy.end(outcome, open, kept, ctx).without_pause())
    }

    fn close(&mut self, end: End, ctx: &mut C) {
        self.call(ctx, |policy, open, kept, ctx| policy.close(open, kept, ctx, end));
    }

    fn tick_child(&mut self, ctx: &mut C) -> Status {
        tick_child(self.run, self.node, ctx)
    }

    fn halt_child(&mut self, ctx: &mut C) {
        self.run.halt_children(self.node, ctx);
    }

    fn may_restart(&mut self, ctx: &mut C) -> bool {
        may_restart(self.run, self.node, ctx)
    }
}

/// A custom decorator. Its state is in the slot of the node.
pub(crate) struct PolicyParts<'r, 'a, C: ?Sized, O> {
    pub(crate) run: &'r mut Run<'a, C, O>,
    pub(crate) node: &'r DynNode<C>,
    pub(crate) policy: &'r dyn Policy<C>,
}

impl<C: ?Sized, O: Observer> PolicyParts<'_, '_, C, O> {
    /// Calls the policy with its slot.
    fn call<R>(&mut self, act: impl FnOnce(&dyn Policy<C>, &mut Slot) -> R) -> R {
        let policy = self.policy;
        self.run.in_slot(self.node.slot, |slot, _| act(policy, slot))
    }
}

impl<C: ?Sized, O: Observer> DecoratorParts<C> for PolicyParts<'_, '_, C, O> {
    fn open(&mut self, ctx: &mut C) -> Gate<()> {
        self.call(|policy, slot| policy.open(slot, ctx))
    }

    fn resume(&mut self, ctx: &mut C) -> Gate<()> {
        self.call(|policy, slot| policy.resume(slot, ctx))
    }

    fn running(&mut self, ctx: &mut C) -> Option<Outcome> {
        self.call(|policy, slot| policy.running(slot, ctx))
    }

    fn error(&mut self, ctx: &mut C) -> Outcome {
        self.call(|policy, slot| policy.error(slot, ctx))
    }

    fn end(&mut self, outcome: Outcome, ctx: &mut C) -> AfterChild<()> {
        self.call(|policy, slot| policy.end(outcome, slot, ctx))
    }

    fn close(&mut self, end: End, ctx: &mut C) {
        self.call(|policy, slot| policy.close(slot, ctx, end));
    }

    fn tick_child(&mut self, ctx: &mut C) -> Status {
        tick_child(self.run, self.node, ctx)
    }

    fn halt_child(&mut self, ctx: &mut C) {
        self.run.halt_children(self.node, ctx);
    }

    fn may_restart(&mut self, ctx: &mut C) -> bool {
        may_restart(self.run, self.node, ctx)
    }
}

fn tick_child<C: ?Sized, O: Observer>(run: &mut Run<'_, C, O>, node: &DynNode<C>, ctx: &mut C) -> Status {
    run.child(run.tree.children_of(node)[0] as usize, ctx)
}

fn may_restart<C: ?Sized, O: Observer>(run: &mut Run<'_, C, O>, node: &DynNode<C>, ctx: &mut C) -> bool {
    if run.restarts == MAX_RESTARTS {
        run.fail(node, ctx);
        return false;
    }
    run.restarts += 1;
    true
}
