//! Entities that the inspector watches.

use core::marker::PhantomData;
use core::time::Duration;
use std::sync::Arc;

use bevy_ecs::prelude::*;
use bt_core::{Observer, Wake};
use bt_inspector::{Inspector, Watched};

use super::Watcher;
use crate::behavior::Behavior;

/// The inspector of the app, if [`TreeInspectorPlugin`](crate::TreeInspectorPlugin) was added.
#[derive(Resource)]
pub struct TreeInspector(pub(crate) Arc<Inspector>);

#[cfg(not(target_family = "wasm"))]
impl TreeInspector {
    /// Returns the address of the page. It is empty if the inspector has no server.
    pub fn url(&self) -> String {
        self.0.url()
    }
}

/// The component of a watched entity.
#[derive(Component)]
pub(crate) struct WatchedMind<G: Behavior> {
    /// `None` while its values are shown.
    watched: Option<Watched>,
    of: PhantomData<fn() -> G>,
}

impl<G: Behavior> WatchedMind<G> {
    pub(crate) fn new(watched: Watched) -> Self {
        Self { watched: Some(watched), of: PhantomData }
    }

    /// Returns whether a page shows the values of the entity, or has edited one.
    pub(crate) fn shows_values(&self) -> bool {
        self.watched.as_ref().is_some_and(Watched::shows_values)
    }

    pub(crate) fn take(&mut self) -> Option<Watched> {
        self.watched.take()
    }

    pub(crate) fn put(&mut self, watched: Watched) {
        self.watched = Some(watched);
    }
}

impl<G: Behavior> Watcher for Option<Mut<'_, WatchedMind<G>>> {
    fn is_held(&self) -> bool {
        self.as_ref().and_then(|mind| mind.watched.as_ref()).is_some_and(Watched::is_held)
    }

    fn needs_tick(&self) -> bool {
        self.as_ref().and_then(|mind| mind.watched.as_ref()).is_some_and(Watched::needs_tick)
    }

    fn observer(&mut self, now: Duration) -> Option<impl Observer> {
        self.as_mut().and_then(|mind| mind.watched.as_mut()).map(|watched| watched.at(now))
    }

    fn show_due(&mut self, due: Wake) {
        if let Some(watched) = self.as_mut().and_then(|mind| mind.watched.as_mut()) {
            watched.due(due);
        }
    }
}
