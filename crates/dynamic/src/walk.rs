//! The walk over the state of a loaded tree.

use std::time::Duration;

use bt_core::decorator::DecoratorShape;
use bt_core::engine::{ErasedState, KeptState, Until};
use bt_core::{
    NodeId, Shift,
    protocol::{NodeState, OwnState, StateBytes, StateVisitor},
};

use crate::flat::built_in::with_policy;
use crate::flat::composites::CompositeOp;
use crate::flat::memory::LoadedMemory;
use crate::flat::node::LoadedNode;
use crate::flat::op::NodeOp;
use crate::flat::packed::Packed;
use crate::nodes::shape::Shapes;
use crate::version::{Form, MemoryOwner, Version};

impl<T: Form> Version<T> {
    /// Walks over the state of all nodes. By exclusive reference, it also clears what nodes that are not running have left
    /// behind, so that memories with the same future are equal after a shift.
    pub(crate) fn walk_memory(
        &self,
        root: NodeId,
        state: NodeState<'_, (), LoadedMemory>,
        visitor: &mut dyn StateVisitor,
    ) {
        if visitor.finds_left() {
            let is_left = self.is_cleaning_up(state.kept());
            return visitor.node(root, OwnState::nothing().left(is_left));
        }
        let is_running = state.is_running();
        let new;
        let mut memory = match state {
            NodeState::Shared(_, memory) => match self.owner_of(memory) {
                MemoryOwner::This => KeptState::from(memory),
                MemoryOwner::Before(_) | MemoryOwner::Unknown => {
                    new = self.flat.new_memory();
                    KeptState::from(&new)
                }
            },
            NodeState::Exclusive(open, memory) => match self.owner_of(memory) {
                MemoryOwner::This => KeptState::from(memory),
                // The memory migrates in its next tick.
                MemoryOwner::Before(before) => {
                    return before.version().walk_memory(root, (open, memory).into(), visitor);
                }
                // The next tick would do this.
                MemoryOwner::Unknown => return *memory = self.flat.new_memory(),
            },
        };
        let mut left = 0;
        for (index, node) in self.flat.nodes.iter().enumerate() {
            let at = root.skip(node.at);
            left = self.flat.left_end(index, &reading(&memory).words).max(left);
            let is_open = (is_running || index < left) && self.flat.is_open(index, reading(&memory));
            node.walk_words(at, is_open, &mut memory, visitor);
            if let Some(slot) = slot(&mut memory, node.slot) {
                node.op.walk_slot(at, is_open, slot, &self.nodes, visitor);
            }
            for attachment in node.op.attachments() {
                if let Some(slot) = slot(&mut memory, attachment.slot) {
                    self.nodes.leaf(attachment.leaf).walk(root.skip(attachment.leaf_at()), false, slot, visitor);
                }
            }
        }
    }
}

fn reading<'m>(memory: &'m KeptState<'_, LoadedMemory>) -> &'m LoadedMemory {
    match memory {
        KeptState::Shared(_, memory) => memory,
        KeptState::Exclusive(_, memory) => memory,
    }
}

/// Returns the state in a slot, if there is one.
fn slot<'m>(memory: &'m mut KeptState<'_, LoadedMemory>, slot: Option<u32>) -> Option<KeptState<'m, ErasedState>> {
    let slot = slot? as usize;
    match memory {
        KeptState::Shared(_, memory) => memory.slots.get(slot).map(KeptState::from),
        KeptState::Exclusive(_, memory) => memory.slots.get_mut(slot).map(KeptState::from),
    }
}

impl LoadedNode {
    /// Passes the words of the node to a visitor.
    fn walk_words(
        &self,
        at: NodeId,
        is_open: bool,
        memory: &mut KeptState<'_, LoadedMemory>,
        visitor: &mut dyn StateVisitor,
    ) {
        let first = self.first_word as usize;
        let range = first..first + self.words as usize;
        let open = self.op.open_words(range.len());
        let own = |words: &[u64]| {
            let (open, kept) = words.split_at(open);
            let machine = if is_open { self.op.present_state(words) } else { None };
            let bytes = StateBytes { open: size_of_val(open), kept: size_of_val(kept) };
            OwnState::new(bytes).in_state(machine).left(self.op.is_left(words))
        };
        match memory {
            KeptState::Shared(_, memory) => visitor.node(at, own(&memory.words[range])),
            KeptState::Exclusive(_, memory) => {
                let words = &mut memory.words[range];
                if !is_open {
                    words[..open].fill(0);
                }
                visitor.node(at, own(words).timed(&mut |by| self.op.shift(is_open, words, by)));
            }
        }
    }
}

