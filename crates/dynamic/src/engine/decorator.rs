//! The decorators of a loaded tree, for their rule.

use bt_core::decorator::{Decorator, DecoratorShape, Gate};
use bt_core::engine::{DecoratorParts, Then, after, check_stated, explain, gate, tick_decorator};
use bt_core::{End, Observer, Outcomes, Status};

use crate::engine::run::Run;
use crate::flat::built_in::{BuiltIn, state_words, with_policy};
use crate::flat::host::{Host, HostContext};
use crate::flat::node::LoadedNode;
use crate::flat::packed::Packed;

/// A decorator of the vocabulary, with its state as it is in the words of its node: `Open`, then `Kept`.
struct Worded<'r, 'a, 'p, O, P: DecoratorShape<Open: Packed, Kept: Packed>> {
    run: &'r mut Run<'a, O>,
    index: usize,
    node: &'a LoadedNode,
    policy: &'p P,
    open: P::Open,
    kept: P::Kept,
}

impl<'r, 'a, 'p, O: Observer, P: DecoratorShape<Open: Packed, Kept: Packed>> Worded<'r, 'a, 'p, O, P> {
    #[inline(always)]
    fn new(policy: &'p P, run: &'r mut Run<'a, O>, index: usize, node: &'a LoadedNode) -> Self {
        let words = run.first_words(node, state_words::<P>());
        let (open, kept) = (P::Open::unpack(words), P::Kept::unpack(&words[P::Open::WORDS..]));
        Self { run, index, node, policy, open, kept }
    }

    /// Stores the state. It is stored while nodes below are ticked, which can panic.
    #[inline(always)]
    fn store(&mut self) {
        let words = self.run.first_words(self.node, state_words::<P>());
        self.open.pack(words);
        self.kept.pack(&mut words[P::Open::WORDS..]);
    }
}

impl<P> Worded<'_, '_, '_, (), P>
where
    P: for<'c> Decorator<HostContext<'c>, Open: Packed, Kept: Packed>,
{
    fn adopt(&mut self, host: &mut dyn Host) -> bool {
        self.open = P::Open::default();
        let is_open = self.policy.adopt(&mut self.open, &mut self.kept, &mut HostContext(host));
        self.store();
        is_open
    }
}

