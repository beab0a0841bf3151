//! Changes of lists and objects that leave the rest of a text as it is.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::layout::{Kind, Layout};
use super::span::{List, Object};
use crate::edit::edits::Edits;

/// An item of a list, or a field of an object, as written after the change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Item {
    /// That of an index in the text, possibly with edits inside.
    Kept(usize),
    New(String),
}

/// Replaces what is between the delimiters at a place, which has `parts`. If those that stay have another order, there are no edits inside.
pub(super) fn relist(
    edits: &mut Edits,
    text: &str,
    at: &Range<usize>,
    parts: &[Range<usize>],
    layout: &Layout,
    wanted: Vec<Item>,
) {
    let kept: Vec<usize> =
        wanted.iter().filter_map(|item| if let Item::Kept(index) = item { Some(*index) } else { None }).collect();
    if kept.is_empty() || !kept.is_sorted() {
        let written = wanted.into_iter().map(|item| match item {
            Item::Kept(index) => text[parts[index].clone()].to_owned(),
            Item::New(text) => text,
        });
        let written = layout.content(&written.collect::<Vec<_>>());
        let inside = at.start + 1..at.end - 1;
        if !(parts.is_empty() && written.is_empty()) && text[inside.clone()] != written {
            edits.replace(inside, written);
        }
        return;
    }
    // What is removed goes with the comma before it, or, in front of all that stay, with the one behind it.
    let first = kept[0];
    if first > 0 {
        edits.replace(parts[0].start..parts[first].start, String::new());
    }
    let ends = kept.iter().skip(1).copied().chain([parts.len()]);
    for (before, next) in kept.iter().copied().zip(ends) {
        if next > before + 1 {
            edits.replace(parts[before].end..parts[next - 1].end, String::new());
        }
    }
    let mut last = None;
    for item in wanted {
        match (item, last) {
            (Item::Kept(index), _) => last = Some(index),
            (Item::New(text), Some(last)) => edits.insert(parts[last].end, format!(",{}{text}", layout.between)),
            (Item::New(text), None) => edits.insert(parts[first].start, format!("{text},{}", layout.between)),
        }
    }
}

/// Changes of the fields of an object.
pub(super) struct Patch<'a> {
    text: &'a str,
    object: &'a Object,
    layout: Layout,
    /// The indices of the fields of each name.
    names: HashMap<&'a str, Vec<usize>>,
    removed: HashSet<usize>,
    /// The new fields after the field with an index.
    added: HashMap<Option<usize>, Vec<String>>,
}

impl<'a> Patch<'a> {
    /// Begins changes of an object. An empty one gets a layout.
    pub(super) fn new(text: &'a str, object: &'a Object, empty: &Layout) -> Self {
        let layout = Layout::of_object(text, object).unwrap_or_else(|| empty.clone());
        let mut names: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, field) in object.fields.iter().enumerate() {
            names.entry(&field.name).or_default().push(index);
        }
        Self { text, object, layout, names, removed: HashSet::new(), added: HashMap::new() }
    }

    pub(super) const fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// Sets a field. A new field is added after the fields before it in `order`. Of several fields with the name, the last one counts.
    pub(super) fn set(&mut self, edits: &mut Edits, name: &str, value: String, order: &[&str]) {
        if let Some(index) = self.names.get(name).and_then(|indices| indices.last()) {
            let place = &self.object.fields[*index].value;
            if self.text[place.clone()] != value {
                edits.replace(place.clone(), value);
            }
            return;
        }
        let rank = |name: &str| order.iter().position(|other| *other == name);
        let behind = match rank(name) {
            Some(own) => {
                self.object.fields.iter().rposition(|field| rank(&field.name).is_some_and(|other| other < own))
            }
            None => self.object.fields.len().checked_sub(1),
        };
        self.added.entry(behind).or_default().push(self.layout.field(name, &value));
    }

    /// Removes all fields of a name.
    pub(super) fn remove(&mut self, name: &str) {
        self.removed.extend(self.names.get(name).into_iter().flatten());
    }

    /// Adds what was removed and added to the edits.
    pub(super) fn end(self, edits: &mut Edits) {
        let Self { text, object, layout, removed, mut added, .. } = self;
        if removed.is_empty() && added.is_empty() {
            return;
        }
        let mut wanted = Vec::new();
        let mut added_behind = |index| added.remove(&index).into_iter().flatten().map(Item::New);
        wanted.extend(added_behind(None));
        for index in 0..object.fields.len() {
            if !removed.contains(&index) {
                wanted.push(Item::Kept(index));
            }
            wanted.extend(added_behind(Some(index)));
        }
        let parts: Vec<_> = object.fields.iter().map(|field| field.at.clone()).collect();
        relist(edits, text, &object.at, &parts, &layout, wanted);
    }
}