impl NodeOp {
    /// Returns the present state of a machine.
    pub(crate) fn present_state(&self, words: &[u64]) -> Option<usize> {
        let is_machine = matches!(self, NodeOp::Machine { .. });
        is_machine.then(|| usize::try_from(words[0] >> 2).unwrap_or(usize::MAX))
    }

    /// Returns how many of its words exist while it runs. The others, after them, are kept across runs.
    fn open_words(&self, words: usize) -> usize {
        match self {
            NodeOp::Decorator(policy) => with_policy!(policy, policy => open_words_of(policy)),
            NodeOp::Service { .. } => 0,
            NodeOp::Finally => 1,
            // The marks of a composite last until the run ends.
            NodeOp::Composite(_)
            | NodeOp::Machine { .. }
            | NodeOp::Wait { .. }
            | NodeOp::Policy(_)
            | NodeOp::Sequential { .. }
            | NodeOp::State { .. }
            | NodeOp::Nested { .. }
            | NodeOp::Constant(_)
            | NodeOp::Leaf(_) => words,
        }
    }

    /// Converts the times in the words to another clock.
    fn shift(&self, is_open: bool, words: &mut [u64], by: Shift) {
        match self {
            NodeOp::Decorator(policy) => with_policy!(policy, policy => shift_policy(policy, is_open, words, by)),
            NodeOp::Service { .. } => shift_words::<Until<Duration>>(words, by),
            NodeOp::Wait { .. } if is_open => shift_words::<Until<Duration>>(words, by),
            NodeOp::Wait { .. }
            | NodeOp::Machine { .. }
            | NodeOp::Policy(_)
            | NodeOp::Composite(_)
            | NodeOp::Finally
            | NodeOp::Sequential { .. }
            | NodeOp::State { .. }
            | NodeOp::Nested { .. }
            | NodeOp::Constant(_)
            | NodeOp::Leaf(_) => {}
        }
    }

    /// Walks over the state in the node's slot.
    fn walk_slot(
        &self,
        at: NodeId,
        is_open: bool,
        slot: KeptState<'_, ErasedState>,
        shapes: &dyn Shapes,
        visitor: &mut dyn StateVisitor,
    ) {
        match self {
            NodeOp::Leaf(leaf) => shapes.leaf(*leaf).walk(at, is_open, slot, visitor),
            NodeOp::Policy(policy) => shapes.policy(*policy).walk(at, is_open, slot, visitor),
            NodeOp::Composite(CompositeOp { rule, .. }) => rule.shape(shapes).walk(at, is_open, slot, visitor),
            NodeOp::Decorator(_)
            | NodeOp::Finally
            | NodeOp::Service { .. }
            | NodeOp::Wait { .. }
            | NodeOp::Machine { .. }
            | NodeOp::Sequential { .. }
            | NodeOp::State { .. }
            | NodeOp::Nested { .. }
            | NodeOp::Constant(_) => {}
        }
    }
}

const fn open_words_of<P: DecoratorShape<Open: Packed>>(_: &P) -> usize {
    P::Open::WORDS
}

/// Shifts the state of a decorator of the vocabulary.
fn shift_policy<P: DecoratorShape<Open: Packed, Kept: Packed>>(_: &P, is_open: bool, words: &mut [u64], by: Shift) {
    if is_open {
        shift_words::<P::Open>(words, by);
    }
    shift_words::<P::Kept>(&mut words[<P::Open as Packed>::WORDS..], by);
}

fn shift_words<T: Packed>(words: &mut [u64], by: Shift) {
    let mut state = T::unpack(words);
    state.shift(by);
    state.pack(words);
}
