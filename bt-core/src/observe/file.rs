//! Files of recorded ticks: a line of JSON for the tree, and one for each tick.

use alloc::borrow::{Cow, ToOwned};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;
use std::fs::File;
use std::io::{self, BufRead, BufWriter, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::board::VariableView;
use crate::describe::Description;
use crate::id::NodeId;
use crate::node::NodeShape;
use crate::observe::joined::tell_nodes;
use crate::observe::{Event, Observer, Recording, Tick, TickRecord};
use crate::status::{End, Status};
use crate::tree::Tree;

const FORMAT: &str = "bt-recording";
const VERSION: u32 = 1;
/// The maximum number of events of a single tick that are written.
const MOST_EVENTS: usize = 1 << 20;

/// An observer that writes each tick to a file, as a line of JSON.
///
/// ```
/// use bt_core::observe::{RecordFile, Recorded};
/// use bt_core::prelude::*;
///
/// fn fight(n: &mut u32) -> Status { *n += 1; Status::Running }
/// let tree = tree! { for u32: selector { |n: &u32| *n > 1, fight } };
///
/// let mut file = RecordFile::new(Vec::new(), "guard", &tree)?;      // or RecordFile::create("guard.jsonl", …)
/// file.name(7, "Ann")?;
/// let (mut agent, mut memory) = (0, tree.memory());
/// for tick in 1..=2 {
///     tree.tick_with(&mut agent, &mut memory, &mut file.for_agent(7, millis(250 * tick)));
/// }
/// let written = String::from_utf8(file.finish()?).unwrap();
/// let mut lines = written.lines();
/// assert!(lines.next().unwrap().starts_with(r#"{"format":"bt-recording","version":1,"tree":"guard","fingerprint":""#));
/// assert_eq!(lines.next().unwrap(), r#"{"agent":7,"name":"Ann"}"#);
/// assert_eq!(lines.next().unwrap(), r#"{"agent":7,"tick":0,"now":0.25,"status":"Running","events":"0r 1f 2r"}"#);
/// assert_eq!(lines.next().unwrap(), r#"{"agent":7,"tick":1,"now":0.5,"status":"Running","events":"0R 1f 2R"}"#);
///
/// let recorded = Recorded::read(written.as_bytes())?;
/// assert_eq!(recorded.ticks.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Format
///
/// The file is UTF-8 text with one JSON object per line. Readers ignore fields and lines that they do not know. Version
/// 1:
///
/// | line | fields |
/// |---|---|
/// | header (the first line) | `format`: `"bt-recording"`; `version`; `tree`: the name of the tree; `fingerprint`: [`Tree::fingerprint`] in hexadecimal digits; `nodes`: a [`Description`] |
/// | name | `agent`, `name` |
/// | change of a variable, after the tick in which it changed | `agent`; `variable`: the name; `value`: the `Debug` output, or JSON from [`show`](Self::show), as text; null if the variable is not set |
/// | tick | `agent`; `tick`: the number of earlier ticks of the agent; `now`: in seconds; `status`: null if the tree was halted from outside; `events`: [`Event::to_text`]; `cut`: the number of missing events, if there are any; `errors`: the errors of leaves, if there are any, each as the node and the text |
///
/// # Errors
///
/// An observer cannot return errors. The first error ends the recording. [`finish`](Self::finish) and
/// [`flush`](Self::flush) return it.
pub struct RecordFile<W: Write> {
    out: W,
    /// The number of the next tick of each agent.
    counts: BTreeMap<u64, u64>,
    /// The values of each agent that were shown last, as JSON.
    shown: BTreeMap<u64, BTreeMap<String, String>>,
    current: Recording,
    /// The events and the line that were written last, whose allocations are used again.
    events: String,
    text: Vec<u8>,
    error: Option<io::Error>,
    /// `true` if an error has ended the recording.
    ended: bool,
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    tree: String,
    fingerprint: String,
    nodes: Description,
}

#[derive(Serialize, Deserialize)]
struct TickLine<'a> {
    agent: u64,
    tick: u64,
    now: f64,
    status: Option<Status>,
    events: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "is_zero")]
    cut: u32,
    #[serde(default, skip_serializing_if = "no_errors")]
    errors: Cow<'a, [(NodeId, String)]>,
}

