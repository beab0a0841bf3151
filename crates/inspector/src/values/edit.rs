//! Changes of values that a page requests.

use std::sync::Arc;

use ciborium::Value;
use serde::de::{DeserializeOwned, Deserializer};
use serde::{Deserialize, Serialize};

use super::caught::caught;
use super::reader::Reader;

/// The place of a value in those that a program shows: the names and positions that lead to it.
pub(crate) type Path = Vec<Step>;

/// A step of a path: the index of an element, or a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Step {
    Index(usize),
    Name(String),
}

impl From<&str> for Step {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

/// A change of a value that a page has requested.
pub(crate) struct Edit {
    pub(crate) path: Path,
    pub(crate) value: serde_json::Value,
    /// Receives the result, once.
    pub(crate) answer: Answer,
}

/// Receives the result of an edit.
pub(crate) type Answer = Arc<std::sync::OnceLock<Result<(), String>>>;

/// A value that pages can edit: all types that serde can serialize and deserialize.
///
/// Implement it for a value whose type is only known at run time, such as one behind a trait for reflection.
///
/// ```
/// use bt_inspector::Editable;
/// use serde::de::{Deserialize, Deserializer, Error};
/// use serde::ser::{Serialize, Serializer};
///
/// struct Percent<'a>(&'a mut dyn std::any::Any);
///
/// impl Serialize for Percent<'_> {
///     fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
///         self.0.downcast_ref::<u8>().serialize(serializer)
///     }
/// }
/// impl Editable for Percent<'_> {
///     fn set<'de, D: Deserializer<'de>>(&mut self, value: D) -> Result<(), D::Error> {
///         match (u8::deserialize(value)?, self.0.downcast_mut()) {
///             (value @ 0..=100, Some(percent)) => *percent = value,
///             _ => return Err(D::Error::custom("expected a percentage")),
///         }
///         Ok(())
///     }
/// }
/// # let inspector = bt_inspector::Inspector::serve("127.0.0.1:0")?;
/// # let mut ann = inspector.agent(inspector.tree("guard", &bt_core::leaf::succeed()), "Ann");
/// # let mut health = Box::new(3_u8);
/// ann.show_mut(|values| {
///     values.edit("health", &mut Percent(&mut *health));
/// });
/// # Ok::<(), std::io::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be edited in the inspector",
    label = "not editable",
    note = "derive `serde::Serialize` and `serde::Deserialize` for it, or show it with `Values::show`"
)]
pub trait Editable: Serialize {
    /// Replaces the value. If this returns an error or panics, the value stays as it was.
    ///
    /// # Errors
    ///
    /// Returns an error if `value` is not a valid value of the type.
    fn set<'de, D: Deserializer<'de>>(&mut self, value: D) -> Result<(), D::Error>;
}

impl<T: Serialize + DeserializeOwned> Editable for T {
    fn set<'de, D: Deserializer<'de>>(&mut self, value: D) -> Result<(), D::Error> {
        *self = T::deserialize(value)?;
        Ok(())
    }
}

/// Replaces a part of a value.
///
/// The value is not converted to JSON in between: JSON has no `NaN`, so a value that contains one could not be read back.
pub(crate) fn replace<T: Editable + ?Sized>(
    target: &mut T,
    path: &[Step],
    value: &serde_json::Value,
) -> Result<(), String> {
    let mut whole = caught(|| Value::serialized(target)).map_err(|error| format!("cannot be serialized: {error}"))?;
    replace_in(&mut whole, path, value)?;
    caught(|| target.set(Reader::new(whole)))
}

/// Replaces a part of serialized data.
pub(super) fn replace_in(data: &mut Value, path: &[Step], value: &serde_json::Value) -> Result<(), String> {
    let place = find(data, path)?;
    *place = convert(value, place)?;
    Ok(())
}

/// Returns the part of a value at a path.
fn find<'v>(value: &'v mut Value, path: &[Step]) -> Result<&'v mut Value, String> {
    let Some((step, rest)) = path.split_first() else { return Ok(value) };
    let inner = match (value, step) {
        (Value::Array(items), Step::Index(index)) => items.get_mut(*index),
        (Value::Map(entries), Step::Name(name)) => {
            entries.iter_mut().find(|(key, _)| is_key(key, name)).map(|(_, value)| value)
        }
        _ => None,
    };
    match (inner, step) {
        (Some(inner), _) => find(inner, rest),
        (None, Step::Name(name)) => Err(format!("there is no `{name}`")),
        (None, Step::Index(index)) => Err(format!("there is no element {index}")),
    }
}

/// Returns whether a key of a map is written like this in JSON.
fn is_key(key: &Value, name: &str) -> bool {
    match key {
        Value::Text(text) => text == name,
        Value::Integer(number) => i128::from(*number).to_string() == name,
        Value::Bool(value) => value.to_string() == name,
        _ => false,
    }
}

