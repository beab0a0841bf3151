//! Reading recorded files.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use std::io::BufRead;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::line::{FORMAT, FORMAT_VERSION, Header, NameLine, TickLine, VariableLine, VersionLine, check_nodes};
use crate::describe::{Description, LastingNumbers, Matching};
use crate::recording::TickRecord;

/// The content of a file that a [`RecordFile`](super::RecordFile) has written: the tree, its versions, and the ticks of all agents.
///
/// What a running program has recorded in memory is a [`Recording`](crate::observe::Recording) of each agent.
#[derive(Clone, PartialEq, Debug)]
pub struct Recorded {
    /// The name of the tree.
    pub name: String,
    /// The fingerprint of the first tree, to compare with [`Tree::fingerprint`](crate::Tree::fingerprint).
    pub fingerprint: u64,
    /// The description of the first tree. If the tree was replaced, [`description_of`](Self::description_of) returns the
    /// descriptions of the later trees.
    pub description: Description,
    /// The trees that have replaced the first one, in order.
    pub changes: Vec<VersionRecord>,
    /// The names of agents.
    pub names: BTreeMap<u64, String>,
    /// All ticks, in the order in which they were written.
    pub ticks: Vec<TickRecord>,
    /// All changes of variables, in the order in which they were written.
    pub variables: Vec<VariableRecord>,
    /// The lines that were dropped, and why: damaged lines, a truncated last line, lines of an unknown kind, the header of
    /// another recording, and a tick of a version of the tree that was not read. Lines after the last two are not read or listed.
    pub dropped: Vec<ReadError>,
}

/// A tree that has replaced the tree before it.
#[derive(Clone, PartialEq, Debug)]
pub struct VersionRecord {
    /// The number of [ticks](Recorded::ticks) before the change.
    pub after: usize,
    /// The fingerprint of the tree.
    pub fingerprint: u64,
    /// The description of the tree.
    pub description: Description,
    /// The matching of the nodes of the tree before and the nodes of this tree.
    pub matching: Matching,
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

/// A line of a recording that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The reason why the line cannot be read.
    pub reason: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}", self.line, self.reason)
    }
}

impl core::error::Error for ReadError {}

/// The fields by which lines differ.
#[derive(Deserialize)]
struct Kind {
    format: Option<IgnoredAny>,
    tick: Option<IgnoredAny>,
    variable: Option<IgnoredAny>,
    name: Option<IgnoredAny>,
    matching: Option<IgnoredAny>,
}

/// The reason why reading ends before the end of the input.
const REST: &str = "the lines after it were not read";

