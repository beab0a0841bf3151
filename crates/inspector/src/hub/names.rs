//! The keys of agents and trees in updates: those of a machine become those of a page of the hub.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::Machine;

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

/// Replaces the key of a document in a request, which is its content or the field `document`. Returns the key that was there, too.
pub(super) fn with_document(
    content: &RawValue,
    key: impl Fn(usize) -> usize,
) -> Option<(Option<usize>, Box<RawValue>)> {
    let path: &[&str] = if content.get().starts_with('{') { &["document"] } else { &[] };
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

/// The number of keys of a machine. All keys are less than 2^53: a page reads them as floats. In a browser, a `usize` has 32 bits.
const KEYS: usize = if usize::BITS > 32 { 1 << (usize::BITS / 2) } else { 1 << 20 };

impl Machine {
    /// Returns the key of an agent, or of a document, of this machine in a page of the hub.
    pub(super) fn key(self, agent: usize) -> Option<usize> {
        let first = usize::try_from(self.0).ok()?.checked_mul(KEYS)?;
        first.checked_add(agent).filter(|_| agent < KEYS)
    }

    /// Returns the number by which pages name it.
    pub(super) const fn number(self) -> u32 {
        self.0
    }

    /// Returns the machine of an agent, or of a document, and its key there.
    pub(super) fn of(key: usize) -> (Self, usize) {
        (Self(u32::try_from(key / KEYS).unwrap_or(u32::MAX)), key % KEYS)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::protocol::Update;

    /// The kind of each update: an update without one does not compile.
    fn kind(update: &Update<'_>) -> Kind {
        match update {
            Update::Hello { .. } => Kind::Hello,
            Update::Loading(_) => Kind::Loading,
            Update::Trees(_) => Kind::Trees,
            Update::Agents { .. } => Kind::Agents,
            Update::Ticks { .. } => Kind::Ticks,
            Update::Pause { .. } => Kind::Pause,
            Update::Present { .. } => Kind::Present,
            Update::Breakpoints(_) => Kind::Breakpoints,
            Update::Watches(_) => Kind::Watches,
            Update::Checked { .. } => Kind::Checked,
            Update::Test(_) => Kind::Test,
            Update::Overview { .. } => Kind::Overview,
            Update::Edited { .. } => Kind::Edited,
            Update::Lost(_) => Kind::Lost,
            Update::Error(_) => Kind::Error,
        }
    }

    fn read(update: &Value) -> Option<(Kind, Value)> {
        let key = |of, key| match of {
            Of::Agent | Of::Document => Machine(2).key(key),
            Of::Tree => (key < 7).then_some(key + 100),
        };
        Kind::read(&update.to_string(), key)
            .map(|(kind, content)| (kind, serde_json::from_str(content.get()).expect("valid JSON")))
    }

    #[test]
    fn an_update_is_read_as_its_kind() {
        let path = Vec::new();
        let updates = [
            Update::Hello { recording: false, session: 3 },
            Update::Loading(None),
            Update::Trees(Vec::new()),
            Update::Ticks { agent: 1, list: Vec::new() },
            Update::Pause { agent: 1, paused: true, stop: None, holds: 0 },
            Update::Present { agent: 1, values: None },
            Update::Breakpoints(Vec::new()),
            Update::Watches(Vec::new()),
            Update::Checked { expression: "", error: None, warning: None, value: None },
            Update::Test(String::new()),
            Update::Overview { tree: 1, agents: 0, ticks: 0, nodes: Vec::new() },
            Update::Edited { agent: 1, path: &path, error: None },
            Update::Lost(1),
            Update::Error(""),
        ];
        for update in updates {
            let text = update.text();
            assert_eq!(Kind::read(&text, |_, key| Some(key)).map(|(kind, _)| kind), Some(kind(&update)), "{text}");
        }
    }

    #[test]
    fn keys_of_agents_and_trees_are_replaced_wherever_they_are() {
        let agent = 2 * KEYS + 5;
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

    #[test]
    fn a_key_has_its_machine() {
        let key = Machine(3).key(7).expect("it is small");
        assert_eq!(Machine::of(key), (Machine(3), 7));
        assert_eq!(Machine(3).key(KEYS), None);
    }
}
