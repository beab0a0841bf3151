//! A visit of a loaded tree: its memory, and the leaves attached to its nodes.

use std::fmt;
use std::mem::{self, ManuallyDrop};

use bt_core::engine::{as_dyn, enter, explain, leave, received};
use bt_core::{Cause, CleanUp, End, NodeId, Observer, Outcome, Status, Step, protocol::Interrupt};

use crate::error::{MAX_RESTARTS, RunError, RunFault};
use crate::flat::FlatTree;
use crate::flat::host::{Host, HostContext};
use crate::flat::memory::LoadedMemory;
use crate::flat::node::LoadedNode;
use crate::flat::op::Attachment;
use crate::nodes::shape::Shapes;
use bt_core::engine::ErasedState;

/// A visit of a tree, with a memory of that tree.
pub(crate) struct Run<'a, O> {
    pub(crate) flat: &'a FlatTree,
    pub(crate) shapes: &'a dyn Shapes,
    /// The root's id.
    pub(crate) at: NodeId,
    pub(crate) memory: &'a mut LoadedMemory,
    pub(crate) observer: &'a mut O,
    /// The number of restarts of children.
    pub(crate) restarts: u32,
}

impl<O> Run<'_, O> {
    #[inline]
    pub(crate) fn is_open(&self, index: usize) -> bool {
        self.flat.is_open(index, self.memory)
    }

    pub(crate) fn set_open(&mut self, index: usize, open: bool) {
        self.flat.nodes[index].place.set_open(open, &mut self.memory.words);
    }

    /// Returns the first memory words of a node.
    #[inline(always)]
    pub(crate) fn first_words(&mut self, node: &LoadedNode, count: usize) -> &mut [u64] {
        &mut self.memory.words[node.first_word as usize..][..count]
    }

    /// Returns the memory words of a node.
    pub(crate) fn words(&mut self, node: &LoadedNode) -> &mut [u64] {
        let first = node.first_word as usize;
        &mut self.memory.words[first..first + node.words as usize]
    }

    pub(crate) fn id(&self, node: &LoadedNode) -> NodeId {
        self.at.skip(node.at)
    }

    /// Returns the slot of a node, if it has one.
    pub(crate) fn slot_of(&mut self, node: &LoadedNode) -> Option<&mut ErasedState> {
        self.memory.slots.get_mut(node.slot? as usize)
    }
}

