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

use super::line::{FORMAT, Header, NameLine, TickLine, VERSION, VariableLine};
use crate::describe::Description;
use crate::observe::{Event, TickRecord};

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
