//! A node's properties, read one by one; whatever is wrong with them is told.

use std::cell::RefCell;
use std::time::Duration;

use bt_words::{Bound, Param, ParamType, did_you_mean};
use serde_json::{Map, Value};

use crate::args::Arg;
use crate::fault::Short;
use crate::transition::Transition;

/// A node's properties.
pub(crate) struct Properties<'a> {
    given: &'a Map<String, Value>,
    asked: RefCell<Vec<&'static str>>,
    faults: RefCell<Vec<String>>,
}

impl<'a> Properties<'a> {
    pub(crate) fn new(given: &'a Map<String, Value>) -> Self {
        Self { given, asked: RefCell::default(), faults: RefCell::default() }
    }

    /// All that is wrong, also with properties that nobody has asked for.
    pub(crate) fn faults(self) -> Vec<String> {
        let (asked, mut faults) = (self.asked.into_inner(), self.faults.into_inner());
        faults.extend(unknown(self.given, &asked));
        faults
    }

    fn get(&self, name: &'static str) -> Option<&'a Value> {
        let mut asked = self.asked.borrow_mut();
        if !asked.contains(&name) {
            asked.push(name);
        }
        self.given.get(name).filter(|value| !value.is_null())
    }

    fn wrong(&self, name: &str, value: &Value, expected: &str) {
        let value = value.to_string();
        self.faults.borrow_mut().push(format!("the property `{name}` should be {expected}, not `{}`", Short(&value)));
    }

    fn missing(&self, name: &str, expected: &str) {
        self.faults.borrow_mut().push(format!("the property `{name}` is missing: {expected}"));
    }

    /// A whole number; `None` if it is missing, or wrong.
    fn number(&self, name: &'static str) -> Option<u32> {
        let value = self.get(name)?;
        let number = whole(value);
        if number.is_none() {
            self.wrong(name, value, "a whole number from 0 to 4294967295");
        }
        number
    }

    /// Whether a number is missing or negative: Behavior3 has -1 for no bound.
    pub(crate) fn is_unbounded(&self, name: &'static str) -> bool {
        self.get(name).is_none_or(|value| float(value).is_some_and(|number| number < 0.0))
    }

    /// The argument of a word that this property holds; `None` if it is missing or wrong.
    pub(crate) fn argument(&self, param: &Param, name: &'static str, children: usize) -> Option<Arg> {
        if param.required && self.get(name).is_none() {
            self.missing(
                name,
                match param.ty {
                    ParamType::Times | ParamType::Runs => "a whole number",
                    ParamType::Time => TIME,
                    ParamType::Probability => PROBABILITY,
                    ParamType::Threshold(_) | ParamType::Weights | ParamType::Transitions => "it has to be given",
                    ParamType::Leaf(_) | ParamType::Name => "a name",
                },
            );
            return None;
        }
        match param.ty {
            ParamType::Times | ParamType::Runs => self.number(name).map(Arg::Number),
            ParamType::Time => self.time(name).map(Arg::Time),
            ParamType::Probability => self.probability(name).map(Arg::Probability),
            ParamType::Threshold(by_default) => {
                let by_default = match by_default {
                    Bound::All => children,
                    Bound::One => 1,
                };
                Some(Arg::Threshold(self.threshold(name, by_default, children)))
            }
            ParamType::Weights => self.weights(name, children).map(Arg::Weights),
            ParamType::Leaf(role) => self.text(name).map(|leaf| Arg::Leaf(role, leaf)),
            ParamType::Transitions => Some(Arg::Transitions(self.transitions(name))),
            ParamType::Name => self.text(name).map(Arg::Name),
        }
    }

    /// A time: a number of milliseconds, or as Rust writes it: `500ms`, `1.5s`.
    fn time(&self, name: &'static str) -> Option<Duration> {
        let value = self.get(name)?;
        let time = match value {
            Value::String(text) => time(text),
            value => value.as_f64().and_then(|millis| Duration::try_from_secs_f64(millis / 1000.0).ok()),
        };
        if time.is_none() {
            self.wrong(name, value, TIME);
        }
        time
    }

    /// A probability, also where it is written as text.
    fn probability(&self, name: &'static str) -> Option<f64> {
        let value = self.get(name)?;
        let probability = float(value).filter(|number| (0.0..=1.0).contains(number));
        if probability.is_none() {
            self.wrong(name, value, PROBABILITY);
        }
        probability
    }

    /// A threshold: `all`, `one` or a number, of so many children.
    fn threshold(&self, name: &'static str, default: usize, children: usize) -> usize {
        let Some(value) = self.get(name) else { return default };
        let threshold = match value {
            Value::String(text) if text == "all" => Some(children),
            Value::String(text) if text == "one" => Some(1),
            value => whole(value).and_then(|number| usize::try_from(number).ok()),
        };
        match threshold {
            Some(threshold) if (1..=children).contains(&threshold) => threshold,
            _ => {
                self.wrong(
                    name,
                    value,
                    &format!("`all`, `one`, or a number from 1 to {children}, how many children there are"),
                );
                default
            }
        }
    }

    /// A weight for each child, if there are any.
    fn weights(&self, name: &'static str, children: usize) -> Option<Vec<f64>> {
        let value = self.get(name)?;
        let weights: Option<Vec<f64>> =
            value.as_array().and_then(|weights| weights.iter().map(Value::as_f64).collect());
        match weights {
            Some(weights)
                if weights.len() == children
                    && weights.iter().all(|weight| *weight >= 0.0 && weight.is_finite())
                    && weights.iter().sum::<f64>() > 0.0 =>
            {
                Some(weights)
            }
            _ => {
                self.wrong(
                    name,
                    value,
                    &format!("a list of {children} numbers that are not negative, one for each child"),
                );
                None
            }
        }
    }

    /// Transitions of a machine: a list of texts, or nothing.
    fn transitions(&self, name: &'static str) -> Vec<Transition> {
        let Some(value) = self.get(name) else { return Vec::new() };
        let transition = |value: &Value| value.as_str().and_then(|text| text.parse().ok());
        let transitions: Option<Vec<Transition>> =
            value.as_array().and_then(|transitions| transitions.iter().map(transition).collect());
        transitions.unwrap_or_else(|| {
            self.wrong(name, value, "a list of texts like `condition -> state`");
            Vec::new()
        })
    }

    /// Text, where there is some.
    fn text(&self, name: &'static str) -> Option<String> {
        match self.get(name)? {
            Value::String(text) => Some(text.clone()),
            value => {
                self.wrong(name, value, "text");
                None
            }
        }
    }
}

const TIME: &str = "a time, in milliseconds or as `1.5s`";
const PROBABILITY: &str = "a probability from 0 to 1";

/// Tells of properties that nobody has asked for.
pub fn unknown(given: &Map<String, Value>, asked: &[&'static str]) -> Vec<String> {
    let unasked = given.keys().filter(|name| !asked.contains(&name.as_str()));
    let told = unasked.map(|name| {
        let meant = did_you_mean(name, asked.iter().copied());
        let name = Short(name);
        match asked {
            _ if !meant.is_empty() => format!("no property `{name}`{meant}"),
            [] => format!("no property `{name}`: it has none"),
            asked => format!("no property `{name}`: it has `{}`", asked.join("`, `")),
        }
    });
    told.collect()
}

/// The variable that a property names in the place of a value: `{hunger}` is `hunger`.
///
/// ```
/// assert_eq!(bt_behavior3::variable("{hunger}"), Some("hunger"));
/// assert_eq!(bt_behavior3::variable("hunger"), None);
/// ```
pub fn variable(text: &str) -> Option<&str> {
    text.strip_prefix('{')?.strip_suffix('}').filter(|name| !name.is_empty())
}

/// A number, also where it is written as text: the editor writes all properties as text once they were edited.
fn float(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        value => value.as_f64(),
    }
}

/// A whole number, also where it is written as text.
fn whole(value: &Value) -> Option<u32> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        value => {
            let number = value.as_f64()?;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in range")]
            let whole =
                (number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number)).then_some(number as u32);
            whole
        }
    }
}

