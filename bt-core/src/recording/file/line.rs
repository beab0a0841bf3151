//! The lines of recorded files.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Serialize};

use crate::describe::{Description, Matching};
use crate::id::NodeId;
use crate::recording::{Event, TickRecord, TickView, write_number};
use crate::status::Status;

pub(super) const FORMAT: &str = "bt-recording";
/// The version of the format. Version 1 has no versions of the tree.
pub(super) const FORMAT_VERSION: u32 = 2;

#[derive(Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) tree: String,
    pub(super) fingerprint: String,
    pub(super) nodes: Description,
}

/// The tree that replaces the one before.
#[derive(Serialize, Deserialize)]
pub(super) struct VersionLine {
    pub(super) fingerprint: String,
    pub(super) nodes: Description,
    pub(super) matching: Matching,
}

#[derive(Serialize, Deserialize)]
pub(super) struct TickLine<'a> {
    pub(super) agent: u64,
    pub(super) tick: u64,
    pub(super) now: f64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) version: u32,
    pub(super) status: Option<Status>,
    #[serde(borrow)]
    pub(super) events: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) cut: u32,
    // The name of the first format.
    #[serde(default, alias = "errors", skip_serializing_if = "no_reasons")]
    pub(super) reasons: Cow<'a, [(NodeId, String)]>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct VariableLine {
    pub(super) agent: u64,
    pub(super) variable: String,
    pub(super) value: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct NameLine {
    pub(super) agent: u64,
    pub(super) name: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn no_reasons(reasons: &[(NodeId, String)]) -> bool {
    reasons.is_empty()
}

/// Appends a tick as a line: a [`TickLine`], at a fraction of the cost of serializing it.
pub(super) fn write_tick(out: &mut Vec<u8>, number: u64, version: u32, view: &TickView<'_>) {
    out.extend_from_slice(b"{\"agent\":");
    write_number(view.tick.agent, out);
    out.extend_from_slice(b",\"tick\":");
    write_number(number, out);
    out.extend_from_slice(b",\"now\":");
    write_seconds(view.tick.now, out);
    if version > 0 {
        out.extend_from_slice(b",\"version\":");
        write_number(version.into(), out);
    }
    out.extend_from_slice(b",\"status\":");
    out.extend_from_slice(match view.status {
        Some(Status::Success) => b"\"Success\"",
        Some(Status::Failure) => b"\"Failure\"",
        Some(Status::Running) => b"\"Running\"",
        Some(Status::Error) => b"\"Error\"",
        None => b"null",
    });
    out.extend_from_slice(b",\"events\":\"");
    Event::write_all(view.events, out);
    out.push(b'"');
    if view.cut > 0 {
        out.extend_from_slice(b",\"cut\":");
        write_number(view.cut.into(), out);
    }
    if !view.reasons.is_empty() {
        out.extend_from_slice(b",\"reasons\":");
        out.extend_from_slice(&serde_json::to_vec(&view.reasons()).unwrap_or_default());
    }
    out.extend_from_slice(b"}\n");
}

/// Appends a time in seconds, exactly.
fn write_seconds(time: Duration, out: &mut Vec<u8>) {
    write_number(time.as_secs(), out);
    out.push(b'.');
    let mut nanos = time.subsec_nanos();
    let mut digit = 100_000_000;
    loop {
        write_number((nanos / digit).into(), out);
        nanos %= digit;
        if nanos == 0 {
            return;
        }
        digit /= 10;
    }
}

impl<'a> TickLine<'a> {
    /// Returns the line of a tick of the first version of the tree.
    pub(super) fn of(tick: &'a TickRecord) -> Self {
        Self {
            agent: tick.agent,
            tick: tick.number,
            now: tick.now.as_secs_f64(),
            version: 0,
            status: tick.status,
            events: Event::to_text(&tick.events).into(),
            cut: tick.cut,
            reasons: Cow::Borrowed(&tick.reasons),
        }
    }

    /// Returns the tick, whose ids are those of its version.
    pub(super) fn record(self) -> Result<TickRecord, String> {
        let events = Event::from_text(&self.events).map_err(|error| format!("{error}"))?;
        let now = Duration::try_from_secs_f64(self.now).map_err(|error| format!("invalid `now`: {error}"))?;
        let Self { agent, tick: number, status, cut, reasons, .. } = self;
        Ok(TickRecord { agent, number, now, status, events, cut, reasons: reasons.into_owned(), replaced: 0 })
    }
}

/// Checks that a tree has the nodes of a tick.
pub(super) fn check_nodes(tick: &TickRecord, tree: &Description) -> Result<(), String> {
    let nodes = tree.nodes().len();
    let mut named = tick.events.iter().map(|event| event.node).chain(tick.reasons.iter().map(|(node, _)| *node));
    match named.find(|node| node.index() >= nodes) {
        Some(node) => Err(format!("unknown node {node}: the tree has {nodes} nodes")),
        None => Ok(()),
    }
}

/// Serializes the record in the [format](crate::observe::RecordFile#format) of files.
impl Serialize for TickRecord {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        TickLine::of(self).serialize(out)
    }
}

/// Deserializes a record in the [format](crate::observe::RecordFile#format) of files. Whether a tree has the nodes is not checked.
impl<'de> Deserialize<'de> for TickRecord {
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        TickLine::deserialize(input)?.record().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observer::{Observer, Tick};
    use crate::recording::Recording;
    use crate::status::{Cause, End};

    #[test]
    fn a_tick_is_written_as_it_is_serialized() {
        let times = [0, 1, 250_000_000, 1_000_000_000, 1_100_000_000, 16_666_667, 3_599_999_999_999, u64::MAX];
        for (time, status) in times.into_iter().zip(
            [None, Some(Status::Success), Some(Status::Failure), Some(Status::Running), Some(Status::Error)]
                .into_iter()
                .cycle(),
        ) {
            let mut recording = Recording::new(3);
            let now = Duration::from_nanos(time);
            recording.begin(Tick { agent: time, now });
            for node in [0, 9, 10, 65_535] {
                let at = NodeId::new(node);
                recording.enter(at);
                recording.error(at, &"a \"quote\"\n");
                recording.close(at, End::Halted(Cause::Preempted));
            }
            recording.end(Tick { agent: time, now }, status);
            let mut text = Vec::new();
            for view in recording.views() {
                write_tick(&mut text, 0, 0, &view);
            }
            let record = recording.ticks().next().expect("a tick");
            assert!(record.cut > 0 && !record.reasons.is_empty());
            let value = |text: &[u8]| serde_json::from_slice::<serde_json::Value>(text).expect("JSON");
            let serialized = serde_json::to_vec(&record).expect("JSON");
            assert_eq!(value(&text), value(&serialized));
            let again = serde_json::from_slice::<TickRecord>(&serialized).expect("it is a tick");
            assert_eq!(serde_json::to_vec(&again).expect("JSON"), serialized);
            assert!(text.ends_with(b"}\n"));
        }
    }
}
