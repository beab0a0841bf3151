//! An event of a recording, in 8 bytes, or as a few characters of text.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::id::NodeId;
use crate::status::{Cause, Status};

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
    /// The node was halted, for this cause.
    Halted(Cause),
    /// The node is a machine, and has gone to the state with this index.
    State(u16),
    /// The score of the node, as its parent has computed it.
    Score(ShortFloat),
}

/// A float in 3 bytes, with at least 4 significant digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShortFloat([u8; 3]);

impl From<f32> for ShortFloat {
    fn from(number: f32) -> Self {
        let [low, rest @ ..] = number.to_bits().to_le_bytes();
        // Rounds to the nearest; the largest finite number stays finite.
        let [a, b, c] = rest;
        let bits = u32::from_le_bytes([a, b, c, 0]);
        let rounded = if low >= 0x80 && number.is_finite() { bits + 1 } else { bits };
        let [a, b, c, _] = rounded.to_le_bytes();
        let rounded = Self([a, b, c]);
        if number.is_finite() && !f32::from(rounded).is_finite() { Self(rest) } else { rounded }
    }
}

impl From<ShortFloat> for f32 {
    fn from(ShortFloat([a, b, c]): ShortFloat) -> Self {
        Self::from_bits(u32::from_le_bytes([0, a, b, c]))
    }
}

/// Writes 4 significant digits.
impl fmt::Display for ShortFloat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = f32::from(*self);
        let rounded = alloc::format!("{number:.3e}").parse().unwrap_or(number);
        write!(out, "{rounded}")
    }
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
    /// - `h`: a halt, because another child took over; `he`, because a node above has ended; `ht`, by a `timeout`; `hs`, from
    ///   outside; `hx`, by an edit
    /// - `@3`: a transition of a machine to the state with index 3
    /// - `=0.75`: a score, with 4 significant digits
    pub fn to_text(events: &[Self]) -> String {
        let mut text = Vec::new();
        Self::write_all(events, &mut text);
        String::from_utf8(text).unwrap_or_default()
    }

    /// Appends a list of events as text.
    pub(super) fn write_all(events: &[Self], out: &mut Vec<u8>) {
        for event in events {
            event.write_and_space(out);
        }
        if !events.is_empty() {
            out.pop();
        }
    }

    /// Appends the event and a space. Formatting numbers with `write!` would take most of the time of recording to a file.
    #[inline(always)]
    fn write_and_space(self, out: &mut Vec<u8>) {
        let letter = match self.what {
            EventKind::Visited { opened: true, status } => letter(status),
            EventKind::Visited { opened: false, status } => letter(status).to_ascii_uppercase(),
            EventKind::Halted(_) | EventKind::State(_) | EventKind::Score(_) => return self.write_rare_and_space(out),
        };
        let node = self.node.index() as u64;
        if node < 10 {
            return out.extend_from_slice(&[digit(node), letter, b' ']);
        }
        write_number(node, out);
        out.extend_from_slice(&[letter, b' ']);
    }

    #[cold]
    fn write_rare_and_space(self, out: &mut Vec<u8>) {
        write_number(self.node.index() as u64, out);
        if let EventKind::Halted(cause) = self.what {
            return ["h", letter_of(cause), " "].iter().for_each(|text| out.extend_from_slice(text.as_bytes()));
        }
        let text = match self.what {
            EventKind::State(state) => alloc::format!("@{state} "),
            EventKind::Score(score) => alloc::format!("={score} "),
            EventKind::Visited { .. } | EventKind::Halted(_) => return,
        };
        out.extend_from_slice(text.as_bytes());
    }

    /// Parses a list of events.
    ///
    /// ```
    /// use bt_core::observe::Event;
    ///
    /// let events = Event::from_text("0R 1f 2S 4@1 5h 7ht 6=0.75")?;
    /// assert_eq!(Event::to_text(&events), "0R 1f 2S 4@1 5h 7ht 6=0.75");
    /// assert_eq!(Event::from_text("0R x").unwrap_err().to_string(), "invalid event `x`: expected a form such as `3s`, `3R`, `3h`, `3@1` or `3=0.5`");
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
        let (sign, rest) = (*what.as_bytes().first()?, what.get(1..)?);
        let what = match sign {
            b'@' => return Some(Self { node, what: EventKind::State(rest.parse().ok()?) }),
            b'=' => return Some(Self { node, what: EventKind::Score(rest.parse::<f32>().ok()?.into()) }),
            b'h' => return Some(Self { node, what: EventKind::Halted(cause_of(rest)?) }),
            sign => {
                let status = STATUSES.into_iter().find(|status| letter(*status) == sign.to_ascii_lowercase())?;
                EventKind::Visited { opened: sign.is_ascii_lowercase(), status }
            }
        };
        rest.is_empty().then_some(Self { node, what })
    }
}

