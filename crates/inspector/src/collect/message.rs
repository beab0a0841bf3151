//! The messages of collected ticks. Each is a JSON object.

use std::borrow::Cow;

use bt_core::describe::Description;
use bt_core::observe::TickRecord;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A message from a program.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Message<'a> {
    /// A version of a tree, before the first tick in it.
    Tree { key: usize, name: Cow<'a, str>, fingerprint: u64, nodes: Cow<'a, Description> },
    /// An agent, before its first tick.
    Agent { key: usize, name: Cow<'a, str> },
    /// The agent is not there anymore.
    Gone(usize),
    /// A tick of an agent in a version of a tree. The last tick is repeated if other values were shown since.
    Tick {
        agent: usize,
        tree: usize,
        tick: Cow<'a, TickRecord>,
        #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
        values: Option<&'a RawValue>,
    },
}
