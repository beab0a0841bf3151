//! Measuring apps: each is a function that advances one by a frame.

use std::time::Instant;

/// The numbers of entities.
pub const ENTITIES: [u32; 3] = [1, 1000, 100_000];

/// A crate in one of the situations that are measured.
pub struct Case {
    /// The crate.
    pub name: &'static str,
    /// The situation.
    pub situation: &'static str,
    /// Creates an app with this number of entities, and returns a function that runs a frame and returns the number of actions so far.
    pub start: fn(u32) -> Box<dyn FnMut() -> u64>,
}

/// Prints for each case and number of entities a line: name, situation, entities, nanoseconds per entity (per action, if there are actions), bytes per entity.
pub fn print(cases: &[Case]) {
    for case in cases {
        for entities in ENTITIES {
            let frames = (2_000_000 / entities).clamp(40, 20_000);
            let (per_entity, bytes) = measure(case, entities, frames);
            println!("{},{},{entities},{per_entity:.1},{bytes}", case.name, case.situation);
        }
    }
}

fn measure(case: &Case, entities: u32, frames: u32) -> (f64, i64) {
    let mut app = None;
    let allocated = allocation_counter::measure(|| app = Some(warm((case.start)(entities))));
    let mut empty = warm((case.start)(0));
    let mut app = app.expect("the app was created");
    let (mut best, mut best_empty) = (f64::INFINITY, f64::INFINITY);
    let mut actions = 0;
    // Both in turn, so that a slower machine is slower for both.
    for _ in 0..5 {
        let (time, done) = time(&mut app, frames);
        (best, actions) = (best.min(time), done);
        best_empty = best_empty.min(self::time(&mut empty, frames).0);
    }
    let (frame, per_frame) = (best - best_empty, actions as f64 / f64::from(frames));
    let of_empty = allocation_counter::measure(|| drop(warm((case.start)(0)))).bytes_max as i64;
    let bytes = (allocated.bytes_current - of_empty.min(0)) / i64::from(entities);
    (frame / if per_frame > 0.0 { per_frame } else { f64::from(entities) }, bytes)
}

fn warm(mut app: Box<dyn FnMut() -> u64>) -> Box<dyn FnMut() -> u64> {
    for _ in 0..20 {
        app();
    }
    app
}

/// Returns the nanoseconds of a frame, and the number of actions.
fn time(app: &mut dyn FnMut() -> u64, frames: u32) -> (f64, u64) {
    let before = app();
    let began = Instant::now();
    let mut actions = 0;
    for _ in 0..frames {
        actions = app();
    }
    (began.elapsed().as_secs_f64() * 1e9 / f64::from(frames), actions - before)
}
