//! The types of messages in the language of the page, and those of bt-core that its messages contain.

use bt_core::Observer as _;
use bt_core::describe::FileNode as FileNodeOfCore;
use bt_core::observe::Recorder;
use bt_core::prelude::*;
use serde::de::{DeserializeOwned, IgnoredAny};
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
#[expect(dead_code, reason = "only its type is of interest")]
#[serde(deny_unknown_fields)]
struct Described {
    id: u32,
    parent: Option<u32>,
    role: Option<String>,
    kind: String,
    name: String,
    label: Option<String>,
    params: Vec<Parameter>,
    location: Option<String>,
    transitions: Vec<Transition>,
    #[ts(skip)]
    returns: IgnoredAny,
    /// The node of a file that it was built from.
    #[ts(optional = nullable)]
    file: Option<FileNode>,
    /// What can never happen, and the errors of an edit that the tree does not follow.
    #[ts(optional)]
    warnings: Option<Vec<String>>,
}

#[derive(Deserialize, TS)]
#[expect(dead_code, reason = "only its type is of interest")]
#[serde(deny_unknown_fields)]
struct Parameter {
    name: String,
    value: String,
    #[ts(skip)]
    type_name: IgnoredAny,
    #[ts(skip)]
    default: IgnoredAny,
    #[ts(skip)]
    property: IgnoredAny,
    #[ts(optional = nullable)]
    unit: Option<String>,
}

#[derive(Deserialize, TS)]
#[expect(dead_code, reason = "only its type is of interest")]
#[serde(deny_unknown_fields)]
struct Transition {
    on: String,
    to: String,
}

#[derive(Deserialize, TS)]
#[expect(dead_code, reason = "only its type is of interest")]
#[serde(deny_unknown_fields)]
struct FileNode {
    id: String,
    name: String,
    /// The line and the column.
    #[ts(optional)]
    place: Option<(u32, u32)>,
    #[ts(skip)]
    properties: IgnoredAny,
    #[ts(skip)]
    more: IgnoredAny,
}

/// A tick as bt-core records it.
#[derive(Deserialize, TS)]
#[expect(dead_code, reason = "only its type is of interest")]
#[serde(deny_unknown_fields)]
pub(crate) struct TickRecord {
    agent: u64,
    tick: u64,
    now: f64,
    status: Option<Status>,
    events: String,
    #[ts(optional)]
    reasons: Option<Vec<(u32, String)>>,
    /// The number of events that were left out.
    #[ts(optional)]
    cut: Option<u32>,
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
    let tree = tree! { for u32: machine { state a { retry(2) { work } success -> success } } };
    let file = FileNodeOfCore {
        id: "1".to_owned(),
        name: "Wait".to_owned(),
        place: Some((2, 3)),
        properties: String::new(),
        more: String::new(),
    };
    let mut node = tree.description().nodes()[0].clone();
    (node.file, node.warnings) = (Some(file), vec!["never".to_owned()]);
    let node: Described = read(node);
    assert!(node.warnings.is_some() && node.file.is_some_and(|file| file.place == Some((2, 3))));
    let nodes: Vec<Described> = read(tree.description());
    assert!(nodes.iter().any(|node| node.transitions.iter().any(|transition| transition.to == "success")));
    assert!(nodes.iter().any(|node| node.params.iter().any(|param| param.value == "2")));
    let mut recorder = Some(Recorder::new(10));
    tree.tick_with(&mut 0, &mut tree.memory(), &mut recorder.for_agent(7, secs(1)));
    let ticks: Vec<TickRecord> =
        read(recorder.expect("it records").recording(7).expect("it was ticked").ticks().collect::<Vec<_>>());
    assert_eq!((ticks[0].agent, ticks[0].now), (7, 1.0));
    assert!(matches!(ticks[0].status, Some(Status::Running)) && !ticks[0].events.is_empty());
    let written = serde_json::json!({ "agent": 1, "tick": 2, "now": 0.5, "status": null, "events": "0f", "cut": 3, "reasons": [[0, "lost"]] });
    let record: bt_core::observe::TickRecord = read(written);
    let record: TickRecord = read(record);
    assert_eq!((record.cut, record.reasons), (Some(3), Some(vec![(0, "lost".to_owned())])));
    for status in [bt_core::Status::Success, bt_core::Status::Failure, bt_core::Status::Running, bt_core::Status::Error]
    {
        let _: Status = read(status);
    }
}
