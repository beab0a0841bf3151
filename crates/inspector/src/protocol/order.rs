//! The order of names and values in a list.

use std::cmp::Ordering;

use serde_json::Value;

use crate::expression::order;

/// Compares values. Those of different types are ordered by their types.
pub(super) fn values(one: &Value, other: &Value) -> Ordering {
    order(one, other).unwrap_or_else(|| rank(one).cmp(&rank(other)))
}

/// Returns the place of a value among values of other types.
const fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(false) => 1,
        Value::Bool(true) => 2,
        Value::Number(_) => 3,
        Value::String(_) => 4,
        Value::Array(_) => 5,
        Value::Object(_) => 6,
    }
}

/// Compares texts, and numbers in them by their values: `soldier 9` is before `soldier 10`.
pub(super) fn natural(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (left, right);
    loop {
        let order = match (number(left), number(right)) {
            (Some((one, rest)), Some((other, other_rest))) => {
                (left, right) = (rest, other_rest);
                one.len().cmp(&other.len()).then_with(|| one.cmp(other))
            }
            _ => {
                let (mut one, mut other) = (left.chars(), right.chars());
                let order = match (one.next(), other.next()) {
                    (None, None) => return Ordering::Equal,
                    (next, other_next) => next.cmp(&other_next),
                };
                (left, right) = (one.as_str(), other.as_str());
                order
            }
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Returns the digits at the start of a text without leading zeros, and the rest.
fn number(text: &str) -> Option<(&str, &str)> {
    let (digits, rest) = text.split_at(text.bytes().take_while(u8::is_ascii_digit).count());
    (!digits.is_empty()).then(|| (digits.trim_start_matches('0'), rest))
}

#[cfg(test)]
mod tests {
    use super::natural;

    #[test]
    fn numbers_in_names_are_compared_by_value() {
        let mut names = ["b 2", "a 10", "a 9", "a", "a 010 x", "a 10 y", "a x"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["a", "a 9", "a 10", "a 010 x", "a 10 y", "a x", "b 2"]);
    }
}
