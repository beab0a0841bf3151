//! Behavior trees in Bevy: one tree for all entities, a few bytes per entity, leaves over components.
//!
//! Start with [`Behavior`], which has an example. An entity with a [`Mind`] runs the tree, [`TreePlugin`] ticks it, and leaves are functions over
//! [`Agent`]. [`task`] and [`system`] are leaves whose work other systems do.

#![cfg_attr(docsrs, feature(doc_cfg))]

// The README's code is run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod agent;
#[cfg(feature = "asset")]
mod asset;
mod behavior;
mod events;
#[cfg(feature = "inspector")]
mod inspector;
mod mind;
mod missing;
mod plugin;
mod requests;
#[cfg(feature = "serialize")]
mod save;
mod sets;
mod shared;
mod system;
mod task;
mod tick;
mod watch;

#[cfg(feature = "text")]
pub use asset::TreeTextLoader;
#[cfg(feature = "asset")]
pub use asset::{Agents, TreeAssets, TreeFile, TreeFileLoader, TreeRegistry, tree_asset, tree_registry};
pub use behavior::{Agent, Behavior, TreeOf};
pub use bt_core;
#[cfg(feature = "asset")]
pub use bt_dynamic;
#[cfg(feature = "inspector")]
pub use bt_inspector;
#[cfg(feature = "asset")]
pub use events::TreeReplaced;
pub use events::{StateChanged, TreeEnded};
#[cfg(feature = "inspector")]
pub use inspector::TreeInspectorPlugin;
pub use mind::Mind;
pub use plugin::TreePlugin;
#[cfg(feature = "serialize")]
pub use save::{SaveBehavior, SaveMinds, SavedMind};
pub use sets::{TreeSystems, TreeSystemsOf};
pub use shared::SharedParams;
pub use system::{SystemLeaf, SystemOutput, TicketOfSystem, system};
pub use task::{Done, Task, TaskEnd, TaskEntity, task};
#[cfg(feature = "inspector")]
pub use watch::TreeInspector;

/// The items that most programs import. None of their names is in Bevy's prelude.
pub mod prelude {
    pub use crate::{
        Agent, Behavior, Done, Mind, SharedParams, StateChanged, TaskEnd, TreeEnded, TreeOf, TreePlugin, TreeSystems,
        TreeSystemsOf, system, task,
    };
    /// Implemented by all nodes, for subtrees with `#[subtree]`: `fn rest() -> impl TreeNode<Agent<'_, '_, Guard>>`. It is [`bt_core::Node`]; Bevy's
    /// user interface has a `Node`, too.
    pub use bt_core::Node as TreeNode;
    pub use bt_core::board::{compare, copy, is_set, set, unset};
    pub use bt_core::{
        Cause, End, NodeId, Outcome, Status, action,
        board::{Board, HasBoard, Key},
        condition, leaf,
        leaf::{Leaf, fail, run, succeed, wait},
        millis, secs, subtree, tree,
    };
    // The methods of `Agent::rng`.
    pub use bt_core::rand_core::Rng as _;
    pub use core::time::Duration;
}
