//! Shared code of the examples: options, a loop in the terminal or in the browser, a panel that shows a tree with its statuses, the parts of
//! the screen, and access to the inspector.

#[cfg(all(target_family = "wasm", not(feature = "inspect")))]
compile_error!("an example in the browser needs the feature `inspect`");

#[cfg(target_family = "wasm")]
pub mod browser;
#[cfg(feature = "live")]
mod edits;
#[cfg(all(not(feature = "live"), not(target_family = "wasm")))]
#[path = "no_edits.rs"]
mod edits;
pub mod input;
pub mod options;
pub mod panel;
pub mod panes;
pub mod play;
#[cfg(not(target_family = "wasm"))]
mod terminal;
pub mod watch;

#[cfg(target_family = "wasm")]
pub use browser::run;
#[cfg(not(target_family = "wasm"))]
pub use terminal::run;
