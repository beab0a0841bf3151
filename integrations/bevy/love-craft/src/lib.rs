//! Love Craft: chibis walk about a park, talk, and fall in love if they like the same topic. Meddlers interrupt them, rain drives them under trees. The player
//! picks chibis up and puts them down where love, or a meddler, should be. All chibis run one tree of 92 nodes, after the Ludum Dare game of the same name.
//!
//! This library is the game without a picture. `cargo run -p love-craft` draws it in a terminal, `love-craft-window` in a window.

mod birds;
mod chibi;
mod game;
mod hand;
mod leaves;
mod level;
mod near;
mod talk;
#[cfg(test)]
mod tests;
mod town;
mod tree;
#[cfg(feature = "terminal")]
pub mod view;
mod walking;
mod weather;

pub use birds::{Bird, Flight};
pub use chibi::{Balloon, Held, Love, Mood, Pose, Role, Talk, Topic};
pub use game::{Game, TICK};
pub use hand::{carry, pick_up, put_down};
pub use level::Level;
pub use town::{Position, Site, Town};
pub use weather::Weather;
