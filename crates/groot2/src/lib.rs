//! The formats and the live protocol of Groot2, the editor and monitor of BehaviorTree.CPP.
//!
//! - [`Model`] is a tree as Groot2 shows it: its XML, with a number for each node.
//! - [`BtLog`] is an observer that writes a `.btlog`, which Groot2 plays back. [`LogFile`] reads one.
//! - `Publisher` is an observer that shows a running tree in Groot2, with breakpoints.
//!
//! # Statuses
//!
//! A log and a poll contain statuses of BehaviorTree.CPP, in which each node has one also while it is not ticked: see [`NodeStatus`]. They are derived from
//! the events of ticks:
//!
//! - A node with children is running before its children are ticked, and a leaf after its tick.
//! - A node that has ended keeps its status until the node above it ends or starts it again. Then it is idle.
//! - A node that is skipped keeps its status, which is usually idle: BehaviorTree.CPP never writes the status 4. In this library, a node that is skipped
//!   returns `Failure`, and that is not written.
//! - `Error` is written as a failure. In BehaviorTree.CPP it is an exception, and the nodes above keep the status `RUNNING`.
//!
//! The changes are in the order of BehaviorTree.CPP for its own nodes, with these exceptions:
//!
//! - An `IfThenElse` without a third child leaves its condition in `FAILURE` when the condition fails. Here, the condition is idle.
//! - When a tree is halted that is not running, nothing is written. In BehaviorTree.CPP, nodes can have a status that they keep after the tree has ended.
//! - What a node of the program does with its children is not known. They are idle as soon as a decorator has their status, and before a composite ends.
//! - In a `Timeout` that has elapsed, the child is idle in the tick that fails. In BehaviorTree.CPP it is idle at the time.
//!
//! The XML is that of BehaviorTree.CPP, with these exceptions:
//!
//! - Only the models of nodes that the tree contains are written, with the names of their ports.
//! - Ports are in the order of their names. Those that `{=}`, `_autoremap` or a model pass to a nested tree are written as what they mean.
//! - `<Timeout msec="0">` is left out when a tree is loaded, so the nodes after it have lower numbers.

#![forbid(unsafe_code)]

// The README's code is run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod boards;
mod element;
mod hooks;
mod log;
mod log_file;
mod manner;
mod message;
mod model;
mod monitor;
mod publisher;
mod row;
mod scope;
mod sockets;
mod status;
mod tracker;
mod xml;
mod zmtp;

pub use log::BtLog;
pub use log_file::{LogChange, LogError, LogFile};
pub use model::Model;
pub use publisher::Publisher;
pub use status::NodeStatus;
