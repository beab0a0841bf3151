//! The messages between a page and the server. Each message is a JSON object.

use std::sync::Arc;

use bt_core::describe::Description;
use bt_core::observe::TickRecord;
use bt_core::{Status, Wake};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::MAX_MESSAGE;
use super::listing::Listing;
use crate::state::{Agent, Breakpoint, Held, Trigger, Walk, Watch, lock};
use crate::text::text;
use crate::values::Path;

/// A request from a page.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Request {
    /// Select an agent and send its ticks; without a key, no agent.
    Select(Option<usize>),
    /// Send the ticks of these agents, too.
    Follow(Vec<usize>),
    List(Listing),
    /// Hold an agent before its next tick; without a key, all agents.
    Pause(Option<usize>),
    Resume(Option<usize>),
    /// Run one tick, or the rest of the current tick.
    Step(Option<usize>),
    /// Run a part of the current tick of an agent, or of its next tick.
    Walk {
        agent: usize,
        how: Walk,
    },
    /// Replace the breakpoint of a node.
    Break {
        tree: usize,
        breakpoint: Breakpoint,
    },
    /// Stop at the changes of a value, or no longer.
    Watch {
        tree: usize,
        watch: Watch,
        #[serde(default)]
        remove: bool,
    },
    /// Check an expression with the values that an agent has shown last.
    Check {
        agent: usize,
        expression: String,
        /// Whether it has to be `true` or `false`.
        #[serde(default)]
        condition: bool,
    },
    /// Store the past of an agent, with this number of ticks between two snapshots; 0 ends it. Without a key, of all agents.
    Past {
        agent: Option<usize>,
        every: u64,
    },
    /// Take an agent back to before one of its ticks, or all agents to the time of that tick.
    Rewind {
        agent: usize,
        tick: u64,
        #[serde(default)]
        all: bool,
        /// The time of day of the tick, in seconds since 1970, for the agents of other machines of a hub.
        #[serde(default)]
        #[cfg_attr(test, ts(optional = nullable))]
        at: Option<f64>,
    },
    /// Take all agents back to a time of day, in seconds since 1970. A hub sends it.
    RewindAll(f64),
    /// Write a unit test that repeats ticks of an agent.
    Test {
        agent: usize,
        from: u64,
        to: u64,
    },
    /// Send what all agents of a tree do; without a key, nothing.
    Overview(Option<usize>),
    /// Replace a value that an agent shows, or a part of it.
    Edit {
        agent: usize,
        path: Path,
        #[cfg_attr(test, ts(type = "unknown"))]
        value: serde_json::Value,
    },
}

impl Request {
    /// Parses a request.
    pub(crate) fn parse(message: &str) -> Result<Self, String> {
        if message.len() > MAX_MESSAGE {
            return Err(format!("the message is too long: {} bytes, the limit is {MAX_MESSAGE}", message.len()));
        }
        serde_json::from_str(message).map_err(|error| format!("invalid request: {error}"))
    }

    /// Returns whether the request holds agents, or lets them run.
    pub(crate) const fn is_hold(&self) -> bool {
        matches!(self, Self::Pause(_) | Self::Resume(_) | Self::Step(_) | Self::Walk { .. })
    }
}