fn convert(value: &serde_json::Value, old: &Value) -> Result<Value, String> {
    if let (Value::Float(_), Some(text)) = (old, value.as_str()) {
        // As they are shown.
        return match text {
            "NaN" | "inf" | "-inf" => text.parse().map(Value::Float).map_err(|_| text.to_owned()),
            _ => Err(format!("expected a number, found `{text}`")),
        };
    }
    Value::serialized(value).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    enum Mood {
        Calm,
        Angry { at: String },
        Tired(u8),
    }

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    struct Guard {
        health: i32,
        id: u64,
        speed: f32,
        mood: Mood,
        path: Vec<(i32, i32)>,
        counts: BTreeMap<u8, u32>,
        goal: Option<String>,
    }

    fn guard() -> Guard {
        Guard {
            health: 3,
            id: u64::MAX,
            speed: f32::INFINITY,
            mood: Mood::Calm,
            path: vec![(1, 2), (3, 4)],
            counts: [(7, 1)].into(),
            goal: None,
        }
    }

    fn path(text: &str) -> Path {
        serde_json::from_str(text).expect("a path")
    }

    fn edited(place: &str, value: &serde_json::Value) -> Result<Guard, String> {
        let mut guard = guard();
        replace(&mut guard, &path(place), value).map(|()| guard)
    }

    #[test]
    fn a_part_is_replaced_and_the_rest_stays_exact() {
        assert_eq!(edited("[\"health\"]", &json!(9)), Ok(Guard { health: 9, ..guard() }));
        assert_eq!(edited("[\"speed\"]", &json!(2)), Ok(Guard { speed: 2.0, ..guard() }));
        assert_eq!(edited("[\"speed\"]", &json!("-inf")), Ok(Guard { speed: f32::NEG_INFINITY, ..guard() }));
        assert!(edited("[\"speed\"]", &json!("NaN")).is_ok_and(|guard| guard.speed.is_nan()));
        assert_eq!(edited("[\"id\"]", &json!(u64::MAX - 1)), Ok(Guard { id: u64::MAX - 1, ..guard() }));
        assert_eq!(edited("[\"path\",1,0]", &json!(8)), Ok(Guard { path: vec![(1, 2), (8, 4)], ..guard() }));
        assert_eq!(edited("[\"path\"]", &json!([])), Ok(Guard { path: vec![], ..guard() }));
        assert_eq!(edited("[\"counts\",\"7\"]", &json!(5)), Ok(Guard { counts: [(7, 5)].into(), ..guard() }));
        assert_eq!(edited("[\"goal\"]", &json!("home")), Ok(Guard { goal: Some("home".to_owned()), ..guard() }));
        let angry = Mood::Angry { at: "Bob".to_owned() };
        assert_eq!(edited("[\"mood\"]", &json!({ "Angry": { "at": "Bob" } })), Ok(Guard { mood: angry, ..guard() }));
        assert_eq!(edited("[\"mood\"]", &json!({ "Tired": 3 })), Ok(Guard { mood: Mood::Tired(3), ..guard() }));
    }

    #[test]
    fn a_value_of_another_type_is_rejected_and_changes_nothing() {
        let error = |place, value| edited(place, &value).expect_err("the value does not fit");
        assert_eq!(error("[\"health\"]", json!("many")), "invalid type: string \"many\", expected i32");
        assert_eq!(error("[\"health\"]", json!(1.5)), "invalid type: floating point `1.5`, expected i32");
        assert!(error("[\"health\"]", json!(1_u64 << 40)).contains("expected i32"));
        assert_eq!(error("[\"speed\"]", json!("fast")), "expected a number, found `fast`");
        assert!(error("[\"mood\"]", json!("Happy")).contains("unknown variant"));
        assert_eq!(error("[\"path\",2]", json!([1, 2])), "there is no element 2");
        assert_eq!(error("[\"path\",\"x\"]", json!(1)), "there is no `x`");
        assert_eq!(error("[\"heart\"]", json!(1)), "there is no `heart`");
    }

    #[test]
    fn edits_cannot_nest_a_value_until_the_stack_overflows() {
        #[derive(Default, Serialize, Deserialize)]
        struct Link {
            next: Option<Box<Link>>,
        }
        #[derive(Default, Serialize, Deserialize)]
        struct Wrapped(Option<Box<Wrapped>>);

        let nested = |levels| (0..levels).fold(json!({ "next": null }), |inner, _| json!({ "next": inner }));
        let mut chain = Link::default();
        let mut place = Path::new();
        let mut set = |levels: usize| {
            let result = replace(&mut chain, &place, &nested(levels));
            place.extend(vec![Step::from("next"); levels]);
            result
        };
        assert_eq!(set(100), Ok(()));
        let limit = Err("too deeply nested (limit: 256 levels)".to_owned());
        assert_eq!(set(100), limit);
        assert_eq!(replace(&mut chain, &[], &nested(300)), limit);
        assert_eq!(replace(&mut chain, &[], &nested(3)), Ok(()), "the value can be edited after a rejected edit");
        assert_eq!(replace(&mut Wrapped::default(), &[], &json!(5)), limit, "each level is the same number");
    }
}
