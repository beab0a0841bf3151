//! The name of a node with its ports, as text: `Repeat(num_cycles = 3)`.

use bt_behavior3::parts::file_value;
use bt_behavior3::{variable, xml};
use serde_json::{Number, Value};

use crate::edit::data::{Named, name};
use crate::errors::Errors;
use crate::file::{Argument, arguments};
use crate::tokens::Input;

/// The names of the nodes that are trees.
const TREES: [&str; 2] = ["SubTree", "SubTreePlus"];
/// The node that `!` is.
pub(in crate::edit) const NOT: &str = "Inverter";
/// The attribute of a tree's name.
pub(super) const ID: &str = "ID";
/// The attributes that connect all variables of a tree with those around it, in version 4 and in version 3.
const AUTOREMAP: [&str; 2] = ["_autoremap", "__autoremap"];
/// The ports of nodes of BehaviorTree.CPP that name variables without braces.
const NAMES: [&str; 5] = ["code", "if", "key", "output_key", "queue"];

/// A name with attributes.
pub(super) type Head = Named<String>;

impl Head {
    /// Returns it as text.
    pub(super) fn text(&self) -> String {
        self.shown(|_, value| shown(value))
    }

    /// Reads it from text.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        Self::parsed(text, "expected a name with ports", Self::read)
    }

    fn read(input: &Input<'_>, errors: &mut Errors) -> Option<Self> {
        let (name, args) = name(input, errors)?;
        let mut head = Self::new(&name);
        let ports = args.map(|args| arguments(args.stream(), errors)).unwrap_or_default();
        for Argument { name: port, span, value, .. } in ports {
            let Some(port) = port else {
                errors.at(span, format!("a port of `{name}` needs its name, as in `port = {value}`"));
                return None;
            };
            if head.value(&port).is_some() {
                errors.at(span, format!("duplicate port `{port}`"));
                return None;
            }
            if let Some((_, reason)) = xml::not_in_attribute(&value) {
                errors.at(span, format!("port `{port}`: {reason}"));
                return None;
            }
            head.values.push((port, xml::text(&value)));
        }
        errors.is_empty().then_some(head)
    }
}

/// Returns the value of an attribute as an argument that is read as the same value.
fn shown(value: &str) -> String {
    if value == "true" || value == "false" {
        return value.to_owned();
    }
    let number = serde_json::from_str::<Number>(value).ok().filter(|number| number.to_string() == value);
    if let Some(number) = number {
        return file_value(&Value::Number(number));
    }
    let is_exact = variable(value).is_some_and(|name| value.len() == name.len() + 2 && name != "=");
    if is_exact { file_value(&Value::String(value.to_owned())) } else { format!("{value:?}") }
}

/// Returns what a user has typed for a port as an argument: as in XML, `{goal}`, `count < 3`, `007`, or as it is shown, `"text"`, `var(goal)`.
pub(in crate::edit) fn argument(typed: &str) -> String {
    let typed = typed.trim();
    let is_value = typed.starts_with('"') || typed.starts_with("var(");
    let read = || match &*Head::parse(&format!("x(y = {typed})")).ok()?.values {
        [(_, value)] => Some(value.clone()),
        _ => None,
    };
    shown(&is_value.then(read).flatten().unwrap_or_else(|| typed.to_owned()))
}

/// Returns the ID of the tree that a node uses.
pub(in crate::edit) fn tree_used(head: &str) -> Option<String> {
    let head = Head::parse(head).ok().filter(|head| is_tree(&head.name))?;
    head.value(ID).cloned()
}

/// Returns whether a node is a tree.
pub(super) fn is_tree(name: &str) -> bool {
    TREES.contains(&name)
}

/// Returns the head of a node that uses a tree; with the variables around it, if the nodes of the tree use any.
pub(in crate::edit) fn use_of_tree(id: &str, has_variables: bool, is_version_4: bool) -> String {
    let mut values = vec![(ID.to_owned(), id.to_owned())];
    let version = usize::from(!is_version_4);
    if has_variables {
        values.push((AUTOREMAP[version].to_owned(), "true".to_owned()));
    }
    let name = if has_variables { TREES[version] } else { TREES[0] };
    Head { name: name.to_owned(), values }.text()
}

/// Returns the head of a node that a user has chosen in place of another one. It keeps the conditions, which any node can have.
pub(in crate::edit) fn replaced(before: &str, head: &str) -> String {
    let (Ok(before), Ok(mut new)) = (Head::parse(before), Head::parse(head)) else { return head.to_owned() };
    if before.name != new.name {
        let is_kept = |(name, _): &(String, String)| {
            name.starts_with('_') && !AUTOREMAP.contains(&&**name) && new.value(name).is_none()
        };
        let kept: Vec<_> = before.values.into_iter().filter(is_kept).collect();
        new.values.extend(kept);
    }
    new.text()
}

/// Returns the head of a node that names a tree of the document as the use of that tree.
pub(super) fn as_tree(head: &str) -> String {
    let Ok(mut head) = Head::parse(head) else { return head.to_owned() };
    head.values.insert(0, (ID.to_owned(), std::mem::replace(&mut head.name, TREES[0].to_owned())));
    head.text()
}

/// Returns a variable in a node that only its tree has: `_name`.
pub(in crate::edit) fn private_variable(head: &str) -> Option<String> {
    let head = Head::parse(head).ok()?;
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    let names = head.values.iter().filter(|attribute| may_name_variables(attribute));
    names.into_iter().find_map(|(_, value)| {
        let mut words = value.split(|sign| !is_part(sign));
        words.find(|word| word.len() > 1 && word.starts_with('_')).map(str::to_owned)
    })
}

fn may_name_variables((name, value): &(String, String)) -> bool {
    value.contains('{') || name.starts_with('_') || NAMES.contains(&&**name)
}

/// Returns a head with another tree.
pub(in crate::edit) fn with_tree(head: &str, id: &str) -> String {
    let Ok(mut head) = Head::parse(head) else { return head.to_owned() };
    for (_, value) in head.values.iter_mut().filter(|(name, _)| name == ID) {
        id.clone_into(value);
    }
    head.text()
}

/// Returns whether a node names variables; of a tree, which of those around it are connected with its own.
pub(in crate::edit) fn uses_variables(head: &str) -> Variables {
    let Ok(head) = Head::parse(head) else { return Variables::Some };
    if is_tree(&head.name) {
        let others = head.values.iter().filter(|(name, _)| name != ID);
        let others: Vec<_> = others.map(|(name, value)| (name.as_str(), value.as_str())).collect();
        return match others[..] {
            [] => Variables::None,
            [(name, "true" | "1")] if AUTOREMAP.contains(&name) => Variables::All,
            _ => Variables::Some,
        };
    }
    if head.values.iter().any(may_name_variables) { Variables::Some } else { Variables::None }
}

/// The variables of a node, or those that are connected with a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::edit) enum Variables {
    None,
    Some,
    All,
}
