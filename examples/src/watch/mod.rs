//! The agents of an example in the inspector, for the options `--inspect` and `--edit`. They need the feature `inspect`, because a web
//! server takes long to build.

#[cfg(feature = "inspect")]
mod inspected;
#[cfg(not(feature = "inspect"))]
mod unwatched;

#[cfg(feature = "inspect")]
pub use bt_inspector::{At, Inspector, Values, board};
#[cfg(feature = "inspect")]
pub use inspected::Watch;
#[cfg(not(feature = "inspect"))]
pub use unwatched::{At, Inspector, Values, Watch, board};

/// Returns the names of `count` agents: `robot 0`, `robot 1` and so on.
pub fn numbered(name: &str, count: usize) -> impl Iterator<Item = String> {
    (0..count).map(move |number| format!("{name} {number}"))
}

/// Whether the example contains the inspector.
pub(crate) const HAS_INSPECTOR: bool = cfg!(feature = "inspect");
