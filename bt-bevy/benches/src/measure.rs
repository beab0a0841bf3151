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

/// Prints for each case and number of entities a line: name, situation, entities, nanoseconds, bytes per entity.
///
/// The nanoseconds are those of a frame without those of `bare`, an app without the crate, per entity or, if there are actions, per action.
pub fn print(cases: &[Case], bare: fn() -> Box<dyn FnMut() -> u64>) {
    for case in cases {
        let (_, no_entities) = allocated(|| (case.start)(0));
        for entities in ENTITIES {
            let frames = (2_000_000 / entities).clamp(40, 20_000);
            let (mut app, bytes) = allocated(|| (case.start)(entities));
            let mut bare = warm(bare());
            let (mut best, mut best_bare, mut actions) = (f64::INFINITY, f64::INFINITY, 0);
            // In turn, so that a slower moment is slower for both.
            for _ in 0..7 {
                let (time, done) = time(&mut *app, frames);
                (best, actions) = (best.min(time), done);
                best_bare = best_bare.min(self::time(&mut *bare, frames).0);
            }
            let per = if actions > 0 { actions as f64 / f64::from(frames) } else { f64::from(entities) };
            let bytes = (bytes - no_entities) / i64::from(entities);
            println!("{},{},{entities},{:.1},{bytes}", case.name, case.situation, (best - best_bare) / per);
        }
    }
}

/// Returns an app, and the bytes that it has allocated after its first frames.
fn allocated(start: impl FnOnce() -> Box<dyn FnMut() -> u64>) -> (Box<dyn FnMut() -> u64>, i64) {
    let mut app = None;
    let info = allocation_counter::measure(|| app = Some(warm(start())));
    (app.expect("the app was created"), info.bytes_current)
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
