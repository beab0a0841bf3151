//! Words under the names that Behavior3 has for them.

use bt_words::{ParamType, Word};
use serde_json::{Map, Value};

use crate::amount::millis;

/// Returns the name and the properties that the node of a word has in Behavior3; `None` if Behavior3 has no such node, or cannot represent the
/// arguments. Other properties stay as they are.
///
/// ```
/// use bt_behavior3::in_behavior3;
/// use serde_json::json;
///
/// let written = |name, properties: serde_json::Value| in_behavior3(name, properties.as_object().unwrap());
/// let (name, properties) = written("wait", json!({ "time": "1.5s" })).unwrap();
/// assert_eq!((name, &properties["milliseconds"]), ("Wait", &json!(1500)));
/// assert_eq!(written("selector", json!({})).unwrap().0, "Priority");
/// assert_eq!(written("wait", json!({ "time": "{patience}" })), None);
/// assert_eq!(written("cooldown", json!({ "time": "1s" })), None);
/// ```
pub fn in_behavior3(name: &str, properties: &Map<String, Value>) -> Option<(&'static str, Map<String, Value>)> {
    let is_given = |word: &Word| word.row().params.iter().all(|param| properties.contains_key(param.name));
    let word = Word::named(name).filter(is_given).max_by_key(|word| word.row().params.len())?;
    let (form, row) = (word.behavior3()?, word.row());
    let mut written = Map::new();
    for (property, value) in properties {
        let (property, value) = match row.params.iter().position(|param| param.name == property) {
            Some(index) => (form.property(row, index), represented(row.params[index].ty, value)?),
            None => (property.as_str(), value.clone()),
        };
        written.insert(property.to_owned(), value);
    }
    if let Some(unbounded) = form.unbounded {
        written.insert(unbounded.to_owned(), (-1).into());
    }
    Some((form.name, written))
}

/// Returns an argument as Behavior3 expects it: numbers only, since it knows neither variables nor ranges.
fn represented(ty: ParamType, value: &Value) -> Option<Value> {
    match ty {
        ParamType::Times | ParamType::Runs => match value {
            Value::String(text) => text.parse::<u32>().ok().map(Value::from),
            value => value.as_u64().filter(|number| u32::try_from(*number).is_ok()).map(Value::from),
        },
        ParamType::Time => match value {
            Value::String(text) => time(text),
            value => value.is_number().then(|| value.clone()),
        },
        ParamType::Probability
        | ParamType::Threshold(_)
        | ParamType::Weights
        | ParamType::Scores
        | ParamType::Bonus
        | ParamType::Value
        | ParamType::Cases
        | ParamType::Leaf(_)
        | ParamType::Transitions
        | ParamType::Name => Some(value.clone()),
    }
}

/// Returns a time as a number of milliseconds; as text if no number is exactly this time.
fn time(text: &str) -> Option<Value> {
    let number = millis(text)?;
    if millis(&format!("{number}")) != Some(number) || number >= 1e15 {
        return Some(text.into());
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is whole and in range")]
    Some(if number.fract() == 0.0 { (number as u64).into() } else { number.into() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(name: &str, properties: &Value) -> Option<String> {
        let (name, properties) = in_behavior3(name, properties.as_object()?)?;
        Some(format!("{name} {}", Value::Object(properties)))
    }

    #[test]
    fn words_have_the_names_and_numbers_of_behavior3() {
        for (name, properties, expected) in [
            ("selector", json!({}), "Priority {}"),
            ("limit", json!({ "runs": 3 }), r#"Limiter {"maxLoop":3}"#),
            ("repeat", json!({}), r#"Repeater {"maxLoop":-1}"#),
            ("repeat", json!({ "times": "2" }), r#"Repeater {"maxLoop":2}"#),
            ("timeout", json!({ "time": 250 }), r#"MaxTime {"maxTime":250}"#),
            ("timeout", json!({ "time": "1500us" }), r#"MaxTime {"maxTime":1.5}"#),
            ("invert", json!({ "disabled": true }), r#"Inverter {"disabled":true}"#),
            ("run", json!({}), "Runner {}"),
        ] {
            assert_eq!(written(name, &properties).as_deref(), Some(expected), "{name}");
        }
    }

    #[test]
    fn what_behavior3_cannot_represent_keeps_its_name() {
        for (name, properties) in [
            ("limit", json!({ "runs": "{n}" })),
            ("limit", json!({})),
            ("repeat", json!({ "times": "lives" })),
            ("wait", json!({ "time": "1s..=2s" })),
            ("retry", json!({ "times": 2 })),
            ("parallel", json!({})),
            ("Wait", json!({ "milliseconds": 1 })),
            ("attack", json!({})),
        ] {
            assert_eq!(written(name, &properties), None, "{name}");
        }
    }
}
