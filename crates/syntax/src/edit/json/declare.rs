//! Declarations of custom nodes, which the editor shows in its palette.

use bt_behavior3::CustomNode;
use serde_json::Value;

use super::layout::{Kind, Layout};
use super::span::{List, Object};
use super::splice::{Item, relist};
use crate::edit::edits::Edits;

/// Adds declarations to those of a file, with the fields that the last of these has.
pub(super) fn declare(edits: &mut Edits, text: &str, list: &List, around: &Layout, nodes: &[CustomNode]) {
    let Some(layout) = Layout::of_list(text, list, around).filter(|_| !nodes.is_empty()) else { return };
    let last = list.items.last().and_then(|item| Object::read(text, item.clone()));
    let of_last = last.as_ref().and_then(|last| Layout::of_object(text, last));
    let inner = of_last.unwrap_or_else(|| layout.inner(Kind::Object));
    let mut wanted: Vec<_> = (0..list.items.len()).map(Item::Kept).collect();
    for node in nodes {
        let mut fields: Vec<(&str, Value)> = vec![("name", node.name.as_str().into())];
        let known = last.iter().flat_map(|last| &last.fields).map(|field| field.name.as_str());
        for name in known.chain(["category"]) {
            let value = if name == "properties" {
                Some(Value::Object(node.properties.clone()))
            } else {
                node.more.get(name).cloned()
            };
            let value = value.filter(|_| !fields.iter().any(|(other, _)| *other == name));
            fields.extend(value.map(|value| (name, value)));
        }
        // In the order of the last.
        let place = |name: &str| last.iter().flat_map(|last| &last.fields).position(|field| field.name == name);
        fields.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
        let fields: Vec<_> = fields.iter().map(|(name, value)| inner.field(name, &inner.value(value))).collect();
        wanted.push(Item::New(inner.joined(Kind::Object, &fields)));
    }
    let parts = list.items.clone();
    relist(edits, text, &list.at, &parts, &layout, wanted);
}
