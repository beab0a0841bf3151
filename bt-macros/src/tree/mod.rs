//! `tree!`: `bt-syntax` parses and checks it, and what follows is expanded here.

mod completions;
mod expand;
mod fixed;
#[cfg(feature = "live")]
mod live;
#[cfg(test)]
mod tests;

pub(crate) use completions::completions;
#[cfg(feature = "json")]
pub(crate) use fixed::of_file;
#[cfg(any(test, not(feature = "live")))]
pub(crate) use fixed::tree;
#[cfg(feature = "live")]
pub(crate) use live::followed;