#[derive(Serialize, Deserialize)]
struct VariableLine {
    agent: u64,
    variable: String,
    value: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct NameLine {
    agent: u64,
    name: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn no_errors(errors: &[(NodeId, String)]) -> bool {
    errors.is_empty()
}

impl<'a> TickLine<'a> {
    fn new(record: &'a TickRecord, events: Cow<'a, str>) -> Self {
        Self {
            agent: record.agent,
            tick: record.number,
            now: record.now.as_secs_f64(),
            status: record.status,
            events,
            cut: record.cut,
            errors: Cow::Borrowed(&record.errors),
        }
    }
}

/// Serializes the record in the [format](RecordFile#format) of files.
impl Serialize for TickRecord {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        TickLine::new(self, Event::to_text(&self.events).into()).serialize(out)
    }
}

impl RecordFile<BufWriter<File>> {
    /// Creates a file for the ticks of a tree. The output is buffered; [`flush`](Self::flush) writes it to disk.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be created or written.
    pub fn create<N: NodeShape>(path: impl AsRef<Path>, name: &str, tree: &N) -> io::Result<Self> {
        Self::new(BufWriter::new(File::create(path)?), name, tree)
    }
}

impl<W: Write> RecordFile<W> {
    /// Writes the ticks of a tree to `out`. Each line is one write, so a [`BufWriter`] is recommended.
    ///
    /// # Errors
    ///
    /// Returns an error if the first line cannot be written.
    pub fn new<N: NodeShape>(out: W, name: &str, tree: &N) -> io::Result<Self> {
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            tree: name.to_owned(),
            fingerprint: format!("{:016x}", tree.fingerprint()),
            nodes: tree.description(),
        };
        let current = Recording::new(MOST_EVENTS);
        let (events, text) = (String::new(), Vec::new());
        let (counts, shown) = (BTreeMap::new(), BTreeMap::new());
        let mut file = Self { out, counts, shown, current, events, text, error: None, ended: false };
        file.line(&header)?;
        Ok(file)
    }

    /// Writes the name of an agent.
    ///
    /// # Errors
    ///
    /// Returns an error if the name cannot be written.
    pub fn name(&mut self, agent: u64, name: &str) -> io::Result<()> {
        self.line(&NameLine { agent, name: name.to_owned() })
    }

    /// Writes values next to the last tick of an agent: the members of a struct or a map that have changed since the last call for this agent. Another
    /// value is written under the name `value`. JSON has no `NaN` and no infinities: they are written as `null`.
    ///
    /// ```
    /// use bt_core::observe::RecordFile;
    /// use bt_core::prelude::*;
    ///
    /// #[derive(serde::Serialize)]
    /// struct Guard { health: u32, mood: &'static str }
    /// let tree = tree! { for Guard: |guard: &mut Guard| guard.health -= 1 };
    ///
    /// let mut file = RecordFile::new(Vec::new(), "guard", &tree)?;
    /// let (mut guard, mut memory) = (Guard { health: 10, mood: "calm" }, tree.memory());
    /// for tick in 0..2 {
    ///     tree.tick_with(&mut guard, &mut memory, &mut file.for_agent(7, secs(tick)));
    ///     file.show(7, &guard);
    /// }
    /// let written = String::from_utf8(file.finish()?).unwrap();
    /// let changes: Vec<_> = written.lines().filter(|line| line.contains("variable")).collect();
    /// assert_eq!(changes, [
    ///     r#"{"agent":7,"variable":"health","value":"9"}"#,
    ///     r#"{"agent":7,"variable":"mood","value":"\"calm\""}"#,
    ///     r#"{"agent":7,"variable":"health","value":"8"}"#,
    /// ]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A value that cannot be serialized is written as a text that says so. An error of the file ends the recording, as
    /// [described above](Self#errors).
    pub fn show<T: Serialize + ?Sized>(&mut self, agent: u64, values: &T) {
        let members = match serde_json::to_value(values) {
            Ok(serde_json::Value::Object(members)) => members.into_iter().collect(),
            Ok(value) => BTreeMap::from([("value".to_owned(), value)]),
            Err(error) => BTreeMap::from([("value".to_owned(), format!("cannot be serialized: {error}").into())]),
        };
        let now: BTreeMap<_, _> = members.into_iter().map(|(name, value)| (name, value.to_string())).collect();
        let before = self.shown.remove(&agent).unwrap_or_default();
        for name in before.keys().filter(|name| !now.contains_key(*name)) {
            self.line_unless_ended(&VariableLine { agent, variable: name.clone(), value: None });
        }
        for (variable, value) in &now {
            if before.get(variable) != Some(value) {
                self.line_unless_ended(&VariableLine { agent, variable: variable.clone(), value: Some(value.clone()) });
            }
        }
        self.shown.insert(agent, now);
    }

