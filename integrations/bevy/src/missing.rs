//! Warnings about entities that are never ticked, and observers that never run.

use core::any::type_name;

use bevy_ecs::prelude::*;

use crate::behavior::Behavior;
use crate::events::{StateChanged, TreeEnded};
use crate::mind::Mind;

/// The number of frames after which entities are looked at, and between two looks.
const FRAMES: u32 = 120;

/// Warns once if there is an entity with a mind that lacks a component of its data. Right after it was spawned, they may still be inserted.
pub(crate) fn warn<G: Behavior>(
    minds: Query<(Entity, &Mind<G>)>,
    matching: Query<G::Data>,
    mut frames: Local<u32>,
    mut last: Local<Option<Entity>>,
    mut has_warned: Local<bool>,
) {
    *frames += 1;
    if *has_warned || !frames.is_multiple_of(FRAMES) {
        return;
    }
    let is_missing = |(entity, mind): &(Entity, &Mind<G>)| mind.status().is_none() && !matching.contains(*entity);
    let missing = minds.iter().find(is_missing).map(|(entity, _)| entity);
    // Twice the same one: it was not just spawned.
    if let Some(entity) = missing.filter(|entity| *last == Some(*entity)) {
        let name = type_name::<G>();
        log::warn!("{entity} has a Mind<{name}>, but lacks a component of {name}::Data: its tree is not ticked");
        *has_warned = true;
    }
    *last = missing;
}

/// Warns once if there is an observer of this event.
fn warn_if_observed<E: Event>(world: &World, has_warned: &mut bool, method: &str) {
    let observers = || world.observers().try_get_observers(world.event_key::<E>()?);
    if !*has_warned && observers().is_some() {
        *has_warned = true;
        let event = type_name::<E>();
        log::warn!("an observer of {event} does not run; help: write `TreePlugin::new().{method}()`");
    }
}

/// Returns a system that warns once per event if there are observers of events that are not triggered.
pub(crate) fn warn_untriggered<G: Behavior>(ends: bool, states: bool) -> impl FnMut(&World, Local<u32>) {
    let [mut ends, mut states] = [ends, states];
    move |world, mut frames| {
        *frames += 1;
        if frames.is_multiple_of(FRAMES) {
            warn_if_observed::<TreeEnded<G>>(world, &mut ends, "trigger_ends");
            warn_if_observed::<StateChanged<G>>(world, &mut states, "trigger_states");
        }
    }
}
