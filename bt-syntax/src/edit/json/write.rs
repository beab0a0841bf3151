//! A document as a file of the editor: the file as it was read, with what was changed.

use std::collections::HashMap;
use std::ops::Range;

use super::declare::declare;
use super::layout::{Kind, Layout, string};
use super::names::{Names, declarations};
use super::nodes::Entries;
use super::read::Outline;
use super::span::Object;
use super::splice::{Edits, Item, Patch, relist};
use crate::edit::node::{Document, Tree};
use crate::file;

/// The order in which the editor writes the fields of a tree.
const ORDER: [&str; 10] =
    ["version", "scope", "id", "title", "description", "root", "properties", "nodes", "display", "custom_nodes"];

/// Writes a document. What is not changed stays as it is, byte for byte.
pub(in crate::edit) fn write(document: &Document) -> Result<String, String> {
    file::on_a_thread(|| Writer::new(document)?.write())
}

struct Writer<'a> {
    document: &'a Document,
    text: &'a str,
    outline: Outline,
    names: Names,
    /// The ids of all nodes in the file.
    ids: Vec<String>,
    /// The number of the first node or tree that was not read.
    first: u32,
    declarations: Vec<bt_behavior3::CustomNode>,
    /// The first tree of the file, whose style others get, and the first nodes.
    sample: Option<(Object, Layout)>,
    nodes: Option<Object>,
    /// Whether the editor has written the file, which needs the coordinates of all nodes.
    is_of_editor: bool,
}

impl<'a> Writer<'a> {
    fn new(document: &'a Document) -> Result<Self, String> {
        let text = &*document.source;
        let outline = Outline::of(text).ok_or("not a Behavior3 tree or project")?;
        let ids = |tree: &Range<usize>| {
            let nodes = Object::read(text, tree.clone()).and_then(|tree| tree.object(text, "nodes"));
            nodes.into_iter().flat_map(|nodes| nodes.fields).map(|field| field.name).collect::<Vec<_>>()
        };
        let ids: Vec<_> = outline.trees.iter().flat_map(ids).collect();
        let first = u32::try_from(1 + outline.trees.len() + ids.len()).unwrap_or(u32::MAX);
        let names = Names::new(document, &outline);
        let mut trees = outline.trees.iter().filter_map(|place| Object::read(text, place.clone()));
        let sample = trees.find_map(|tree| {
            let layout = Layout::of_object(text, &tree).filter(|_| tree.field("nodes").is_some())?;
            Some((tree, layout))
        });
        let mut trees = outline.trees.iter().filter_map(|place| Object::read(text, place.clone()));
        let nodes = trees.find_map(|tree| tree.object(text, "nodes").filter(|nodes| !nodes.fields.is_empty()));
        let is = |object: &Object| object.field("scope").is_some() || object.field("display").is_some();
        let is_of_editor = is(&outline.object) || sample.as_ref().is_some_and(|(tree, _)| is(tree));
        let declarations = Vec::new();
        Ok(Self { document, text, outline, names, ids, first, declarations, sample, nodes, is_of_editor })
    }

    fn write(mut self) -> Result<String, String> {
        let mut edits = Edits::default();
        let layout = Layout::of_object(self.text, &self.outline.object).unwrap_or_else(Layout::new);
        let (mut wanted, mut kept, mut has_new) = (Vec::new(), vec![false; self.outline.trees.len()], false);
        let list = self.outline.list.clone();
        let places: HashMap<_, _> =
            { self.outline.trees.iter().enumerate() }.map(|(index, place)| (place.clone(), index)).collect();
        // A tree in a list, or in the one that its file gets.
        let in_list = list.as_ref().map_or_else(
            || layout.clone(),
            |list| {
                let of_list = Layout::of_list(self.text, list, &layout).unwrap_or_else(|| layout.inner(Kind::List));
                self.sample.as_ref().map_or_else(|| of_list.inner(Kind::Object), |(_, layout)| layout.clone())
            },
        );
        for tree in &self.document.trees {
            let index = tree.around.place.as_ref().and_then(|place| places.get(place).copied());
            let index = index.filter(|index| !kept[*index]);
            match index {
                Some(index) => {
                    kept[index] = true;
                    self.change(&mut edits, tree, self.outline.trees[index].clone(), list.is_none())?;
                    wanted.push(Item::Kept(index));
                }
                None => {
                    has_new = true;
                    wanted.push(Item::New(self.new_tree(tree, &in_list)?));
                }
            }
        }
        // The trees of the file keep their order.
        let mut places: Vec<_> =
            wanted.iter().filter_map(|item| if let Item::Kept(index) = item { Some(*index) } else { None }).collect();
        places.sort_unstable();
        let mut places = places.into_iter();
        for item in &mut wanted {
            if let Item::Kept(index) = item {
                *index = places.next().unwrap_or(*index);
            }
        }
        if let Some(found) = declarations(self.text, &self.outline.object) {
            let declarations = std::mem::take(&mut self.declarations);
            declare(&mut edits, self.text, &found, &layout.inner(Kind::List), &declarations);
        }
        let Some(list) = list else {
            if !has_new && kept == [true] {
                return Ok(edits.apply(self.text, 0..self.text.len()));
            }
            return self.project(edits, &layout, wanted);
        };
        let of_list = Layout::of_list(self.text, &list, &layout).unwrap_or_else(|| layout.inner(Kind::List));
        relist(&mut edits, self.text, &list.at, &list.items, &of_list, wanted);
        Ok(edits.apply(self.text, 0..self.text.len()))
    }

