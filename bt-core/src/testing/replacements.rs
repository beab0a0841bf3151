//! Scripts in place of nodes, and of random numbers.

use alloc::collections::{BTreeMap, VecDeque};

use crate::id::NodeId;
use crate::observer::Observer;
use crate::status::Status;
use crate::testing::script::Script;

/// An observer that replaces the statuses of nodes by scripts, and the children that random composites choose.
#[derive(Clone, Debug, Default)]
pub(super) struct Replacements {
    scripts: BTreeMap<NodeId, (Script, usize)>,
    choices: BTreeMap<NodeId, VecDeque<usize>>,
}

impl Replacements {
    pub(super) fn set(&mut self, node: NodeId, script: Script) {
        self.scripts.insert(node, (script, 0));
    }

    pub(super) fn clear(&mut self, node: NodeId) {
        self.scripts.remove(&node);
    }

    /// Returns the bytes of the scripts and choices on the heap, without the nodes of the maps.
    pub(super) fn heap_bytes(&self) -> usize {
        let scripts = self.scripts.values().map(|(script, _)| size_of_val(script.statuses()));
        let choices = self.choices.values().map(|choices| choices.capacity() * size_of::<usize>());
        scripts.chain(choices).sum()
    }

    pub(super) fn set_choices(&mut self, node: NodeId, children: &[usize]) {
        self.choices.insert(node, children.iter().copied().collect());
    }
}

impl Observer for Replacements {
    const INLINE: bool = false;

    fn replacement(&mut self, at: NodeId) -> Option<Status> {
        let (script, ticks) = self.scripts.get_mut(&at)?;
        let status = script.status(*ticks);
        *ticks = ticks.saturating_add(1);
        Some(status)
    }

    fn choose(&mut self, at: NodeId, _: usize) -> Option<usize> {
        self.choices.get_mut(&at)?.pop_front()
    }
}
