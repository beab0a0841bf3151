//! Reading recorded files.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;
use std::io::BufRead;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::line::{FORMAT, Header, NameLine, TickLine, VERSION, VariableLine};
use crate::describe::Description;
use crate::recording::{Event, TickRecord};

/// A recording that was read from a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Recorded {
    /// The name of the tree.
    pub name: String,
    /// The fingerprint of the tree, to compare with [`Tree::fingerprint`](crate::Tree::fingerprint).
    pub fingerprint: u64,
    /// The description of the tree.
    pub description: Description,
    /// The names of agents.
    pub names: BTreeMap<u64, String>,
    /// All ticks, in the order in which they were written.
    pub ticks: Vec<TickRecord>,
    /// All changes of variables, in the order in which they were written.
    pub variables: Vec<VariableRecord>,
    /// The lines that were dropped, and why: damaged lines, a truncated last line, and lines of an unknown kind. All
    /// others were read.
    pub dropped: Vec<ReadError>,
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
}

impl Recorded {
    /// Reads a recording. A line that cannot be read is [`dropped`](Self::dropped). The lines before and after it are
    /// read.
    ///
    /// # Errors
    ///
    /// Returns an error if reading the input fails, if its first line is not the header of a recording, or if the
    /// recording has another version.
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
                        Ok(tick) => recorded.tick(tick),
                        Err(_) => match parse(&text) {
                            Ok(Kind { format: Some(_), .. }) => {
                                let reason = "the header of another recording: the lines after it were not read";
                                recorded.dropped.push(fault(reason.to_owned()));
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
        if version != VERSION {
            return Err(format!("unsupported version: expected {VERSION}, found {version}"));
        }
        let header: Header = parse(text)?;
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
            Kind { tick: None, variable: None, name: None, .. } => {
                Err("unknown kind of line: expected a field `tick`, `variable` or `name`".to_owned())
            }
        }
    }

    fn tick(&mut self, line: TickLine<'_>) -> Result<(), String> {
        let events = Event::from_text(&line.events).map_err(|error| format!("{error}"))?;
        let nodes = self.description.nodes().len();
        let mut named = events.iter().map(|event| event.node).chain(line.errors.iter().map(|(node, _)| *node));
        if let Some(node) = named.find(|node| node.index() >= nodes) {
            return Err(format!("unknown node {node}: the tree has {nodes} nodes"));
        }
        let now = Duration::try_from_secs_f64(line.now).map_err(|error| format!("invalid `now`: {error}"))?;
        let TickLine { agent, tick: number, status, cut, errors, .. } = line;
        let errors = errors.into_owned();
        self.ticks.push(TickRecord { agent, number, now, status, events, cut, errors });
        Ok(())
    }
}

fn parse<'de, T: Deserialize<'de>>(line: &'de [u8]) -> Result<T, String> {
    serde_json::from_slice(line).map_err(|error| format!("{error}"))
}