impl Recorded {
    /// Reads a recording. A line that cannot be read is [`dropped`](Self::dropped). The lines before it are read, and so are
    /// the lines after it, with the two exceptions listed there.
    ///
    /// # Errors
    ///
    /// Returns an error if reading the input fails, if its first line is not the header of a recording, or if the version
    /// of the recording is not supported.
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
            match &mut recorded {
                None => recorded = Some(Self::header(&text).map_err(fault)?),
                Some(recorded) => {
                    let read = match parse(&text) {
                        // Almost all lines are ticks, which are parsed only once.
                        Ok(TickLine { version, .. }) if recorded.changes.len() != version as usize => {
                            let reason = format!("a tick of version {version} of the tree, which was not read: {REST}");
                            recorded.dropped.push(fault(reason));
                            break;
                        }
                        Ok(tick) => recorded.tick(tick),
                        Err(_) => match parse(&text) {
                            Ok(Kind { format: Some(_), .. }) => {
                                recorded.dropped.push(fault(format!("the header of another recording: {REST}")));
                                break;
                            }
                            kind => kind.and_then(|kind| recorded.line(&kind, &text)),
                        },
                    };
                    let is_truncated = !text.ends_with(b"\n");
                    let reason = |reason| if is_truncated { format!("truncated: {reason}") } else { reason };
                    recorded.dropped.extend(read.err().map(reason).map(fault));
                }
            }
        }
        recorded
            .ok_or_else(|| ReadError { line: 1, reason: "expected a header, found the end of the input".to_owned() })
    }

    /// Returns the version of the tree for the tick with this index. The first version is 0, and each [change](Self::changes)
    /// begins the next version.
    pub fn version_of(&self, tick: usize) -> usize {
        self.changes.partition_point(|change| change.after <= tick)
    }

    /// Returns the description of a version of the tree; `None` if there is no such version.
    pub fn description_of(&self, version: usize) -> Option<&Description> {
        match version.checked_sub(1) {
            None => Some(&self.description),
            Some(change) => self.changes.get(change).map(|change| &change.description),
        }
    }

    /// Returns all ticks with the ids of one version of the tree, or no ticks if there is no such version.
    /// [`Description::why`] and [`Statistics`](crate::observe::Statistics) expect ticks of one tree. Events of nodes that this
    /// version does not have are left out. See [`TickRecord::translated`].
    pub fn ticks_in(&self, version: usize) -> Vec<TickRecord> {
        let mut numbers = Vec::from([LastingNumbers::new(count(&self.description))]);
        for change in &self.changes {
            numbers.extend(numbers.last().map(|last| last.next(&change.matching, count(&change.description))));
        }
        let (Some(to), Some(new)) = (numbers.get(version), self.description_of(version)) else { return Vec::new() };
        let matchings: Vec<_> = numbers.iter().map(|from| from.matching(to)).collect();
        let translated = |(index, tick): (usize, &TickRecord)| {
            let from = self.version_of(index);
            match self.description_of(from) {
                Some(old) if from != version => {
                    let change = |version| i32::try_from(version).unwrap_or(i32::MAX);
                    TickRecord {
                        replaced: change(version) - change(from),
                        ..tick.translated(old, new, &matchings[from])
                    }
                }
                _ => tick.clone(),
            }
        };
        self.ticks.iter().enumerate().map(translated).collect()
    }

    /// Returns the ticks of an agent, oldest first.
    pub fn ticks_of(&self, agent: u64) -> impl DoubleEndedIterator<Item = &TickRecord> + Clone {
        self.ticks.iter().filter(move |tick| tick.agent == agent)
    }

    pub(super) fn header(text: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Format {
            format: String,
            version: u32,
        }
        let Format { format, version } = serde_json::from_slice(text)
            .map_err(|error| format!("not a recording: expected a header with `format` and `version`: {error}"))?;
        if format != FORMAT {
            return Err(format!("not a recording: expected format `{FORMAT}`, found `{format}`"));
        }
        if !(1..=FORMAT_VERSION).contains(&version) {
            return Err(format!("unsupported version: expected 1 to {FORMAT_VERSION}, found {version}"));
        }
        let header: Header = parse(text)?;
        Ok(Self {
            name: header.tree,
            fingerprint: fingerprint(&header.fingerprint)?,
            description: header.nodes,
            changes: Vec::new(),
            names: BTreeMap::new(),
            ticks: Vec::new(),
            variables: Vec::new(),
            dropped: Vec::new(),
        })
    }

    fn line(&mut self, kind: &Kind, text: &[u8]) -> Result<(), String> {
        match kind {
            Kind { tick: Some(_), .. } => self.tick(parse(text)?),
            Kind { variable: Some(_), .. } => {
                let VariableLine { agent, variable: name, value } = parse(text)?;
                self.variables.push(VariableRecord { agent, after: self.ticks.len(), name, value });
                Ok(())
            }
            Kind { name: Some(_), .. } => {
                let NameLine { agent, name } = parse(text)?;
                self.names.insert(agent, name);
                Ok(())
            }
            Kind { matching: Some(_), .. } => {
                let VersionLine { fingerprint: digits, nodes: description, matching } = parse(text)?;
                let before = self.last_description();
                if !matching.fits(count(before), count(&description)) {
                    return Err(
                        "invalid matching: expected the id in the new tree, or null, of each node before".to_owned()
                    );
                }
                let (after, fingerprint) = (self.ticks.len(), fingerprint(&digits)?);
                self.changes.push(VersionRecord { after, fingerprint, description, matching });
                Ok(())
            }
            Kind { tick: None, variable: None, name: None, matching: None, .. } => {
                Err("unknown kind of line: expected a field `tick`, `variable`, `name` or `matching`".to_owned())
            }
        }
    }

    fn last_description(&self) -> &Description {
        self.changes.last().map_or(&self.description, |change| &change.description)
    }

    fn tick(&mut self, line: TickLine<'_>) -> Result<(), String> {
        let tick = line.record()?;
        check_nodes(&tick, self.last_description())?;
        self.ticks.push(tick);
        Ok(())
    }
}

fn count(description: &Description) -> u32 {
    u32::try_from(description.nodes().len()).unwrap_or(u32::MAX)
}

/// Parses a fingerprint.
pub(super) fn fingerprint(digits: &str) -> Result<u64, String> {
    u64::from_str_radix(digits, 16)
        .map_err(|_| format!("invalid fingerprint `{digits}`: expected up to 16 hexadecimal digits"))
}

fn parse<'de, T: Deserialize<'de>>(line: &'de [u8]) -> Result<T, String> {
    serde_json::from_slice(line).map_err(|error| format!("{error}"))
}
