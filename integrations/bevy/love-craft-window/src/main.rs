//! Love Craft in a window: chibis talk, fall in love and are interrupted, all on one tree. All pictures are drawn by the program.
//!
//! ```sh
//! cargo run --release
//! cargo run --release --features inspector -- --inspect
//! cargo run --release -- --chibis 3000 --fps
//! ```

mod draw;
mod frames;
mod hand;
mod hud;
mod options;
mod paint;
mod weather;

use std::process::ExitCode;

use bevy::prelude::*;
use bevy::window::PresentMode;
use love_craft::{Game, TICK};

use crate::options::Options;

fn main() -> ExitCode {
    let options = match Options::from_command_line() {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    match app(options).run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

fn app(options: Options) -> App {
    let mut app = App::new();
    let window = Window {
        title: "Love Craft".to_owned(),
        // Frames that are measured wait for no screen.
        present_mode: if options.fps { PresentMode::AutoNoVsync } else { PresentMode::default() },
        canvas: Some("#game".to_owned()),
        fit_canvas_to_parent: true,
        // The keyboard leads on to the rest of the page.
        prevent_default_event_handling: false,
        ..Window::default()
    };
    app.add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..WindowPlugin::default() }));
    let game = Game::new(options.seed).in_schedule(FixedUpdate);
    app.add_plugins(match options.chibis {
        Some(chibis) => game.crowd(chibis),
        None => game,
    });
    app.insert_resource(Time::<Fixed>::from_duration(TICK));
    app.add_plugins((draw::plugin, weather::plugin, hand::plugin, hud::plugin));
    if options.fps {
        app.add_plugins(frames::plugin);
    }
    #[cfg(feature = "inspector")]
    inspect(&mut app, options);
    app
}

/// Serves the page of the inspector.
#[cfg(all(feature = "inspector", not(target_family = "wasm")))]
fn inspect(app: &mut App, options: Options) {
    if options.inspect {
        app.add_plugins(bt_bevy::TreeInspectorPlugin::default());
    }
}

/// Shows the game in the page that is beside it.
#[cfg(all(feature = "inspector", target_family = "wasm"))]
fn inspect(app: &mut App, _: Options) {
    let inspector = std::sync::Arc::new(bt_examples::browser::page::inspector());
    bt_examples::browser::page::show(inspector.clone());
    app.add_plugins(bt_bevy::TreeInspectorPlugin::with(inspector));
}