/// Replaces the items of a list in a text.
pub(super) fn items(text: &str, list: &List, layout: &Layout, wanted: Vec<Item>) -> String {
    let mut edits = Edits::default();
    relist(&mut edits, text, &list.at, &list.items, layout, wanted);
    edits.apply(text, list.at.clone())
}

/// Returns new items as a list.
pub(super) fn new_list(layout: &Layout, items: &[String]) -> String {
    layout.joined(Kind::List, items)
}

#[cfg(test)]
mod tests {
    use super::super::span::whole;
    use super::*;

    fn relisted(text: &str, wanted: &[&str]) -> String {
        let list = List::read(text, whole(text)).expect("a list");
        let around = Layout::new();
        let layout = Layout::of_list(text, &list, &around).unwrap_or_else(|| around.inner(Kind::List));
        let item = |item: &&str| match list.items.iter().position(|known| text[known.clone()] == **item) {
            Some(index) => Item::Kept(index),
            None => Item::New((*item).to_owned()),
        };
        items(text, &list, &layout, wanted.iter().map(item).collect())
    }

    #[test]
    fn items_are_added_and_removed_with_their_commas() {
        assert_eq!(relisted("[1, 2,3]", &["1", "2", "3"]), "[1, 2,3]");
        assert_eq!(relisted("[1, 2,3]", &["1", "3"]), "[1,3]");
        assert_eq!(relisted("[1, 2,3]", &["2", "3"]), "[2,3]");
        assert_eq!(relisted("[1, 2,3]", &["1", "2"]), "[1, 2]");
        assert_eq!(relisted("[1, 2,3]", &["0", "1", "9", "2", "3", "4"]), "[0, 1, 9, 2,3, 4]");
        assert_eq!(relisted("[ 1, 2,3 ]", &["3", "1", "2"]), "[ 3, 1, 2 ]");
        assert_eq!(relisted("[1, 2]", &["0"]), "[0]");
        assert_eq!(relisted("[1, 2]", &[]), "[]");
        assert_eq!(relisted("[ ]", &[]), "[ ]");
        assert_eq!(relisted("[\r\n 1,\r\n 2\r\n]", &["1", "3"]), "[\r\n 1,\r\n 3\r\n]");
        assert_eq!(relisted("[\r\n 1\r\n]", &["1", "3"]), "[\r\n 1,\r\n 3\r\n]");
        assert_eq!(relisted("[1,2,3,4,5]", &["0", "3", "6"]), "[0,3,6]");
    }

    #[test]
    fn fields_are_set_in_their_order() {
        let text = r#"{"id":"1", "properties":{},"x":1, "x":2}"#;
        let object = Object::read(text, whole(text)).expect("an object");
        let order = ["id", "title", "properties", "child"];
        let mut edits = Edits::default();
        let mut patch = Patch::new(text, &object, &Layout::new());
        patch.set(&mut edits, "child", "\"2\"".to_owned(), &order);
        patch.set(&mut edits, "title", "\"t\"".to_owned(), &order);
        patch.set(&mut edits, "id", "\"2\"".to_owned(), &order);
        patch.remove("x");
        patch.end(&mut edits);
        assert_eq!(edits.apply(text, object.at.clone()), r#"{"id":"2", "title":"t", "properties":{}, "child":"2"}"#);
    }

    #[test]
    fn an_empty_object_gets_the_given_layout() {
        let object = Object { at: 0..2, fields: Vec::new() };
        let mut edits = Edits::default();
        let mut patch = Patch::new("{}", &object, &Layout::new().inner(Kind::Object));
        patch.set(&mut edits, "b", "1".to_owned(), &[]);
        patch.set(&mut edits, "a", "2".to_owned(), &[]);
        patch.end(&mut edits);
        assert_eq!(edits.apply("{}", 0..2), "{\n    \"b\": 1,\n    \"a\": 2\n  }");
    }
}
