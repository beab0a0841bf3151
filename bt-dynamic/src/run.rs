//! Ticking a loaded tree. It goes down by calls: trees are at most [`MOST_LEVELS`](bt_behavior3::MOST_LEVELS) deep.

use bt_core::composite::{Reactive, WithMemory};
use bt_core::engine::{
    Children, Drawn, Results, as_dyn, enter, halt_decorator, leave, leave_state, serve, tick_decorator, tick_machine,
    tick_parallel, tick_random, tick_sequential,
};
use bt_core::{End, Node, NodeId, Observer, Outcome, Status, Step, Visit, wait};
use rand_core::Rng;

use crate::capabilities::Capable;
use crate::error::RunError;
use crate::memory::DynMemory;
use crate::op::{Attachment, NodeOp, with_policy};
use crate::packed::Packed;
use crate::run_decorator::{BuiltInParts, PolicyParts};
use crate::run_machine::Machine;
use crate::slot::Slot;
use crate::tree::{DynNode, DynTree};

/// A visit of a tree, with a memory of that tree.
pub(crate) struct Run<'a, C: ?Sized, O> {
    pub(crate) tree: &'a DynTree<C>,
    /// The root's id.
    pub(crate) at: NodeId,
    pub(crate) memory: &'a mut DynMemory,
    pub(crate) observer: &'a mut O,
    /// How often nodes have started their child again.
    pub(crate) restarts: u32,
}

impl<'a, C: ?Sized, O: Observer> Run<'a, C, O> {
    pub(crate) fn new(tree: &'a DynTree<C>, at: NodeId, memory: &'a mut DynMemory, observer: &'a mut O) -> Self {
        Self { tree, at, memory, observer, restarts: 0 }
    }

    /// Starts a run of the root. Its parent reports the root's own events.
    pub(crate) fn start(&mut self, ctx: &mut C) -> Status {
        self.close_all();
        self.visit(0, true, ctx)
    }

    /// Resumes a run of the root.
    pub(crate) fn resume(&mut self, ctx: &mut C) -> Status {
        self.visit(0, false, ctx)
    }

    /// Halts the root. Its parent reports that.
    pub(crate) fn interrupt(&mut self, ctx: &mut C) {
        self.halt_below(0, ctx);
        self.set_open(0, false);
    }

    /// Marks all nodes as not running: a panic may have left some.
    pub(crate) fn close_all(&mut self) {
        let nodes = self.tree.nodes.len();
        for (first, word) in (0..nodes).step_by(64).zip(&mut self.memory.words) {
            let left = nodes - first;
            *word &= if left < 64 { u64::MAX << left } else { 0 };
        }
    }

    pub(crate) fn is_open(&self, index: usize) -> bool {
        self.memory.is_open(index)
    }

    pub(crate) fn set_open(&mut self, index: usize, open: bool) {
        let (word, bit) = (&mut self.memory.words[index / 64], 1_u64 << (index % 64));
        if open { *word |= bit } else { *word &= !bit }
    }

    /// The words of a node.
    pub(crate) fn words(&mut self, node: &DynNode<C>) -> &mut [u64] {
        &mut self.memory.words[node.first_word as usize..]
    }

    pub(crate) fn id(&self, node: &DynNode<C>) -> NodeId {
        self.at.skip(node.at)
    }

