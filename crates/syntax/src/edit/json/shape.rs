//! The meaning of the fields of a node in a file.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use serde_json::value::RawValue;

use super::head::Head;
use super::span::{Object, whole};
use crate::edit::node::Node;

/// The fields of a node, in the order of the file.
pub(super) type Fields = [(String, Box<RawValue>)];

/// The property of a node that is left out of its tree.
pub(super) const DISABLED: &str = "disabled";
/// The fields with properties: the second one is that of older files.
pub(super) const PROPERTIES: [&str; 2] = ["properties", "parameters"];

/// The meaning of the fields of a node, without its children.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Shape {
    pub(super) head: Head,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) disabled: bool,
}

impl Shape {
    pub(super) fn of(fields: &Fields) -> Self {
        let text = |name| raw(fields, name).and_then(|raw| serde_json::from_str(raw).ok()).unwrap_or_default();
        let (mut properties, mut places) = (Vec::<(String, Value)>::new(), HashMap::<String, usize>::new());
        for block in PROPERTIES {
            let object = raw(fields, block).and_then(|raw| Some((raw, Object::read(raw, whole(raw))?)));
            let Some((raw, object)) = object else { continue };
            let before = properties.len();
            for field in object.fields {
                let value = serde_json::from_str(&raw[field.value]).unwrap_or_default();
                match places.get(&field.name) {
                    // Of two fields in one object, the last one counts.
                    Some(index) if *index >= before => properties[*index].1 = value,
                    Some(_) => {}
                    None => {
                        places.insert(field.name.clone(), properties.len());
                        properties.push((field.name, value));
                    }
                }
            }
        }
        let disabled = properties.iter().any(|(name, value)| name == DISABLED && *value == Value::Bool(true));
        // Another value is an error that is shown.
        properties.retain(|(name, value)| name != DISABLED || !value.is_boolean());
        let [name, title, description] = ["name", "title", "description"].map(text);
        Self { head: Head { name, values: properties }, title, description, disabled }
    }

    /// Returns the label: the title, if it says more than the name and the properties.
    pub(super) fn label(&self) -> Option<&str> {
        is_label(&self.title, &self.head).then_some(&*self.title)
    }

    /// Returns the note, line by line.
    pub(super) fn note(&self) -> Vec<String> {
        lines(&self.description)
    }
}

/// Returns `true` if a title is neither empty, the name, nor one with properties, such as `Wait <milliseconds>ms`.
pub(super) fn is_label(title: &str, head: &Head) -> bool {
    if title.is_empty() || title == head.name {
        return false;
    }
    let mut shown = title.split('<').skip(1).filter_map(|part| Some(part.split_once('>')?.0)).peekable();
    if shown.peek().is_none() {
        return true;
    }
    let names: HashSet<_> = head.values.iter().map(|(name, _)| name.as_str()).collect();
    !shown.any(|name| names.contains(name))
}

fn lines(text: &str) -> Vec<String> {
    if text.is_empty() { Vec::new() } else { text.split('\n').map(str::to_owned).collect() }
}

/// Returns the text of a field: the last one of this name, as readers do.
pub(super) fn raw<'a>(fields: &'a Fields, name: &str) -> Option<&'a str> {
    fields.iter().rfind(|(other, _)| other == name).map(|(_, raw)| raw.get())
}

/// Returns the ids of the children, in either form of the file.
pub(super) fn children(fields: &Fields) -> Vec<String> {
    let list = raw(fields, "children").and_then(|raw| serde_json::from_str::<Vec<String>>(raw).ok());
    let one = raw(fields, "child").and_then(|raw| serde_json::from_str::<String>(raw).ok());
    list.into_iter().flatten().chain(one).collect()
}

/// Returns an error if the head of a node has the property of disabled nodes, which is none of its own.
pub(in crate::edit) fn check_disabled(node: &Node) -> Result<(), String> {
    let is_it = |(name, value): &(String, Value)| name == DISABLED && value.is_boolean();
    let read = node.head.contains(DISABLED).then(|| Head::parse(&node.head).ok()).flatten();
    match read.filter(|head| head.values.iter().any(is_it)) {
        Some(head) => Err(format!("`{}` cannot have the property `{DISABLED}`; help: disable or enable it", head.name)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Shape {
        let object = Object::read(text, whole(text)).expect("an object");
        let raw = |at: std::ops::Range<usize>| RawValue::from_string(text[at].to_owned()).expect("a value");
        let fields: Vec<_> = object.fields.iter().map(|field| (field.name.clone(), raw(field.value.clone()))).collect();
        Shape::of(&fields)
    }

    #[test]
    fn properties_are_in_the_order_of_the_file() {
        let shape =
            shape(r#"{"name": "goto", "properties": {"z": 1, "a": 1, "z": 2}, "parameters": {"a": 3, "b": 4}}"#);
        assert_eq!(shape.head.text(), "goto(z = 2, a = 1, b = 4)");
    }

    #[test]
    fn a_title_with_a_property_is_no_label() {
        let label = |text| shape(text).label().map(str::to_owned);
        assert_eq!(label(r#"{"name": "Wait", "title": "Wait <ms>ms", "properties": {"ms": 1}}"#), None);
        assert_eq!(label(r#"{"name": "Wait", "title": "Wait", "properties": {"ms": 1}}"#), None);
        assert_eq!(label(r#"{"name": "Wait", "title": ""}"#), None);
        assert_eq!(label(r#"{"name": "Wait", "title": "Wait <ms>ms"}"#).as_deref(), Some("Wait <ms>ms"));
        assert_eq!(label(r#"{"name": "Wait", "title": "rest"}"#).as_deref(), Some("rest"));
        assert_eq!(label(r#"{"name": "Wait", "title": null, "description": null}"#), None);
    }

    #[test]
    fn a_disabled_node_does_not_show_the_property() {
        let read = shape(r#"{"name": "a", "properties": {"disabled": true, "x": 1}}"#);
        assert!(read.disabled && read.head.text() == "a(x = 1)");
        let read = shape(r#"{"name": "a", "properties": {"disabled": false}}"#);
        assert!(!read.disabled && read.head.text() == "a");
        assert_eq!(shape(r#"{"name": "a", "properties": {"disabled": 1}}"#).head.text(), "a(disabled = 1)");
    }
}
