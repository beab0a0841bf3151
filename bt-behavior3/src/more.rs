//! The fields of a node that only some readers need.

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

/// The fields of a node that have no meaning in a tree: title, description, position in the editor (`display`).
///
/// They are stored as text and read when they are needed, because most programs that load a tree do not need them. If a file
/// has a field twice, the last one counts.
#[derive(Clone, Debug, Default)]
pub struct More(Vec<(Cow<'static, str>, Box<RawValue>)>);

impl More {
    fn raw(&self, name: &str) -> Option<&RawValue> {
        self.0.iter().rfind(|field| field.0 == name).map(|field| &*field.1)
    }

    /// Adds a field as it is in the file.
    pub(crate) fn push(&mut self, name: Cow<'static, str>, value: Box<RawValue>) {
        self.0.push((name, value));
    }

    /// Returns a field.
    pub fn get(&self, name: &str) -> Option<Value> {
        Some(value(self.raw(name)?))
    }

    /// Returns a field if it is text.
    pub fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        // Without the attribute, serde copies the text of a `Cow`.
        #[derive(serde::Deserialize)]
        struct Borrowed<'a>(#[serde(borrow)] Cow<'a, str>);
        serde_json::from_str(self.raw(name)?.get()).ok().map(|Borrowed(text)| text)
    }

    /// Returns all fields.
    pub fn to_map(&self) -> Map<String, Value> {
        self.0.iter().map(|(name, raw)| (name.to_string(), value(raw))).collect()
    }

    /// Returns the length of all fields in bytes.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|(name, raw)| name.len() + raw.get().len()).sum()
    }
}

/// Returns a value of a file. It has been read before, so it is valid.
fn value(raw: &RawValue) -> Value {
    serde_json::from_str(raw.get()).unwrap_or_default()
}

impl From<Map<String, Value>> for More {
    fn from(fields: Map<String, Value>) -> Self {
        let field = |(name, value): (String, Value)| Some((name.into(), to_raw_value(&value).ok()?));
        Self(fields.into_iter().filter_map(field).collect())
    }
}

impl PartialEq for More {
    fn eq(&self, other: &Self) -> bool {
        self.to_map() == other.to_map()
    }
}

impl Serialize for More {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        self.to_map().serialize(out)
    }
}

/// Writes the fields as a JSON object.
impl fmt::Display for More {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Value::Object(self.to_map()).fmt(out)
    }
}
