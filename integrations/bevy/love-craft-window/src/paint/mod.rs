//! The pictures of the game. They are drawn when the program starts, all on one sheet.

pub(crate) mod balloon;
mod canvas;
pub(crate) mod chibi;
pub(crate) mod park;

use bevy::math::UVec2;
use bevy::prelude::Image;
pub(crate) use canvas::Cell;

/// The size of the sheet in pixels.
pub(crate) const SHEET: UVec2 = UVec2::new(chibi::ALL_PIXELS.x, chibi::ALL_PIXELS.y + park::HEIGHT);

/// Draws all pictures.
pub(crate) fn sheet() -> Image {
    let mut canvas = canvas::Canvas::new(SHEET);
    chibi::draw(&mut canvas);
    balloon::draw(&mut canvas);
    park::draw(&mut canvas);
    canvas.image()
}