/// An update from the server.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Update<'a> {
    /// The first message.
    Hello {
        recording: bool,
        /// A number that differs after a restart of the program.
        session: u64,
    },
    /// How much of a recording has been read, as text; `null` when it is there.
    Loading(Option<&'a str>),
    Trees(Vec<TreeInfo<'a>>),
    Agents {
        /// That of the request.
        id: u64,
        total: usize,
        matching: usize,
        /// The number of matching agents before the first of `list`.
        from: usize,
        list: Vec<AgentInfo<'a>>,
        /// All agents for which a thread waits, or that have stopped because of a value.
        waiting: Vec<AgentInfo<'a>>,
        /// The selected agent, even if the limited and filtered list does not contain it.
        selected: Option<AgentInfo<'a>>,
        /// Whether all agents are held.
        held: bool,
        /// The number of requests of the page to pause, resume or step that precede this state.
        holds: u64,
    },
    Ticks {
        agent: usize,
        list: Vec<TickInfo<'a>>,
    },
    /// The pause state of the selected agent.
    Pause {
        agent: usize,
        paused: bool,
        stop: Option<StopInfo>,
        /// As in the list of agents. A page ignores the state before its last request.
        holds: u64,
    },
    /// The values shown since the last tick of the selected agent, while the program continues without it.
    Present {
        agent: usize,
        #[cfg_attr(test, ts(type = "unknown"))]
        values: Option<&'a RawValue>,
    },
    /// The breakpoints of all trees.
    Breakpoints(Vec<BreakpointInfo<'a>>),
    /// The watched values of all trees.
    Watches(Vec<WatchInfo<'a>>),
    /// The result of a check.
    Checked {
        expression: &'a str,
        /// Why it cannot be parsed.
        error: Option<String>,
        /// What does not fit the values that are shown now. It may fit those of another time.
        warning: Option<String>,
        /// The present value, if the agent has shown values.
        #[cfg_attr(test, ts(type = "unknown"))]
        value: Option<serde_json::Value>,
    },
    /// The source of a unit test.
    Test(String),
    Overview {
        tree: usize,
        agents: usize,
        ticks: u64,
        nodes: Vec<NodeOverview>,
    },
    /// The result of an edit.
    Edited {
        agent: usize,
        path: &'a Path,
        error: Option<&'a str>,
    },
    /// The page selected a key that no agent has.
    Lost(usize),
    Error(&'a str),
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TreeInfo<'a> {
    pub(crate) key: usize,
    /// The key of the first version of this tree.
    pub(crate) first: usize,
    pub(crate) name: &'a str,
    /// As in recordings.
    pub(crate) fingerprint: String,
    #[cfg_attr(test, ts(type = "Described[]"))]
    pub(crate) nodes: &'a Description,
    /// The numbers of the nodes, which are the same in all versions. In the first version, they are the ids.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) numbers: Option<&'a [u32]>,
    /// The names of the nodes that were removed with their breakpoints when this version replaced the one before.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<&[String]>"))]
    pub(crate) dropped: &'a [String],
    /// The bytes of each node's open and kept state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub(crate) bytes: Vec<[usize; 2]>,
    /// The folder that the locations of nodes are relative to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) folder: Option<&'a str>,
}

impl Update<'_> {
    pub(crate) fn text(&self) -> String {
        text(self)
    }
}

/// Returns an update with an error.
#[cfg(feature = "server")]
pub(crate) fn error(message: &str) -> String {
    Update::Error(message).text()
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BreakpointInfo<'a> {
    pub(crate) tree: usize,
    #[serde(flatten)]
    pub(crate) breakpoint: &'a Breakpoint,
    pub(crate) hits: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WatchInfo<'a> {
    pub(crate) tree: usize,
    #[serde(flatten)]
    pub(crate) watch: &'a Watch,
    pub(crate) hits: u64,
}

/// What all agents of a tree have done in a node.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct NodeOverview {
    pub(crate) visits: u64,
    pub(crate) runs: u64,
    pub(crate) success: u64,
    pub(crate) failure: u64,
    pub(crate) running: u64,
    pub(crate) error: u64,
    pub(crate) halts: u64,
    /// The number of agents in which the node is running now.
    pub(crate) here: usize,
}

#[derive(Serialize, PartialEq)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AgentInfo<'a> {
    pub(crate) key: usize,
    pub(crate) name: &'a str,
    pub(crate) tree: usize,
    #[cfg_attr(test, ts(type = "Status | null"))]
    pub(crate) status: Option<Status>,
    pub(crate) removed: bool,
    /// Whether the program continues without the agent, or a thread waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) held: Option<Held>,
    /// The node and the trigger, if a thread waits in the middle of a tick.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) at: Option<(usize, Trigger)>,
    /// What has changed, if the agent is held because of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) why: Option<String>,
    /// The running leaf, when the agent was observed last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) running: Option<usize>,
    /// When the agent is due, if it sleeps.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) asleep: Option<Asleep>,
    /// The values that can be edited.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub(crate) editable: Vec<Path>,
    /// The stored past, if the program lets pages take the agent back.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) past: Option<PastInfo>,
    /// The contents of the columns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, type = "unknown[]"))]
    pub(crate) cells: Vec<Option<serde_json::Value>>,
}

impl<'a> AgentInfo<'a> {
    pub(super) fn all(agents: &'a [Arc<Agent>], listing: &Listing) -> Vec<Self> {
        agents.iter().map(|agent| Self::of(agent, listing)).collect()
    }

    pub(super) fn of(agent: &'a Agent, listing: &Listing) -> Self {
        let position = agent.hold.position();
        // In the middle of a tick, it is that of the tick.
        let tree = position.as_ref().and_then(|stop| stop.tree.clone()).unwrap_or_else(|| agent.tree());
        Self {
            key: agent.key,
            name: &agent.name,
            tree: tree.key,
            status: agent.status(),
            removed: agent.is_removed(),
            held: Some(agent.hold.held()).filter(|held| *held != Held::No),
            at: position.as_ref().and_then(|stop| stop.at).map(|(node, on)| (node.index(), on)),
            why: position.and_then(|stop| stop.why),
            running: agent.running_leaf(&tree).map(|(leaf, _)| leaf),
            asleep: match *lock(&agent.due) {
                Wake::Next => None,
                Wake::At(time) => Some(Asleep::Until(time.as_secs_f64())),
                Wake::Event => Some(Asleep::Event),
            },
            editable: lock(&agent.editable).clone(),
            past: agent.past.is_offered().then(|| PastInfo { every: agent.past.every(), ticks: agent.past.ticks() }),
            cells: listing.cells(agent),
        }
    }
}

/// The past of an agent.
#[derive(Serialize, PartialEq)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PastInfo {
    /// The number of ticks between two snapshots; 0 if none are stored.
    pub(crate) every: u64,
    /// The first and the last tick with a snapshot.
    pub(crate) ticks: Option<[u64; 2]>,
}

