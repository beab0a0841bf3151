//! What a page and the server say to each other: a JSON object per message.

use bt_core::Status;
use bt_core::describe::Description;
use bt_core::observe::TickRecord;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::breaks::On;

/// What a page asks for.
#[derive(PartialEq, Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Ask {
    /// To see this agent.
    Choose(usize),
    /// To list the agents whose name contains this.
    Search(String),
    Pause(usize),
    Resume(usize),
    Step(usize),
    Break {
        tree: usize,
        node: u32,
        on: Vec<On>,
    },
}

/// What the server tells.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Tell<'a> {
    /// The first message.
    Hello {
        recording: bool,
    },
    Trees(Vec<TreeInfo<'a>>),
    Agents {
        total: usize,
        matching: usize,
        list: Vec<AgentInfo<'a>>,
        /// The chosen agent, also where the list, which is limited and searched, does not contain it.
        chosen: Option<AgentInfo<'a>>,
    },
    Ticks {
        agent: usize,
        /// How many were left out before these.
        dropped: u64,
        list: Vec<TickInfo<'a>>,
    },
    /// Whether the chosen agent is paused, and where it waits.
    Turn {
        agent: usize,
        paused: bool,
        stop: Option<StopInfo>,
    },
    /// There is no agent of this key; the page has chosen it.
    Lost(usize),
    Error(&'a str),
}

#[derive(Serialize)]
pub(crate) struct TreeInfo<'a> {
    pub(crate) key: usize,
    pub(crate) name: &'a str,
    pub(crate) nodes: &'a Description,
}

#[derive(Serialize, PartialEq)]
pub(crate) struct AgentInfo<'a> {
    pub(crate) key: usize,
    pub(crate) name: &'a str,
    pub(crate) tree: usize,
    pub(crate) status: Option<Status>,
    pub(crate) gone: bool,
    pub(crate) waits: bool,
}

#[derive(Serialize)]
pub(crate) struct TickInfo<'a> {
    #[serde(flatten)]
    pub(crate) tick: &'a TickRecord,
    /// All values that are shown next to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) values: Option<&'a RawValue>,
    /// Or those that have changed since the tick before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) changes: Option<&'a RawValue>,
}

#[derive(Serialize)]
pub(crate) struct StopInfo {
    /// The node, if it waits in the middle of a tick, and what has happened there.
    pub(crate) at: Option<(usize, On)>,
    pub(crate) current: Option<TickRecord>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_asks_for_is_read() {
        let read = |text| serde_json::from_str::<Ask>(text).map_err(|error| error.to_string());
        assert_eq!(read("{\"choose\":3}"), Ok(Ask::Choose(3)));
        assert_eq!(read("{\"search\":\"ann\"}"), Ok(Ask::Search("ann".to_owned())));
        let breaks = Ask::Break { tree: 0, node: 4, on: vec![On::Success, On::Halted] };
        assert_eq!(read("{\"break\":{\"tree\":0,\"node\":4,\"on\":[\"Success\",\"Halted\"]}}"), Ok(breaks));
        for wrong in [
            "",
            "{}",
            "[]",
            "3",
            "{\"choose\":-1}",
            "{\"dance\":1}",
            "{\"choose\":1,\"pause\":1}",
            "{\"break\":{\"tree\":0}}",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
