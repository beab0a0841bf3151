//! The property `allow` of a node: the lints that are not reported for it.

use bt_words::{Lint, did_you_mean};
use serde_json::{Map, Value};

use crate::diagnostic::Short;

/// The name of the property.
pub const NAME: &str = "allow";

/// Returns the names in a property: one, several with commas between, or a list.
pub(crate) fn names(given: &Value) -> impl Iterator<Item = &str> {
    let list = given.as_array().map_or(&[][..], Vec::as_slice);
    let texts = given.as_str().into_iter().chain(list.iter().filter_map(Value::as_str));
    texts.flat_map(|text| text.split(',')).map(str::trim).filter(|name| !name.is_empty())
}

/// Returns the property if it is that of a node, and not one of the same name that a custom node has.
pub(crate) fn given(properties: &Map<String, Value>) -> Option<&Value> {
    let given = properties.get(NAME)?;
    let is_list = given.is_string() || given.as_array().is_some_and(|list| list.iter().all(Value::is_string));
    ((is_list || given.is_null()) && names(given).all(|name| Lint::named(name).is_some())).then_some(given)
}

/// Returns the error for a property that does not name lints.
pub(crate) fn error(value: &Value) -> String {
    let known = Lint::ALL.map(Lint::name);
    let meant = names(value).find(|name| Lint::named(name).is_none()).map(|name| did_you_mean(name, known));
    let note = meant
        .filter(|meant| !meant.is_empty())
        .unwrap_or_else(|| format!("; note: the lints are `{}`", known.join("`, `")));
    let value = value.to_string();
    format!("property `{NAME}`: expected the name of a lint or a list of names, found `{}`{note}", Short(&value))
}
