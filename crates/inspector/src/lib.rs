//! A live inspector for behavior trees in the browser.
//!
//! An [`Inspector`] serves a page from your program, for any number of trees and agents on one port. The page shows the list of agents, and for the selected
//! agent its tree with live statuses, why each node does what it does, the values passed to [`Watched::show`], and a timeline of its last ticks. It can pause an
//! agent, step it by one tick or node by node, stop it at nodes and at changes of values, and take it back to an [earlier tick](Watched::rewind).
//!
//! ```
//! use bt_core::prelude::*;
//! use bt_inspector::Inspector;
//!
//! fn near(guard: &u32) -> bool { *guard > 3 }
//! fn patrol(guard: &mut u32) -> Status { *guard += 1; Status::Running }
//!
//! let tree = tree! { for u32: selector { near, patrol } };
//! let inspector = Inspector::local()?;
//! println!("inspector at {}", inspector.url());
//!
//! let guards = inspector.tree("guard", &tree);
//! let mut ann = inspector.agent(guards, "Ann");          // one observer per agent
//! let (mut guard, mut memory) = (0, tree.memory());
//! for tick in 0..5 {
//!     tree.tick_with(&mut guard, &mut memory, &mut ann.at(millis(50 * tick)));
//!     ann.show(|| guard);                                // the values to show
//! }
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Costs and limits
//!
//! A tick of an agent that no page watches costs one check of a flag more than an unobserved tick. Watching an agent records its visits, 8 bytes each, in bounded
//! memory. The page receives them about 30 times per second. Ticks that a slow page misses are dropped: the page marks the gap and shows their number.
//!
//! A page can show values of all agents as columns: the program evaluates them about once per second. A page can also count what all agents of a tree do, which
//! observes each of their ticks. A breakpoint observes only the agents that it can stop. If the breakpoint has a condition over values, these are serialized and parsed
//! in each tick.
//!
//! The program waits for the page only if an agent is paused, stepped or stopped at a breakpoint. A program that calls [`Watched::is_held`] continues without a
//! paused agent. The program continues when the last page disconnects or has not responded for 5 s.
//!
//! An agent stores at most 4096 ticks, 2^18 events and 4 MiB of values; the oldest are dropped first. All agents together store about 64 MiB, at most half of it for
//! agents that no page has selected. The ticks of an agent are freed 30 s after the last page stops watching it. Those of a dropped [`Watched`] are freed when no page
//! shows it anymore.
//!
//! At most 32 pages and 64 other connections are open. A further connection closes the oldest of the address that has the most. A connection serves one request
//! within 10 s.
//!
//! # Values
//!
//! [`Watched::show`] takes any value that serde can serialize. [`Watched::show_mut`] lets pages edit values, too. Integers are shown exactly, `NaN` and infinities
//! as text. `serde_json::json!` turns `NaN` and infinities into `null` before they can be shown: prefer a struct or a map. A value larger than 64 KiB is not shown.
//!
//! # Trees that are replaced
//!
//! A program whose tree is replaced while agents run, for example because its file was edited, calls [`Inspector::replace`]. Agents continue, and pages
//! retain their data about nodes that are in both trees. Each stored tick refers to the tree in which it was ticked; trees that no tick refers to are freed. A replacement costs
//! nothing per agent, and nothing per tick.
//!
//! # Editing
//!
//! With the feature `edit`, pages show and edit documents: Rust sources with their `tree!`, texts (`.bt`) and files of the Behavior3 editor. A program registers them with
//! `Inspector::edit`, each with the tree that follows it: an `Editable` of `bt-dynamic` or a `Source` of `bt-live`. A change is applied to all agents with their next
//! tick, unless the page has turned that off. An invalid change shows its errors, and the previous tree continues. Each page shows the changes of all pages, and can
//! undo and redo them: at most 1000 steps, or 32 MiB of operations.
//!
//! A file is only replaced as a whole, and never if it was changed elsewhere since it was read: then the changes are merged. If they conflict, the page shows the
//! three versions. A save that fails loses nothing.
//!
//! # Security
//!
//! On a loopback address, only this machine can open the page. Requests must name a loopback host, so web pages of other origins cannot read your trees. On any
//! other address, the page requires the token in [`Inspector::url`]. [`Inspector::serve_with_token`] requires it on a loopback address, too: use it on a machine
//! with several users. Connections are not encrypted: use a tunnel if you need encryption.
//!
//! Looking, editing and writing are three permissions. Connected pages may look. They may edit documents after `Inspector::allow_edit`, and only if they were opened
//! with the token, on a loopback address, too. They may save a document after `Inspector::allow_write` for the folder of its file. A request names documents by numbers,
//! never by paths. A file is neither read nor written through a link that has replaced the file or one of its folders. A document has at most 8 MiB and, to be changed,
//! 20 000 nodes; a message that edits has at most 256 KiB.
//!
//! # Without a server
//!
//! The feature `server`, which is on by default, is the server. [`Inspector::without_server`] does no I/O: a program carries the messages of its pages itself, for example in a browser.
//!
//! # Many machines
//!
//! `bt-fleet` serves one page over the programs of many machines: it passes the [messages](protocol) of the page on. [`Inspector::collect`] sends the ticks of a program, and a
//! [`TickCollector`] receives them for recordings. The program carries these messages; `bt-fleet` carries them over a network.
//!
//! # Recorded files
//!
//! The page also shows files written by [`RecordFile`](bt_core::observe::RecordFile): run `bt-inspector recording.jsonl`, or call [`Inspector::open`]. [`Inspector::read`]
//! adds a large recording while pages are open.
//!
//! `bt-inspector --html report.html recording.jsonl` and [`html`] write one file that contains the page and the recording.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

// The README's code is run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod collect;
#[cfg(feature = "edit")]
mod editing;
mod expression;
mod files;
mod fingerprint;
mod lock;
mod program;
pub mod protocol;
#[cfg(feature = "server")]
#[cfg_attr(docsrs, doc(cfg(feature = "server")))]
pub mod server;
mod state;
mod text;
mod values;

#[cfg(feature = "edit")]
pub use bt_behavior3::EditTree;
pub use collect::{CollectedTick, CollectedTree, TickCollector, TickStream};
#[cfg(feature = "edit")]
pub use editing::Document;
pub use files::{FILES, html};
#[cfg(feature = "edit")]
pub use program::EditedDocument;
pub use program::{At, Connection, Inspector, Progress, Rewound, TreeKey, Watched};
pub use state::CollectFilter;
pub use values::{Editable, Values, board};
