//! Ticks and halts the nodes of a loaded tree, recursively: its depth is at most [`MAX_LEVELS`](bt_behavior3::MAX_LEVELS).

use bt_core::composite::{Reactive, WithMemory};
use bt_core::engine::{
    Served, as_dyn, enter, fault, halt_decorator, leave, leave_state, serve, tick_decorator, tick_kept_sequence,
    tick_machine, tick_parallel, tick_random, tick_sequential,
};
use bt_core::{End, Node, Observer, Outcome, Status, Step, Visit};
use bt_words::Word;
use rand_core::Rng;

use crate::built_in::with_policy;
use crate::capabilities::Capable;
use crate::op::NodeOp;
use crate::packed::Packed;
use crate::run::Run;
use crate::run_composite::Below;
use crate::run_decorator::Decorating;
use crate::run_machine::Machine;
use crate::tree::DynNode;

impl<C: ?Sized, O: Observer> Run<'_, C, O> {
    /// Starts a run of the root. Its parent reports the root's own events.
    pub(crate) fn start(&mut self, ctx: &mut C) -> Status {
        self.close_all();
        self.visit(0, true, ctx)
    }

    /// Resumes a run of the root.
    pub(crate) fn resume(&mut self, ctx: &mut C) -> Status {
        self.visit(0, false, ctx)
    }

    /// Halts the root. Its parent reports the event.
    pub(crate) fn interrupt(&mut self, ctx: &mut C) {
        self.halt_below(0, ctx);
        self.set_open(0, false);
    }

    /// Visits a node below the root, and reports the visit.
    pub(crate) fn child(&mut self, index: usize, ctx: &mut C) -> Status {
        let tree = self.tree;
        let at = self.id(&tree.nodes[index]);
        let opening = !self.is_open(index);
        enter(at, opening, self.observer);
        let status = match self.substituted(index, opening, ctx) {
            Some(status) => status,
            None => self.visit(index, opening, ctx),
        };
        leave(&Step::<()>::from(status), at, self.observer);
        status
    }

    /// Returns the status of a node if the observer substitutes it. A node whose run is over is halted.
    fn substituted(&mut self, index: usize, opening: bool, ctx: &mut C) -> Option<Status> {
        if !O::ON {
            return None;
        }
        let node = &self.tree.nodes[index];
        let status = self.observer.substitute(self.id(node))?;
        if status == Status::Running {
            if opening && !self.stand_in(node, ctx) {
                return None;
            }
        } else if !opening {
            self.halt_below(index, ctx);
        }
        self.set_open(index, status == Status::Running);
        Some(status)
    }

    /// Opens the root if it is a leaf whose statuses are substituted. Its parent has asked the observer.
    pub(crate) fn stand_in_for_root(&mut self, ctx: &mut C) -> bool {
        self.close_all();
        let stands_in = self.stand_in(&self.tree.nodes[0], ctx);
        self.set_open(0, stands_in);
        stands_in
    }

    /// Opens a leaf whose statuses are substituted. Returns `false` for a node that cannot be running then.
    fn stand_in(&mut self, node: &DynNode<C>, ctx: &mut C) -> bool {
        match &node.op {
            NodeOp::Leaf(leaf) => self.in_slot(node.slot, |slot, _| leaf.stand_in(slot, ctx)),
            NodeOp::Wait { wait } => {
                let end = wait.stand_in(&mut (), &mut Visit::new(&mut self.capable(ctx), &mut ()));
                end.map(|end| end.pack(self.words(node))).is_some()
            }
            NodeOp::Constant(status) => *status == Status::Running,
            NodeOp::Sequential { .. }
            | NodeOp::KeptSequence
            | NodeOp::Random { .. }
            | NodeOp::Parallel { .. }
            | NodeOp::Decorator(_)
            | NodeOp::Policy(_)
            | NodeOp::Custom(_)
            | NodeOp::Service { .. }
            | NodeOp::Machine { .. }
            | NodeOp::State { .. } => false,
        }
    }

    fn visit(&mut self, index: usize, opening: bool, ctx: &mut C) -> Status {
        let tree = self.tree;
        let node = &tree.nodes[index];
        if opening && node.op.forgets() {
            self.forget_below(index);
        }
        let mut below = Below { run: self, node };
        let status = match &node.op {
            NodeOp::Sequential { pass, has_memory } => {
                tick_sequential((*pass).into(), *has_memory, opening, &mut below, ctx)
            }
            NodeOp::KeptSequence => tick_kept_sequence(opening, &mut below, ctx),
            NodeOp::Random { pass, weights } => {
                let weight = |child: usize| weights.as_ref().map_or(1.0, |weights| weights[child]);
                let bits = |ctx: &mut C| Capable { ctx, capabilities: tree.capabilities }.next_u64();
                tick_random((*pass).into(), weight, bits, opening, &mut below, ctx)
            }
            NodeOp::Parallel { has_memory, success, failure } => {
                let status = if *has_memory {
                    tick_parallel::<C, WithMemory, _>(*success, *failure, opening, &mut below, ctx)
                } else {
                    tick_parallel::<C, Reactive, _>(*success, *failure, opening, &mut below, ctx)
                };
                // Other nodes leave no child running when they end.
                if status != Status::Running {
                    self.halt_children(node, ctx);
                }
                status
            }
            NodeOp::Decorator(policy) => with_policy!(policy, policy => {
                tick_decorator(opening, &mut Decorating { run: self, node, policy }, ctx)
            }),
            NodeOp::Policy(policy) => {
                tick_decorator(opening, &mut Decorating { run: self, node, policy: &**policy }, ctx)
            }
            NodeOp::Custom(rule) => self.custom(opening, node, rule.rule(), ctx),
            NodeOp::Service { every, action } => {
                let mut due = Packed::unpack(self.words(node));
                let capable = &mut self.capable(ctx);
                let served =
                    serve(every, &mut due, capable, |capable| capable, |capable| self.at_once(action, capable.ctx));
                due.pack(self.words(node));
                if served == Served::Go {
                    self.child(tree.children_of(node)[0] as usize, ctx)
                } else {
                    if served == Served::NoPeriod {
                        let parameter = Word::Service.row().params[0].name;
                        self.no_value(node, ctx, |ctx, show| fault(every, parameter, ctx, show));
                    }
                    self.halt_children(node, ctx);
                    Status::Error
                }
            }
            NodeOp::Machine { any } => tick_machine(opening, &mut Machine { run: self, node, any }, ctx),
            NodeOp::State { .. } => self.child(tree.children_of(node)[0] as usize, ctx),
            NodeOp::Wait { wait } => {
                let at = self.id(node);
                let mut end = Packed::unpack(self.words(node));
                let (mut capable, mut observer) = (self.capable(ctx), ());
                let visit = &mut Visit::new(&mut capable, &mut observer);
                let step = if opening {
                    wait.start(at, &mut (), visit).map(|opened| end = opened)
                } else {
                    wait.resume(at, &mut end, &mut (), visit)
                };
                end.pack(self.words(node));
                if step == Step::Done(Outcome::Error) {
                    self.no_value(node, ctx, |ctx, show| wait.reason(ctx, show));
                }
                step.status()
            }
            NodeOp::Constant(status) => *status,
            NodeOp::Leaf(leaf) => {
                let at = self.id(node);
                self.in_slot(node.slot, |slot, observer| leaf.tick(opening, at, slot, ctx, as_dyn(observer)))
            }
        };
        if opening {
            if status == Status::Running {
                self.set_open(index, true);
            }
        } else if status != Status::Running {
            self.set_open(index, false);
        }
        status
    }

    /// Halts a node if it is running, and reports the event.
    pub(crate) fn halt(&mut self, index: usize, ctx: &mut C) {
        if !self.is_open(index) {
            return;
        }
        self.halt_below(index, ctx);
        self.set_open(index, false);
        if O::ON {
            let at = self.id(&self.tree.nodes[index]);
            self.observer.close(at, End::Halted);
        }
    }

    pub(crate) fn halt_children(&mut self, node: &DynNode<C>, ctx: &mut C) {
        for child in self.tree.children_of(node) {
            self.halt(*child as usize, ctx);
        }
    }

    /// Halts the nodes below a node, deepest first, and ends the node's own run.
    fn halt_below(&mut self, index: usize, ctx: &mut C) {
        let tree = self.tree;
        let node = &tree.nodes[index];
        match &node.op {
            NodeOp::Leaf(leaf) => {
                let at = self.id(node);
                self.in_slot(node.slot, |slot, observer| leaf.halt(at, slot, ctx, as_dyn(observer)));
            }
            NodeOp::Decorator(policy) => with_policy!(policy, policy => {
                halt_decorator(&mut Decorating { run: self, node, policy }, ctx);
            }),
            NodeOp::Policy(policy) => halt_decorator(&mut Decorating { run: self, node, policy: &**policy }, ctx),
            NodeOp::Custom(rule) => {
                self.halt_children(node, ctx);
                self.close_custom(node, rule.rule(), ctx, End::Halted);
            }
            // An error of `exit:` has been passed to the context, and nothing else can end.
            NodeOp::Machine { any } => _ = leave_state(Outcome::Success, &mut Machine { run: self, node, any }, ctx),
            NodeOp::Sequential { .. }
            | NodeOp::KeptSequence
            | NodeOp::Random { .. }
            | NodeOp::Parallel { .. }
            | NodeOp::Service { .. }
            | NodeOp::State { .. }
            | NodeOp::Wait { .. }
            | NodeOp::Constant(_) => self.halt_children(node, ctx),
        }
    }
}
