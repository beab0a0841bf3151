//! One event of a recording, in eight bytes, or a few signs of text.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::id::NodeId;
use crate::status::Status;

/// Something that happened to a node in a tick. Events stand in the order in which visits begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// The node.
    pub node: NodeId,
    /// What happened to it.
    pub what: EventKind,
}

/// What happened to a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// It was visited.
    Visited {
        /// Whether a run of it began with that.
        opened: bool,
        /// What it gave; `None` as long as the visit is not over.
        status: Option<Status>,
    },
    /// It was halted.
    Halted,
    /// It is a machine, and has gone to the state of this index.
    State(u16),
}

const _: () = assert!(size_of::<Event>() == 8, "a visited node takes eight bytes");

impl Event {
    /// A list of events as text: `0r 1f 2r 5h`.
    ///
    /// A node's index, and then: `s`, `f`, `r`, `e` for the first letter of the status of a visit that began a run, `o` if the visit is not over; the same
    /// letters in upper case where the run went on; `h` for a halt; `@3` for a machine that went to its state 3.
    pub fn to_text(events: &[Self]) -> String {
        use fmt::Write;
        let mut text = String::new();
        for event in events {
            let before = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{before}{event}");
        }
        text
    }

    /// Reads a list of events.
    ///
    /// ```
    /// use bt_core::observe::Event;
    ///
    /// let events = Event::from_text("0R 1f 2S 4@1 5h")?;
    /// assert_eq!(Event::to_text(&events), "0R 1f 2S 4@1 5h");
    /// assert_eq!(Event::from_text("0R x").unwrap_err().to_string(), "`x` is no event: it should be like `3s`, `3R`, `3h` or `3@1`");
    /// # Ok::<(), bt_core::observe::InvalidEvents>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If one of them cannot be read.
    pub fn from_text(text: &str) -> Result<Vec<Self>, InvalidEvents> {
        let one = |word: &str| Self::parse(word).ok_or_else(|| InvalidEvents(word.chars().take(20).collect()));
        text.split_whitespace().map(one).collect()
    }

    fn parse(word: &str) -> Option<Self> {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let (node, what) = word.split_at(digits);
        let node = NodeId::new(node.parse().ok()?);
        let mut signs = what.chars();
        let sign = signs.next()?;
        let rest = signs.as_str();
        let what = match sign {
            '@' => return Some(Self { node, what: EventKind::State(rest.parse().ok()?) }),
            'h' => EventKind::Halted,
            sign => {
                let (_, status) = STATUSES.into_iter().find(|(known, _)| *known == sign.to_ascii_lowercase())?;
                EventKind::Visited { opened: sign.is_ascii_lowercase(), status }
            }
        };
        rest.is_empty().then_some(Self { node, what })
    }
}

const STATUSES: [(char, Option<Status>); 5] = [
    ('s', Some(Status::Success)),
    ('f', Some(Status::Failure)),
    ('r', Some(Status::Running)),
    ('e', Some(Status::Error)),
    ('o', None),
];

impl fmt::Display for Event {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.node.index())?;
        match self.what {
            EventKind::Halted => out.write_str("h"),
            EventKind::State(state) => write!(out, "@{state}"),
            EventKind::Visited { opened, status } => {
                let sign = STATUSES.into_iter().find(|(_, known)| *known == status).map_or('o', |(sign, _)| sign);
                write!(out, "{}", if opened { sign } else { sign.to_ascii_uppercase() })
            }
        }
    }
}

/// Text that is no event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidEvents(String);

impl fmt::Display for InvalidEvents {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` is no event: it should be like `3s`, `3R`, `3h` or `3@1`", self.0)
    }
}

impl core::error::Error for InvalidEvents {}
