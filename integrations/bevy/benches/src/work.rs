//! The work of entities, and the frames of an app.

use std::hint::black_box;

use bevy_app::App;
use bevy_ecs::prelude::*;

#[derive(Component, Default)]
pub struct Work {
    pub looks: u64,
    pub actions: u64,
    #[cfg(feature = "bevior_tree")]
    pub is_next_frame: bool,
}

impl Work {
    pub fn is_even(&self) -> bool {
        self.looks.is_multiple_of(2)
    }

    /// Opaque: the optimizer would ask equal conditions of a tree once.
    pub fn is_last(&self) -> bool {
        black_box(self.looks) == u64::MAX
    }

    pub fn one(&mut self) {
        self.looks += 1;
        self.actions += 1;
    }

    pub fn other(&mut self) {
        self.looks += 1;
        self.actions += 3;
        self.actions -= 2;
    }
}

/// Returns a function that runs a frame, and returns the number of actions of all entities: that of the first one, times their number.
pub fn frames(mut app: App) -> Box<dyn FnMut() -> u64> {
    app.finish();
    app.cleanup();
    let mut works = app.world_mut().query::<&Work>();
    let entities = works.iter(app.world()).count() as u64;
    Box::new(move || {
        app.update();
        works.iter(app.world()).next().map_or(0, |work| work.actions * entities)
    })
}
