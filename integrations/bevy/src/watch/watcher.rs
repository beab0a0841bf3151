//! What the inspector can ask of an entity.

use core::time::Duration;

use bt_core::{Observer, Wake};

/// The item of [`Watch`](super::Watch) in a query.
pub(crate) trait Watcher {
    /// Returns whether a page holds the entity: it must not be ticked.
    fn is_held(&self) -> bool {
        false
    }

    /// Returns whether a page waits for a tick, although the entity sleeps.
    fn needs_tick(&self) -> bool {
        false
    }

    /// Returns the observer of a tick.
    fn observer(&mut self, now: Duration) -> Option<impl Observer> {
        let _ = now;
        None::<()>
    }

    /// Shows until when the entity sleeps.
    fn show_due(&mut self, due: Wake) {
        let _ = due;
    }
}

/// The item of an entity that is not watched.
impl Watcher for () {}
