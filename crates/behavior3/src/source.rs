//! Values that nodes of a file read: a number, a registered function of the context, or a variable.

use std::fmt;
use std::time::Duration;

use serde_json::Value;

/// A value of a context: text, a number or a boolean. The cases of a `match` in a file are compared with it; numbers and times
/// of words can be read from it.
///
/// Numbers are compared as `f64`.
///
/// ```
/// use bt_behavior3::Scalar;
///
/// assert_eq!(Scalar::from(3_u8), Scalar::from(3.0));
/// assert_ne!(Scalar::from("3"), Scalar::from(3));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Scalar {
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(f64),
    /// Text.
    Text(String),
}

impl Scalar {
    /// Returns the value of a property; `None` for a list or an object.
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(value) => Some(Self::Bool(*value)),
            Value::Number(number) => number.as_f64().map(Self::Number),
            Value::String(text) => Some(Self::Text(text.clone())),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// Returns the value of a variable from its `Debug` output: a number, a boolean, or text without quotes.
    pub fn of_debug(text: &str) -> Self {
        match (serde_json::from_str(text).ok().as_ref().and_then(Self::of), text) {
            (Some(value), _) => value,
            (None, "NaN" | "inf" | "-inf") => Self::Number(text.parse().unwrap_or(f64::NAN)),
            (None, _) => Self::Text(text.to_owned()),
        }
    }

    /// Returns the value as a score: 1 or 0 for a boolean, and NaN for text.
    #[expect(clippy::cast_possible_truncation, reason = "scores are compared as f32")]
    pub fn score(&self) -> f32 {
        match self {
            Self::Number(number) => *number as f32,
            Self::Bool(value) => f32::from(u8::from(*value)),
            Self::Text(_) => f32::NAN,
        }
    }
}

/// Writes the value as in a `tree!`: text in quotes.
impl fmt::Display for Scalar {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(out),
            Self::Number(number) => number.fmt(out),
            Self::Text(text) => write!(out, "{text:?}"),
        }
    }
}

macro_rules! scalars {
    ($($variant:ident: $($ty:ty),+ => |$value:ident| $convert:expr;)+) => {$($(
        impl From<$ty> for Scalar {
            #[allow(clippy::cast_precision_loss, clippy::cast_lossless, clippy::allow_attributes)]
            fn from($value: $ty) -> Self {
                Self::$variant($convert)
            }
        }
    )+)+};
}

/// A case such as `0.1` is equal to the `f32` of that number.
impl From<f32> for Scalar {
    fn from(value: f32) -> Self {
        let exact = f64::from(value);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            clippy::float_cmp,
            reason = "compared as `f32`"
        )]
        let is_whole = exact.abs() < 16_777_216.0 && value as i32 as f32 == value;
        if is_whole {
            return Self::Number(exact);
        }
        // The number with the fewest decimals that is this `f32`, without writing and reading a text, which takes a thousand instructions. From 2^24 on, zeros
        // before the point are no digits.
        let scales = if exact.abs() < 16_777_216.0 { &[1e1, 1e2, 1e3, 1e4, 1e5, 1e6][..] } else { &[] };
        let mut rounded = scales.iter().map(|scale| (exact * scale).round() / scale);
        #[expect(clippy::cast_possible_truncation, clippy::float_cmp, reason = "compared as `f32`")]
        let short = rounded.find(|number| *number as f32 == value);
        Self::Number(short.unwrap_or_else(|| value.to_string().parse().unwrap_or(exact)))
    }
}

/// A time is text in the format of Rust, such as `1.5s`.
impl From<Duration> for Scalar {
    fn from(value: Duration) -> Self {
        Self::Text(format!("{value:?}"))
    }
}

scalars! {
    Bool: bool => |value| value;
    Number: f64, u8, u16, u32, u64, usize, i8, i16, i32, i64, isize => |value| value as f64;
    Text: &str => |value| value.to_owned();
    Text: String => |value| value;
    Text: char => |value| value.to_string();
}

/// Returns the variable that a property refers to: `hunger` for `{hunger}`. Spaces around the name are ignored.
///
/// ```
/// assert_eq!(bt_behavior3::variable("{hunger}"), Some("hunger"));
/// assert_eq!(bt_behavior3::variable("hunger"), None);
/// ```
pub fn variable(text: &str) -> Option<&str> {
    let name = text.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
    // A script may begin and end with a variable.
    (!name.is_empty() && !name.contains(['{', '}'])).then_some(name)
}

/// Returns the variables that a property names.
pub fn variables(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => Vec::from_iter(variable(text)),
        Value::Array(values) => values.iter().flat_map(variables).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

/// Where a node of a file reads a value: the argument of `match`, the scores of a `utility_selector`, and numbers and times
/// that are not fixed.
#[derive(Clone, PartialEq, Debug)]
pub enum Source {
    /// A fixed number.
    Number(f64),
    /// A registered function of the context, by its name.
    Registered(String),
    /// A variable of the context's board, by its name: `{mood}` in a file.
    Variable(String),
}

impl Source {
    /// Returns the source that a property names; `None` if it is neither a number nor text.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        match value {
            // The editor writes all edited properties as strings.
            Value::String(text) => Some(match (variable(text), text.trim().parse::<f64>()) {
                (Some(name), _) => Self::Variable(name.to_owned()),
                (None, Ok(number)) if number.is_finite() => Self::Number(number),
                (None, _) => Self::Registered(text.clone()),
            }),
            value => value.as_f64().map(Self::Number),
        }
    }
}

/// Writes the source as in a file.
impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(out),
            Self::Registered(name) => out.write_str(name),
            Self::Variable(name) => write!(out, "{{{name}}}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Scalar;

    #[test]
    fn an_f32_is_the_number_that_its_text_is() {
        let same = |value: f32| {
            let text: f64 = value.to_string().parse().expect("a number");
            assert_eq!(Scalar::from(value), Scalar::Number(text), "{value:?}");
        };
        (0..=u32::MAX).step_by(20_011).map(f32::from_bits).filter(|value| !value.is_nan()).for_each(same);
        (0..20_000u16)
            .for_each(|number| [1.0, 3.0, 10.0, 1000.0].iter().for_each(|part| same(f32::from(number) / part)));
    }
}
