//! Numbers and times of words in a file: a value, a range, or a value that is read when a run starts.

use std::fmt;
use std::time::Duration;

use serde_json::Value;

use crate::source::{Scalar, Source};

/// A number or time in a file.
#[derive(Clone, PartialEq, Debug)]
pub enum Amount<T> {
    /// A fixed value.
    Fixed(T),
    /// A random value from a range that includes both ends: `1s..=3s`.
    Range(T, T),
    /// A registered function of the context, or a variable.
    Read(Source),
}

impl<T> Amount<T> {
    /// Returns the fixed value; `None` if the value is determined when a run starts.
    pub const fn fixed(&self) -> Option<&T> {
        match self {
            Self::Fixed(value) => Some(value),
            Self::Range(..) | Self::Read(_) => None,
        }
    }

    /// Returns the source of the value; `None` if the value is not read.
    pub const fn source(&self) -> Option<&Source> {
        match self {
            Self::Read(source) => Some(source),
            Self::Fixed(_) | Self::Range(..) => None,
        }
    }

    /// Reads a property with a function for its values. Returns `None` if the property is invalid.
    pub(crate) fn of(value: &Value, of: impl Fn(&Value) -> Option<T>) -> Option<Self>
    where
        T: PartialOrd,
    {
        if let Some(value) = of(value) {
            return Some(Self::Fixed(value));
        }
        let text = value.as_str()?;
        if let Some((least, most)) = text.split_once("..=") {
            let [least, most] = [least, most].map(|end| of(&end.trim().into()));
            let (least, most) = (least?, most?);
            return Some(Self::Range(least, most));
        }
        match Source::of(value)? {
            Source::Number(_) => None,
            Source::Registered(name) if name.trim().is_empty() || begins_with_number(&name) => None,
            source => Some(Self::Read(source)),
        }
    }
}

/// Returns `true` for a text that is meant as a number or a time, `-5s` or `50%`, and names nothing.
fn begins_with_number(text: &str) -> bool {
    text.trim_start_matches(|sign: char| sign.is_whitespace() || "+-.".contains(sign))
        .starts_with(|sign: char| sign.is_ascii_digit())
}

/// Returns `true` if a property with this text names a registered value: the text does not begin as a number, and is not a range or variable.
///
/// ```
/// use bt_behavior3::is_value_name;
///
/// assert!(is_value_name("Patience") && !is_value_name("{patience}") && !is_value_name("5s"));
/// ```
pub fn is_value_name(text: &str) -> bool {
    let is_source = matches!(Source::of(&text.into()), Some(Source::Registered(_)));
    is_source && !text.trim().is_empty() && !text.contains("..=") && !begins_with_number(text)
}

/// Writes the amount as in a file.
impl<T: fmt::Debug> fmt::Display for Amount<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(value) => value.fmt(out),
            Self::Range(least, most) => write!(out, "{least:?}..={most:?}"),
            Self::Read(source) => source.fmt(out),
        }
    }
}

/// A type of number or time that can be the value of a variable or of a registered function.
pub trait FromScalar: Sized {
    /// The expected values, for errors.
    const EXPECTED: &'static str;
    /// Converts a value.
    fn from_scalar(value: &Scalar) -> Option<Self>;
}

/// A whole number.
impl FromScalar for u32 {
    const EXPECTED: &'static str = "a whole number from 0 to 4294967295";

    fn from_scalar(value: &Scalar) -> Option<Self> {
        let Scalar::Number(number) = value else { return None };
        whole(*number)
    }
}

/// Any number.
impl FromScalar for f64 {
    const EXPECTED: &'static str = "a number";

    fn from_scalar(value: &Scalar) -> Option<Self> {
        let Scalar::Number(number) = value else { return None };
        Some(*number)
    }
}

/// A number of milliseconds, or text such as `1.5s`.
impl FromScalar for Duration {
    const EXPECTED: &'static str = "a time in milliseconds, or one such as `1.5s`";

    fn from_scalar(value: &Scalar) -> Option<Self> {
        match value {
            Scalar::Number(millis) => time_of_millis(*millis),
            Scalar::Text(text) => time(text),
            Scalar::Bool(_) => None,
        }
    }
}

/// Returns a number as a `u32`, if it is one.
pub(crate) fn whole(number: f64) -> Option<u32> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in range")]
    let whole = (number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number)).then_some(number as u32);
    whole
}

/// Returns a number of milliseconds as a time.
pub(crate) fn time_of_millis(millis: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(millis / 1000.0).ok()
}

/// Returns the milliseconds of a time in the format of Rust (`1.5s`), or of a number of milliseconds.
///
/// ```
/// assert_eq!(bt_behavior3::millis("1.5s"), Some(1500.0));
/// assert_eq!(bt_behavior3::millis("soon"), None);
/// ```
pub fn millis(text: &str) -> Option<f64> {
    time(text).map(|time| time.as_secs_f64() * 1000.0)
}

/// Parses a time in the format of Rust, or a number of milliseconds. Digits after those of the nanoseconds are ignored.
pub(crate) fn time(text: &str) -> Option<Duration> {
    const NANOS: u128 = 1_000_000_000;
    let text = text.trim();
    let end = text.find(|sign: char| !(sign.is_ascii_digit() || sign == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let digits = match unit {
        "s" => 9,
        "" | "ms" => 6,
        "µs" | "us" => 3,
        "ns" => 0,
        _ => return None,
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let part: String = part.chars().chain(std::iter::repeat('0')).take(digits.max(part.len())).collect();
    // A second point is no digit.
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(&part) {
        return None;
    }
    let nanos: u128 = format!("0{whole}{}", &part[..digits]).parse().ok()?;
    let seconds = u64::try_from(nanos / NANOS).ok()?;
    Some(Duration::new(seconds, u32::try_from(nanos % NANOS).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_the_format_of_rust() {
        for time in [
            Duration::from_millis(500),
            Duration::from_secs(3),
            Duration::from_micros(1500),
            Duration::from_nanos(7),
            Duration::new(u64::MAX, 123_456_789),
        ] {
            assert_eq!(super::time(&format!("{time:?}")), Some(time));
        }
        for (text, nanos) in [("250", 250_000_000), (".5s", 500_000_000), ("5.ms", 5_000_000), ("1.9ns", 1)] {
            assert_eq!(time(text), Some(Duration::from_nanos(nanos)), "{text}");
        }
        for wrong in ["", "s", ".", ".s", "1h", "-1s", "1.2.3s", "1e99s", "NaN", "99999999999999999999s"] {
            assert_eq!(time(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_amount_is_a_value_a_range_or_a_name() {
        let number = |text: &str| {
            let of = |value: &Value| value.as_str().and_then(|text| text.trim().parse::<u32>().ok());
            Amount::of(&text.into(), of)
        };
        assert_eq!(number("3"), Some(Amount::Fixed(3)));
        assert_eq!(number("1 ..= 3"), Some(Amount::Range(1, 3)));
        assert_eq!(number("lives"), Some(Amount::Read(Source::Registered("lives".into()))));
        assert_eq!(number("{lives}"), Some(Amount::Read(Source::Variable("lives".into()))));
        for wrong in ["..=1", "1..=", "-1", "1.5", "", " ", "5s", "-1.5ms", "2 sec", "50%", "2nd"] {
            assert_eq!(number(wrong), None, "{wrong}");
        }
    }
}