impl<'a, O: Observer> Run<'a, O> {
    pub(crate) fn new(
        flat: &'a FlatTree,
        shapes: &'a dyn Shapes,
        at: NodeId,
        memory: &'a mut LoadedMemory,
        observer: &'a mut O,
    ) -> Self {
        Self { flat, shapes, at, memory, observer, restarts: 0 }
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

    /// Returns `true` if a node may start a child again that has ended in this tick. Otherwise it has failed.
    pub(crate) fn may_restart(&mut self, node: &LoadedNode, host: &mut dyn Host) -> bool {
        if self.restarts == MAX_RESTARTS {
            self.fail(node, RunFault::TooManyRestarts, host);
            return false;
        }
        self.restarts += 1;
        true
    }

    /// Runs an attached leaf, and returns its outcome. A leaf that returns `Running` is halted at once and counts as a failure.
    pub(crate) fn at_once(&mut self, attachment: &Attachment, host: &mut dyn Host) -> Outcome {
        let above = self.at.skip(attachment.at);
        let at = if attachment.negated { above.first_child() } else { above };
        enter(above, true, self.observer);
        let inverted = if attachment.negated { self.replaced_outcome(above) } else { None };
        let result = match inverted {
            Some(outcome) => Step::Done(outcome),
            None => {
                if attachment.negated {
                    enter(at, true, self.observer);
                }
                let step = self.leaf_at_once(attachment, at, host);
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
        let leaf = attachment.leaf;
        let outcome = match result {
            Step::Done(outcome) => outcome,
            Step::Running(()) => {
                let how = Interrupt::ENDED;
                self.in_slot(attachment.slot, |slot, observer| {
                    host.interrupt_leaf(leaf, at, slot, how, as_dyn(observer));
                });
                if O::ON {
                    for at in std::iter::once(at).chain(attachment.negated.then_some(above)) {
                        self.observer.close(at, End::Halted(Cause::Ended));
                    }
                }
                Outcome::Failure
            }
        };
        // Nothing would go on with a cleanup that is left.
        if attachment.cleans_up {
            let how = CleanUp::Interrupt(Interrupt::ENDED);
            self.in_slot(attachment.slot, |slot, observer| {
                host.clean_up_leaf(leaf, at, slot, how, as_dyn(observer));
            });
        }
        outcome
    }

    /// Clears the state that the nodes below a node have kept. None of them is running; cleanups that are left are halted.
    #[inline(never)]
    pub(crate) fn forget_below(&mut self, index: usize, host: &mut dyn Host) {
        self.clean_up_below(index, CleanUp::Interrupt(Interrupt::ENDED), host);
        self.clear_below(index);
    }

    fn clear_below(&mut self, index: usize) {
        let flat = self.flat;
        for child in flat.children_of(&flat.nodes[index]).iter().map(|child| *child as usize) {
            let node = &flat.nodes[child];
            self.words(node).fill(0);
            for slot in node.slots() {
                if let Some(slot) = self.memory.slots.get_mut(slot as usize) {
                    *slot = ErasedState::Empty;
                }
            }
            self.clear_below(child);
        }
    }

    /// Starts an attached leaf, or takes the replacement of the observer.
    fn leaf_at_once(&mut self, attachment: &Attachment, at: NodeId, host: &mut dyn Host) -> Step<()> {
        let leaf = attachment.leaf;
        let replacement = if O::ON { self.observer.replacement(at) } else { None };
        let status = self.in_slot(attachment.slot, |slot, observer| match replacement {
            Some(status) if status != Status::Running || host.open_replaced(leaf, at, slot) => status,
            _ => host.tick_leaf(leaf, true, at, slot, as_dyn(observer)),
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
    pub(crate) fn no_value(
        &mut self,
        node: &LoadedNode,
        host: &mut dyn Host,
        reason: impl FnOnce(&HostContext<'_>, &mut dyn FnMut(&dyn fmt::Display)),
    ) {
        let mut text = None;
        reason(&HostContext(host), &mut |reason| text = Some(reason.to_string()));
        if let Some(text) = text {
            self.fail(node, RunFault::NoValue(text), host);
        }
    }

    /// Reports an error of a node.
    pub(crate) fn fail(&mut self, node: &LoadedNode, fault: RunFault, host: &mut dyn Host) {
        let (source, at) = (self.flat.source(node), self.id(node));
        explain(at, &fault, self.observer);
        let place = match &fault {
            RunFault::TooManyRestarts => source.spec.place,
            RunFault::NoValue(_) => source.place_of_read(),
        };
        let error = RunError { node: source.id.clone(), title: source.shown_title().into(), fault, place };
        if host.fail(at, &error) {
            received(at);
        }
        self.memory.error = Some(error.into());
    }
}

/// The slot of a node that is ticked.
pub(crate) trait SlotOf {
    /// Returns the slot in the memory, if there is one.
    fn slot(&mut self) -> Option<&mut ErasedState>;
}

/// A slot that returns to the memory when it is dropped, also by a panic: while a node is ticked with its state, the nodes below it use the rest of the memory.
pub(crate) struct Borrowed<'b, B: SlotOf> {
    pub(crate) below: &'b mut B,
    pub(crate) slot: ErasedState,
}

impl<'b, B: SlotOf> Borrowed<'b, B> {
    #[inline(always)]
    pub(crate) fn new(below: &'b mut B) -> Self {
        let slot = below.slot().map(mem::take).unwrap_or_default();
        Self { below, slot }
    }
}

impl<B: SlotOf> Drop for Borrowed<'_, B> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(place) = self.below.slot() {
            mem::swap(place, &mut self.slot);
        }
    }
}
