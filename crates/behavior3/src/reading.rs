//! Reads the properties of a node, and reports all errors in them.

use std::cell::RefCell;
use std::time::Duration;

use bt_words::{Bound, Param, ParamType, Peer, did_you_mean, nearest, peer};
use serde_json::{Map, Value};

use crate::allow;
use crate::amount::{self, Amount, FromScalar};
use crate::args::Arg;
use crate::diagnostic::{Fault, READ, Short};
use crate::source::{Scalar, Source};
use crate::transition::Transition;

/// The properties of a node as they are read.
pub(crate) struct Reading<'a> {
    given: &'a Map<String, Value>,
    /// Whether a time needs a unit.
    needs_units: bool,
    read: RefCell<Vec<&'static str>>,
    diagnostics: RefCell<Vec<Fault>>,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(given: &'a Map<String, Value>, needs_units: bool) -> Self {
        Self { given, needs_units, read: RefCell::default(), diagnostics: RefCell::default() }
    }

    /// Returns all errors, including unknown properties.
    pub(crate) fn diagnostics(self) -> Vec<Fault> {
        let mut diagnostics = self.diagnostics.into_inner();
        unknown("this node", self.given, &self.read.into_inner(), &mut diagnostics);
        diagnostics
    }

    fn get(&self, name: &'static str) -> Option<&'a Value> {
        let mut read = self.read.borrow_mut();
        if !read.contains(&name) {
            read.push(name);
        }
        self.given.get(name).filter(|value| !value.is_null())
    }

    fn wrong(&self, name: &str, value: &Value, expected: &str) {
        self.fault(wrong(name, value, expected));
    }

    fn fault(&self, fault: Fault) {
        self.diagnostics.borrow_mut().push(fault);
    }

    /// Returns a number or time; `None` if it is missing or invalid.
    fn amount<T: PartialOrd>(
        &self,
        name: &'static str,
        expected: &str,
        range: &str,
        of: impl Fn(&Value) -> Option<T>,
    ) -> Option<Amount<T>> {
        let value = self.get(name)?;
        let amount = Amount::of(value, of);
        match &amount {
            Some(Amount::Range(least, most)) if least > most => {
                let value = value.to_string();
                let reason =
                    format!("property `{name}`: the end of the range {} is less than its start", Short(&value));
                self.fault(Fault::of(name, reason));
            }
            Some(_) => {}
            None => self.wrong(name, value, &format!("{expected}{}", or_read(range))),
        }
        amount
    }

    /// Returns `true` if a number is missing, or negative in a node of Behavior3, where -1 means no bound.
    pub(crate) fn is_unbounded(&self, name: &'static str, is_behavior3: bool) -> bool {
        let is_negative = |value| is_behavior3 && float(value).is_some_and(|number| number < 0.0);
        self.get(name).is_none_or(is_negative)
    }

    /// Returns the argument of a word in this property; `None` if it is missing or invalid.
    pub(crate) fn argument(&self, param: &Param, name: &'static str, children: usize) -> Option<Arg> {
        if param.required && self.get(name).is_none() {
            let expected = match param.ty {
                ParamType::Times | ParamType::Runs => "a whole number",
                ParamType::Time => TIME,
                ParamType::Probability => PROBABILITY,
                ParamType::Threshold(_) | ParamType::Weights | ParamType::Transitions => "a value",
                ParamType::Bonus => "a number",
                ParamType::Scores => "a list of scores, one for each child",
                ParamType::Value => VALUE,
                ParamType::Cases => "a list of text and numbers, for all children except the last",
                ParamType::Leaf(_) | ParamType::Name => "a name",
            };
            self.fault(Fault::of(name, format!("missing property `{name}`: expected {expected}")));
            return None;
        }
        match param.ty {
            ParamType::Times | ParamType::Runs => self.amount(name, u32::EXPECTED, "1..=3", whole).map(Arg::Number),
            ParamType::Time if self.needs_units => {
                let with_unit = |value: &Value| if value.is_number() { None } else { time(value) };
                self.amount(name, "a time with its unit, such as `1.5s`", "1s..=3s", with_unit).map(Arg::Time)
            }
            ParamType::Time => self.amount(name, TIME, "1s..=3s", time).map(Arg::Time),
            ParamType::Probability => self.amount(name, PROBABILITY, "0.1..=0.3", probability).map(Arg::Probability),
            ParamType::Threshold(by_default) => {
                let (threshold, word) = self.threshold(name, by_default, children);
                Some(Arg::Threshold(threshold, word))
            }
            ParamType::Weights => self.weights(name, children).map(Arg::Weights),
            ParamType::Scores => self.scores(name, children).map(Arg::Scores),
            ParamType::Bonus => self.bonus(name).map(Arg::Bonus),
            ParamType::Value => self.source(name).map(Arg::Value),
            ParamType::Cases => self.cases(name, children).map(Arg::Cases),
            ParamType::Leaf(role) => self.text(name).map(|leaf| Arg::Leaf(role, leaf)),
            ParamType::Transitions => Some(Arg::Transitions(self.transitions(name))),
            ParamType::Name => self.text(name).map(Arg::Name),
        }
    }

    /// Returns a threshold: `all`, `one` or a number, and the word. The analysis finds one of more than `children`.
    fn threshold(&self, name: &'static str, default: Bound, children: usize) -> (usize, Option<Bound>) {
        let count = |bound| match bound {
            Bound::All => children,
            Bound::One => 1,
        };
        let default = (count(default), None);
        let Some(value) = self.get(name) else { return default };
        let word = Bound::ALL.into_iter().find(|bound| *value == bound.name());
        let number = || whole(value).and_then(|number| usize::try_from(number).ok());
        match word.map(count).or_else(number) {
            Some(threshold @ 1..) => (threshold, word),
            _ => {
                self.wrong(
                    name,
                    value,
                    &format!("`all`, `one` or a number from 1 to {children} (the number of children)"),
                );
                default
            }
        }
    }

    /// Returns a list with this number of items, if that is limited; `None` if it is missing or invalid.
    fn list<T>(
        &self,
        name: &'static str,
        of: impl Fn(&Value) -> Option<T>,
        count: Option<usize>,
        expected: impl FnOnce() -> String,
    ) -> Option<Vec<T>> {
        let value = self.get(name)?;
        let given = value.as_array().map_or(&[][..], Vec::as_slice);
        let item = given.iter().position(|item| of(item).is_none());
        let is_valid = value.is_array() && item.is_none() && count.is_none_or(|count| given.len() == count);
        if !is_valid {
            self.fault(Fault { item, ..wrong(name, value, &expected()) });
            return None;
        }
        Some(given.iter().filter_map(of).collect())
    }

    /// Returns the weights of the children, if there are any.
    fn weights(&self, name: &'static str, children: usize) -> Option<Vec<f64>> {
        let weight = |weight: &Value| weight.as_f64().filter(|weight| *weight > 0.0 && weight.is_finite());
        self.list(name, weight, Some(children), || format!("a list of {children} positive numbers, one for each child"))
    }

    /// Returns the scores of the children.
    fn scores(&self, name: &'static str, children: usize) -> Option<Vec<Source>> {
        self.list(name, Source::of, Some(children), || {
            format!("a list of {children} scores, one for each child: numbers, registered names or `{{variables}}`")
        })
    }

    /// Returns a number from 0, which may be written as a string.
    fn bonus(&self, name: &'static str) -> Option<f64> {
        let value = self.get(name)?;
        let number = float(value).filter(|number| (0.0..=f64::from(f32::MAX)).contains(number));
        if number.is_none() {
            self.wrong(name, value, "a number from 0");
        }
        number
    }

    /// Returns the name of a registered value, or a variable.
    fn source(&self, name: &'static str) -> Option<Source> {
        let value = self.get(name)?;
        let source = Source::of(value).filter(|source| !matches!(source, Source::Number(_)));
        if source.is_none() {
            self.wrong(name, value, VALUE);
        }
        source
    }

    /// Returns the cases of all children except the last, which are all different.
    fn cases(&self, name: &'static str, children: usize) -> Option<Vec<Scalar>> {
        let count = children.saturating_sub(1);
        let cases = self.list(name, Scalar::of, Some(count), || {
            format!(
                "a list of {count} texts or numbers, for all children except the last, which is for any other value"
            )
        })?;
        let twice = cases.iter().enumerate().find(|(index, case)| cases[..*index].contains(case));
        if let Some((index, case)) = twice {
            let case = case.to_string();
            let reason = format!("property `{name}`: duplicate case `{}`", Short(&case));
            self.fault(Fault::of_item(name, index, reason));
            return None;
        }
        Some(cases)
    }

    /// Returns the transitions of a machine: an optional list of strings.
    fn transitions(&self, name: &'static str) -> Vec<Transition> {
        let transition = |value: &Value| value.as_str().and_then(|text| text.parse().ok());
        let expected = || "a list of strings such as `condition -> state`".to_owned();
        self.list(name, transition, None, expected).unwrap_or_default()
    }

    /// Returns a string, if there is one.
    fn text(&self, name: &'static str) -> Option<String> {
        match self.get(name)? {
            Value::String(text) => Some(text.clone()),
            value => {
                self.wrong(name, value, "a string");
                None
            }
        }
    }
}

