//! Ticks and halts the nodes of a loaded tree, recursively: its depth is at most [`MAX_LEVELS`](bt_behavior3::MAX_LEVELS).

use bt_core::engine::{DecoratorParts, MachineParts, as_dyn, enter, leave};
use bt_core::{End, Node, Observer, Outcome, Outcomes, Status, Step, Visit};

use crate::built_in::with_policy;
use crate::leaf::AnyLeaf;
use crate::op::{LoadedNode, NodeOp};
use crate::packed::Packed;
use crate::run::Run;
use crate::run_decorator::Decorating;
use crate::run_machine::Machine;
use bt_core::{ContextOf, Contexts};

impl<F: Contexts, O: Observer> Run<'_, F, O> {
    /// Starts a run of the root. Its parent reports the root's own events.
    pub(crate) fn start(&mut self, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        self.close_all();
        self.root(true, ctx)
    }

    /// Resumes a run of the root.
    pub(crate) fn resume(&mut self, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        self.root(false, ctx)
    }

    /// Ticks the root. That of most trees is a sequence or selector, which costs one call less here.
    #[inline(always)]
    fn root(&mut self, opening: bool, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        if !matches!(self.tree.nodes[0].op, NodeOp::Sequential { .. }) {
            return self.visit(0, opening, ctx);
        }
        let status = self.region(0, 0, opening, ctx);
        self.visited(0, opening, status);
        status
    }

    /// Halts the root. Its parent reports the event.
    pub(crate) fn halt_root(&mut self, ctx: &mut ContextOf<'_, '_, F>) {
        self.halt_below(0, ctx);
        self.set_open(0, false);
    }

    /// Visits a node below the root that is no member of a region, and reports the visit.
    #[inline]
    pub(crate) fn child(&mut self, index: usize, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        let opening = !self.is_open(index);
        self.observed(index, opening, ctx)
    }

    /// Visits a node below the root, and reports the visit.
    #[inline]
    pub(crate) fn observed(&mut self, index: usize, opening: bool, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        let at = self.id(&self.tree.nodes[index]);
        enter(at, opening, self.observer);
        let replaced = self.replaced(index, opening, ctx);
        let status = replaced.unwrap_or_else(|| self.visit(index, opening, ctx));
        leave(&Step::<()>::from(status), at, self.observer);
        status
    }

    /// Returns the status of a node that the observer replaces. A node whose run is over is halted.
    fn replaced(&mut self, index: usize, opening: bool, ctx: &mut ContextOf<'_, '_, F>) -> Option<Status> {
        if !O::ON {
            return None;
        }
        let node = &self.tree.nodes[index];
        let status = self.observer.replacement(self.id(node))?;
        if status == Status::Running {
            if opening && !self.open_replaced(node, ctx) {
                return None;
            }
        } else if !opening {
            self.halt_below(index, ctx);
        }
        self.set_open(index, status == Status::Running);
        Some(status)
    }

    /// Opens the root if it is a leaf whose statuses are replaced. Its parent has asked the observer.
    pub(crate) fn open_replaced_root(&mut self, ctx: &mut ContextOf<'_, '_, F>) -> bool {
        self.close_all();
        let is_open = self.open_replaced(&self.tree.nodes[0], ctx);
        self.set_open(0, is_open);
        is_open
    }

    /// Opens a leaf whose statuses are replaced. Returns `false` for a node that cannot be running then.
    fn open_replaced(&mut self, node: &LoadedNode<F>, ctx: &mut ContextOf<'_, '_, F>) -> bool {
        match &node.op {
            NodeOp::Leaf(leaf) => {
                let at = self.id(node);
                self.in_slot(node.slot, |slot, _| leaf.open_replaced(at, slot, ctx))
            }
            NodeOp::Wait { wait } => {
                let end = wait.open_replaced(self.id(node), &mut (), &mut Visit::new(&mut self.capable(ctx), &mut ()));
                end.map(|end| end.pack(self.words(node))).is_some()
            }
            NodeOp::Constant(status) => *status == Status::Running,
            NodeOp::Sequential { .. }
            | NodeOp::Composite(_)
            | NodeOp::Decorator(_)
            | NodeOp::Policy(_)
            | NodeOp::Service { .. }
            | NodeOp::Machine { .. }
            | NodeOp::State { .. }
            | NodeOp::Nested { .. } => false,
        }
    }

    /// Ticks a node. The composites and leaves that most trees consist of are ticked here; a larger function would cost each of
    /// them more.
    pub(crate) fn visit(&mut self, index: usize, opening: bool, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        let tree = self.tree;
        let node = &tree.nodes[index];
        let status = match &node.op {
            NodeOp::Leaf(leaf) => self.leaf(leaf, node, opening, ctx),
            NodeOp::Sequential { .. } => self.region(tree.places.all[index].root_of, index, opening, ctx),
            NodeOp::State { .. } | NodeOp::Nested { .. } => self.child(tree.children_of(node)[0] as usize, ctx),
            NodeOp::Constant(status) => *status,
            NodeOp::Composite(rule) => self.composite(opening, node, rule.rule(), ctx),
            NodeOp::Decorator(policy) => self.decorator(policy, opening, index, ctx),
            NodeOp::Policy(policy) => self.policy(&**policy, opening, index, ctx),
            NodeOp::Service { every, action } => self.service(every, action, node, ctx),
            NodeOp::Machine { any } => self.machine(any, opening, node, ctx),
            NodeOp::Wait { wait } => self.wait(wait, opening, node, ctx),
        };
        self.visited(index, opening, status);
        status
    }

    #[inline(always)]
    fn leaf(
        &mut self,
        leaf: &AnyLeaf<F>,
        node: &LoadedNode<F>,
        opening: bool,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> Status {
        let at = self.id(node);
        self.in_slot(node.slot, |slot, observer| leaf.tick(opening, at, slot, ctx, as_dyn(observer)))
    }

    /// Stores whether a node is running after a visit.
    #[inline(always)]
    fn visited(&mut self, index: usize, opening: bool, status: Status) {
        if opening == (status == Status::Running) {
            self.set_open(index, opening);
        }
    }

    /// Halts a node if it is running, and reports the event.
    pub(crate) fn halt(&mut self, index: usize, ctx: &mut ContextOf<'_, '_, F>) {
        if self.is_open(index) {
            self.halt_open(index, ctx);
        }
    }

    /// Halts a running node, and reports the event.
    pub(crate) fn halt_open(&mut self, index: usize, ctx: &mut ContextOf<'_, '_, F>) {
        self.halt_below(index, ctx);
        self.set_open(index, false);
        if O::ON {
            let at = self.id(&self.tree.nodes[index]);
            self.observer.close(at, End::Halted);
        }
    }

    pub(crate) fn halt_children(&mut self, node: &LoadedNode<F>, ctx: &mut ContextOf<'_, '_, F>) {
        for child in self.tree.children_of(node) {
            self.halt(*child as usize, ctx);
        }
    }

    /// Halts the nodes below a node, deepest first, and ends the node's own run.
    fn halt_below(&mut self, index: usize, ctx: &mut ContextOf<'_, '_, F>) {
        let tree = self.tree;
        let node = &tree.nodes[index];
        match &node.op {
            NodeOp::Leaf(leaf) => {
                let at = self.id(node);
                self.in_slot(node.slot, |slot, observer| leaf.halt(at, slot, ctx, as_dyn(observer)));
            }
            NodeOp::Decorator(policy) => with_policy!(policy, policy => {
                Decorating { run: self, node, policy, seen: Outcomes::NONE }.halt(ctx);
            }),
            NodeOp::Policy(policy) => {
                Decorating { run: self, node, policy: &**policy, seen: Outcomes::NONE }.halt(ctx);
            }
            NodeOp::Composite(rule) => {
                self.halt_children(node, ctx);
                self.close_composite(node, rule.rule(), ctx, End::Halted);
            }
            // An error of `exit:` has been passed to the context, and nothing else can end.
            NodeOp::Machine { any } => _ = Machine { run: self, node, any }.leave(Outcome::Success, ctx),
            NodeOp::Sequential { .. } => {
                let word = tree.places.word(tree.places.all[index].region());
                let running = u32::try_from(std::mem::take(&mut self.memory.words[word])).unwrap_or_default();
                self.halt_step(running, index, ctx);
            }
            NodeOp::Service { .. }
            | NodeOp::State { .. }
            | NodeOp::Nested { .. }
            | NodeOp::Wait { .. }
            | NodeOp::Constant(_) => self.halt_children(node, ctx),
        }
    }
}
