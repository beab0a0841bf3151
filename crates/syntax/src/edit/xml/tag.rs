//! The tags of elements.

use bt_behavior3::xml::{Element, attribute, escape};

use super::element::Tag;
use super::source::Found;
use crate::edit::edits::Edits;

/// The tags of an element: the first one without its end, which is `>` or `/>`.
pub(super) struct Tags {
    pub(super) begin: String,
    pub(super) end: String,
}

impl Tag {
    /// Returns the tags of a new element.
    pub(super) fn new_tags(&self) -> Tags {
        let attributes: String = self.values.iter().map(|(name, value)| attribute(name, value)).collect();
        Tags { begin: format!("<{}{attributes}", self.name), end: format!("</{}>", self.name) }
    }

    /// Returns the tags of an element of a text, of which only what differs from `before` is written again.
    pub(super) fn tags(&self, before: &Self, found: &Found<'_>) -> Tags {
        let Found { text, element, .. } = found;
        let name = element.at.start + 1..element.at.start + 1 + element.name.len();
        let mut edits = Edits::default();
        let is_renamed = self.name != before.name;
        if is_renamed {
            edits.replace(name.clone(), self.name.clone());
        }
        let mut end = name.end;
        for attribute in &element.attributes {
            let behind = end;
            end = attribute.value_at.end + 1;
            // An attribute that says nothing of the node stays.
            let Some(was) = before.value(&attribute.name) else { continue };
            match self.value(&attribute.name) {
                Some(now) if now == was => {}
                Some(now) => {
                    let is_single = text[..attribute.value_at.start].ends_with('\'');
                    let now = escape(now);
                    let now = if is_single { now.replace('\'', "&apos;") } else { now };
                    edits.replace(attribute.value_at.clone(), now);
                }
                None => edits.replace(behind..end, String::new()),
            }
        }
        let space = separator(text, element);
        let is_new = |(name, _): &&(String, String)| element.attribute(name).is_none();
        for (name, value) in self.values.iter().filter(is_new) {
            edits.insert(end, format!("{space}{name}=\"{}\"", escape(value)));
        }
        let close = element.inside.as_ref().map_or(element.at.end - "/>".len(), |inside| inside.start - ">".len());
        let begin = edits.apply(text, element.at.start..close);
        let end = match &element.inside {
            Some(inside) if !is_renamed => text[inside.end..element.at.end].to_owned(),
            _ => format!("</{}>", self.name),
        };
        Tags { begin, end }
    }
}

/// Returns what is before a new attribute: a new line if each attribute is on its own.
fn separator<'t>(text: &'t str, element: &Element) -> &'t str {
    if let [.., before, last] = &element.attributes[..] {
        let space = &text[before.value_at.end + 1..last.name_at.start];
        if space.contains('\n') {
            return space;
        }
    }
    " "
}
