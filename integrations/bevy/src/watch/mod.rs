//! Entities that the inspector watches. Without the feature `inspector`, there are none.

#[cfg(feature = "inspector")]
mod watched;

use core::marker::PhantomData;
use core::time::Duration;

#[cfg(feature = "inspector")]
use bevy_ecs::change_detection::Res;
use bevy_ecs::system::SystemParam;
use bt_core::{Observer, Wake};
#[cfg(feature = "inspector")]
pub use watched::TreeInspector;
#[cfg(feature = "inspector")]
pub(crate) use watched::WatchedMind;

/// What is queried of each entity for the inspector.
#[cfg(feature = "inspector")]
pub(crate) type Watch<G> = Option<&'static mut WatchedMind<G>>;
#[cfg(not(feature = "inspector"))]
pub(crate) type Watch<G> = PhantomData<G>;

/// The item of [`Watch`] in a query.
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

/// Whether pages can watch entities at all. Entities that sleep are then looked at in each run.
#[derive(SystemParam)]
pub(crate) struct IsWatched<'w> {
    #[cfg(feature = "inspector")]
    inspector: Option<Res<'w, TreeInspector>>,
    of: PhantomData<&'w ()>,
}

impl IsWatched<'_> {
    #[cfg_attr(
        not(feature = "inspector"),
        expect(clippy::unused_self, reason = "without the feature there are no pages")
    )]
    pub(crate) fn is_watched(&self) -> bool {
        #[cfg(feature = "inspector")]
        return self.inspector.is_some();
        #[cfg(not(feature = "inspector"))]
        return false;
    }
}
