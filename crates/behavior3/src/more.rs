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
pub struct More {
    /// The fields of the editor.
    known: [Option<Box<RawValue>>; KNOWN.len()],
    others: Vec<(String, Box<RawValue>)>,
}

/// A text of a file. Without the attribute, serde copies it.
#[derive(serde::Deserialize)]
pub(crate) struct Borrowed<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

/// The fields of the editor.
const KNOWN: [&str; 4] = ["title", "description", "display", "category"];

impl More {
    fn raw(&self, name: &str) -> Option<&str> {
        let value = match KNOWN.iter().position(|known| *known == name) {
            Some(known) => self.known[known].as_ref(),
            None => self.others.iter().rfind(|(other, _)| other == name).map(|(_, value)| value),
        };
        value.map(|value| value.get())
    }

    /// Returns the fields with their text.
    fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        let known = KNOWN.into_iter().zip(&self.known).filter_map(|(name, value)| Some((name, value.as_ref()?)));
        let others = self.others.iter().map(|(name, value)| (name.as_str(), value));
        known.chain(others).map(|(name, value)| (name, value.get()))
    }

    /// Adds a field as it is in the file.
    pub(crate) fn push(&mut self, name: &str, value: Box<RawValue>) {
        match KNOWN.iter().position(|known| *known == name) {
            Some(known) => self.known[known] = Some(value),
            None => self.others.push((name.to_owned(), value)),
        }
    }

    /// Returns a field.
    pub fn get(&self, name: &str) -> Option<Value> {
        Some(value(self.raw(name)?))
    }

    /// Returns a field if it is text.
    pub fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        let raw = self.raw(name)?;
        let plain = raw.strip_prefix('"').and_then(|text| text.strip_suffix('"')).filter(|text| !text.contains('\\'));
        match plain {
            Some(text) => Some(Cow::Borrowed(text)),
            None => serde_json::from_str(raw).ok().map(|Borrowed(text)| text),
        }
    }

    /// Returns all fields.
    pub fn to_map(&self) -> Map<String, Value> {
        self.fields().map(|(name, raw)| (name.to_owned(), value(raw))).collect()
    }

    /// Returns the length of all fields in bytes, without the names of the editor.
    pub(crate) fn len(&self) -> usize {
        let values = self.fields().map(|(_, value)| value.len()).sum::<usize>();
        values + self.others.iter().map(|(name, _)| name.len()).sum::<usize>()
    }
}

/// Returns a value of a file. It has been read before, so it is valid.
fn value(raw: &str) -> Value {
    serde_json::from_str(raw).unwrap_or_default()
}

impl From<Map<String, Value>> for More {
    fn from(fields: Map<String, Value>) -> Self {
        let mut more = Self::default();
        for (name, value) in fields {
            if let Ok(value) = to_raw_value(&value) {
                more.push(&name, value);
            }
        }
        more
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