    pub(crate) fn capable<'c>(&self, ctx: &'c mut C) -> Capable<'c, C> {
        Capable { ctx, capabilities: self.tree.capabilities }
    }

    /// Calls a function with the slot of a leaf or policy, or with an empty one if it has none.
    pub(crate) fn in_slot<R>(&mut self, slot: Option<u32>, act: impl FnOnce(&mut Slot, &mut O) -> R) -> R {
        match slot.and_then(|slot| self.memory.slots.get_mut(slot as usize)) {
            Some(slot) => act(slot, self.observer),
            None => act(&mut Slot::Empty, self.observer),
        }
    }

    /// Visits a node below the root, and reports that.
    pub(crate) fn child(&mut self, index: usize, ctx: &mut C) -> Status {
        let tree = self.tree;
        let at = self.id(&tree.nodes[index]);
        let opening = !self.is_open(index);
        enter(at, opening, self.observer);
        let status = self.visit(index, opening, ctx);
        leave(&Step::<()>::from(status), at, self.observer);
        status
    }

    fn visit(&mut self, index: usize, opening: bool, ctx: &mut C) -> Status {
        let tree = self.tree;
        let node = &tree.nodes[index];
        let mut below = Below { run: self, node };
        let status = match &node.op {
            NodeOp::Sequential { pass, has_memory } => tick_sequential(*pass, *has_memory, opening, &mut below, ctx),
            NodeOp::Random { pass, weights } => {
                let weight = |child: usize| weights.as_ref().map_or(1.0, |weights| weights[child]);
                let bits = |ctx: &mut C| Capable { ctx, capabilities: tree.capabilities }.next_u64();
                tick_random(*pass, weight, bits, opening, &mut below, ctx)
            }
            NodeOp::Parallel { has_memory, success, failure } => {
                let status = if *has_memory {
                    tick_parallel::<C, WithMemory, _>(*success, *failure, opening, &mut below, ctx)
                } else {
                    tick_parallel::<C, Reactive, _>(*success, *failure, opening, &mut below, ctx)
                };
                // The rules of other nodes leave no child running when they end.
                if status != Status::Running {
                    self.halt_children(node, ctx);
                }
                status
            }
            NodeOp::Decorator(policy) => with_policy!(policy, policy => {
                tick_decorator(opening, &mut BuiltInParts { run: self, node, policy }, ctx)
            }),
            NodeOp::Policy(policy) => {
                tick_decorator(opening, &mut PolicyParts { run: self, node, policy: &**policy }, ctx)
            }
            NodeOp::Service { every, action } => {
                let mut due = Packed::unpack(self.words(node));
                let capable = &mut self.capable(ctx);
                let served = serve(*every, opening, &mut due, capable, |capable| self.at_once(action, capable.ctx));
                due.pack(self.words(node));
                match served {
                    Ok(()) => self.child(tree.children_of(node)[0] as usize, ctx),
                    Err(()) => {
                        self.halt_children(node, ctx);
                        Status::Error
                    }
                }
            }
            NodeOp::Machine { any } => tick_machine(opening, &mut Machine { run: self, node, any }, ctx),
            NodeOp::State { .. } => self.child(tree.children_of(node)[0] as usize, ctx),
            NodeOp::Wait { time } => {
                let (wait, at) = (wait(*time), self.id(node));
                let mut end = Packed::unpack(self.words(node));
                let (mut ctx, mut observer) = (self.capable(ctx), ());
                let visit = &mut Visit::new(&mut ctx, &mut observer);
                let step = if opening {
                    wait.start(at, &mut (), visit).map(|opened| end = opened)
                } else {
                    wait.resume(at, &mut end, &mut (), visit)
                };
                end.pack(self.words(node));
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

    /// Halts a node if it is running, and reports that.
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

    /// Halts what is below a node, deepest first, and what the node itself has open.
    fn halt_below(&mut self, index: usize, ctx: &mut C) {
        let tree = self.tree;
        let node = &tree.nodes[index];
        match &node.op {
            NodeOp::Leaf(leaf) => {
                let at = self.id(node);
                self.in_slot(node.slot, |slot, observer| leaf.halt(at, slot, ctx, as_dyn(observer)));
            }
            NodeOp::Decorator(policy) => with_policy!(policy, policy => {
                halt_decorator(&mut BuiltInParts { run: self, node, policy }, ctx);
            }),
            NodeOp::Policy(policy) => halt_decorator(&mut PolicyParts { run: self, node, policy: &**policy }, ctx),
            // An error in leaving has been handed to the context; nothing else is left to end.
            NodeOp::Machine { any } => _ = leave_state(Outcome::Success, &mut Machine { run: self, node, any }, ctx),
            NodeOp::Sequential { .. }
            | NodeOp::Random { .. }
            | NodeOp::Parallel { .. }
            | NodeOp::Service { .. }
            | NodeOp::State { .. }
            | NodeOp::Wait { .. }
            | NodeOp::Constant(_) => self.halt_children(node, ctx),
        }
    }

    /// Runs an attached leaf, and returns how it ended. One that is running all the same is halted at once and counts as a failure.
    pub(crate) fn at_once(&mut self, attachment: &Attachment<C>, ctx: &mut C) -> Outcome {
        let above = self.at.skip(attachment.at);
        let at = if attachment.negated { above.first_child() } else { above };
        enter(above, true, self.observer);
        if attachment.negated {
            enter(at, true, self.observer);
        }
        let leaf = &attachment.leaf;
        let status = self.in_slot(attachment.slot, |slot, observer| leaf.tick(true, at, slot, ctx, as_dyn(observer)));
        let step = Step::<()>::from(status);
        leave(&step, at, self.observer);
        let result = match step {
            Step::Done(outcome @ (Outcome::Success | Outcome::Failure)) if attachment.negated => {
                Step::Done(Outcome::from(outcome == Outcome::Failure))
            }
            step => step,
        };
        if attachment.negated {
            leave(&result, above, self.observer);
        }
        match result {
            Step::Done(outcome) => outcome,
            Step::Running(()) => {
                self.in_slot(attachment.slot, |slot, observer| leaf.halt(at, slot, ctx, as_dyn(observer)));
                if O::ON {
                    for at in std::iter::once(at).chain(attachment.negated.then_some(above)) {
                        self.observer.close(at, End::Halted);
                    }
                }
                Outcome::Failure
            }
        }
    }

    /// Reports that a node has started its child again too often.
    pub(crate) fn fail(&mut self, node: &DynNode<C>, ctx: &mut C) {
        let error = RunError { node: node.id.clone(), title: node.title().into() };
        if let Some(on_error) = self.tree.capabilities.on_error {
            on_error(ctx, self.id(node), error.clone());
        }
        self.memory.error = Some(error.into());
    }
}

/// The children of a composite, for its rule. In its words it has a bit for each child that was drawn, or two for how each has ended.
struct Below<'r, 'a, C: ?Sized, O> {
    run: &'r mut Run<'a, C, O>,
    node: &'a DynNode<C>,
}

impl<C: ?Sized, O> Below<'_, '_, C, O> {
    fn index(&self, child: usize) -> usize {
        self.run.tree.children_of(self.node)[child] as usize
    }
}

impl<C: ?Sized, O: Observer> Children<C> for Below<'_, '_, C, O> {
    fn len(&self) -> usize {
        self.run.tree.children_of(self.node).len()
    }

    fn is_running(&self, child: usize) -> bool {
        self.run.is_open(self.index(child))
    }

    fn tick(&mut self, child: usize, ctx: &mut C) -> Status {
        self.run.child(self.index(child), ctx)
    }

    fn halt(&mut self, child: usize, ctx: &mut C) {
        self.run.halt(self.index(child), ctx);
    }
}

impl<C: ?Sized, O: Observer> Drawn for Below<'_, '_, C, O> {
    fn is_drawn(&self, child: usize) -> bool {
        self.run.memory.words[self.node.first_word as usize + child / 64] >> (child % 64) & 1 == 1
    }

    fn set_drawn(&mut self, child: usize) {
        self.run.words(self.node)[child / 64] |= 1 << (child % 64);
    }

    fn clear_drawn(&mut self) {
        let words = self.len().div_ceil(64);
        self.run.words(self.node)[..words].fill(0);
    }
}

impl<C: ?Sized, O: Observer> Results for Below<'_, '_, C, O> {
    fn result(&self, child: usize) -> Option<Outcome> {
        match self.run.memory.words[self.node.first_word as usize + child / 32] >> (2 * (child % 32)) & 3 {
            0 => None,
            1 => Some(Outcome::Success),
            _ => Some(Outcome::Failure),
        }
    }

    fn set_result(&mut self, child: usize, outcome: Outcome) {
        let bits = if outcome == Outcome::Success { 1 } else { 2 };
        self.run.words(self.node)[child / 32] |= bits << (2 * (child % 32));
    }

    fn clear_results(&mut self) {
        let words = self.len().div_ceil(32);
        self.run.words(self.node)[..words].fill(0);
    }
}
