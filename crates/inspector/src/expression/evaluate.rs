//! Evaluating expressions.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::Value;

use super::node::{Node, Operator};
use crate::values::Step;

impl Node {
    pub(super) fn evaluate<'v>(&'v self, values: &'v Value) -> Cow<'v, Value> {
        let is = |node: &Self| *node.evaluate(values) == Value::Bool(true);
        match self {
            Self::Path(path) => Cow::Borrowed(at(values, path).unwrap_or(&Value::Null)),
            Self::Literal(value) => Cow::Borrowed(value),
            Self::Not(inner) => Cow::Owned((!is(inner)).into()),
            Self::And(left, right) => Cow::Owned((is(left) && is(right)).into()),
            Self::Or(left, right) => Cow::Owned((is(left) || is(right)).into()),
            Self::Compare(left, operator, right) => {
                Cow::Owned(compare(&left.evaluate(values), *operator, &right.evaluate(values)).into())
            }
        }
    }
}

/// Returns the value at a path. Values without names are called `value`.
pub(super) fn at<'v>(values: &'v Value, path: &[Step]) -> Option<&'v Value> {
    let has_names = matches!(values, Value::Object(_) | Value::Array(_));
    let path = if !has_names && path.first() == Some(&Step::from("value")) { &path[1..] } else { path };
    path.iter().try_fold(values, |value, step| match (value, step) {
        (Value::Array(items), Step::Index(index)) => items.get(*index),
        (Value::Object(fields), Step::Name(name)) => fields.get(name),
        // The keys of a map may be numbers.
        (Value::Object(fields), Step::Index(index)) => fields.get(&index.to_string()),
        _ => None,
    })
}

fn compare(left: &Value, operator: Operator, right: &Value) -> bool {
    let order = order(left, right);
    match operator {
        Operator::Equal => order.map_or(left == right, Ordering::is_eq),
        Operator::NotEqual => !order.map_or(left == right, Ordering::is_eq),
        Operator::Less => order.is_some_and(Ordering::is_lt),
        Operator::LessOrEqual => order.is_some_and(Ordering::is_le),
        Operator::Greater => order.is_some_and(Ordering::is_gt),
        Operator::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
    }
}

/// Returns the order of two numbers or two texts; `None` for all others, and if a number is `NaN`.
pub(crate) fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        (Value::Number(_), Value::Number(_) | Value::String(_)) | (Value::String(_), Value::Number(_)) => {
            // Floats cannot represent all integers.
            let integers = (left.as_i128(), right.as_i128());
            if let (Some(left), Some(right)) = integers {
                Some(left.cmp(&right))
            } else {
                number(left)?.partial_cmp(&number(right)?)
            }
        }
        _ => None,
    }
}

trait Integer {
    fn as_i128(&self) -> Option<i128>;
}

impl Integer for Value {
    fn as_i128(&self) -> Option<i128> {
        self.as_i64().map(i128::from).or_else(|| self.as_u64().map(i128::from))
    }
}

/// Returns a number. Floats that JSON cannot represent, and the variables of a board, are shown as text.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Expression;

    fn is(text: &str) -> bool {
        let values = json!({
            "hp": 3, "id": 9_007_199_254_740_993_u64, "speed": "NaN", "far": "inf", "name": "Ann", "alive": true, "enemy": null,
            "position": [1.5, -2], "board": { "hunger": "7", "Ann's goal": "home" }, "counts": { "7": 1 },
        });
        let expression = Expression::parse(text).expect("it is valid");
        assert_eq!(expression.holds(&values), expression.evaluate(&values) == true, "{text}");
        expression.holds(&values)
    }

    #[test]
    fn values_are_compared() {
        for holds in [
            "hp == 3",
            "hp != 4",
            "hp < 3.5",
            "hp >= 3",
            "-3 < hp",
            "hp > -1e3",
            "id == 9007199254740993",
            "id != 9007199254740992",
            "name == \"Ann\"",
            "name < \"Bob\"",
            "alive",
            "alive == true",
            "!(hp > 3)",
            "enemy == null",
            "enemy != 3",
            "position[0] == 1.5",
            "position.1 < 0",
            "board.hunger > 6",
            "board[\"Ann's goal\"] == \"home\"",
            "counts.7 == 1",
            "far > 1e300",
            "far == \"inf\"",
            "hp > 5 || hp < 4 && alive",
            "!alive || hp == 3",
            "1_000 > hp",
        ] {
            assert!(is(holds), "{holds}");
        }
    }

    #[test]
    fn a_value_that_is_missing_or_of_another_type_is_in_no_order() {
        for fails in [
            "enemy < 3",
            "enemy >= 3",
            "nobody == 3",
            "nobody.name == 3",
            "name > 3",
            "alive > 0",
            "position > 0",
            "speed < 1",
            "speed >= 1",
            "speed == 1",
            "hp",
            "hp && alive",
            "position[7] == 1",
            "!true",
        ] {
            assert!(!is(fails), "{fails}");
        }
        let value = |text: &str, values| Expression::parse(text).expect("it is valid").evaluate(&values);
        assert_eq!(value("value", json!(3)), json!(3), "a value without a name");
        assert_eq!(value("[1]", json!([3, 4])), json!(4));
        assert_eq!(value("[\"my value\"].x", json!({ "my value": { "x": 5 } })), json!(5));
        assert!(is("nobody == null") && is("speed != 1") && is("name != 3"));
    }
}
