//! Measuring apps: each is a function that advances one by a frame.

use std::process::Command;
use std::time::Instant;

/// The numbers of entities.
pub const ENTITIES: [u32; 3] = [1, 1000, 100_000];

/// The number of entities whose instructions are counted.
const COUNTED: u32 = 1000;

/// A crate in one of the situations that are measured.
pub struct Case {
    /// The crate.
    pub name: &'static str,
    /// The situation.
    pub situation: &'static str,
    /// Creates an app with this number of entities, and returns a function that runs a frame and returns the number of actions so far.
    pub start: fn(u32) -> Box<dyn FnMut() -> u64>,
}

/// Runs what the arguments of the program say: `measure` prints all cases, `frames CASE FRAMES` runs one, or without its index `bare`.
pub fn run(cases: &[Case], bare: fn() -> Box<dyn FnMut() -> u64>) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [_, case, frames] = &arguments[..] {
        let case = case.parse::<usize>().ok().and_then(|index| cases.get(index));
        let mut app = warm(case.map_or_else(bare, |case| (case.start)(COUNTED)));
        for _ in 0..frames.parse().unwrap_or(0) {
            app();
        }
    } else {
        print(cases, bare);
    }
}

/// Prints for each case and number of entities a line: name, situation, entities, nanoseconds, instructions, bytes per entity.
///
/// The nanoseconds and the instructions are those of a frame without those of `bare`, an app without the crate, per entity or, if there
/// are actions, per action.
fn print(cases: &[Case], bare: fn() -> Box<dyn FnMut() -> u64>) {
    for (index, case) in cases.iter().enumerate() {
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
            let counts = (entities == COUNTED).then(|| Some(slope(&index.to_string())? - slope("bare")?)).flatten();
            let count = counts.map_or("–".to_owned(), |count| format!("{:.1}", count / per));
            let bytes = (bytes - no_entities) / i64::from(entities);
            println!("{},{},{entities},{:.1},{count},{bytes}", case.name, case.situation, (best - best_bare) / per);
        }
    }
}

/// Returns the instructions of a frame, or `None` without valgrind. A second run has twice as many frames: the difference excludes
/// the start.
fn slope(case: &str) -> Option<f64> {
    const FRAMES: u32 = 20;
    let count = |frames: u32| {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
        let output = valgrind.arg(std::env::current_exe().ok()?).args(["frames", case, &frames.to_string()]).output();
        let text = String::from_utf8_lossy(&output.ok()?.stderr).into_owned();
        let (_, number) = text.lines().find_map(|line| line.split_once("refs:"))?;
        number.trim().replace(',', "").parse::<f64>().ok()
    };
    Some((count(2 * FRAMES)? - count(FRAMES)?) / f64::from(FRAMES))
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
