//! The pages of [`bt_inspector`] over a network: one page shows the behavior trees of many machines, such as robots, over [zenoh](https://zenoh.io).
//!
//! Each machine [joins](Fleet::join) a fleet and publishes an [`Inspector`](bt_inspector::Inspector). A hub, the command `bt-fleet` or a [`FleetHub`], serves one page that
//! shows the agents of all machines. Machines connect to the hub, and reconnect when it comes back: no machine needs an open port or a known address.
//!
//! ```no_run
//! use bt_core::prelude::*;
//! use bt_fleet::{Config, Fleet};
//!
//! let tree = tree! { for u32: |n: &mut u32| { *n += 1; Status::Running } };
//! let fleet = Fleet::join(Config::new("warehouse", "robot-1").connect("tcp/192.168.1.10:7447"))?;
//! let inspector = fleet.inspector();
//! let mut watched = inspector.agent(inspector.tree("counter", &tree), "arm");
//! let (mut arm, mut memory) = (0, tree.memory());
//! loop {
//!     tree.tick_with(&mut arm, &mut memory, &mut watched.at(Duration::ZERO));
//!     watched.show(|| arm);
//!     std::thread::sleep(millis(50));
//! }
//! # #[allow(unreachable_code)]
//! # Ok::<(), bt_fleet::FleetError>(())
//! ```
//!
//! A hub can [record](RecordConfig) the agents of all machines, and let its page [edit](HubConfig::edit) their trees: a version goes to one machine, to a tenth of them, and to all.
//!
//! A [`Sharded`] herd is one herd over several processes. Its agents move between them while they run, and continue elsewhere when their process dies.
//!
//! # Costs
//!
//! While no page is open and nothing is recorded, a machine publishes nothing: zenoh only keeps its connection alive. While pages are open, each of them receives what has changed about 30 times per
//! second. As long as a version of a document is sent to machines, each has a page more, which shows no agents. All work is done by threads of this crate and of zenoh; a tick waits only at a breakpoint.
//!
//! An agent that is held continues when the page closes, when the hub ends, and when the connection is lost. zenoh notices a cable that was pulled within about 10 s
//! (`transport/link/tx/lease` in its configuration).
//!
//! A program that is recorded stores the last ticks of its agents: up to 4096 of each, and about 64 MiB of all. While a hub that records is gone, it does so for 60 s more.
//!
//! A machine serves at most 32 pages, and ignores messages of more than 1 MiB. A hub shows at most 1024 machines.
//!
//! # Security
//!
//! By default, a hub listens on the loopback address, and machines listen nowhere. A hub for other machines has to listen on a network
//! (`--listen tcp/0.0.0.0:7447`). Every program that reaches that port can do what a page can: look at the agents of all machines, pause them, and change what their programs allow.
//! A document that a program lets pages edit is code from then on: its text decides which leaves run.
//! On the loopback address, these are also the programs of other users of the machine: the port needs no token, unlike a page that edits.
//! Such a program can also send messages about the agents of herds. As a keeper, it can take all agents from a process, give it others, and let two processes tick the same agent; as a
//! process, it can add, move and remove agents, and replace their states. One message with a greater term makes the keeper begin again, at most once in some seconds; agents continue to be ticked.
//! Restrict the keys below `bt/*/shard/` to processes and the keeper.
//! Use TLS with certificates on both sides, or a tunnel, on a network that you do not trust: build with the feature `tls`, use the endpoints `tls/…`, and name the certificates in
//! [a configuration file of zenoh](Config::zenoh), which can also restrict access per key (`access_control`). The files in `examples/tls` of the sources do both, and are tested. A machine
//! connects only to the endpoints that it is given, not to others that zenoh finds.
//!
//! The page has the rules of [`bt_inspector`](bt_inspector#security): on an address that is not a loopback address, and to edit, it requires the token in its URL. Versions are compared
//! by SHA-256, so a machine cannot pass another text off as a version that others get.
//!
//! # Protocol
//!
//! All names in a fleet start with `bt/<fleet>/`. A machine has the liveliness token `machine/<machine>/<session>`, and a hub has `hub/<hub>`. The messages of a page are
//! sent to `to/<machine>/<session>/<hub>/<page>`, and answered at `from/<machine>/<session>/<hub>/<page>`. A session and a hub are 16 random hexadecimal
//! digits. A process of a herd sends to `shard/<herd>/to-keeper/<machine>/<session>`, and the keeper to `shard/<herd>/to/<machine>/<session>`: their messages are `MessagePack`,
//! and change with the version of this crate. The attachment of a message of a page is one byte: 0 opens the page, 1 precedes texts that are separated by line feeds, 2 closes the page. 3 opens a
//! stream of ticks for recordings, with a filter in JSON.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

// The README's code is run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod carrier;
mod change;
mod codec;
mod config;
mod error;
mod etcd;
mod events;
mod fleet;
mod fleet_hub;
mod hub;
mod keeping;
mod keys;
mod kind;
mod lock;
mod machines;
mod member;
mod network;
mod receiving;
mod recording;
mod recordings;
mod shard;
mod sharded;
mod worker;

pub use change::Change;
pub use config::{Config, HubConfig, RecordConfig, ShardConfig};
pub use error::FleetError;
pub use fleet::Fleet;
pub use fleet_hub::FleetHub;
pub use hub::{Hub, HubConnection, Machine, Outgoing, ToMachine};
pub use shard::message::{Arrival, Epoch};
pub use shard::program::ShardEvent;
pub use sharded::{Sharded, ShardedAgent};
