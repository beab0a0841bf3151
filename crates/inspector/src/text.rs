//! Messages as texts.

use serde::Serialize;
use serde_json::json;

/// Returns a message as text. One that cannot be written is a message with the error.
pub(crate) fn text(message: &impl Serialize) -> String {
    serde_json::to_string(message).unwrap_or_else(|error| json!({ "error": error.to_string() }).to_string())
}
