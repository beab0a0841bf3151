//! The fields of a node that only some readers need.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

/// The fields of a node that have no meaning in a tree: title, description, position in the editor (`display`).
///
/// They are stored as text and read when they are needed, because most programs that load a tree do not need them. If a file
/// has a field twice, the last one counts.
#[derive(Clone, Debug, Default)]
pub struct More {
    /// The values of all fields, one after the other.
    text: String,
    /// The fields of the editor, as parts of the text.
    known: [Range<u32>; KNOWN.len()],
    others: Vec<(String, Range<u32>)>,
}

/// The fields of the editor.
const KNOWN: [&str; 4] = ["title", "description", "display", "category"];

impl More {
    fn raw(&self, name: &str) -> Option<&str> {
        let range = match KNOWN.iter().position(|known| *known == name) {
            Some(known) => Some(&self.known[known]).filter(|range| !range.is_empty()),
            None => self.others.iter().rfind(|(other, _)| other == name).map(|(_, range)| range),
        };
        range.map(|range| self.at(range))
    }

    fn at(&self, range: &Range<u32>) -> &str {
        self.text.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// Returns the fields with their text.
    fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        let known = KNOWN.into_iter().zip(&self.known).filter(|(_, range)| !range.is_empty());
        let others = self.others.iter().map(|(name, range)| (name.as_str(), range));
        known.chain(others).map(|(name, range)| (name, self.at(range)))
    }

    /// Adds a field as it is in the file.
    pub(crate) fn push(&mut self, name: FieldName, value: &RawValue) {
        let start = index(self.text.len());
        // Most nodes have a title and a position, which need less.
        self.text.reserve(value.get().len().max(if start == 0 { 48 } else { 0 }));
        self.text += value.get();
        let range = start..index(self.text.len());
        match name {
            FieldName::Known(known) => self.known[known] = range,
            FieldName::Other(name) => self.others.push((name, range)),
        }
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
        self.text.len() + self.others.iter().map(|(name, _)| name.len()).sum::<usize>()
    }
}

/// Returns a value of a file. It has been read before, so it is valid.
fn value(raw: &str) -> Value {
    serde_json::from_str(raw).unwrap_or_default()
}

/// Converts an index to its stored form. The text of a node is far smaller.
fn index(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

impl From<Map<String, Value>> for More {
    fn from(fields: Map<String, Value>) -> Self {
        let mut more = Self::default();
        for (name, value) in fields {
            if let Ok(value) = to_raw_value(&value) {
                more.push(FieldName::of(&name), &value);
            }
        }
        more
    }
}

/// The name of a field. Those of the editor need no allocation.
pub(crate) enum FieldName {
    /// By its index in [`KNOWN`].
    Known(usize),
    Other(String),
}

impl FieldName {
    pub(crate) fn of(name: &str) -> Self {
        match KNOWN.iter().position(|known| *known == name) {
            Some(known) => Self::Known(known),
            None => Self::Other(name.to_owned()),
        }
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
