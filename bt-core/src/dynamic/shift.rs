//! Times in the memory of a loaded tree, taken over to another clock.

use crate::clock::Shift;
use crate::dynamic::memory::{DynMemory, Slot};
use crate::dynamic::registry::wrapped;
use crate::dynamic::reload::MemoryOwner;
use crate::dynamic::tree::{DynTree, NodeOp};

impl<C: ?Sized> DynTree<C> {
    pub(super) fn shift_memory(&self, memory: &mut DynMemory, by: Shift) {
        match self.owner_of(memory) {
            MemoryOwner::Own => {}
            // It goes over in its next tick.
            MemoryOwner::Before(before) => return before.shift_memory(memory, by),
            MemoryOwner::Nobodys => return,
        }
        let (from, to) = by.moments();
        let shifted = |moment: u64| wrapped(to).wrapping_add(moment.wrapping_sub(wrapped(from)));
        for node in &self.nodes {
            let mut shift = |slot: Option<u32>, act: &dyn Fn(&mut Slot)| {
                if let Some(slot) = slot.and_then(|slot| memory.slots.get_mut(slot as usize)) {
                    act(slot);
                }
            };
            match &node.what {
                NodeOp::Leaf(leaf) => shift(node.slot, &|slot| leaf.shift(slot, by)),
                NodeOp::Policy(policy) => shift(node.slot, &|slot| policy.shift(slot, by)),
                _ => {}
            }
            for attachment in node.what.attachments() {
                shift(attachment.slot, &|slot| attachment.leaf.shift(slot, by));
            }
            if let Some(time) = node.what.time() {
                let word = &mut memory.words[node.word as usize];
                match time {
                    Time::End => *word = shifted(*word),
                    // Nought is never; the time is kept with one added.
                    Time::EndAndOne if *word > 0 => *word = shifted(*word - 1).wrapping_add(1).max(1),
                    Time::EndAndOne => {}
                }
            }
        }
    }
}

/// A time that a node keeps in its word.
enum Time {
    End,
    EndAndOne,
}

impl<C: ?Sized> NodeOp<C> {
    const fn time(&self) -> Option<Time> {
        match self {
            NodeOp::Timeout(_) | NodeOp::Delay(_) | NodeOp::Service(..) | NodeOp::Wait(_) => Some(Time::End),
            NodeOp::Cooldown(_) => Some(Time::EndAndOne),
            NodeOp::Sequential { .. }
            | NodeOp::Random { .. }
            | NodeOp::Parallel { .. }
            | NodeOp::Invert
            | NodeOp::Force(_)
            | NodeOp::Repeat
            | NodeOp::RepeatTimes(_)
            | NodeOp::Retry(_)
            | NodeOp::UntilFailure
            | NodeOp::UntilSuccess { .. }
            | NodeOp::Limit(_)
            | NodeOp::RunOnce
            | NodeOp::Machine { .. }
            | NodeOp::State { .. }
            | NodeOp::Just(_)
            | NodeOp::Leaf(_)
            | NodeOp::Policy(_) => None,
        }
    }
}
