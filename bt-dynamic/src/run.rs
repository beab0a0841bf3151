//! A visit of a loaded tree: its memory, and the leaves attached to its nodes.

use std::fmt;
use std::mem::ManuallyDrop;

use bt_core::engine::{as_dyn, enter, explain, leave, received};
use bt_core::{End, NodeId, Observer, Outcome, Status, Step};

use crate::capabilities::Capable;
use crate::error::{RunError, RunFault};
use crate::memory::LoadedMemory;
use crate::op::{Attachment, LoadedNode};
use crate::tree::LoadedTreeOf;
use bt_core::engine::ErasedState;
use bt_core::{ContextOf, Contexts};

/// A visit of a tree, with a memory of that tree.
pub(crate) struct Run<'a, F: Contexts, O> {
    pub(crate) tree: &'a LoadedTreeOf<F>,
    /// The root's id.
    pub(crate) at: NodeId,
    pub(crate) memory: &'a mut LoadedMemory,
    pub(crate) observer: &'a mut O,
    /// The number of restarts of children.
    pub(crate) restarts: u32,
}

impl<'a, F: Contexts, O: Observer> Run<'a, F, O> {
    pub(crate) fn new(
        tree: &'a LoadedTreeOf<F>,
        at: NodeId,
        memory: &'a mut LoadedMemory,
        observer: &'a mut O,
    ) -> Self {
        Self { tree, at, memory, observer, restarts: 0 }
    }

    /// Marks all nodes as not running. A panic may have left some marked.
    pub(crate) fn close_all(&mut self) {
        self.memory.words[..self.tree.places.words()].fill(0);
    }

    pub(crate) fn is_open(&self, index: usize) -> bool {
        self.tree.is_open(index, self.memory)
    }

    pub(crate) fn set_open(&mut self, index: usize, open: bool) {
        self.tree.places.set_open(index, open, &mut self.memory.words);
    }

    /// Returns the memory words of a node.
    pub(crate) fn words(&mut self, node: &LoadedNode<F>) -> &mut [u64] {
        &mut self.memory.words[node.first_word as usize..]
    }

    pub(crate) fn id(&self, node: &LoadedNode<F>) -> NodeId {
        self.at.skip(node.at)
    }

    pub(crate) fn capable<'c, 'x, 'y>(&self, ctx: &'c mut ContextOf<'x, 'y, F>) -> Capable<'c, 'x, 'y, F> {
        Capable { ctx, capabilities: self.tree.capabilities }
    }

    /// Calls a function with the slot of a leaf or policy, or with an empty one if it has none.
    #[inline(always)]
    pub(crate) fn in_slot<R>(&mut self, slot: Option<u32>, act: impl FnOnce(&mut ErasedState, &mut O) -> R) -> R {
        match slot.and_then(|slot| self.memory.slots.get_mut(slot as usize)) {
            Some(slot) => act(slot, self.observer),
            // A leaf without state leaves it empty, so that nothing has to be dropped.
            None => act(&mut ManuallyDrop::new(ErasedState::Empty), self.observer),
        }
    }

    /// Runs an attached leaf, and returns its outcome. A leaf that returns `Running` is halted at once and counts as a failure.
    pub(crate) fn at_once(&mut self, attachment: &Attachment<F>, ctx: &mut ContextOf<'_, '_, F>) -> Outcome {
        let above = self.at.skip(attachment.at);
        let at = if attachment.negated { above.first_child() } else { above };
        enter(above, true, self.observer);
        let leaf = &attachment.leaf;
        let inverted = if attachment.negated { self.replaced_outcome(above) } else { None };
        let result = match inverted {
            Some(outcome) => Step::Done(outcome),
            None => {
                if attachment.negated {
                    enter(at, true, self.observer);
                }
                let step = self.leaf_at_once(attachment, at, ctx);
                leave(&step, at, self.observer);
                match step {
                    Step::Done(outcome) => Step::Done(attachment.outcome(outcome)),
                    Step::Running(()) => step,
                }
            }
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

    /// Clears the state that the nodes below a node have kept. None of them is running.
    pub(crate) fn forget_below(&mut self, index: usize) {
        let tree = self.tree;
        for child in tree.children_of(&tree.nodes[index]).iter().map(|child| *child as usize) {
            let node = &tree.nodes[child];
            let end = tree.nodes.get(child + 1).map_or(tree.words, |next| next.first_word as usize);
            self.memory.words[node.first_word as usize..end].fill(0);
            for slot in node.slots() {
                if let Some(slot) = self.memory.slots.get_mut(slot as usize) {
                    *slot = ErasedState::Empty;
                }
            }
            self.forget_below(child);
        }
    }

    /// Starts an attached leaf, or takes the replacement of the observer.
    fn leaf_at_once(&mut self, attachment: &Attachment<F>, at: NodeId, ctx: &mut ContextOf<'_, '_, F>) -> Step<()> {
        let leaf = &attachment.leaf;
        let replacement = if O::ON { self.observer.replacement(at) } else { None };
        let status = self.in_slot(attachment.slot, |slot, observer| match replacement {
            Some(status) if status != Status::Running || leaf.open_replaced(at, slot, ctx) => status,
            _ => leaf.tick(true, at, slot, ctx, as_dyn(observer)),
        });
        status.into()
    }

    /// Returns the outcome with which the observer replaces that of a decorator.
    fn replaced_outcome(&mut self, at: NodeId) -> Option<Outcome> {
        if !O::ON {
            return None;
        }
        match self.observer.replacement(at)?.into() {
            Step::Done(outcome) => Some(outcome),
            Step::Running(()) => None,
        }
    }

    /// Reports that a number or time of a node cannot be read, if `reason` calls its argument with a reason.
    pub(crate) fn no_value<'x, 'y>(
        &mut self,
        node: &LoadedNode<F>,
        ctx: &mut ContextOf<'x, 'y, F>,
        reason: impl FnOnce(&Capable<'_, 'x, 'y, F>, &mut dyn FnMut(&dyn fmt::Display)),
    ) {
        let mut text = None;
        reason(&self.capable(ctx), &mut |reason| text = Some(reason.to_string()));
        if let Some(text) = text {
            self.fail(node, RunFault::NoValue(text), ctx);
        }
    }

    /// Reports an error of a node.
    pub(crate) fn fail(&mut self, node: &LoadedNode<F>, fault: RunFault, ctx: &mut ContextOf<'_, '_, F>) {
        let (source, at) = (self.tree.source(node), self.id(node));
        explain(at, &fault, self.observer);
        let error = RunError { node: source.id.clone(), title: source.shown_title().into(), fault };
        if let Some(on_error) = self.tree.capabilities.on_error {
            received(at);
            on_error(ctx, at, error.clone());
        }
        self.memory.error = Some(error.into());
    }
}
