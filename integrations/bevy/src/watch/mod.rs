//! Entities that the inspector watches. Without the feature `inspector`, there are none.

#[cfg(feature = "inspector")]
mod watched;
mod watcher;

use core::marker::PhantomData;

#[cfg(feature = "inspector")]
use bevy_ecs::change_detection::Res;
use bevy_ecs::system::SystemParam;
#[cfg(feature = "inspector")]
pub use watched::TreeInspector;
#[cfg(feature = "inspector")]
pub(crate) use watched::WatchedMind;
pub(crate) use watcher::Watcher;

/// What is queried of each entity for the inspector.
#[cfg(feature = "inspector")]
pub(crate) type Watch<G> = Option<&'static mut WatchedMind<G>>;
#[cfg(not(feature = "inspector"))]
pub(crate) type Watch<G> = PhantomData<G>;

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
