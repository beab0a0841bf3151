//! Entities that the inspector watches.

use core::marker::PhantomData;
use core::time::Duration;

use bevy_ecs::prelude::*;
use bt_core::{Observer, Wake};
use bt_inspector::{Inspector, Watched};

use super::Watcher;
use crate::behavior::Behavior;

/// The inspector of the app, if [`TreeInspectorPlugin`](crate::TreeInspectorPlugin) was added.
#[derive(Resource)]
pub struct TreeInspector(pub(crate) Inspector);

impl TreeInspector {
    /// Returns the address of the page.
    pub fn url(&self) -> String {
        self.0.url()
    }
}

/// The component of a watched entity.
#[derive(Component)]
pub(crate) struct WatchedMind<G: Behavior>(pub(crate) Watched, PhantomData<fn() -> G>);

impl<G: Behavior> WatchedMind<G> {
    pub(crate) fn new(watched: Watched) -> Self {
        Self(watched, PhantomData)
    }
}

impl<G: Behavior> Watcher for Option<Mut<'_, WatchedMind<G>>> {
    fn is_held(&self) -> bool {
        self.as_ref().is_some_and(|watched| watched.0.is_held())
    }

    fn needs_tick(&self) -> bool {
        self.as_ref().is_some_and(|watched| watched.0.needs_tick())
    }

    fn observer(&mut self, now: Duration) -> Option<impl Observer> {
        self.as_mut().map(|watched| watched.0.at(now))
    }

    fn show_due(&mut self, due: Wake) {
        if let Some(watched) = self {
            watched.0.due(due);
        }
    }
}
