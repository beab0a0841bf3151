//! A plain system, as it would be written by hand.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::system::ScheduleSystem;
use bevy_time::prelude::*;

use crate::measure::Case;
use crate::work::{Work, frames};

#[derive(Component, Clone, Copy)]
pub enum State {
    Idle,
    Waiting(f32),
    Changing,
}

fn think(mut entities: Query<(&mut State, &mut Work)>, time: Res<Time>) {
    for (mut state, mut work) in &mut entities {
        match &mut *state {
            State::Idle => {}
            State::Waiting(until) => {
                if time.elapsed_secs() >= *until {
                    work.actions += 1;
                }
            }
            State::Changing => {
                if work.is_even() {
                    work.one();
                } else {
                    work.other();
                }
            }
        }
    }
}

fn fall(mut works: Query<&mut Work>) {
    for mut work in &mut works {
        if work.is_last() && work.is_last() || work.is_last() {
            work.one();
        } else {
            work.other();
        }
    }
}

fn app<M>(system: impl IntoScheduleConfigs<ScheduleSystem, M>, state: State, entities: u32) -> Box<dyn FnMut() -> u64> {
    let mut app = App::new();
    app.add_plugins(bevy_time::TimePlugin).add_systems(Update, system);
    app.world_mut().spawn_batch((0..entities).map(move |_| (state, Work::default())));
    frames(app)
}

/// An app without trees.
pub fn bare() -> Box<dyn FnMut() -> u64> {
    let mut app = App::new();
    app.add_plugins(bevy_time::TimePlugin);
    frames(app)
}

pub fn cases() -> Vec<Case> {
    let name = "a system by hand";
    vec![
        Case { name, situation: "idle", start: |entities| app(think, State::Idle, entities) },
        Case { name, situation: "waiting", start: |entities| app(think, State::Waiting(1e6), entities) },
        Case { name, situation: "changing", start: |entities| app(think, State::Changing, entities) },
        Case { name, situation: "falling", start: |entities| app(fall, State::Changing, entities) },
    ]
}
