//! Writing recorded files.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use std::io::{self, Write};

use serde::Serialize;

use super::line::{
    FORMAT, FORMAT_VERSION, Header, NameLine, TickLine, VariableLine, VersionLine, check_nodes, write_tick,
};
use crate::describe::{Description, Matching, Visitor, fingerprint_by};
use crate::edits::versions;
use crate::id::NodeId;
use crate::node::NodeShape;
use crate::observer::{Observer, Tick, VariableView, tell_nodes};
use crate::recording::{Recording, TickRecord};
use crate::status::{End, Status};
use crate::tree::Tree;

/// The maximum number of events of a single tick that are written.
const MOST_EVENTS: usize = 1 << 20;

/// An observer that writes each tick of any number of agents to a file, as a line of JSON. [`Recorded`](crate::observe::Recorded) reads the file.
///
/// A [`Recorder`](crate::observe::Recorder) records the last ticks in memory instead.
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
/// assert!(lines.next().unwrap().starts_with(r#"{"format":"bt-recording","version":2,"tree":"guard","fingerprint":""#));
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
/// The file is UTF-8 text with one JSON object per line. Readers ignore unknown fields, and report unknown lines. Version 2
/// (version 1 has no changes of the tree):
///
/// | line | fields |
/// |---|---|
/// | header (the first line) | `format`: `"bt-recording"`; `version`; `tree`: the name of the tree; `fingerprint`: [`Tree::fingerprint`] in hexadecimal digits; `nodes`: a [`Description`](crate::describe::Description) |
/// | name | `agent`, `name` |
/// | change of the tree | `fingerprint` and `nodes` of the new tree; `matching`: for each node of the tree before, its id in the new tree, or null |
/// | change of a variable, after the tick in which it changed | `agent`; `variable`: the name; `value`: the `Debug` output, or JSON from [`show`](Self::show), as text; null if the variable is not set |
/// | tick | `agent`; `tick`: the number of earlier ticks of the agent; `now`: in seconds; `version`: the number of earlier changes of the tree, if there are any; `status`: null if the tree was halted from outside; `events`: [`Event::to_text`](crate::observe::Event::to_text); `cut`: the number of missing events, if there are any; `reasons`: the reasons of errors and failures, if there are any, each as the node and the text |
///
/// # Errors
///
/// An observer cannot return errors. The first error ends the recording. [`finish`](Self::finish) and
/// [`flush`](Self::flush) return it.
pub struct RecordFile<W: Write> {
    out: W,
    /// The number of the next tick of each agent.
    counts: BTreeMap<u64, u64>,
    /// The number of changes of the tree.
    version: u32,
    /// The present tree, and the number of edits of trees that it follows.
    description: Description,
    edits: u32,
    /// The values of each agent that were shown last, as JSON.
    shown: BTreeMap<u64, BTreeMap<String, String>>,
    current: Recording,
    /// The line that was written last, whose allocation is used again.
    text: Vec<u8>,
    error: Option<io::Error>,
    /// `true` if an error has ended the recording.
    ended: bool,
}

impl<W: Write> RecordFile<W> {
    /// Creates an observer that writes the ticks of a tree to `out`. Each line is one write, so a
    /// [`BufWriter`](std::io::BufWriter) is recommended.
    ///
    /// # Errors
    ///
    /// Returns an error if the first line cannot be written.
    pub fn new<N: NodeShape>(out: W, name: &str, tree: &N) -> io::Result<Self> {
        Self::described(out, name, tree.fingerprint(), tree.description())
    }

