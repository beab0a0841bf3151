//! The decorators of a loaded tree, for their rule.

use bt_core::decorator::{AfterChild, Decorator, DecoratorShape, Gate};
use bt_core::engine::{DecoratorParts, OnlyChild, check_stated, explain};
use bt_core::{End, Observer, Outcome, Outcomes, Status};

use crate::engine::run::Run;
use crate::error::{MAX_RESTARTS, RunFault};
use crate::flat::built_in::{BuiltIn, with_policy};
use crate::flat::host::{Host, HostContext};
use crate::flat::op::LoadedNode;
use crate::flat::packed::Packed;

/// A decorator of a loaded tree, with its policy.
pub(crate) struct Decorating<'r, 'a, O, P> {
    pub(crate) run: &'r mut Run<'a, O>,
    pub(crate) node: &'r LoadedNode,
    pub(crate) policy: P,
    /// What the child has returned in this tick, with debug assertions.
    pub(crate) seen: Outcomes,
}

impl<'h, O: Observer, P> OnlyChild<dyn Host + 'h> for Decorating<'_, '_, O, P> {
    fn tick_child(&mut self, host: &mut (dyn Host + 'h)) -> Status {
        let status = self.run.child(self.run.flat.children_of(self.node)[0] as usize, host);
        if cfg!(debug_assertions) {
            self.seen = self.seen.or(status.into());
        }
        status
    }

    fn halt_child(&mut self, host: &mut (dyn Host + 'h)) {
        self.run.halt_children(self.node, host);
    }

    fn may_restart(&mut self, host: &mut (dyn Host + 'h)) -> bool {
        if self.run.restarts == MAX_RESTARTS {
            self.run.fail(self.node, RunFault::TooManyRestarts, host);
            return false;
        }
        self.run.restarts += 1;
        true
    }
}

impl<O: Observer, P: DecoratorShape<Open: Packed, Kept: Packed>> Decorating<'_, '_, O, &P> {
    /// Calls a policy of the vocabulary with its state, which is in the words of the node: `Open`, then `Kept`.
    fn with_words<R>(
        &mut self,
        host: &mut dyn Host,
        act: impl FnOnce(&P, &mut P::Open, &mut P::Kept, &mut HostContext<'_>) -> R,
    ) -> R {
        let middle = <P::Open as Packed>::WORDS;
        let words = self.run.words(self.node);
        let (mut open, mut kept) = (P::Open::unpack(words), P::Kept::unpack(&words[middle..]));
        let result = act(self.policy, &mut open, &mut kept, &mut HostContext(host));
        let words = self.run.words(self.node);
        open.pack(words);
        kept.pack(&mut words[middle..]);
        result
    }
}

impl<'h, O: Observer, P> DecoratorParts<dyn Host + 'h> for Decorating<'_, '_, O, &P>
where
    P: for<'c> Decorator<HostContext<'c>, Open: Packed, Kept: Packed>,
{
    fn open(&mut self, host: &mut (dyn Host + 'h)) -> Gate<()> {
        let gate = self.with_words(host, |policy, open, kept, host| {
            *open = P::Open::default();
            policy.open(open, kept, host).without_pause()
        });
        if gate == Gate::End(Outcome::Error) {
            self.run.no_value(self.node, host, |host, show| self.policy.reason(host, show));
        }
        gate
    }

    fn resume(&mut self, host: &mut (dyn Host + 'h)) -> Gate<()> {
        self.with_words(host, |policy, open, kept, host| policy.resume(open, kept, host).without_pause())
    }

    fn running(&mut self, host: &mut (dyn Host + 'h)) -> Option<Outcome> {
        self.with_words(host, |policy, open, kept, host| policy.running(open, kept, host))
    }

    fn error(&mut self, host: &mut (dyn Host + 'h)) -> Outcome {
        self.with_words(host, |policy, open, kept, host| policy.error(open, kept, host))
    }

    fn end(&mut self, outcome: Outcome, host: &mut (dyn Host + 'h)) -> AfterChild<()> {
        self.with_words(host, |policy, open, kept, host| policy.end(outcome, open, kept, host).without_pause())
    }

    fn close(&mut self, end: End, host: &mut (dyn Host + 'h)) {
        self.with_words(host, |policy, open, kept, host| policy.close(open, kept, host, end));
    }
}

impl<'h, O: Observer> DecoratorParts<dyn Host + 'h> for Decorating<'_, '_, O, u32> {
    fn open(&mut self, host: &mut (dyn Host + 'h)) -> Gate<()> {
        let gate = self.run.in_slot(self.node.slot, |slot, _| host.open_policy(self.policy, slot));
        if gate == Gate::End(Outcome::Error) {
            let at = self.run.id(self.node);
            host.explain_policy(self.policy, &mut |reason| explain(at, reason, self.run.observer));
        }
        gate
    }

    fn resume(&mut self, host: &mut (dyn Host + 'h)) -> Gate<()> {
        self.run.in_slot(self.node.slot, |slot, _| host.resume_policy(self.policy, slot))
    }

    fn running(&mut self, host: &mut (dyn Host + 'h)) -> Option<Outcome> {
        self.run.in_slot(self.node.slot, |slot, _| host.running_policy(self.policy, slot))
    }

    fn error(&mut self, host: &mut (dyn Host + 'h)) -> Outcome {
        self.run.in_slot(self.node.slot, |slot, _| host.error_policy(self.policy, slot))
    }

    fn end(&mut self, outcome: Outcome, host: &mut (dyn Host + 'h)) -> AfterChild<()> {
        self.run.in_slot(self.node.slot, |slot, _| host.end_policy(self.policy, outcome, slot))
    }

    fn close(&mut self, end: End, host: &mut (dyn Host + 'h)) {
        self.run.in_slot(self.node.slot, |slot, _| host.close_policy(self.policy, slot, end));
    }
}

impl<O: Observer, P> Decorating<'_, '_, O, &P>
where
    P: for<'c> Decorator<HostContext<'c>, Open: Packed, Kept: Packed>,
{
    /// Opens the decorator around a running child. Returns `false` if it would not have started the child.
    pub(crate) fn adopt(&mut self, host: &mut dyn Host) -> bool {
        self.with_words(host, |policy, open, kept, host| {
            *open = P::Open::default();
            policy.adopt(open, kept, host)
        })
    }
}

impl<O: Observer> Run<'_, O> {
    /// Ticks a decorator of the vocabulary.
    #[inline(never)]
    pub(crate) fn decorator(&mut self, policy: &BuiltIn, opening: bool, index: usize, host: &mut dyn Host) -> Status {
        if opening && policy.forgets() {
            self.forget_below(index);
        }
        let node = &self.flat.nodes[index];
        with_policy!(policy, policy => Decorating { run: self, node, policy, seen: Outcomes::NONE }.tick(opening, host))
    }

    /// Ticks a custom decorator.
    #[inline(never)]
    pub(crate) fn policy(&mut self, policy: u32, opening: bool, index: usize, host: &mut dyn Host) -> Status {
        let shape = self.shapes.policy(policy);
        if opening && shape.forgets() {
            self.forget_below(index);
        }
        let node = &self.flat.nodes[index];
        let mut decorating = Decorating { run: self, node, policy, seen: Outcomes::NONE };
        let status = decorating.tick(opening, host);
        // A tree that restarts its nodes too often ends with an error.
        if cfg!(debug_assertions) && shape.is_checked() && status != Status::Error {
            let child = decorating.run.flat.sources[index + 1].returns.or(decorating.seen);
            let stated = shape.returns().of(if O::ON { Outcomes::ANY } else { child });
            check_stated("decorator", || shape.name(), status, stated);
        }
        status
    }
}
