//! Watching a tree think: what happens to which node, as it happens.

use crate::node::NodeId;
use crate::status::{End, Status};

#[cfg_attr(not(feature = "alloc"), allow(dead_code, unreachable_pub, reason = "only boxes erase observers"))]
mod erased;
#[cfg(feature = "alloc")]
mod statuses;

#[cfg(feature = "alloc")]
pub(crate) use erased::{DynObserver, WithDyn, as_dyn};
#[cfg(feature = "alloc")]
pub use statuses::{Last, Seen, Statuses};

/// Somebody who is told what happens in a tree: [`tick_with`](crate::Tree::tick_with).
///
/// The events of one visit come in this order: `enter`, `open` if a run begins, those of the children, `tick`, `close` if the run is
/// over, `exit`. A node that is halted gets `close` alone, after the nodes below it. The observer `()` costs nothing.
///
/// ```
/// use bt_core::prelude::*;
///
/// #[derive(Default)]
/// struct Visits(Vec<usize>);
///
/// impl Observer for Visits {
///     fn enter(&mut self, at: NodeId) { self.0.push(at.index()) }
/// }
///
/// let tree = tree! { for bool: selector { sequence { |dark: &bool| *dark, succeed }, succeed } };
/// let mut visits = Visits::default();
/// tree.tick_with(&mut false, &mut tree.memory(), &mut visits);
/// assert_eq!(visits.0, [0, 1, 2, 4]);
/// ```
pub trait Observer {
    /// Whether anybody is there: `false` removes all of this from the machine code.
    const ON: bool = true;

    /// A node is visited.
    fn enter(&mut self, at: NodeId) {
        let _ = at;
    }

    /// A run of the node begins.
    fn open(&mut self, at: NodeId) {
        let _ = at;
    }

    /// The node has ticked and gives this status.
    fn tick(&mut self, at: NodeId, status: Status) {
        let _ = (at, status);
    }

    /// The run is over: the node ended, or was halted.
    fn close(&mut self, at: NodeId, end: End) {
        let _ = (at, end);
    }

    /// A machine has gone to the state of this index (in [`StateMachine::states`](crate::StateMachine::states)), also the first.
    fn state(&mut self, at: NodeId, state: usize) {
        let _ = (at, state);
    }

    /// The visit is over.
    fn exit(&mut self, at: NodeId, status: Status) {
        let _ = (at, status);
    }
}

/// Nobody.
impl Observer for () {
    const ON: bool = false;
}
