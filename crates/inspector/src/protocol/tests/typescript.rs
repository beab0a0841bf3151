//! The types of messages in the language of the page, and those of bt-core that its messages contain.

use bt_core::Observer as _;
use bt_core::observe::Recorder;
use bt_core::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use ts_rs::{Config, TS};

use crate::protocol::message::Recorded;

#[cfg(feature = "edit")]
mod messages;

/// The statuses of bt-core.
#[derive(Deserialize, TS)]
enum Status {
    Success,
    Failure,
    Running,
    Error,
}

/// A node as bt-core describes it, as far as the page reads it.
#[derive(Deserialize, TS)]
#[ts(optional_fields)]
#[expect(dead_code, reason = "only its type is of interest")]
struct Described {
    id: u32,
    #[ts(optional = false)]
    parent: Option<u32>,
    #[ts(optional = false)]
    role: Option<String>,
    kind: String,
    name: String,
    #[ts(optional = false)]
    label: Option<String>,
    params: Vec<Parameter>,
    #[ts(optional = false)]
    location: Option<String>,
    transitions: Vec<Transition>,
    /// The node of a file that it was built from.
    #[ts(optional = nullable)]
    file: Option<FileNode>,
    /// What can never happen, and the errors of an edit that the tree does not follow.
    warnings: Option<Vec<String>>,
}

#[derive(Deserialize, TS)]
#[expect(dead_code, reason = "only its type is of interest")]
struct Parameter {
    name: String,
    value: String,
    #[ts(optional = nullable)]
    unit: Option<String>,
}

#[derive(Deserialize, TS)]
#[expect(dead_code, reason = "only its type is of interest")]
struct Transition {
    on: String,
    to: String,
}

#[derive(Deserialize, TS)]
#[expect(dead_code, reason = "only its type is of interest")]
struct FileNode {
    id: String,
    name: String,
    /// The line and the column.
    #[ts(optional)]
    place: Option<(u32, u32)>,
}

/// A tick as bt-core records it.
#[derive(Deserialize, TS)]
#[expect(dead_code, reason = "only its type is of interest")]
pub(crate) struct TickRecord {
    agent: u64,
    tick: u64,
    now: f64,
    status: Option<Status>,
    events: String,
    #[ts(optional)]
    reasons: Option<Vec<(u32, String)>>,
}

impl TS for Recorded<'_> {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn name(config: &Config) -> String {
        TickRecord::name(config)
    }

    fn inline(config: &Config) -> String {
        TickRecord::inline(config)
    }

    fn inline_flattened(config: &Config) -> String {
        TickRecord::inline_flattened(config)
    }
}

/// The types above that stand for those of bt-core.
#[test]
fn what_bt_core_writes_has_these_types() {
    fn read<T: DeserializeOwned>(written: impl Serialize) -> T {
        let value = serde_json::to_value(written).expect("it can be serialized");
        serde_json::from_value(value).expect("it has the fields")
    }
    fn work(_: &mut u32) -> bt_core::Status {
        bt_core::Status::Running
    }
    let tree = tree! { for u32: machine { state a { retry(2) { work }, success -> success } } };
    let nodes: Vec<Described> = read(tree.description());
    assert!(nodes.iter().any(|node| node.transitions.iter().any(|transition| transition.to == "success")));
    assert!(nodes.iter().any(|node| node.params.iter().any(|param| param.value == "2")));
    let mut recorder = Some(Recorder::new(10));
    tree.tick_with(&mut 0, &mut tree.memory(), &mut recorder.for_agent(7, secs(1)));
    let ticks: Vec<TickRecord> =
        read(recorder.expect("it records").recording(7).expect("it was ticked").ticks().collect::<Vec<_>>());
    assert_eq!((ticks[0].agent, ticks[0].now), (7, 1.0));
    assert!(matches!(ticks[0].status, Some(Status::Running)) && !ticks[0].events.is_empty());
    for status in [bt_core::Status::Success, bt_core::Status::Failure, bt_core::Status::Running, bt_core::Status::Error]
    {
        let _: Status = read(status);
    }
}