    /// Writes the buffered output.
    ///
    /// # Errors
    ///
    /// Returns the first error since the recording began, if there was one.
    pub fn flush(&mut self) -> io::Result<()> {
        match self.error.take() {
            Some(error) => Err(error),
            None if self.ended => Err(io::Error::other("the recording ended at an earlier error")),
            None => self.out.flush(),
        }
    }

    /// Ends the recording.
    ///
    /// # Errors
    ///
    /// Returns the first error since the recording began, if there was one.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush()?;
        Ok(self.out)
    }

    fn line_unless_ended(&mut self, line: &impl Serialize) {
        if !self.ended {
            self.error = self.line(line).err();
            self.ended = self.error.is_some();
        }
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        self.text.clear();
        serde_json::to_writer(&mut self.text, line)?;
        self.text.push(b'\n');
        self.out.write_all(&self.text)
    }
}

impl<W: Write> Observer for RecordFile<W> {
    const INLINE: bool = false;

    fn begin(&mut self, tick: Tick) {
        self.current.begin(tick);
    }

    fn end(&mut self, tick: Tick, status: Option<Status>) {
        self.current.end(tick, status);
        // There is more than one if a panic has ended the tick before this.
        let mut current = core::mem::replace(&mut self.current, Recording::new(0));
        let mut events = core::mem::take(&mut self.events);
        for record in current.ticks() {
            let count = self.counts.entry(record.agent).or_insert(0);
            let record = TickRecord { number: core::mem::replace(count, *count + 1), ..record };
            events.clear();
            Event::write_all(&record.events, &mut events);
            self.line_unless_ended(&TickLine::new(&record, Cow::Borrowed(&events)));
        }
        self.events = events;
        current.clear();
        self.current = current;
    }

    fn variable(&mut self, tick: Tick, variable: &VariableView<'_>) {
        let value = variable.value.map(|value| format!("{value:?}"));
        let line = VariableLine { agent: tick.agent, variable: format!("{variable}"), value };
        self.line_unless_ended(&line);
    }

    tell_nodes! { |this| Some(&mut this.current) }
}

/// A recording that was read from a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Recorded {
    /// The name of the tree.
    pub name: String,
    /// The fingerprint of the tree, to compare with [`Tree::fingerprint`].
    pub fingerprint: u64,
    /// The description of the tree.
    pub description: Description,
    /// The names of agents.
    pub names: BTreeMap<u64, String>,
    /// All ticks, in the order in which they were written.
    pub ticks: Vec<TickRecord>,
    /// All changes of variables, in the order in which they were written.
    pub variables: Vec<VariableRecord>,
    /// The number of the last line if it is truncated, because the program ended while it wrote the line. All lines
    /// before it were read.
    pub truncated_line: Option<usize>,
}

/// A recorded change of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariableRecord {
    /// The agent that the variable belongs to.
    pub agent: u64,
    /// The number of [ticks](Recorded::ticks) before the change.
    pub after: usize,
    /// The name of the variable.
    pub name: String,
    /// The value as text; `None` if the variable is not set.
    pub value: Option<String>,
}

