//! The event at which an agent stops that a page runs within a tick.

use bt_core::NodeId;
use bt_core::observe::{EventKind, TickRecord};

use crate::state::{Trigger, Walk};

/// The event at which an agent stops. It also stops before its next tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// The next visit of a node.
    Visit,
    /// The next visit, or the next end of one.
    Any,
    /// The end of the visit of this node.
    End(NodeId),
}

impl Target {
    /// Returns the target of an agent that runs from the beginning of a tick.
    pub(super) const fn in_tick(walk: Walk) -> Option<Self> {
        match walk {
            Walk::Into => Some(Self::Visit),
            Walk::Over | Walk::Out => None,
        }
    }

    /// Returns the target of an agent that runs from an event of a tick; `None` for the end of the tick.
    pub(super) fn of(walk: Walk, at: NodeId, on: Trigger, current: Option<&TickRecord>) -> Option<Self> {
        match (walk, on) {
            (Walk::Into, _) => Some(Self::Visit),
            (Walk::Over, Trigger::Visit) => Some(Self::End(at)),
            (Walk::Over, Trigger::Success | Trigger::Failure | Trigger::Running | Trigger::Error | Trigger::Halted) => {
                Some(Self::Any)
            }
            (Walk::Out, _) => {
                // The visits that are not over are nested in each other.
                let is_open = |what| matches!(what, EventKind::Visited { status: None, .. });
                let open = current?.events.iter().rev().filter(|event| is_open(event.what) && event.node != at);
                open.map(|event| Self::End(event.node)).next()
            }
        }
    }

    pub(super) fn is_reached(self, at: NodeId, on: Trigger) -> bool {
        match self {
            Self::Visit => on == Trigger::Visit,
            Self::Any => true,
            Self::End(node) => at == node && on != Trigger::Visit,
        }
    }
}