/// Milliseconds of a time as Rust writes it (`1.5s`), or of a number of them.
///
/// ```
/// assert_eq!(bt_behavior3::millis("1.5s"), Some(1500.0));
/// assert_eq!(bt_behavior3::millis("soon"), None);
/// ```
pub fn millis(text: &str) -> Option<f64> {
    time(text).map(|time| time.as_secs_f64() * 1000.0)
}

/// A time as Rust writes it, or a number of milliseconds.
fn time(text: &str) -> Option<Duration> {
    let text = text.trim();
    let end = text.find(|sign: char| !(sign.is_ascii_digit() || sign == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let scale = match unit {
        "s" => 1.0,
        "" | "ms" => 1e-3,
        "µs" | "us" => 1e-6,
        "ns" => 1e-9,
        _ => return None,
    };
    Duration::try_from_secs_f64(number.parse::<f64>().ok()? * scale).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_rust_writes_them() {
        for time in
            [Duration::from_millis(500), Duration::from_secs(3), Duration::from_micros(1500), Duration::from_nanos(7)]
        {
            assert_eq!(super::time(&format!("{time:?}")), Some(time));
        }
        assert_eq!(time("250"), Some(Duration::from_millis(250)));
        for wrong in ["", "s", "1h", "-1s", "1.2.3s", "1e99s", "NaN"] {
            assert_eq!(time(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn numbers_are_whole_and_in_range() {
        for (text, number) in [
            ("3", Some(3)),
            ("3.0", Some(3)),
            ("\"3\"", Some(3)),
            ("3.5", None),
            ("-1", None),
            ("1e99", None),
            ("4294967296", None),
            ("[]", None),
        ] {
            assert_eq!(whole(&serde_json::from_str(text).expect("it is JSON")), number, "{text}");
        }
    }
}