/// The error of reading an invalid recording.
#[derive(Debug)]
pub struct ReadError {
    /// The number of the invalid line, counted from 1.
    pub line: usize,
    /// The reason why the line is invalid.
    pub reason: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}", self.line, self.reason)
    }
}

impl core::error::Error for ReadError {}

impl Recorded {
    /// Reads a recording. If the last line is truncated, because the program that wrote it ended early, all lines
    /// before it are read: see [`truncated_line`](Self::truncated_line).
    ///
    /// # Errors
    ///
    /// Returns an error if the input is not a recording, has another version, or has an invalid line other than a
    /// truncated last one.
    pub fn read(mut input: impl BufRead) -> Result<Self, ReadError> {
        let mut text = Vec::new();
        let mut number = 0;
        let mut recorded: Option<Self> = None;
        loop {
            text.clear();
            number += 1;
            let fault = |reason| ReadError { line: number, reason };
            input.read_until(b'\n', &mut text).map_err(|error| fault(format!("{error}")))?;
            if text.is_empty() {
                break;
            }
            let whole = text.ends_with(b"\n");
            let read = match &mut recorded {
                None => Self::header(&text).map(|header| recorded = Some(header)),
                Some(recorded) => recorded.line(&text),
            };
            match (read, &mut recorded) {
                (Err(_), Some(recorded)) if !whole => recorded.truncated_line = Some(number),
                (read, _) => read.map_err(fault)?,
            }
        }
        recorded
            .ok_or_else(|| ReadError { line: 1, reason: "expected a header, found the end of the input".to_owned() })
    }

    fn header(text: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Kind {
            format: String,
            version: u32,
        }
        let kind: Kind = serde_json::from_slice(text)
            .map_err(|error| format!("not a recording: expected a header with `format` and `version`: {error}"))?;
        if kind.format != FORMAT {
            return Err(format!("not a recording: expected format `{FORMAT}`, found `{}`", kind.format));
        }
        if kind.version != VERSION {
            return Err(format!("unsupported version: expected {VERSION}, found {}", kind.version));
        }
        let header: Header = serde_json::from_slice(text).map_err(|error| format!("{error}"))?;
        let fingerprint = u64::from_str_radix(&header.fingerprint, 16).map_err(|_| {
            format!("invalid fingerprint `{}`: expected up to 16 hexadecimal digits", header.fingerprint)
        })?;
        Ok(Self {
            name: header.tree,
            fingerprint,
            description: header.nodes,
            names: BTreeMap::new(),
            ticks: Vec::new(),
            variables: Vec::new(),
            truncated_line: None,
        })
    }

    fn line(&mut self, text: &[u8]) -> Result<(), String> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Line {
            Tick(TickLine<'static>),
            Variable(VariableLine),
            Name(NameLine),
            Other(serde::de::IgnoredAny),
        }
        let line = serde_json::from_slice(text).map_err(|error| format!("{error}"))?;
        match line {
            Line::Tick(line) => {
                let events = Event::from_text(&line.events).map_err(|error| format!("{error}"))?;
                let nodes = self.description.nodes().len();
                if let Some(event) = events.iter().find(|event| event.node.index() >= nodes) {
                    return Err(format!("unknown node {}: the tree has {nodes} nodes", event.node));
                }
                let now = Duration::try_from_secs_f64(line.now).map_err(|error| format!("invalid `now`: {error}"))?;
                let TickLine { agent, tick: number, status, cut, errors, .. } = line;
                if let Some((node, _)) = errors.iter().find(|(node, _)| node.index() >= nodes) {
                    return Err(format!("unknown node {node}: the tree has {nodes} nodes"));
                }
                let errors = errors.into_owned();
                self.ticks.push(TickRecord { agent, number, now, status, events, cut, errors });
            }
            Line::Variable(VariableLine { agent, variable: name, value }) => {
                self.variables.push(VariableRecord { agent, after: self.ticks.len(), name, value });
            }
            Line::Name(NameLine { agent, name }) => {
                self.names.insert(agent, name);
            }
            Line::Other(_) => {}
        }
        Ok(())
    }
}
