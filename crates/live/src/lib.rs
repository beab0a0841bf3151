//! Live trees: edit a `tree!` in the source of a running program, and the program follows.
//!
//! A feature of the program turns it on:
//!
//! ```toml
//! [features]
//! live = ["bt-core/live", "dep:bt-live"]
//!
//! [dependencies]
//! bt-core = { path = "../bt-core/bt-core" }      # the repository is in ../bt-core
//! bt-live = { path = "../bt-core/crates/live", optional = true }
//! ```
//!
//! `cargo run --features live` then prints which files to edit. When a file is saved, the trees in it continue as edited in their next tick: running nodes that
//! still exist are not interrupted. Errors in the file are reported and change nothing.
//!
//! Nodes, their order, labels and numbers can change, and each leaf of the tree can be used again, with other literals. What only the compiler can make, such as
//! a leaf that is not in the tree, waits for the compiler. Without the feature, `tree!` expands as if this crate did not exist.
//!
//! A program that was compiled elsewhere, such as in a container, finds the sources if the environment variable `BT_LIVE_SOURCES` is the folder of its workspace.
//! A program that cannot find its sources runs as compiled.
//!
//! With the feature `inspector`, pages of the inspector of `bt-inspector` edit the trees, and save the sources: `bt_live::edit`.
//!
//! Reports are lines on stderr that begin with `[live] `. [`on_report`] receives them instead.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod announce;
#[cfg(feature = "inspector")]
mod edit;
mod events;
mod follower;
mod location;
mod message;
mod nested;
mod registry;
mod report;
mod source;
mod source_file;
#[cfg(test)]
mod tests;
mod trees;
mod watcher;

pub use announce::on_report;
pub use bt_behavior3::{Diagnostic, EditTree, Place};
#[cfg(feature = "inspector")]
#[cfg_attr(docsrs, doc(cfg(feature = "inspector")))]
pub use edit::edit;
pub use report::{Report, ReportKind};
pub use source::{Source, sources};

/// What expansions of `tree!` call. It can change at any time.
#[doc(hidden)]
pub mod __private {
    pub use crate::registry::{is_generated, is_live};
    pub use bt_dynamic::compiled::*;
}
