//! Scripts in place of nodes.

use alloc::collections::BTreeMap;

use crate::id::NodeId;
use crate::observe::Observer;
use crate::status::Status;
use crate::testing::script::Script;

/// An observer that substitutes the statuses of nodes by scripts.
#[derive(Clone, Debug, Default)]
pub(super) struct Replacements(BTreeMap<NodeId, (Script, usize)>);

impl Replacements {
    pub(super) fn set(&mut self, node: NodeId, script: Script) {
        self.0.insert(node, (script, 0));
    }

    pub(super) fn clear(&mut self, node: NodeId) {
        self.0.remove(&node);
    }
}

impl Observer for Replacements {
    const INLINE: bool = false;

    fn substitute(&mut self, at: NodeId) -> Option<Status> {
        let (script, ticks) = self.0.get_mut(&at)?;
        let status = script.status(*ticks);
        *ticks = ticks.saturating_add(1);
        Some(status)
    }
}