const STATUSES: [Option<Status>; 5] =
    [Some(Status::Success), Some(Status::Failure), Some(Status::Running), Some(Status::Error), None];

/// Returns the letters of a cause.
const fn letter_of(cause: Cause) -> &'static str {
    match cause {
        Cause::Preempted => "",
        Cause::Ended => "e",
        Cause::TimedOut => "t",
        Cause::Stopped => "s",
        Cause::Edited => "x",
    }
}

fn cause_of(letters: &str) -> Option<Cause> {
    Cause::ALL.into_iter().find(|cause| letter_of(*cause) == letters)
}

/// Returns the letter of a visit that started a run.
const fn letter(status: Option<Status>) -> u8 {
    match status {
        Some(Status::Success) => b's',
        Some(Status::Failure) => b'f',
        Some(Status::Running) => b'r',
        Some(Status::Error) => b'e',
        None => b'o',
    }
}

impl fmt::Display for Event {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&Self::to_text(&[*self]))
    }
}

/// Appends a number in decimal digits.
#[inline(always)]
pub(super) fn write_number(number: u64, out: &mut Vec<u8>) {
    if number < 10 { out.push(digit(number)) } else { write_large(number, out) }
}

fn write_large(number: u64, out: &mut Vec<u8>) {
    if number >= 100 {
        write_number(number / 100, out);
    }
    out.extend_from_slice(&[digit(number / 10), digit(number)]);
}

/// Returns the last decimal digit of a number.
const fn digit(number: u64) -> u8 {
    b'0' + (number % 10) as u8
}

/// The error of parsing invalid events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidEvents(String);

impl fmt::Display for InvalidEvents {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "invalid event `{}`: expected a form such as `3s`, `3R`, `3h`, `3@1` or `3=0.5`", self.0)
    }
}

impl core::error::Error for InvalidEvents {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_keep_four_digits() {
        for number in [0.0, 0.7, -0.1, 1.0 / 3.0, 12345.0, 1e-6, f32::MAX, f32::MIN, f32::INFINITY, -f32::INFINITY] {
            let short = f32::from(ShortFloat::from(number));
            let same = short.total_cmp(&number).is_eq();
            assert!(same || ((short - number) / number).abs() < 5e-5, "{number} became {short}");
        }
        assert!(f32::from(ShortFloat::from(f32::NAN)).is_nan());
        let text = |number: f32| alloc::string::ToString::to_string(&ShortFloat::from(number));
        assert_eq!([0.7, -2.0 / 3.0, 0.05, 20.0].map(text), ["0.7", "-0.6667", "0.05", "20"]);
        let events = [0.7, f32::NAN].map(|score| Event { node: NodeId::new(3), what: EventKind::Score(score.into()) });
        assert_eq!(Event::to_text(&events), "3=0.7 3=NaN");
        assert_eq!(Event::to_text(&Event::from_text("3=0.7 3=NaN").expect("they are events")), "3=0.7 3=NaN");
    }
}
