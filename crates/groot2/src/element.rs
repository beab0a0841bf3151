//! A node as an element: its name and its ports.

use bt_behavior3::bt_words::Word;
use bt_behavior3::is_file_name;
use bt_behavior3::xml::{is_name, text};
use bt_core::describe::{Described, Kind, Parameter};
use serde_json::{Map, Value};

use crate::manner::Manner;
use crate::scope::Scope;
use bt_btcpp::builtin::{Builtin, CONDITION_NAMES, CONDITIONS, CONDITIONS_NODE, INITIAL_NODE};

/// An element before it has a number.
pub(crate) struct Element {
    pub(crate) name: String,
    /// The name of the node.
    pub(crate) title: String,
    pub(crate) ports: Vec<(String, String)>,
    pub(crate) manner: Manner,
}

/// Returns `true` for a decorator whose scripts or values are attributes of its child.
pub(crate) fn is_attribute(node: &Described) -> bool {
    let name = registered(node);
    node.kind == Kind::Decorator && (name == CONDITIONS_NODE || name == INITIAL_NODE)
}

/// Returns the attributes of the node below a decorator.
pub(crate) fn attributes(node: &Described, scope: &Scope) -> Vec<(String, String)> {
    let properties = properties(node);
    if registered(node) == CONDITIONS_NODE {
        let scripts = CONDITIONS.iter().zip(CONDITION_NAMES);
        let given = scripts.filter_map(|(attribute, name)| {
            Some(((*attribute).to_owned(), scope.script(properties.get(name)?.as_str()?)))
        });
        return given.collect();
    }
    let list = |name| properties.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    list("variables").iter().zip(list("values")).map(|(name, value)| (text(name), text(value))).collect()
}

impl Element {
    /// Returns the element of a node.
    pub(crate) fn of(node: &Described, scope: &Scope) -> Self {
        let registered = registered(node);
        let own = registered.strip_prefix("btcpp::").and_then(Builtin::named);
        let word = if own.is_none() && node.kind != Kind::Subtree { word(node) } else { None };
        let builtin = own.or_else(|| word.and_then(Builtin::of));
        let port = builtin.filter(|_| own.is_none()).and_then(Builtin::argument);
        let name = builtin.map_or(registered, |builtin| builtin.name());
        let ports = match (word, port) {
            (Some(Word::RunOnce), _) => vec![("then_skip".to_owned(), "false".to_owned())],
            (_, port) => ports(node, builtin, port, scope),
        };
        Self {
            title: node.label.clone().unwrap_or_else(|| name.to_owned()),
            name: element_name(name),
            ports,
            manner: builtin.map_or_else(|| Manner::of(node.kind, word), Manner::of_builtin),
        }
    }
}

/// Returns the name that a node has in a file, or else in the program.
fn registered(node: &Described) -> &str {
    node.file.as_ref().filter(|_| node.kind != Kind::Subtree).map_or(&node.name, |file| &file.name)
}

/// Returns the word of a node, unless it is a node of the program.
fn word(node: &Described) -> Option<Word> {
    if node.file.as_ref().is_some_and(|file| !is_file_name(&file.name)) {
        return None;
    }
    let named = || Word::named(&node.name).filter(|word| Kind::of(word.row().family) == node.kind);
    named().find(|word| word.row().params.is_empty() == node.params.is_empty()).or_else(|| named().next())
}

fn properties(node: &Described) -> Map<String, Value> {
    let text = node.file.as_ref().map_or("", |file| &file.properties);
    serde_json::from_str(text).unwrap_or_default()
}

/// Returns the ports of a node; the argument of a word has the name `port`.
fn ports(node: &Described, builtin: Option<Builtin>, port: Option<&str>, scope: &Scope) -> Vec<(String, String)> {
    let is_script = |name: &str| builtin.and_then(|builtin| builtin.port(name)).is_some_and(|port| port.is_script);
    let mut found: Vec<(String, String)> = if node.file.is_some() {
        properties(node).iter().map(|(name, value)| (name.clone(), text(value))).collect()
    } else {
        node.params.iter().map(|param| (param.name.clone(), value(param))).collect()
    };
    // The order of attributes does not depend on features of `serde_json`.
    found.sort();
    if let ([(name, value)], Some(port)) = (found.as_mut_slice(), port) {
        port.clone_into(name);
        if let Some(millis) = millis(value) {
            *value = millis;
        }
    }
    for (name, value) in &mut found {
        *value = if is_script(name) { scope.script(value) } else { scope.value(value) };
        if matches!(builtin, Some(Builtin::SetBlackboard | Builtin::UnsetBlackboard))
            && (name == "output_key" || name == "key")
            && let Some(variable) = bt_behavior3::variable(value)
        {
            // There, braces mean a variable that contains the name.
            *value = variable.to_owned();
        }
    }
    found.retain(|(name, _)| is_name(name) && !name.starts_with('_') && name != "name" && name != "ID");
    found
}

/// Returns the value of a parameter as a port.
fn value(param: &Parameter) -> String {
    let value = param.property.as_ref().unwrap_or(&param.value);
    serde_json::from_str(value).map_or_else(|_| value.clone(), |value| text(&value))
}

/// Returns the milliseconds of a duration as `Debug` formats it.
fn millis(value: &str) -> Option<String> {
    let (number, factor) = match (value.strip_suffix("ms"), value.strip_suffix('s')) {
        (Some(number), _) => (number, 1.0),
        (None, Some(number)) => (number, 1000.0),
        (None, None) => return None,
    };
    number.parse::<f64>().ok().map(|number| (number * factor).to_string())
}

/// Returns a name that an element can have: other signs are replaced.
fn element_name(name: &str) -> String {
    if is_name(name) {
        return name.to_owned();
    }
    let kept = |sign: char| if sign.is_alphanumeric() || matches!(sign, '_' | '-' | '.') { sign } else { '_' };
    let name: String = name.chars().map(kept).collect();
    let name = name.trim_matches('_');
    if is_name(name) { name.to_owned() } else { format!("_{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_names_of_elements() {
        for (name, expected) in [
            ("walk", "walk"),
            ("|robot| robot.hit", "robot__robot.hit"),
            ("3x", "_3x"),
            ("|", "_"),
            ("crate::a", "crate__a"),
        ] {
            assert_eq!(element_name(name), expected);
        }
    }

    #[test]
    fn durations_are_milliseconds() {
        for (value, expected) in [("1.5s", Some("1500")), ("20ms", Some("20")), ("3", None), ("{times}", None)] {
            assert_eq!(millis(value).as_deref(), expected);
        }
    }
}
