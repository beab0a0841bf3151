//! The entry of a node in a file, as its node now is.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::coordinates::Point;
use super::head::{Head, numbered};
use super::layout::{Kind, Layout, string};
use super::names::Names;
use super::shape::{DISABLED, PROPERTIES, Shape, children, is_label};
use super::span::Object;
use super::splice::{Item, Patch, items, new_list};
use super::style::Style;
use crate::edit::edits::Edits;
use crate::edit::node::{Node, Origin};

/// The order in which the editor writes the fields of a node.
pub(super) const ORDER: [&str; 10] =
    ["id", "name", "category", "title", "description", "properties", "parameters", "display", "children", "child"];

/// The new content of an entry.
pub(super) struct Wanted<'a> {
    pub(super) node: &'a Node,
    /// The ids of its children.
    pub(super) children: Vec<String>,
    /// The ids of the children that it had.
    pub(super) before: Vec<String>,
    /// Its coordinates, if they change.
    pub(super) point: Option<Point>,
}

/// Returns the description of a node.
fn note(node: &Node) -> String {
    let behind = Some(&node.behind).filter(|behind| !behind.is_empty());
    node.above.iter().chain(behind).map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// The head of a node of a file.
pub(super) struct Heads {
    /// What the file says of the node.
    pub(super) old: Shape,
    pub(super) new: Head,
    is_changed: bool,
}

impl Heads {
    /// Returns the head of a node, with that in the file, of which `read` was read, if that is known.
    pub(super) fn of(node: &Node, origin: &Origin, read: Option<&Node>) -> Result<Self, String> {
        let old = Shape::of(&origin.fields);
        let is_changed = read.map_or_else(|| node.head != old.head.text(), |read| node.head != read.head);
        let parsed = || Head::parse(&node.head).map_err(|error| format!("`{}`: {error}", node.head));
        let new = if is_changed { parsed()? } else { old.head.clone() };
        Ok(Self { old, new, is_changed })
    }
}

/// Changes an entry in a text.
pub(super) fn change(
    edits: &mut Edits,
    text: &str,
    object: &Object,
    Heads { old, new, is_changed }: &Heads,
    wanted: &Wanted<'_>,
    names: &Names<'_>,
    style: &Style,
) {
    let node = wanted.node;
    let mut patch = Patch::new(text, object, &style.entry);
    let mut set = |patch: &mut Patch<'_>, name: &str, value: String| patch.set(edits, name, value, &ORDER);
    let is_renamed = new.name != old.head.name;
    let category = names.category(&new.name, wanted.children.len());
    if is_renamed {
        set(&mut patch, "name", string(&new.name));
        if object.field("category").is_some() {
            set(&mut patch, "category", string(&category));
        }
    }
    let shown = is_label(&old.title, new).then_some(&*old.title);
    let label = node.label.as_deref().filter(|label| !label.is_empty());
    match label {
        Some(label) if old.title != label => set(&mut patch, "title", string(label)),
        None if shown.is_some() || is_renamed && !old.title.is_empty() => {
            set(&mut patch, "title", string(&names.title(new)));
        }
        Some(_) | None => {}
    }
    let note = note(node);
    if note != old.description {
        set(&mut patch, "description", string(&note));
    }
    if *is_changed || node.disabled != old.disabled {
        let properties = difference(old, new, *is_changed, node.disabled);
        change_properties(edits, text, object, &mut patch, style, &properties);
    }
    if let Some(Point { x, y }) = wanted.point {
        match object.object(text, "display") {
            Some(display) => {
                let mut of_display = Patch::new(text, &display, &style.display);
                of_display.set(edits, "x", number(x), &["x", "y"]);
                of_display.set(edits, "y", number(y), &["x", "y"]);
                of_display.end(edits);
            }
            None => patch.set(edits, "display", style.display.object(&point(x, y)), &ORDER),
        }
    }
    let is_child = object.field("child").is_some();
    let has_form = if is_renamed { is_child == (category == "decorator" && names.has_child()) } else { true };
    if wanted.children != wanted.before || !has_form && !wanted.children.is_empty() {
        let one = if is_renamed || !(is_child || object.field("children").is_some()) {
            category == "decorator" && names.has_child()
        } else {
            is_child && object.list(text, "children").is_none()
        };
        change_children(edits, text, object, &mut patch, style, &wanted.children, one);
    }
    patch.end(edits);
}

/// Returns the properties that change; `None` removes one.
fn difference(old: &Shape, new: &Head, is_changed: bool, disabled: bool) -> Vec<(String, Option<Value>)> {
    let mut all = Vec::new();
    if is_changed {
        // Compared as the head shows them, which is not always as the file has them.
        let shown = Head::parse(&old.head.text()).unwrap_or_else(|_| old.head.clone());
        let raw: HashMap<_, _> = old.head.values.iter().map(|(name, value)| (name, value)).collect();
        let before: HashMap<_, _> = shown.values.iter().map(|(name, value)| (name, value)).collect();
        let after: HashMap<_, _> = new.values.iter().map(|(name, value)| (name, value)).collect();
        for (name, value) in &new.values {
            if before.get(name) == Some(&value) {
                continue;
            }
            let is_number = raw.get(name).is_some_and(|value| value.is_number());
            let value = if is_number { numbered(&new.name, name, value.clone()) } else { value.clone() };
            all.push((name.clone(), Some(value)));
        }
        let removed = old.head.values.iter().filter(|(name, _)| !after.contains_key(name));
        all.extend(removed.map(|(name, _)| (name.clone(), None)));
    }
    if disabled != old.disabled {
        all.push((DISABLED.to_owned(), disabled.then_some(Value::Bool(true))));
    }
    all
}

/// Changes properties where the entry has them.
fn change_properties(
    edits: &mut Edits,
    text: &str,
    object: &Object,
    patch: &mut Patch<'_>,
    style: &Style,
    changed: &[(String, Option<Value>)],
) {
    let blocks: Vec<Object> = PROPERTIES.iter().filter_map(|name| object.object(text, name)).collect();
    let mut patches: Vec<_> = blocks.iter().map(|block| Patch::new(text, block, &style.properties)).collect();
    let mut others = serde_json::Map::new();
    for (name, value) in changed {
        let Some(value) = value else {
            for patch in &mut patches {
                patch.remove(name);
            }
            continue;
        };
        let is_there = patches.iter().any(|patch| patch.has(name));
        let has =
            patches.iter_mut().enumerate().filter(|(at, patch)| if is_there { patch.has(name) } else { *at == 0 });
        for (_, patch) in has {
            let value = patch.layout().value(value);
            patch.set(edits, name, value, &[]);
        }
        if blocks.is_empty() {
            others.insert(name.clone(), value.clone());
        }
    }
    for patch in patches {
        patch.end(edits);
    }
    if !others.is_empty() {
        patch.set(edits, PROPERTIES[0], style.properties.object(&others.into()), &ORDER);
    }
}

/// Sets the children, in the field `child` if there is only one and it has this form.
fn change_children(
    edits: &mut Edits,
    text: &str,
    object: &Object,
    patch: &mut Patch<'_>,
    style: &Style,
    ids: &[String],
    one: bool,
) {
    if let ([] | [_], true) = (ids, one) {
        patch.remove("children");
        return match ids.first() {
            Some(id) => patch.set(edits, "child", string(id), &ORDER),
            None => patch.remove("child"),
        };
    }
    patch.remove("child");
    let Some(list) = object.list(text, "children") else {
        let ids: Vec<_> = ids.iter().map(|id| string(id)).collect();
        return patch.set(edits, "children", new_list(&style.children, &ids), &ORDER);
    };
    let layout = Layout::of_list(text, &list, &style.entry).unwrap_or_else(|| style.children.clone());
    let mut known: HashMap<String, usize> = HashMap::new();
    for (index, item) in list.items.iter().enumerate() {
        known.extend(serde_json::from_str::<String>(&text[item.clone()]).ok().map(|id| (id, index)));
    }
    let item = |id: &String| known.get(id).map_or_else(|| Item::New(string(id)), |index| Item::Kept(*index));
    let written = items(text, &list, &layout, ids.iter().map(item).collect());
    patch.set(edits, "children", written, &ORDER);
}

/// Returns the entry of a node that was read in another place, with an id of its own.
pub(super) fn copied(
    origin: &Origin,
    heads: &Heads,
    id: &str,
    wanted: &Wanted<'_>,
    names: &Names<'_>,
    style: &Style,
) -> Result<String, String> {
    let fields = origin.fields.iter().map(|(name, value)| style.entry.field(name, value.get()));
    let text = style.entry.joined(Kind::Object, &fields.collect::<Vec<_>>());
    let Some(object) = Object::read(&text, 0..text.len()) else { return Err(format!("node {id} cannot be written")) };
    let mut edits = Edits::default();
    if object.field("id").is_some() {
        Patch::new(&text, &object, &style.entry).set(&mut edits, "id", string(id), &ORDER);
    }
    let wanted = Wanted { before: children(&origin.fields), children: wanted.children.clone(), ..*wanted };
    change(&mut edits, &text, &object, heads, &wanted, names, style);
    Ok(edits.apply(&text, 0..text.len()))
}

/// Returns the entry of a new node, with the fields that its neighbor has.
pub(super) fn added(
    id: &str,
    wanted: &Wanted<'_>,
    head: &Head,
    has: impl Fn(&str) -> bool,
    names: &Names<'_>,
    style: &Style,
) -> String {
    let node = wanted.node;
    let category = names.category(&head.name, wanted.children.len());
    let label = node.label.clone().filter(|label| !label.is_empty());
    let mut properties: Vec<_> = head.values.clone();
    if node.disabled {
        properties.push((DISABLED.to_owned(), true.into()));
    }
    let properties: Vec<_> =
        properties.iter().map(|(name, value)| style.properties.field(name, &style.properties.value(value))).collect();
    let block = if has("parameters") && !has("properties") { "parameters" } else { "properties" };
    let note = note(node);
    let ids: Vec<_> = wanted.children.iter().map(|id| string(id)).collect();
    let is_one = category == "decorator" && names.has_child() && ids.len() < 2;
    let has_title = has("title") || label.is_some();
    let below = match &*ids {
        [id] if is_one => ("child", Some(id.clone())),
        [] => ("children", (category == "composite" && has("children")).then(|| "[]".to_owned())),
        ids => ("children", Some(new_list(&style.children, ids))),
    };
    style.entry.of_fields([
        ("id", has("id").then(|| string(id))),
        ("name", Some(string(&head.name))),
        ("category", has("category").then(|| string(&category))),
        ("title", has_title.then(|| string(&label.unwrap_or_else(|| names.title(head))))),
        ("description", (has("description") || !note.is_empty()).then(|| string(&note))),
        (block, (has(block) || !properties.is_empty()).then(|| style.properties.joined(Kind::Object, &properties))),
        ("display", wanted.point.map(|Point { x, y }| style.display.object(&point(x, y)))),
        below,
    ])
}

fn point(x: f64, y: f64) -> Value {
    let number = |of: f64| serde_json::from_str::<Value>(&number(of)).unwrap_or_default();
    json!({ "x": number(x), "y": number(y) })
}

/// Returns a coordinate, without `.0`.
fn number(of: f64) -> String {
    if of.is_finite() { of.to_string() } else { "0".to_owned() }
}
