//! Shifts the times in the memory of a loaded tree to another clock.

use std::time::Duration;

use bt_core::Shift;
use bt_core::decorator::DecoratorShape;
use bt_core::engine::Until;

use crate::built_in::with_policy;
use crate::memory::DynMemory;
use crate::op::NodeOp;
use crate::owner::MemoryOwner;
use crate::packed::Packed;
use crate::tree::DynTreeOf;
use bt_core::Contexts;
use bt_core::engine::Slot;

impl<F: Contexts> DynTreeOf<F> {
    /// Converts the times in a memory, and clears what nodes that are not running have left behind. So two memories with the same future are equal.
    pub(crate) fn shift_memory(&self, memory: &mut DynMemory, by: Shift) {
        match self.owner_of(memory) {
            MemoryOwner::This => {}
            // The memory migrates in its next tick.
            MemoryOwner::Before(before) => return before.shift_memory(memory, by),
            // The next tick would do this.
            MemoryOwner::Unknown => return *memory = self.new_memory(),
        }
        for (index, node) in self.nodes.iter().enumerate() {
            let is_open = memory.is_open(index);
            let DynMemory { words, slots, .. } = &mut *memory;
            let words = &mut words[node.first_word as usize..];
            let mut shift = |slot: Option<u32>, act: &dyn Fn(&mut Slot)| {
                if let Some(slot) = slot.and_then(|slot| slots.get_mut(slot as usize)) {
                    act(slot);
                }
            };
            match &node.op {
                NodeOp::Leaf(leaf) => shift(node.slot, &|slot| leaf.shift(slot, by)),
                NodeOp::Policy(policy) => shift(node.slot, &|slot| policy.shift(slot, by)),
                NodeOp::Composite(rule) => {
                    shift(node.slot, &|slot| rule.rule().shift(slot, by));
                    if !is_open {
                        words[..node.op.words(node.children.len())].fill(0);
                    }
                }
                NodeOp::Decorator(policy) => with_policy!(policy, policy => shift_state(policy, is_open, words, by)),
                // A service keeps when it is due across runs.
                NodeOp::Service { .. } => shift_words::<Until<Duration>>(words, by),
                NodeOp::Wait { .. } if is_open => shift_words::<Until<Duration>>(words, by),
                NodeOp::Machine { .. } | NodeOp::Wait { .. } => {
                    if !is_open {
                        words[..node.op.words(node.children.len())].fill(0);
                    }
                }
                NodeOp::Sequential { .. } | NodeOp::State { .. } | NodeOp::Nested { .. } | NodeOp::Constant(_) => {}
            }
            for attachment in node.op.attachments() {
                shift(attachment.slot, &|slot| attachment.leaf.shift(slot, by));
            }
        }
    }
}

/// Shifts the state of a decorator of the vocabulary.
fn shift_state<P: DecoratorShape<Open: Packed, Kept: Packed>>(_: &P, is_open: bool, words: &mut [u64], by: Shift) {
    if is_open {
        shift_words::<P::Open>(words, by);
    } else {
        words[..P::Open::WORDS].fill(0);
    }
    shift_words::<P::Kept>(&mut words[<P::Open as Packed>::WORDS..], by);
}

fn shift_words<T: Packed>(words: &mut [u64], by: Shift) {
    let mut state = T::unpack(words);
    state.shift(by);
    state.pack(words);
}
