//! Watch behaviour trees think, live in the browser.
//!
//! An [`Inspector`] serves a page from your program, for any number of trees and agents on one port. The page shows the list of agents, the chosen one's tree with
//! live statuses, whatever values you let it see, and a timeline of its last thousands of ticks to scrub through. It can pause an agent, let it do one tick, and
//! stop it at a node.
//!
//! ```
//! use bt_core::prelude::*;
//! use bt_inspector::Inspector;
//!
//! fn near(guard: &u32) -> bool { *guard > 3 }
//! fn patrol(guard: &mut u32) -> Status { *guard += 1; Status::Running }
//!
//! let tree = tree! { for u32: selector { near, patrol } };
//! let inspector = Inspector::serve("127.0.0.1:0")?;
//! println!("watch it think: {}", inspector.url());
//!
//! let guards = inspector.tree("guard", &tree);
//! let mut ann = inspector.agent(guards, "Ann");          // an observer: one for each agent
//! let (mut guard, mut memory) = (0, tree.memory());
//! for tick in 0..5 {
//!     tree.tick_with(&mut guard, &mut memory, &mut ann.at(millis(50 * tick)));
//!     ann.show(|| guard);                                // what of it the page shows
//! }
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # What it costs
//!
//! While no page looks at an agent its ticks are those of an unobserved tree, after one look at a flag. A page that looks records the agent's visits, eight bytes each, in
//! memory that is bounded; the page fetches them some thirty times a second. Whatever it is too slow for is left out, counted, and the count is shown. The program waits
//! for the page only where somebody has told it to: paused, stepping, at a breakpoint. When no page is connected any more, or the last one has not answered for five
//! seconds, the program goes on.
//!
//! Memory is bounded. An agent has at most 4096 ticks, 2^18 events and 4 MiB of values; the oldest go first. All agents together have some 64 MiB, of which those that
//! no page has chosen get half. The ticks of an agent are freed 30 s after the last page looked at it, and those of a dropped [`Watched`] when no page shows it any more.
//! At most 64 connections are open at a time, of which 32 can be pages; a connection that sends no request is closed after 3 s.
//!
//! # Values
//!
//! [`Watched::show`] takes any value that serde can serialize. Integers are shown exactly, `NaN` and infinities as text. `serde_json::json!` makes `null` of these
//! before they can be shown: prefer a struct or a map. A value of more than 64 KiB is not shown.
//!
//! # Who can see it
//!
//! Bound to a loopback address, only this machine: requests must name it as their host, so that no page from elsewhere can look in. Bound to another address, the
//! page needs the token that [`Inspector::url`] has. On a machine that has other users, [`Inspector::serve_with_token`] needs it on a loopback address too. There is no
//! encryption: use a tunnel where you need one.
//!
//! # Recorded files
//!
//! A file that [`RecordFile`](bt_core::observe::RecordFile) wrote opens in the same page: `bt-inspector recording.jsonl`, or [`Inspector::open`].

#![forbid(unsafe_code)]

mod agent;
mod breaks;
mod floats;
mod guard;
mod inspector;
mod message;
mod page;
mod past;
mod recording;
mod server;
mod shared;
mod values;

pub use agent::{At, Watched};
pub use inspector::{Inspector, TreeKey};
pub use values::board;
