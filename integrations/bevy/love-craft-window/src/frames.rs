//! How long frames take, and which part of that is the game's: its trees, and the mesh that is drawn.

use bevy::platform::time::Instant;
use bevy::prelude::*;
use love_craft::Role;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(First, begin).add_systems(Last, end);
    app.insert_resource(Frames { begun: Instant::now(), since: Instant::now(), count: 0, game: 0.0, longest: 0.0 });
}

#[derive(Resource)]
struct Frames {
    /// When this frame has begun, and the first that is counted.
    begun: Instant,
    since: Instant,
    count: u32,
    /// Seconds of the game in all frames, and in the longest.
    game: f64,
    longest: f64,
}

fn begin(mut frames: ResMut<Frames>) {
    frames.begun = Instant::now();
}

/// Prints every five seconds.
fn end(mut frames: ResMut<Frames>, chibis: Query<&Role>) {
    let game = frames.begun.elapsed().as_secs_f64();
    frames.count += 1;
    frames.game += game;
    frames.longest = frames.longest.max(game);
    let passed = frames.since.elapsed().as_secs_f64();
    if passed >= 5.0 {
        let count = f64::from(frames.count);
        println!(
            "{} chibis: {:.1} frames per second; the game takes {:.2} ms of a frame, at most {:.2} ms",
            chibis.iter().len(),
            count / passed,
            frames.game / count * 1000.0,
            frames.longest * 1000.0
        );
        *frames = Frames { begun: frames.begun, since: Instant::now(), count: 0, game: 0.0, longest: 0.0 };
    }
}
