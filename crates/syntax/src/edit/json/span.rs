//! Where the parts of a JSON text are.

use std::ops::Range;

use bt_behavior3::parts::in_order;
use serde_json::value::RawValue;

/// A field of an object.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    /// From its name to the end of its value.
    pub(super) at: Range<usize>,
    pub(super) value: Range<usize>,
}

/// An object.
#[derive(Clone, Debug)]
pub(super) struct Object {
    /// With its braces.
    pub(super) at: Range<usize>,
    pub(super) fields: Vec<Field>,
}

impl Object {
    /// Returns the object at a place; `None` if something else is there.
    pub(super) fn read(text: &str, at: Range<usize>) -> Option<Self> {
        let mut input = serde_json::Deserializer::from_str(&text[at.clone()]);
        let raw: Vec<(String, &RawValue)> = in_order::<&RawValue, _, _>(&mut input).ok()?;
        input.end().ok()?;
        let (mut fields, mut end) = (Vec::with_capacity(raw.len()), at.start + 1);
        for (name, value) in raw {
            let begin = end + text[end..].find('"')?;
            let value = place(text, value);
            end = value.end;
            fields.push(Field { name, at: begin..end, value });
        }
        Some(Self { at, fields })
    }

    /// Returns a field by its name: the last one if there are several, as readers do.
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().rfind(|field| field.name == name)
    }

    /// Returns the object in a field.
    pub(super) fn object(&self, text: &str, name: &str) -> Option<Self> {
        Self::read(text, self.field(name)?.value.clone())
    }

    /// Returns the items of the list in a field.
    pub(super) fn list(&self, text: &str, name: &str) -> Option<List> {
        List::read(text, self.field(name)?.value.clone())
    }

    /// Returns the text in a field.
    pub(super) fn text(&self, text: &str, name: &str) -> Option<String> {
        serde_json::from_str(&text[self.field(name)?.value.clone()]).ok()
    }
}

/// A list.
#[derive(Clone, Debug)]
pub(super) struct List {
    /// With its brackets.
    pub(super) at: Range<usize>,
    pub(super) items: Vec<Range<usize>>,
}

impl List {
    /// Returns the list at a place; `None` if something else is there.
    pub(super) fn read(text: &str, at: Range<usize>) -> Option<Self> {
        let raw: Vec<&RawValue> = serde_json::from_str(&text[at.clone()]).ok()?;
        Some(Self { at, items: raw.into_iter().map(|raw| place(text, raw)).collect() })
    }
}

/// Returns the place of a JSON text without a byte order mark and the space around it.
pub(super) fn whole(text: &str) -> Range<usize> {
    let begin = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let inner = &text[begin..];
    let space = inner.len() - inner.trim_start_matches(SPACE).len();
    begin + space..text.trim_end_matches(SPACE).len().max(begin + space)
}

const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// Returns the place of a value that was borrowed from a text.
fn place(text: &str, value: &RawValue) -> Range<usize> {
    let begin = value.get().as_ptr() as usize - text.as_ptr() as usize;
    begin..begin + value.get().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_with_their_places() {
        let text = "\u{feff} { \"a\\u0062\" : [1, {\"x\": \"}\"} ],\r\n\t\"c\":\"\\\"\" } \n";
        let object = Object::read(text, whole(text)).expect("an object");
        let found: Vec<_> = object
            .fields
            .iter()
            .map(|field| (&*field.name, &text[field.at.clone()], &text[field.value.clone()]))
            .collect();
        assert_eq!(
            found,
            [
                ("ab", "\"a\\u0062\" : [1, {\"x\": \"}\"} ]", "[1, {\"x\": \"}\"} ]"),
                ("c", "\"c\":\"\\\"\"", "\"\\\"\"")
            ]
        );
        let list = object.list(text, "ab").expect("a list");
        assert_eq!(list.items.iter().map(|item| &text[item.clone()]).collect::<Vec<_>>(), ["1", "{\"x\": \"}\"}"]);
        assert!(object.object(text, "ab").is_none() && object.list(text, "c").is_none());
        assert_eq!(object.text(text, "c").as_deref(), Some("\""));
    }

    #[test]
    fn what_is_no_object_has_no_fields() {
        for text in ["", " ", "\u{feff}", "[]", "{", "{\"a\" 1}", "\"\\ud800\"", "{\"\\ud800\":1}", "{} {}"] {
            assert!(Object::read(text, whole(text)).is_none(), "{text}");
        }
    }
}
