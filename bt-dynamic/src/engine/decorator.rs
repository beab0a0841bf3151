//! The decorators of a loaded tree, for their rule.

use std::fmt;

use bt_core::decorator::{Decorator, DecoratorShape};
use bt_core::engine::{ErasedState, OnlyChild, check_stated, explain, tick_decorator};
use bt_core::{End, Observer, Outcomes, Status};

use crate::engine::run::{Borrowed, Run, SlotOf};
use crate::error::RunFault;
use crate::flat::built_in::{BuiltIn, with_policy};
use crate::flat::host::{Host, HostContext};
use crate::flat::op::LoadedNode;
use crate::flat::packed::Packed;

/// The child of a decorator, for its rule.
struct Below<'r, 'a, O> {
    run: &'r mut Run<'a, O>,
    node: &'a LoadedNode,
    /// The index of the child.
    child: usize,
    /// Why a decorator of the vocabulary could not start.
    reason: Option<String>,
    /// What the child has returned in this tick, with debug assertions.
    seen: Outcomes,
}

impl<'r, 'a, O> Below<'r, 'a, O> {
    fn new(run: &'r mut Run<'a, O>, index: usize) -> Self {
        // Nodes are in pre-order.
        Self { node: &run.flat.nodes[index], child: index + 1, run, reason: None, seen: Outcomes::NONE }
    }
}

impl<O: Observer> OnlyChild<HostContext<'_>> for Below<'_, '_, O> {
    #[inline(always)]
    fn tick(&mut self, HostContext(host): &mut HostContext<'_>) -> Status {
        let status = self.run.child(self.child, !self.run.is_open(self.child), *host);
        if cfg!(debug_assertions) {
            self.seen = self.seen.or(status.into());
        }
        status
    }

    fn halt(&mut self, HostContext(host): &mut HostContext<'_>) {
        self.run.halt(self.child, *host);
    }

    fn may_restart(&mut self, HostContext(host): &mut HostContext<'_>) -> bool {
        self.run.may_restart(self.node, *host)
    }

    #[cold]
    fn explain(&mut self, reason: &dyn fmt::Display) {
        self.reason = Some(reason.to_string());
    }
}

impl<O> SlotOf for Below<'_, '_, O> {
    fn slot(&mut self) -> Option<&mut ErasedState> {
        self.run.slot_of(self.node)
    }
}

/// A decorator of the vocabulary with its state, which is in the words of its node: `Open`, then `Kept`. They return there when it is dropped, also by a
/// panic.
struct Unpacked<'r, 'a, O, P: DecoratorShape<Open: Packed, Kept: Packed>> {
    below: Below<'r, 'a, O>,
    open: P::Open,
    kept: P::Kept,
}

impl<'r, 'a, O: Observer, P: DecoratorShape<Open: Packed, Kept: Packed>> Unpacked<'r, 'a, O, P> {
    #[inline(always)]
    fn new(_: &P, run: &'r mut Run<'a, O>, index: usize) -> Self {
        let below = Below::new(run, index);
        let words = below.run.words(below.node);
        let (open, kept) = (P::Open::unpack(words), P::Kept::unpack(&words[P::Open::WORDS..]));
        Self { below, open, kept }
    }
}

impl<O, P> Unpacked<'_, '_, O, P>
where
    P: for<'c> Decorator<HostContext<'c>, Open: Packed, Kept: Packed>,
{
    fn close(&mut self, policy: &P, host: &mut dyn Host) {
        policy.close(&mut self.open, &mut self.kept, &mut HostContext(host), End::Halted);
    }

    fn adopt(&mut self, policy: &P, host: &mut dyn Host) -> bool {
        self.open = P::Open::default();
        policy.adopt(&mut self.open, &mut self.kept, &mut HostContext(host))
    }
}

impl<O, P: DecoratorShape<Open: Packed, Kept: Packed>> Drop for Unpacked<'_, '_, O, P> {
    #[inline(always)]
    fn drop(&mut self) {
        let words = self.below.run.words(self.below.node);
        self.open.pack(words);
        self.kept.pack(&mut words[P::Open::WORDS..]);
    }
}

impl<O: Observer> Run<'_, O> {
    /// Ticks a decorator of the vocabulary.
    #[inline(never)]
    pub(crate) fn decorator(&mut self, policy: &BuiltIn, opening: bool, index: usize, host: &mut dyn Host) -> Status {
        if opening && policy.forgets() {
            self.forget_below(index);
        }
        with_policy!(policy, policy => self.built_in(policy, opening, index, host))
    }

    #[inline(always)]
    fn built_in<P>(&mut self, policy: &P, opening: bool, index: usize, host: &mut dyn Host) -> Status
    where
        P: for<'c> Decorator<HostContext<'c>, Open: Packed, Kept: Packed>,
    {
        let mut unpacked = Unpacked::new(policy, self, index);
        let Unpacked { below, open, kept } = &mut unpacked;
        let status = tick_decorator(policy, opening, (open, kept), below, &mut HostContext(host));
        if let Some(reason) = below.reason.take() {
            below.run.fail(below.node, RunFault::NoValue(reason), host);
        }
        status
    }

    /// Ends a run of a decorator of the vocabulary, after its child has been halted.
    pub(crate) fn close_decorator(&mut self, policy: &BuiltIn, index: usize, host: &mut dyn Host) {
        with_policy!(policy, policy => Unpacked::new(policy, self, index).close(policy, host));
    }

    /// Opens a decorator of the vocabulary around a running child. Returns `false` if it would not have started the child.
    pub(crate) fn adopt_decorator(&mut self, policy: &BuiltIn, index: usize, host: &mut dyn Host) -> bool {
        with_policy!(policy, policy => Unpacked::new(policy, self, index).adopt(policy, host))
    }

    /// Ticks a custom decorator.
    #[inline(never)]
    pub(crate) fn policy(&mut self, policy: u32, opening: bool, index: usize, host: &mut dyn Host) -> Status {
        let flat = self.flat;
        if opening && self.shapes.policy(policy).forgets() {
            self.forget_below(index);
        }
        let mut below = Below::new(self, index);
        let status = {
            let Borrowed { below, slot } = &mut Borrowed::new(&mut below);
            host.tick_policy(policy, opening, *below, slot)
        };
        if let Some(reason) = &below.reason {
            let at = below.run.id(below.node);
            explain(at, reason, below.run.observer);
        }
        // A tree that restarts its nodes too often ends with an error.
        if cfg!(debug_assertions) && status != Status::Error {
            let (shape, seen) = (below.run.shapes.policy(policy), below.seen);
            if shape.is_checked() {
                let child = flat.sources[index + 1].returns.or(seen);
                let stated = shape.returns().of(if O::ON { Outcomes::ANY } else { child });
                check_stated("decorator", || shape.name(), status, stated);
            }
        }
        status
    }
}