    /// Creates a file for ticks of a tree that is not here, such as one of another program: [`add`](Self::add) writes them.
    ///
    /// ```
    /// use bt_core::observe::{RecordFile, Recorded, Recorder};
    /// use bt_core::prelude::*;
    ///
    /// // Another program sends the description of its tree, and its ticks.
    /// let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    /// let mut recorder = Recorder::new(100);
    /// tree.tick_with(&mut 0, &mut tree.memory(), &mut recorder.for_agent(7, secs(1)));
    /// let sent = (tree.fingerprint(), tree.description());
    /// let ticks: Vec<_> = recorder.recording(7).expect("it was ticked").ticks().collect();
    ///
    /// let mut file = RecordFile::described(Vec::new(), "counter", sent.0, sent.1)?;
    /// for tick in &ticks {
    ///     file.add(tick)?;
    /// }
    /// assert_eq!(Recorded::read(&*file.finish()?)?.ticks, ticks);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the first line cannot be written.
    pub fn described(out: W, name: &str, fingerprint: u64, nodes: Description) -> io::Result<Self> {
        let header = Header {
            format: FORMAT.to_owned(),
            version: FORMAT_VERSION,
            tree: name.to_owned(),
            fingerprint: format!("{fingerprint:016x}"),
            nodes,
        };
        let mut file = Self::after(out, BTreeMap::new(), 0, Description::from_nodes(Vec::new()));
        file.line(&header)?;
        file.description = header.nodes;
        Ok(file)
    }

    /// Writes to `out` after the header, the given number of ticks of each agent and of changes of the tree.
    pub(super) fn after(out: W, counts: BTreeMap<u64, u64>, version: u32, description: Description) -> Self {
        let (shown, current, text) = (BTreeMap::new(), Recording::new(MOST_EVENTS), Vec::new());
        let (edits, error, ended) = (versions(), None, false);
        Self { out, counts, version, description, edits, shown, current, text, error, ended }
    }

    /// Continues with another tree. `matching` assigns the nodes of the tree before to nodes of the new tree. Call this method
    /// between two ticks, for example when a file with the tree was edited. All agents then use the new tree.
    ///
    /// ```
    /// use bt_core::describe::Matching;
    /// use bt_core::observe::{RecordFile, Recorded};
    /// use bt_core::prelude::*;
    ///
    /// fn walk(_: &mut ()) -> Status { Status::Running }
    /// let old = tree! { for (): walk };
    /// let mut file = RecordFile::new(Vec::new(), "guard", &old)?;
    /// old.tick_with(&mut (), &mut old.memory(), &mut file);
    ///
    /// // `walk` was wrapped: its id is 1 now.
    /// let new = tree! { for (): repeat(3) { walk } };
    /// file.replace(&new, &Matching::new([Some(NodeId::new(1))]))?;
    /// new.tick_with(&mut (), &mut new.memory(), &mut file);
    ///
    /// let recorded = Recorded::read(&*file.finish()?)?;
    /// let events = |tick: usize| bt_core::observe::Event::to_text(&recorded.ticks[tick].events);
    /// assert_eq!([events(0), events(1)], ["0r", "0r 1r"]);
    /// // Each tick has the ids of its own tree. Other parts of the library need the ids of one tree:
    /// assert_eq!(recorded.ticks_in(1)[0].events, [bt_core::observe::Event { node: NodeId::new(1), ..recorded.ticks[0].events[0] }]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the tree cannot be written, or if an error has [ended](Self#errors) the recording.
    pub fn replace<N: NodeShape>(&mut self, new: &N, matching: &Matching) -> io::Result<()> {
        let fingerprint = format!("{:016x}", new.fingerprint());
        let nodes = new.description();
        // An agent that was ticked since has said it already.
        if nodes == self.description {
            return Ok(());
        }
        self.line(&VersionLine { fingerprint, nodes: nodes.clone(), matching: matching.clone() })?;
        self.description = nodes;
        self.version += 1;
        Ok(())
    }

    /// Writes a tick that was recorded elsewhere, with its number. Ticks that this observer receives are numbered from there.
    ///
    /// # Errors
    ///
    /// Returns an error of the kind [`InvalidInput`](io::ErrorKind::InvalidInput) if the tree has not all nodes of the tick; then nothing is written. Returns an error if the tick
    /// cannot be written, or if an error has [ended](Self#errors) the recording.
    pub fn add(&mut self, tick: &TickRecord) -> io::Result<()> {
        check_nodes(tick, &self.description).map_err(|reason| io::Error::new(io::ErrorKind::InvalidInput, reason))?;
        self.counts.insert(tick.agent, tick.number.saturating_add(1));
        self.line(&TickLine { version: self.version, ..TickLine::of(tick) })
    }

