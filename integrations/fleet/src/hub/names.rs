//! The keys of agents and trees in updates: those of a machine become those of a page of the hub.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

/// An object whose values are as they were written, for example with the order of their fields.
pub(super) type Fields = BTreeMap<String, Box<RawValue>>;

/// Whose key it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Of {
    Agent,
    Tree,
    Document,
}

/// The names of updates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Hello,
    Loading,
    Trees,
    Agents,
    Ticks,
    Pause,
    Present,
    Breakpoints,
    Watches,
    Checked,
    Test,
    Overview,
    Edited,
    Lost,
    Error,
    Documents,
    Palette,
    Document,
    Changed,
    Tried,
    Copied,
    Source,
    Refused,
    Text,
    Adopted,
}

/// Where keys are: names of fields, and `*` for each item of an array.
type Places = &'static [(Of, &'static [&'static str])];

impl Kind {
    /// Returns where an update has keys.
    const fn keys(self) -> Places {
        match self {
            Self::Hello
            | Self::Loading
            | Self::Trees
            | Self::Checked
            | Self::Test
            | Self::Error
            | Self::Tried
            | Self::Copied
            | Self::Source => &[],
            Self::Agents => &[
                (Of::Agent, &["list", "*", "key"]),
                (Of::Tree, &["list", "*", "tree"]),
                (Of::Agent, &["waiting", "*", "key"]),
                (Of::Tree, &["waiting", "*", "tree"]),
                (Of::Agent, &["selected", "key"]),
                (Of::Tree, &["selected", "tree"]),
            ],
            Self::Ticks => &[(Of::Agent, &["agent"]), (Of::Tree, &["list", "*", "tree"])],
            Self::Pause => &[(Of::Agent, &["agent"]), (Of::Tree, &["stop", "tree"])],
            Self::Present | Self::Edited => &[(Of::Agent, &["agent"])],
            Self::Breakpoints | Self::Watches => &[(Of::Tree, &["*", "tree"]), (Of::Agent, &["*", "agent"])],
            Self::Overview => &[(Of::Tree, &["tree"])],
            Self::Lost => &[(Of::Agent, &[])],
            Self::Documents => {
                &[(Of::Document, &["*", "key"]), (Of::Tree, &["*", "tree"]), (Of::Tree, &["*", "trees", "*"])]
            }
            Self::Document => &[(Of::Document, &["key"])],
            Self::Palette | Self::Changed | Self::Refused | Self::Text | Self::Adopted => {
                &[(Of::Document, &["document"])]
            }
        }
    }

    /// Returns whether the updates of all machines become one.
    pub(super) const fn is_merged(self) -> bool {
        match self {
            Self::Agents | Self::Breakpoints | Self::Watches | Self::Overview | Self::Documents => true,
            Self::Hello
            | Self::Loading
            | Self::Trees
            | Self::Ticks
            | Self::Pause
            | Self::Present
            | Self::Checked
            | Self::Test
            | Self::Edited
            | Self::Lost
            | Self::Error
            | Self::Palette
            | Self::Document
            | Self::Changed
            | Self::Tried
            | Self::Copied
            | Self::Source
            | Self::Refused
            | Self::Text
            | Self::Adopted => false,
        }
    }

    /// Parses an update, and replaces the keys in it. Returns `None` if it is invalid, or has a key of nothing.
    pub(super) fn read(text: &str, key: impl Fn(Of, usize) -> Option<usize>) -> Option<(Self, Box<RawValue>)> {
        let update: Fields = serde_json::from_str(text).ok()?;
        let (name, mut content) = update.into_iter().next()?;
        let kind = Self::deserialize(serde::de::value::StrDeserializer::<serde::de::value::Error>::new(&name)).ok()?;
        for (of, path) in kind.keys() {
            content = replaced(&content, path, &|before| key(*of, before))?;
        }
        Some((kind, content))
    }
}

/// Replaces the key at a path of a request. Returns the key that was there, too, if there was one. Returns `None` if it is no key.
pub(super) fn with_key(
    content: &RawValue,
    path: &[&str],
    key: impl Fn(usize) -> usize,
) -> Option<(Option<usize>, Box<RawValue>)> {
    let found = Cell::new(None);
    let content = replaced(content, path, &|before| {
        found.set(Some(before));
        Some(key(before))
    })?;
    Some((found.get(), content))
}

/// Replaces the keys at a path. What is not there, or `null`, stays.
fn replaced(value: &RawValue, path: &[&str], key: &impl Fn(usize) -> Option<usize>) -> Option<Box<RawValue>> {
    if value.get() == "null" {
        return Some(value.to_owned());
    }
    match path {
        [] => to_raw_value(&key(serde_json::from_str(value.get()).ok()?)?).ok(),
        ["*", rest @ ..] => {
            let items: Vec<Box<RawValue>> = serde_json::from_str(value.get()).ok()?;
            let items: Option<Vec<_>> = items.iter().map(|item| replaced(item, rest, key)).collect();
            to_raw_value(&items?).ok()
        }
        [field, rest @ ..] => {
            let mut fields: Fields = serde_json::from_str(value.get()).ok()?;
            if let Some(value) = fields.get_mut(*field) {
                *value = replaced(value, rest, key)?;
            }
            to_raw_value(&fields).ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::hub::machine::Machine;

    fn read(update: &Value) -> Option<(Kind, Value)> {
        let key = |of, key| match of {
            Of::Agent | Of::Document => Machine(2).key(key),
            Of::Tree => (key < 7).then_some(key + 100),
        };
        Kind::read(&update.to_string(), key)
            .map(|(kind, content)| (kind, serde_json::from_str(content.get()).expect("valid JSON")))
    }

    #[test]
    fn each_update_of_a_program_has_a_kind() {
        for name in bt_inspector::protocol::UPDATES {
            let read = Kind::read(&format!("{{\"{name}\":null}}"), |_, key| Some(key));
            let kind = read.map(|(kind, _)| serde_json::to_value(kind).expect("a name"));
            assert_eq!(kind, Some(json!(name)));
        }
    }

    #[test]
    fn keys_of_agents_and_trees_are_replaced_wherever_they_are() {
        let agent = Machine(2).key(5);
        for (update, expected) in [
            (json!({ "lost": 5 }), json!(agent)),
            (
                json!({ "agents": { "list": [{ "key": 5, "tree": 0 }], "waiting": [], "selected": null, "total": 1 } }),
                json!({ "list": [{ "key": agent, "tree": 100 }], "waiting": [], "selected": null, "total": 1 }),
            ),
            (
                json!({ "ticks": { "agent": 5, "list": [{ "tree": 1, "tick": 9 }] } }),
                json!({ "agent": agent, "list": [{ "tree": 101, "tick": 9 }] }),
            ),
            (
                json!({ "pause": { "agent": 5, "stop": { "tree": 2, "at": [3, "Visit"] }, "holds": 1 } }),
                json!({ "agent": agent, "stop": { "tree": 102, "at": [3, "Visit"] }, "holds": 1 }),
            ),
            (json!({ "pause": { "agent": 5, "stop": null } }), json!({ "agent": agent, "stop": null })),
            (
                json!({ "breakpoints": [{ "tree": 0, "agent": null }, { "tree": 1, "agent": 5 }] }),
                json!([{ "tree": 100, "agent": null }, { "tree": 101, "agent": agent }]),
            ),
            (
                json!({ "documents": [{ "key": 5, "tree": null, "trees": [0, 1] }] }),
                json!([{ "key": agent, "tree": null, "trees": [100, 101] }]),
            ),
            (json!({ "document": { "key": 5, "version": 1 } }), json!({ "key": agent, "version": 1 })),
            (json!({ "changed": { "document": 5, "select": [5] } }), json!({ "document": agent, "select": [5] })),
            (json!({ "overview": { "tree": 1, "agents": 5 } }), json!({ "tree": 101, "agents": 5 })),
            (json!({ "error": "no 5" }), json!("no 5")),
        ] {
            assert_eq!(read(&update).map(|(_, content)| content), Some(expected), "{update}");
        }
    }

    #[test]
    fn invalid_updates_are_dropped() {
        for text in [
            "",
            "{}",
            "[]",
            "{\"dance\":1}",
            "{\"lost\":\"Ann\"}",
            "{\"lost\":-1}",
            "{\"lost\":4294967296}",
            "{\"ticks\":3}",
            "{\"overview\":{\"tree\":9}}",
            "{\"agents\":{\"list\":{}}}",
        ] {
            let key = |of, key| match of {
                Of::Agent | Of::Document => Machine(2).key(key),
                Of::Tree => (key < 7).then_some(key),
            };
            assert!(Kind::read(text, key).is_none(), "{text}");
        }
    }

    #[test]
    fn values_keep_the_order_and_the_digits_in_which_they_were_written() {
        let text = r#"{"present":{"agent":5,"values":{"z":1.50,"a":12345678901234567890123}}}"#;
        let (_, content) = Kind::read(text, |_, key| Some(key)).expect("it is valid");
        assert!(content.get().contains(r#"{"z":1.50,"a":12345678901234567890123}"#), "{content}");
    }
}
