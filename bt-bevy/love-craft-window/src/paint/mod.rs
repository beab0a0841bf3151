//! The pictures of the game. They are drawn when the program starts.

pub(crate) mod balloon;
pub(crate) mod canvas;
pub(crate) mod chibi;
pub(crate) mod park;
