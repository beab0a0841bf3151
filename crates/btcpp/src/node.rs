//! What an element in a tree means: a node of BehaviorTree.CPP, a nested tree, or a node of the user; and its ports.

use std::borrow::Cow;

use bt_behavior3::Place;
use bt_behavior3::xml::Element;
use bt_words::is_file_name;

use crate::builtin::{Builtin, CONDITIONS, Category};
use crate::document::{Tree, Version};
use crate::shape::boolean;

/// What an element means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning<'e> {
    Builtin(Builtin),
    /// A nested tree, by its ID.
    Tree(&'e str),
    /// A node of the user, by its name in the file.
    Own(&'e str),
}

/// Returns what an element means, in its compact form `<Name/>` or its explicit form `<Action ID="Name"/>`.
pub(crate) fn meaning(element: &Element) -> Meaning<'_> {
    let id = element.value("ID");
    let name = match (element.name.as_str(), Category::named(&element.name), id) {
        ("SubTreePlus", _, Some(id)) | (_, Some(Category::SubTree), Some(id)) => return Meaning::Tree(id),
        (_, Some(_), Some(id)) => id,
        (name, ..) => name,
    };
    Builtin::named(name).map_or(Meaning::Own(name), Meaning::Builtin)
}

/// Returns the name of a node of the user for the registry, in which the names of words are taken.
pub(crate) fn registered(name: &str) -> Cow<'_, str> {
    if is_file_name(name) { format!("btcpp::{name}").into() } else { name.into() }
}

/// The value that an element passes to a port.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Given<'e> {
    pub(crate) name: &'e str,
    /// The value, with `{port}` in place of `{=}`.
    pub(crate) value: String,
    pub(crate) place: Place,
    pub(crate) value_place: Place,
}

/// Returns what an attribute means that any node can have; `None` for a port.
pub(crate) fn of_any_node(name: &str) -> Option<&'static str> {
    match name {
        "name" => Some("the label of a node"),
        "ID" => Some("the name of a node"),
        _ if name.starts_with('_') => Some("no port, since it begins with `_`"),
        _ => None,
    }
}

/// Returns the values of the ports of an element: all attributes but those that any node can have.
pub(crate) fn ports<'e>(tree: &Tree, element: &'e Element) -> Vec<Given<'e>> {
    let is_old_tree = tree.version == Version::V3 && element.name == "SubTree";
    let is_old_parallel = tree.version == Version::V3 && meaning(element) == Meaning::Builtin(Builtin::Parallel);
    let given = element.attributes.iter().filter(|attribute| of_any_node(&attribute.name).is_none());
    given
        .map(|attribute| {
            let value = attribute.value.as_str();
            let value = match value.trim() {
                "{=}" => format!("{{{}}}", attribute.name),
                // In version 3, a nested tree is passed names of variables.
                trimmed if is_old_tree && !trimmed.starts_with('{') => format!("{{{trimmed}}}"),
                _ => value.to_owned(),
            };
            let name = match attribute.name.as_str() {
                "success_threshold" if is_old_parallel => "success_count",
                "failure_threshold" if is_old_parallel => "failure_count",
                name => name,
            };
            Given { name, value, place: attribute.place, value_place: attribute.value_place }
        })
        .collect()
}

/// Returns `true` if an attribute is `true` or `1`.
pub(crate) fn is_true(element: &Element, attribute: &str) -> bool {
    element.value(attribute).and_then(boolean).unwrap_or(false)
}

/// Returns the scripts of an element that any node can have, in the order of [`CONDITIONS`].
pub(crate) fn has_conditions(element: &Element) -> bool {
    CONDITIONS.iter().any(|name| element.attribute(name).is_some())
}
