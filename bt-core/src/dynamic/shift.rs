//! Times in the memory of a loaded tree, taken over to another clock.

use crate::clock::Shift;
use crate::dynamic::memory::{DynMemory, Slot};
use crate::dynamic::registry::wrapped;
use crate::dynamic::reload::Whose;
use crate::dynamic::tree::{DynTree, What};

impl<C: ?Sized> DynTree<C> {
    pub(super) fn shift_memory(&self, memory: &mut DynMemory, by: Shift) {
        match self.whose(memory) {
            Whose::Own => {}
            // It goes over in its next tick.
            Whose::Before(before) => return before.shift_memory(memory, by),
            Whose::Nobodys => return,
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
                What::Leaf(leaf) => shift(node.slot, &|slot| leaf.shift(slot, by)),
                What::Policy(policy) => shift(node.slot, &|slot| policy.shift(slot, by)),
                _ => {}
            }
            for aside in node.what.asides() {
                shift(aside.slot, &|slot| aside.leaf.shift(slot, by));
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

impl<C: ?Sized> What<C> {
    const fn time(&self) -> Option<Time> {
        match self {
            What::Timeout(_) | What::Delay(_) | What::Service(..) | What::Wait(_) => Some(Time::End),
            What::Cooldown(_) => Some(Time::EndAndOne),
            What::InARow { .. }
            | What::Random { .. }
            | What::Parallel { .. }
            | What::Invert
            | What::Force(_)
            | What::Repeat
            | What::RepeatTimes(_)
            | What::Retry(_)
            | What::UntilFailure
            | What::UntilSuccess { .. }
            | What::Limit(_)
            | What::RunOnce
            | What::Machine { .. }
            | What::State { .. }
            | What::Just(_)
            | What::Leaf(_)
            | What::Policy(_) => None,
        }
    }
}
