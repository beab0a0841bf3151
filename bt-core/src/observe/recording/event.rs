//! An event of a recording, in 8 bytes, or as a few characters of text.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::id::NodeId;
use crate::status::Status;

/// An event of a node in a tick. Events are in the order in which the visits began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// The node.
    pub node: NodeId,
    /// The kind of event.
    pub what: EventKind,
}

/// The kind of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// The node was visited.
    Visited {
        /// `true` if a run of the node started with this visit.
        opened: bool,
        /// The status that the node returned; `None` if the visit is not over.
        status: Option<Status>,
    },
    /// The node was halted.
    Halted,
    /// The node is a machine, and has gone to the state with this index.
    State(u16),
}

const _: () = assert!(size_of::<Event>() == 8, "an event takes 8 bytes");

impl Event {
    /// Returns a list of events as text, such as `0r 1f 2r 5h`.
    ///
    /// Each event is the index of the node, followed by one of:
    ///
    /// - `s`, `f`, `r`, `e`: a visit that started a run and returned the status with this first letter
    /// - `o`: a visit that started a run and is not over
    /// - the same letters in upper case: a visit that resumed a run
    /// - `h`: a halt
    /// - `@3`: a transition of a machine to the state with index 3
    pub fn to_text(events: &[Self]) -> String {
        use fmt::Write;
        let mut text = String::new();
        for event in events {
            let before = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{before}{event}");
        }
        text
    }

    /// Parses a list of events.
    ///
    /// ```
    /// use bt_core::observe::Event;
    ///
    /// let events = Event::from_text("0R 1f 2S 4@1 5h")?;
    /// assert_eq!(Event::to_text(&events), "0R 1f 2S 4@1 5h");
    /// assert_eq!(Event::from_text("0R x").unwrap_err().to_string(), "invalid event `x`: expected a form such as `3s`, `3R`, `3h` or `3@1`");
    /// # Ok::<(), bt_core::observe::InvalidEvents>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if one of the events is invalid.
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

/// The error of parsing invalid events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidEvents(String);

impl fmt::Display for InvalidEvents {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "invalid event `{}`: expected a form such as `3s`, `3R`, `3h` or `3@1`", self.0)
    }
}

impl core::error::Error for InvalidEvents {}
