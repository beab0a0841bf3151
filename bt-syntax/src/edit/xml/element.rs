//! An element as a node, and a node as an element.

use bt_behavior3::xml::{Element, is_name};

use super::head::{Head, ID};
use crate::edit::node::Node;

/// The elements of the explicit form, `<Action ID="Say"/>`, by the number of children of a new node: none, one, several.
const CATEGORIES: [&str; 4] = ["Action", "Decorator", "Control", "Condition"];
const NAME: &str = "name";
const DESCRIPTION: &str = "_description";
const SKIP: &str = "_skipIf";
/// What is before the condition of a disabled node that has one.
const OFF: &str = "true || (";

/// What an element says of its node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub(super) head: Head,
    pub(super) label: Option<String>,
    pub(super) note: Vec<String>,
    pub(super) is_disabled: bool,
}

/// The name of an element with its attributes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
}

impl Tag {
    fn attribute(&mut self, name: &str, value: impl Into<String>) {
        self.attributes.push((name.to_owned(), value.into()));
    }
}

fn is_explicit(element: &Element) -> bool {
    CATEGORIES.contains(&&*element.name) && element.attribute(ID).is_some()
}

impl Shape {
    pub(super) fn of(element: &Element) -> Self {
        let is_explicit = is_explicit(element);
        let name = if is_explicit { element.value(ID).unwrap_or_default() } else { &element.name };
        let mut shape = Self {
            head: Head { name: name.to_owned(), attributes: Vec::new() },
            label: None,
            note: Vec::new(),
            is_disabled: false,
        };
        for attribute in &element.attributes {
            let value = &attribute.value;
            let inner = value.strip_prefix(OFF).and_then(|value| value.strip_suffix(')'));
            let inner = inner.filter(|inner| is_closed(inner));
            let value = match attribute.name.as_str() {
                ID if is_explicit => continue,
                NAME if value.is_empty() => continue,
                NAME => {
                    shape.label = Some(value.clone());
                    continue;
                }
                DESCRIPTION => {
                    shape.note = value.lines().map(str::to_owned).collect();
                    continue;
                }
                SKIP if value == "true" || inner.is_some() => {
                    shape.is_disabled = true;
                    match inner {
                        Some(inner) => inner,
                        None => continue,
                    }
                }
                _ => value,
            };
            shape.head.attributes.push((attribute.name.clone(), value.to_owned()));
        }
        shape
    }

    pub(super) fn of_node(node: &Node) -> Result<Self, String> {
        Ok(Self {
            head: Head::parse(&node.head).map_err(|reason| format!("`{}`: {reason}", node.head))?,
            label: node.label.clone(),
            note: node.above.clone(),
            is_disabled: node.disabled,
        })
    }

    /// Returns the element, in the form that it had before: compact or explicit.
    pub(super) fn tag(&self, before: Option<&Element>, children: usize) -> Tag {
        let explicit = before.filter(|element| is_explicit(element)).map(|element| element.name.as_str());
        let explicit = explicit.or_else(|| (!is_name(&self.head.name)).then(|| CATEGORIES[children.min(2)]));
        let mut tag = Tag { name: explicit.unwrap_or(&self.head.name).to_owned(), attributes: Vec::new() };
        if explicit.is_some() {
            tag.attribute(ID, &*self.head.name);
        }
        if let Some(label) = &self.label {
            tag.attribute(NAME, &**label);
        }
        for (name, value) in &self.head.attributes {
            let is_off = self.is_disabled && name == SKIP;
            tag.attribute(name, if is_off { format!("{OFF}{value})") } else { value.clone() });
        }
        if self.is_disabled && !self.head.attributes.iter().any(|(name, _)| name == SKIP) {
            tag.attribute(SKIP, "true");
        }
        if !self.note.is_empty() {
            tag.attribute(DESCRIPTION, self.note.join("\n"));
        }
        tag
    }
}

/// Returns whether the parentheses of a script match.
fn is_closed(script: &str) -> bool {
    let mut depth = 0_usize;
    for sign in script.chars().filter(|sign| matches!(sign, '(' | ')')) {
        if sign == '(' {
            depth += 1;
        } else if depth == 0 {
            return false;
        } else {
            depth -= 1;
        }
    }
    depth == 0
}
