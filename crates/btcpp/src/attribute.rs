//! Names and attributes of written XML.

use bt_behavior3::{TreeSpec, variable};
use serde_json::Value;

/// Returns the ID of a tree.
pub(crate) fn id(tree: &TreeSpec) -> &str {
    if tree.id.is_empty() && tree.title().is_empty() {
        "MainTree"
    } else if tree.id.is_empty() {
        tree.title()
    } else {
        &tree.id
    }
}

/// Returns `true` if a property of a tree is a variable of its own unless it is passed: what any variable of a tree is in XML.
pub(crate) fn is_own(name: &str, default: &Value) -> bool {
    default.as_str().and_then(variable).is_some_and(|own| own.strip_prefix('.') == Some(name))
}

/// Returns the default of a port as a value of a palette.
pub(crate) fn text_value(text: &str) -> Value {
    let number = serde_json::from_str::<serde_json::Number>(text).ok();
    match text {
        "true" | "false" => Value::Bool(text == "true"),
        text => number.map_or_else(|| Value::from(text), Value::Number),
    }
}

/// Returns `true` for a name that a script can contain without braces.
pub fn is_identifier(name: &str) -> bool {
    name.starts_with(|sign: char| sign.is_ascii_alphabetic() || matches!(sign, '_' | '@'))
        && name.chars().skip(1).all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
}