fn wrong(name: &str, value: &Value, expected: &str) -> Fault {
    let value = value.to_string();
    Fault::of(name, format!("property `{name}`: expected {expected}, found `{}`", Short(&value)))
}

/// Returns what is also valid in the place of a number or time.
fn or_read(range: &str) -> String {
    format!(", a range such as `{range}`, {READ}")
}

const TIME: &str = Duration::EXPECTED;
const VALUE: &str = "the name of a registered value, or a variable such as `{mood}`";
const PROBABILITY: &str = "a probability from 0 to 1";

/// Adds an error for each property of `subject` whose name is not in `known`. A property `allow` is an error as well: a valid `allow` has been removed
/// before. Removes the errors of missing properties whose names are only misspelled.
pub fn unknown(subject: &str, given: &Map<String, Value>, known: &[&str], errors: &mut Vec<Fault>) {
    let unknown = given.iter().filter(|(name, _)| !known.contains(&name.as_str()));
    for (name, value) in unknown {
        if name == allow::NAME {
            errors.push(Fault::of(name, allow::error(value)));
            continue;
        }
        if let Some(meant) = nearest(name, known.iter().copied()) {
            let missing = format!("missing property `{meant}`");
            errors.retain(|error| !error.reason.starts_with(&missing));
        }
        let meant = meant(name, known);
        let shown = Short(name);
        let reason = match known {
            _ if !meant.is_empty() => format!("unknown property `{shown}`{meant}"),
            [] => format!("unknown property `{shown}`; note: {subject} has no properties"),
            known => format!("unknown property `{shown}`; note: the properties are `{}`", known.join("`, `")),
        };
        errors.push(Fault::of(name, reason));
    }
}

/// Returns the help for an unknown property: what to write for an attribute of BehaviorTree.CPP, otherwise the nearest known property.
fn meant(name: &str, known: &[&str]) -> String {
    match peer(name).filter(|_| name.starts_with('_')) {
        Some(Peer { counterpart, .. }) => format!("; help: use {counterpart}"),
        None => did_you_mean(name, known.iter().copied()),
    }
}

/// Returns a number, which may be written as a string: the editor writes all edited properties as strings.
fn float(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        value => value.as_f64(),
    }
}

/// Returns a probability, which may be written as a string.
fn probability(value: &Value) -> Option<f64> {
    float(value).filter(|number| (0.0..=1.0).contains(number))
}

/// Returns a time: a number of milliseconds, or a string in the format of Rust, such as `500ms` or `1.5s`.
fn time(value: &Value) -> Option<Duration> {
    match value {
        Value::String(text) => amount::time(text),
        value => value.as_f64().and_then(amount::time_of_millis),
    }
}

/// Returns a whole number, which may be written as a string.
fn whole(value: &Value) -> Option<u32> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        value => value.as_f64().and_then(amount::whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
