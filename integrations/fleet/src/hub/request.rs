//! A request of a page, as far as the hub has to know it: its name, and where it has keys. All else is checked by the programs.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::names::Fields;

/// The names of requests, except those about documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RequestKind {
    Select,
    Follow,
    List,
    Pause,
    Resume,
    Step,
    Walk,
    Break,
    Watch,
    Check,
    Past,
    Rewind,
    RewindAll,
    Test,
    Overview,
    Edit,
}

/// A request.
pub(super) struct Request {
    pub(super) kind: RequestKind,
    pub(super) content: Box<RawValue>,
}

impl RequestKind {
    /// Returns whether the request holds agents, or lets them run.
    pub(super) const fn is_hold(self) -> bool {
        matches!(self, Self::Pause | Self::Resume | Self::Step | Self::Walk)
    }

    /// Returns the field with what the request sets in a tree, if it does.
    pub(super) const fn set(self) -> Option<&'static str> {
        match self {
            Self::Break => Some("breakpoint"),
            Self::Watch => Some("watch"),
            Self::Select
            | Self::Follow
            | Self::List
            | Self::Pause
            | Self::Resume
            | Self::Step
            | Self::Walk
            | Self::Check
            | Self::Past
            | Self::Rewind
            | Self::RewindAll
            | Self::Test
            | Self::Overview
            | Self::Edit => None,
        }
    }
}

impl Request {
    /// Returns a request, unless its content is no JSON.
    pub(super) fn new(kind: RequestKind, content: &impl Serialize) -> Option<Self> {
        Some(Self { kind, content: to_raw_value(content).ok()? })
    }

    /// Returns the message.
    pub(super) fn text(&self) -> String {
        let name = serde_json::to_string(&self.kind).unwrap_or_default();
        format!("{{{name}:{}}}", self.content)
    }

    /// Reads the content.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, String> {
        serde_json::from_str(self.content.get()).map_err(invalid)
    }
}

/// Splits a message into the name and the content of the request.
pub(super) fn split(message: &str) -> Result<(String, Box<RawValue>), String> {
    let mut fields: Fields = serde_json::from_str(message).map_err(invalid)?;
    match (fields.pop_first(), fields.is_empty()) {
        (Some(request), true) => Ok(request),
        _ => Err(invalid("expected an object with one field")),
    }
}

/// Returns the kind of a request with this name.
pub(super) fn kind(name: &str) -> Result<RequestKind, String> {
    RequestKind::deserialize(serde::de::value::StrDeserializer::<serde::de::value::Error>::new(name)).map_err(invalid)
}

pub(super) fn invalid(reason: impl std::fmt::Display) -> String {
    format!("invalid request: {reason}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_request_of_a_program_has_a_kind() {
        for name in bt_inspector::protocol::REQUESTS {
            let kind = kind(name).expect("the hub has it");
            assert_eq!(Request::new(kind, &7).map(|request| request.text()), Some(format!("{{\"{name}\":7}}")));
        }
    }

    #[test]
    fn a_request_is_one_field() {
        assert_eq!(
            split(" {\"step\": 4}").map(|(name, content)| (name, content.to_string())),
            Ok(("step".to_owned(), "4".to_owned()))
        );
        for message in ["", "{", "{}", "[]", "3", "{\"step\":4,\"pause\":4}"] {
            assert!(split(message).is_err_and(|error| error.starts_with("invalid request: ")), "{message}");
        }
    }
}
