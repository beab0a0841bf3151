//! Errors of an expression, given the values that are shown now.

use serde_json::Value;

use super::evaluate::{at, number};
use super::node::{Node, Operator};
use crate::values::{Path, Step};

/// The type of a value, as far as comparisons distinguish them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Number,
    Text,
    /// A text that is a number: a variable of a board, or a float such as `NaN`.
    NumberInText,
    Bool,
    /// A list or an object.
    Nested,
    /// `null`: the value may have any type at other times.
    Unknown,
}

impl Type {
    const fn name(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Text | Self::NumberInText => "a text",
            Self::Bool => "`true` or `false`",
            Self::Nested => "a list or an object",
            Self::Unknown => "null",
        }
    }

    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Unknown,
            Value::Bool(_) => Self::Bool,
            Value::Number(_) => Self::Number,
            Value::String(_) if number(value).is_some() => Self::NumberInText,
            Value::String(_) => Self::Text,
            Value::Array(_) | Value::Object(_) => Self::Nested,
        }
    }
}

impl Node {
    /// Returns the type of the value.
    pub(super) fn check(&self, values: &Value) -> Result<Type, String> {
        match self {
            Self::Literal(value) => Ok(Type::of(value)),
            Self::Path(path) => match at(values, path) {
                Some(value) => Ok(Type::of(value)),
                None => Err(missing(values, path)),
            },
            Self::Not(inner) => inner.check_condition(values),
            Self::And(left, right) | Self::Or(left, right) => {
                left.check_condition(values)?;
                right.check_condition(values)
            }
            Self::Compare(left, operator, right) => compare(left.check(values)?, *operator, right.check(values)?),
        }
    }

    fn check_condition(&self, values: &Value) -> Result<Type, String> {
        match self.check(values)? {
            Type::Bool | Type::Unknown => Ok(Type::Bool),
            found => Err(format!("expected `true` or `false`, found {}", found.name())),
        }
    }
}

fn compare(left: Type, operator: Operator, right: Type) -> Result<Type, String> {
    let fits = match (left, right) {
        (Type::Unknown, _) | (_, Type::Unknown) => true,
        (Type::NumberInText, other) | (other, Type::NumberInText) => !matches!(other, Type::Bool | Type::Nested),
        _ => left == right,
    };
    if !fits {
        return Err(format!("cannot compare {} with {}", left.name(), right.name()));
    }
    if operator.is_order()
        && let Some(found) = [left, right].into_iter().find(|of| matches!(of, Type::Bool | Type::Nested))
    {
        return Err(format!("{} has no order: expected `==` or `!=`", found.name()));
    }
    Ok(Type::Bool)
}

/// Returns the error of a value that is not shown.
fn missing(values: &Value, path: &Path) -> String {
    let known =
        (1..=path.len()).rev().find_map(|length| at(values, &path[..length - 1]).map(|value| (length - 1, value)));
    let Some((length, value)) = known else { return "no values are shown".to_owned() };
    let name = match &path[length] {
        Step::Name(name) => name.clone(),
        Step::Index(index) => index.to_string(),
    };
    let names: Vec<_> = match value {
        Value::Object(fields) => fields.keys().take(20).map(|name| format!("`{name}`")).collect(),
        _ => Vec::new(),
    };
    if names.is_empty() {
        format!("no value `{name}` is shown")
    } else {
        format!("no value `{name}` is shown; expected one of {}", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Expression;

    #[test]
    fn names_and_types_are_checked_against_the_shown_values() {
        let values = json!({ "hp": 3, "name": "Ann", "alive": true, "goal": null, "position": [1, 2], "speed": "NaN" });
        let check = |text: &str| Expression::parse(text).expect("it is valid").check(&values);
        for fits in [
            "hp",
            "hp < 3 && alive",
            "goal == 3",
            "goal < \"x\"",
            "position[1] > 0",
            "speed > 3",
            "position == position",
            "!alive",
        ] {
            assert_eq!(check(fits), Ok(()), "{fits}");
        }
        let error = |text: &str| check(text).expect_err("it does not fit");
        assert_eq!(
            error("hpp < 3"),
            "no value `hpp` is shown; expected one of `alive`, `goal`, `hp`, `name`, `position`, `speed`"
        );
        assert_eq!(error("position[2] > 0"), "no value `2` is shown");
        assert_eq!(error("hp.x > 0"), "no value `x` is shown");
        assert_eq!(error("name > 3"), "cannot compare a text with a number");
        assert_eq!(error("alive > true"), "`true` or `false` has no order: expected `==` or `!=`");
        assert_eq!(error("position < position"), "a list or an object has no order: expected `==` or `!=`");
        assert_eq!(error("hp && alive"), "expected `true` or `false`, found a number");
        assert_eq!(
            Expression::parse("hp").expect("valid").check(&serde_json::Value::Null),
            Err("no value `hp` is shown".to_owned())
        );
    }
}