/// Until when an agent sleeps.
#[derive(Serialize, PartialEq, Debug)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Asleep {
    /// Until a time, in seconds.
    Until(f64),
    Event,
}

/// A tick as it is recorded.
#[derive(Serialize)]
pub(crate) struct Recorded<'a>(pub(crate) &'a TickRecord);

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TickInfo<'a> {
    #[serde(flatten)]
    pub(crate) tick: Recorded<'a>,
    /// The key of the version of the tree whose ids the tick has.
    pub(crate) tree: usize,
    /// The time of day, in seconds since 1970, in a page of a hub.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) at: Option<f64>,
    /// All values shown next to the tick.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "unknown"))]
    pub(crate) values: Option<&'a RawValue>,
    /// The values that have changed since the previous tick, instead of all values.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "Record<string, unknown>"))]
    pub(crate) changes: Option<&'a RawValue>,
    /// The number of the tick before which the agent was like before this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) rewound: Option<u64>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct StopInfo {
    /// The node and the trigger, if the agent is stopped in the middle of a tick.
    pub(crate) at: Option<(usize, Trigger)>,
    /// The key of the version of the tree of the current tick.
    pub(crate) tree: Option<usize>,
    /// What has changed, if the agent is held because of that.
    pub(crate) why: Option<String>,
    #[cfg_attr(test, ts(as = "Option<super::tests::TickRecord>"))]
    pub(crate) current: Option<TickRecord>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_parsed() {
        let read = |text| serde_json::from_str::<Request>(text).map_err(|error| error.to_string());
        assert_eq!(read("{\"select\":3}"), Ok(Request::Select(Some(3))));
        assert!(matches!(
            read("{\"list\":{\"search\":\"ann\",\"sort\":\"name\",\"states\":[\"error\"]}}"),
            Ok(Request::List(_))
        ));
        assert_eq!(read("{\"pause\":null}"), Ok(Request::Pause(None)));
        assert_eq!(read("{\"step\":4}"), Ok(Request::Step(Some(4))));
        let path = vec!["board".into(), "hunger".into()];
        let value = serde_json::json!([1]);
        let edit = "{\"edit\":{\"agent\":1,\"path\":[\"board\",\"hunger\"],\"value\":[1]}}";
        assert_eq!(read(edit), Ok(Request::Edit { agent: 1, path, value }));
        let on = vec![Trigger::Success, Trigger::Halted];
        let breakpoint = Breakpoint { node: 4, on, agent: None, disabled: false, skip: 0, condition: String::new() };
        let request = r#"{"break":{"tree":0,"breakpoint":{"node":4,"on":["Success","Halted"]}}}"#;
        assert_eq!(read(request), Ok(Request::Break { tree: 0, breakpoint: breakpoint.clone() }));
        let request = r#"{"break":{"tree":0,"breakpoint":{"node":4,"on":["Success","Halted"],"agent":7,"disabled":true,"skip":3}}}"#;
        let breakpoint = Breakpoint { agent: Some(7), disabled: true, skip: 3, ..breakpoint };
        assert_eq!(read(request), Ok(Request::Break { tree: 0, breakpoint }));
        for invalid in [
            "",
            "{}",
            "[]",
            "3",
            "{\"select\":-1}",
            "{\"dance\":1}",
            "{\"select\":1,\"pause\":1}",
            "{\"break\":{\"tree\":0}}",
            "{\"list\":{\"sort\":\"age\"}}",
            "{\"list\":{\"find\":\"ann\"}}",
        ] {
            assert!(read(invalid).is_err(), "{invalid}");
        }
    }
}