impl<'h, O: Observer, P> DecoratorParts<dyn Host + 'h> for Worded<'_, '_, '_, O, P>
where
    P: for<'c> Decorator<HostContext<'c>, Open: Packed, Kept: Packed>,
{
    #[inline(always)]
    fn gate(&mut self, opening: bool, host: &mut (dyn Host + 'h)) -> Gate<()> {
        let gate = gate(self.policy, opening, (&mut self.open, &mut self.kept), &mut HostContext(host));
        self.store();
        gate
    }

    #[inline(always)]
    fn tick_child(&mut self, host: &mut (dyn Host + 'h)) -> Status {
        // Nodes are in pre-order.
        self.run.child(self.index + 1, host)
    }

    #[inline(always)]
    fn after(&mut self, child: Status, host: &mut (dyn Host + 'h)) -> Then {
        // No word ends while its child is running. Most ticks end here, so that the state is not stored again.
        if child == Status::Running && !cfg!(debug_assertions) {
            return Then::Running;
        }
        let then = after(self.policy, child, (&mut self.open, &mut self.kept), &mut HostContext(host));
        debug_assert!(child != Status::Running || then == Then::Running, "a word ends while its child is running");
        if !matches!(then, Then::End(_)) {
            self.store();
        }
        then
    }

    fn halt_child(&mut self, host: &mut (dyn Host + 'h)) {
        self.run.halt(self.index + 1, P::CAUSE, host);
    }

    fn may_restart(&mut self, host: &mut (dyn Host + 'h)) -> bool {
        self.run.may_restart(self.node, host)
    }

    #[inline(always)]
    fn close(&mut self, end: End, host: &mut (dyn Host + 'h)) {
        self.policy.close(&mut self.open, &mut self.kept, &mut HostContext(host), end);
        // The rest has no meaning after a run.
        let words = self.run.first_words(self.node, state_words::<P>());
        self.kept.pack(&mut words[P::Open::WORDS..]);
    }

    #[cold]
    fn explain(&mut self, host: &mut (dyn Host + 'h)) {
        let policy = self.policy;
        self.run.no_value(self.node, host, |context, show| policy.reason(context, show));
    }
}

/// A decorator of the user. Its state is in the slot of its node.
struct Own<'r, 'a, O> {
    run: &'r mut Run<'a, O>,
    index: usize,
    node: &'a LoadedNode,
    policy: u32,
    /// What the child has returned in this tick, with debug assertions.
    seen: Outcomes,
}

impl<'h, O: Observer> DecoratorParts<dyn Host + 'h> for Own<'_, '_, O> {
    fn gate(&mut self, opening: bool, host: &mut (dyn Host + 'h)) -> Gate<()> {
        self.run.in_slot(self.node.slot, |slot, _| host.gate_of(self.policy, opening, slot))
    }

    fn tick_child(&mut self, host: &mut (dyn Host + 'h)) -> Status {
        let status = self.run.child(self.index + 1, host);
        if cfg!(debug_assertions) {
            self.seen = self.seen.or(status.into());
        }
        status
    }

    fn after(&mut self, child: Status, host: &mut (dyn Host + 'h)) -> Then {
        self.run.in_slot(self.node.slot, |slot, _| host.after_child(self.policy, child, slot))
    }

    fn halt_child(&mut self, host: &mut (dyn Host + 'h)) {
        let why = self.run.shapes.policy(self.policy).cause();
        self.run.halt(self.index + 1, why, host);
    }

    fn may_restart(&mut self, host: &mut (dyn Host + 'h)) -> bool {
        self.run.may_restart(self.node, host)
    }

    fn close(&mut self, end: End, host: &mut (dyn Host + 'h)) {
        self.run.in_slot(self.node.slot, |slot, _| host.close_policy(self.policy, slot, end));
    }

    #[cold]
    fn explain(&mut self, host: &mut (dyn Host + 'h)) {
        let mut text = None;
        host.reason_of(self.policy, &mut |reason| text = Some(reason.to_string()));
        if let Some(text) = text {
            explain(self.run.id(self.node), &text, self.run.observer);
        }
    }
}

impl<'a, O: Observer> Run<'a, O> {
    /// Ticks a decorator of the vocabulary.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn decorator(
        &mut self,
        policy: &BuiltIn,
        opening: bool,
        (index, node): (usize, &'a LoadedNode),
        host: &mut dyn Host,
    ) -> Status {
        if opening && policy.forgets() {
            self.forget_below(index, host);
        }
        with_policy!(policy, policy => tick_decorator(opening, &mut Worded::new(policy, self, index, node), host))
    }

    /// Ends a run of a decorator of the vocabulary, after its child has been halted.
    pub(crate) fn close_decorator(&mut self, policy: &BuiltIn, index: usize, end: End, host: &mut dyn Host) {
        let node = &self.flat.nodes[index];
        with_policy!(policy, policy => Worded::new(policy, self, index, node).close(end, host));
    }

    /// Ticks a custom decorator.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn policy(
        &mut self,
        policy: u32,
        opening: bool,
        (index, node): (usize, &'a LoadedNode),
        host: &mut dyn Host,
    ) -> Status {
        let flat = self.flat;
        if opening && self.shapes.policy(policy).forgets() {
            self.forget_below(index, host);
        }
        let mut own = Own { run: self, index, node, policy, seen: Outcomes::NONE };
        let status = tick_decorator(opening, &mut own, host);
        // A tree that restarts its nodes too often ends with an error.
        if cfg!(debug_assertions) && status != Status::Error {
            let (shape, seen) = (own.run.shapes.policy(policy), own.seen);
            if shape.is_checked() {
                let child = flat.sources[index + 1].returns.or(seen);
                let stated = shape.returns().of(if O::ON { Outcomes::ANY } else { child });
                check_stated("decorator", || shape.name(), status, stated);
            }
        }
        status
    }
}

impl Run<'_, ()> {
    /// Opens a decorator of the vocabulary around a running child. Returns `false` if it would not have started the child.
    pub(crate) fn adopt_decorator(&mut self, policy: &BuiltIn, index: usize, host: &mut dyn Host) -> bool {
        let node = &self.flat.nodes[index];
        with_policy!(policy, policy => Worded::new(policy, self, index, node).adopt(host))
    }
}
