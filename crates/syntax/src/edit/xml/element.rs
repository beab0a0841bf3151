//! An element as a node, and a node as an element.

use bt_behavior3::xml::{Element, is_name, not_in_xml};
use bt_words::Word;

use super::head::{Head, ID, is_tree};
use crate::edit::data::Named;
use crate::edit::node::Node;

/// The elements of the explicit form: `<Action ID="Say"/>`.
const CATEGORIES: [&str; 4] = ["Action", "Decorator", "Control", "Condition"];
const NAME: &str = "name";
const DESCRIPTION: &str = "_description";
const SKIP: &str = "_skipIf";
/// The conditions that are evaluated before it.
const EARLIER: [&str; 2] = ["_failureIf", "_successIf"];
/// The elements of a file that are no nodes.
const OTHERS: [&str; 4] = ["root", "BehaviorTree", "TreeNodesModel", "include"];

/// What an element says of its node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub(super) head: Head,
    pub(super) label: Option<String>,
    pub(super) note: Vec<String>,
    pub(super) is_disabled: bool,
}

/// The name of an element with its attributes.
pub(super) type Tag = Named<String>;

impl Tag {
    fn attribute(&mut self, name: &str, value: impl Into<String>) {
        self.values.push((name.to_owned(), value.into()));
    }
}

fn is_explicit(element: &Element) -> bool {
    CATEGORIES.contains(&&*element.name) && element.attribute(ID).is_some()
}

impl Shape {
    pub(super) fn of(element: &Element) -> Self {
        let is_explicit = is_explicit(element);
        let name = if is_explicit { element.value(ID).unwrap_or_default() } else { &element.name };
        let mut shape = Self { head: Head::new(name), label: None, note: Vec::new(), is_disabled: false };
        for attribute in &element.attributes {
            let value = &attribute.value;
            match attribute.name.as_str() {
                ID if is_explicit => {}
                NAME => shape.label = Some(value.clone()).filter(|label| !label.is_empty()),
                DESCRIPTION => shape.note = value.lines().map(str::to_owned).collect(),
                SKIP if value == "true" => shape.is_disabled = true,
                name => shape.head.attribute(name, &**value),
            }
        }
        shape
    }

    /// Returns what a node says, whose head is known if it is as it was read.
    pub(super) fn of_node(node: &Node, read: Option<&Head>) -> Result<Self, String> {
        let parsed = || Head::parse(&node.head).map_err(|reason| format!("`{}`: {reason}", node.head));
        Ok(Self {
            head: read.cloned().map_or_else(parsed, Ok)?,
            label: node.label.clone(),
            note: node.above.clone(),
            is_disabled: node.disabled,
        })
    }

    /// Returns the element. One that was explicit before stays so, unless it has another name, whose category is not known.
    pub(super) fn tag(&self, before: Option<&Element>) -> Tag {
        let is_same = |element: &&Element| is_explicit(element) && element.value(ID) == Some(&self.head.name);
        let explicit = before.filter(is_same).map(|element| element.name.as_str());
        let mut tag = Tag::new(explicit.unwrap_or(&self.head.name));
        if explicit.is_some() {
            tag.attribute(ID, &*self.head.name);
        }
        if let Some(label) = &self.label {
            tag.attribute(NAME, &**label);
        }
        for (name, value) in &self.head.values {
            tag.attribute(name, &**value);
        }
        if self.is_disabled {
            tag.attribute(SKIP, "true");
        }
        if !self.note.is_empty() {
            tag.attribute(DESCRIPTION, self.note.join("\n"));
        }
        tag
    }
}

/// Returns why a node cannot be disabled: its conditions would be evaluated, too.
pub(in crate::edit) fn check_disabled(node: &Node) -> Result<(), String> {
    let head = Shape::of_node(node, None)?.head;
    let has = |name: &&&str| head.value(name).is_some();
    match EARLIER.iter().chain([&SKIP]).find(has) {
        Some(&SKIP) => Err(format!("`{}` has `{SKIP}` already; help: remove it first", head.name)),
        Some(name) => {
            Err(format!("`{}` has `{name}`, which is evaluated before `{SKIP}`; help: remove it first", head.name))
        }
        None => Ok(()),
    }
}

/// Returns why XML cannot contain a node, or any below it.
pub(in crate::edit) fn check(node: &Node) -> Result<(), String> {
    let Shape { head, label, note, .. } = Shape::of_node(node, None)?;
    let mut texts = head.values.iter().map(|(_, value)| value).chain(&label).chain(&note);
    if let Some(reason) = texts.find_map(|text| not_in_xml(text)) {
        return Err(reason);
    }
    if !is_name(&head.name) || OTHERS.contains(&&*head.name) || CATEGORIES.contains(&&*head.name) {
        return Err(format!("`{}` is not the name of a node in XML", head.name));
    }
    if Word::named(&head.name).next().is_some() {
        let help = "help: write the node of BehaviorTree.CPP, such as `Sequence` or `Inverter`";
        return Err(format!("`{}` is a word of `tree!`; {help}", head.name));
    }
    for (name, _) in &head.values {
        let reason = match name.as_str() {
            NAME => "it is the label",
            DESCRIPTION => "it is the note",
            ID if !is_tree(&head.name) => "only `SubTree` has it",
            name if !is_name(name) => "it is not a name in XML",
            _ => continue,
        };
        return Err(format!("`{}` cannot have the port `{name}`: {reason}", head.name));
    }
    node.children().try_for_each(|child| check(child))
}
