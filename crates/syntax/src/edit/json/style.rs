//! How the entries of nodes are written in a file.

use super::layout::{Kind, Layout};
use super::span::Object;

/// The layouts of entries.
#[derive(Clone)]
pub(super) struct Style {
    pub(super) entry: Layout,
    pub(super) properties: Layout,
    pub(super) display: Layout,
    pub(super) children: Layout,
}

impl Style {
    /// Returns the layouts of the entries of a tree.
    pub(super) fn of(text: &str, nodes: &Object, first: Option<&Object>, layout: &Layout) -> Self {
        let entry =
            first.and_then(|first| Layout::of_object(text, first)).unwrap_or_else(|| layout.inner(Kind::Object));
        let (object, list) = (entry.inner(Kind::Object), entry.inner(Kind::List));
        let mut style = Self { entry, properties: object.clone(), display: object, children: list };
        let (mut has_properties, mut has_display, mut longest) = (false, false, 0);
        for field in &nodes.fields {
            let Some(entry) = Object::read(text, field.value.clone()) else { continue };
            let of = |name| entry.object(text, name).and_then(|object| Layout::of_object(text, &object));
            if let Some(layout) = of("properties").filter(|_| !has_properties) {
                (style.properties, has_properties) = (layout, true);
            }
            if let Some(layout) = of("display").filter(|_| !has_display) {
                (style.display, has_display) = (layout, true);
            }
            // A list with two items shows what is between them.
            let list = entry.list(text, "children").filter(|list| list.items.len().min(2) > longest);
            if let Some((list, layout)) =
                list.and_then(|list| Some((list.items.len(), Layout::of_list(text, &list, &style.entry)?)))
            {
                (style.children, longest) = (layout, list.min(2));
            }
            if has_properties && has_display && longest == 2 {
                break;
            }
        }
        if !has_properties && has_display {
            style.properties = style.display.clone();
        }
        style
    }

    /// Returns the layouts that an entry shows, and otherwise these.
    pub(super) fn at(&self, text: &str, entry: &Object) -> Self {
        let of = |name| entry.object(text, name).and_then(|object| Layout::of_object(text, &object));
        Self {
            entry: Layout::of_object(text, entry).unwrap_or_else(|| self.entry.clone()),
            properties: of("properties").unwrap_or_else(|| self.properties.clone()),
            display: of("display").unwrap_or_else(|| self.display.clone()),
            children: entry
                .list(text, "children")
                .and_then(|list| Layout::of_list(text, &list, &self.entry))
                .unwrap_or_else(|| self.children.clone()),
        }
    }
}