    /// Makes a project of a file with one tree.
    fn project(&self, edits: Edits, layout: &Layout, wanted: Vec<Item>) -> Result<String, String> {
        if wanted.is_empty() {
            return Err("the only tree of a file cannot be removed".to_owned());
        }
        let at = self.outline.object.at.clone();
        let tree = edits.apply(self.text, at.clone());
        let in_list = layout.inner(Kind::List);
        let trees: Vec<_> = { wanted.into_iter() }
            .map(|item| if let Item::New(text) = item { text } else { tree.clone() })
            .map(|text| match layout.step() {
                // Two levels deeper.
                Some((newline, step)) => text.replace(newline, &format!("{newline}{step}{step}")),
                None => text,
            })
            .collect();
        let project = layout.joined(Kind::Object, &[layout.field("trees", &in_list.joined(Kind::List, &trees))]);
        Ok(format!("{}{project}{}", &self.text[..at.start], &self.text[at.end..]))
    }

    /// Changes a tree of the file.
    fn change(&mut self, edits: &mut Edits, tree: &Tree, place: Range<usize>, is_only: bool) -> Result<(), String> {
        let text = self.text;
        let Some(object) = Object::read(text, place) else { return Ok(()) };
        let layout = Layout::of_object(text, &object).unwrap_or_else(Layout::new);
        let mut patch = Patch::new(text, &object, &layout);
        let field = |name| object.text(text, name).unwrap_or_default();
        let id = field("id");
        if id != tree.name {
            patch.set(edits, "id", string(&tree.name), &ORDER);
            let selected = self.outline.object.field("selectedTree").filter(|_| !is_only && !id.is_empty());
            if let Some(selected) = selected.filter(|selected| text[selected.value.clone()] == string(&id)) {
                edits.replace(selected.value.clone(), string(&tree.name));
            }
        }
        let title = tree.title.clone().unwrap_or_default();
        if field("title") != title {
            patch.set(edits, "title", string(&title), &ORDER);
        }
        if let (None, Some(nodes)) = (&tree.broken, object.object(text, "nodes")) {
            let known: Vec<_> = nodes.fields.iter().map(|field| field.name.clone()).collect();
            let entries = Entries::new(text, nodes, &layout, self.nodes.as_ref(), self.is_of_editor);
            let written = entries.write(edits, tree, &self.ids, self.first, &mut self.names)?;
            entries.relist(edits, &written);
            let root = object
                .field("root")
                .and_then(|root| serde_json::from_str::<Option<String>>(&text[root.value.clone()]).ok().flatten());
            // A root that is not in the file stays as it is.
            if written.root != root && !(written.root.is_none() && root.is_some_and(|root| !known.contains(&root))) {
                patch.set(edits, "root", written.root.map_or_else(|| "null".to_owned(), |root| string(&root)), &ORDER);
            }
            self.declarations.extend(written.declarations);
        }
        if let Some(found) =
            declarations(text, &object).filter(|_| !is_only && declarations(text, &self.outline.object).is_none())
        {
            let declarations = std::mem::take(&mut self.declarations);
            declare(edits, text, &found, &layout.inner(Kind::List), &declarations);
        }
        patch.end(edits);
        Ok(())
    }

    /// Returns the text of a new tree, in the style of the others.
    fn new_tree(&mut self, tree: &Tree, layout: &Layout) -> Result<String, String> {
        if let Some(broken) = &tree.broken {
            return Err(format!("tree `{}` cannot be written: {broken}", tree.name));
        }
        let text = self.text;
        let sample = self.sample.as_ref().map(|(object, _)| object.clone());
        let raw = |name: &str| Some(text[sample.as_ref()?.field(name)?.value.clone()].to_owned());
        let has = |name: &str| sample.as_ref().is_some_and(|sample| sample.field(name).is_some());
        let none = Object { at: 0..0, fields: Vec::new() };
        let entries = Entries::new(text, none, layout, self.nodes.as_ref(), self.is_of_editor);
        let written = entries.write(&mut Edits::default(), tree, &self.ids, self.first, &mut self.names)?;
        let nodes = entries.fresh(&written);
        self.declarations.extend(written.declarations);
        let mut fields = Vec::new();
        let mut add = |name: &str, value: Option<String>| fields.extend(value.map(|value| layout.field(name, &value)));
        add("version", raw("version"));
        add("scope", raw("scope"));
        add("id", Some(string(&tree.name)));
        add("title", Some(string(tree.title.as_ref().unwrap_or(&tree.name))));
        add("description", has("description").then(|| "\"\"".to_owned()));
        add("root", Some(written.root.map_or_else(|| "null".to_owned(), |root| string(&root))));
        add("properties", has("properties").then(|| "{}".to_owned()));
        add("nodes", Some(nodes));
        add("display", raw("display"));
        Ok(layout.joined(Kind::Object, &fields))
    }
}