    /// Writes the name of an agent.
    ///
    /// # Errors
    ///
    /// Returns an error if the name cannot be written, or if an error has [ended](Self#errors) the recording.
    pub fn name(&mut self, agent: u64, name: &str) -> io::Result<()> {
        self.line(&NameLine { agent, name: name.to_owned() })
    }

    /// Writes values of an agent after its last tick: the members of a struct or a map that have changed since the last call
    /// for this agent. A value of another kind is written under the name `value`. JSON has no `NaN` and no infinities: they are
    /// written as `null`.
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
    /// A value that cannot be serialized is written as a text with the error. An error of the file ends the recording, as
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
            self.line_or_error(&VariableLine { agent, variable: name.clone(), value: None });
        }
        for (variable, value) in &now {
            if before.get(variable) != Some(value) {
                self.line_or_error(&VariableLine { agent, variable: variable.clone(), value: Some(value.clone()) });
            }
        }
        self.shown.insert(agent, now);
    }

    /// Returns the writer.
    pub const fn get_ref(&self) -> &W {
        &self.out
    }

    /// Writes the buffered output.
    ///
    /// # Errors
    ///
    /// Returns the first error since the recording began, if there was one.
    pub fn flush(&mut self) -> io::Result<()> {
        match self.error.take() {
            Some(error) => Err(error),
            None if self.ended => Err(ended()),
            None => self.out.flush(),
        }
    }

    /// Ends the recording, and flushes and returns the writer.
    ///
    /// # Errors
    ///
    /// Returns the first error since the recording began, if there was one.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush()?;
        Ok(self.out)
    }

    /// Writes a line, or stores the error for [`flush`](Self::flush).
    fn line_or_error(&mut self, line: &impl Serialize) {
        if !self.ended {
            self.error = self.line(line).err();
        }
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        self.text.clear();
        serde_json::to_writer(&mut self.text, line)?;
        self.text.push(b'\n');
        self.write()
    }

    /// Writes `text`. The first error ends the recording: a part of the text may have been written.
    fn write(&mut self) -> io::Result<()> {
        if self.ended {
            return Err(ended());
        }
        self.out.write_all(&self.text).inspect_err(|_| self.ended = true)
    }
}

fn ended() -> io::Error {
    io::Error::other("the recording ended at an earlier error")
}

impl<W: Write> Observer for RecordFile<W> {
    const INLINE: bool = false;

    fn edited(&mut self, edits: u32, describe: &dyn Fn(&mut dyn Visitor)) {
        if core::mem::replace(&mut self.edits, edits) == edits {
            return;
        }
        let (description, fingerprint) = (Description::by(describe), fingerprint_by(describe));
        if description != self.description {
            let matching = self.description.matching(&description);
            let fingerprint = format!("{fingerprint:016x}");
            self.line_or_error(&VersionLine { fingerprint, nodes: description.clone(), matching });
            self.version += 1;
            self.description = description;
        }
    }

    fn begin(&mut self, tick: Tick) {
        self.current.begin(tick);
    }

    fn end(&mut self, tick: Tick, status: Option<Status>) {
        self.current.end(tick, status);
        // There is more than one if a panic has ended the tick before this.
        for view in self.current.views() {
            if self.ended {
                break;
            }
            let count = self.counts.entry(view.tick.agent).or_insert(0);
            let number = core::mem::replace(count, *count + 1);
            self.text.clear();
            write_tick(&mut self.text, number, self.version, &view);
            self.error = self.out.write_all(&self.text).err();
            self.ended = self.error.is_some();
        }
        self.current.clear();
    }

    fn variable(&mut self, tick: Tick, variable: &VariableView<'_>) {
        let value = variable.value.map(|value| format!("{value:?}"));
        let line = VariableLine { agent: tick.agent, variable: format!("{variable}"), value };
        self.line_or_error(&line);
    }

    tell_nodes! { |this| Some(&mut this.current) }
}
