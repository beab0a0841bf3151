//! A document as a file of the editor: the file as it was read, with what was changed.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bt_behavior3::parts::used_first;

use super::declare::declare;
use super::file::File;
use super::layout::{Kind, Layout, string};
use super::names::{Names, declarations};
use super::nodes::Entries;
use super::read::{Outline, read};
use super::span::{List, Object};
use super::splice::{Item, Patch, relist};
use crate::edit::document::Document;
use crate::edit::edits::Edits;
use crate::edit::node::{Node, Tree};
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
    file: &'a File,
    outline: &'a Outline,
    names: Names<'a>,
    declarations: Vec<bt_behavior3::CustomNode>,
}

impl<'a> Writer<'a> {
    fn new(document: &'a Document) -> Result<Self, String> {
        let file = File::of(&document.source).ok_or("not a Behavior3 tree or project")?;
        let names = Names::new(document, &file.declared, file.is_of_editor);
        Ok(Self { document, text: &document.source, file, outline: &file.outline, names, declarations: Vec::new() })
    }

    fn write(mut self) -> Result<String, String> {
        let layout = Layout::of_object(self.text, &self.outline.object).unwrap_or_else(Layout::new);
        let list = self.outline.list.as_ref();
        // A tree in a list, or in the one that its file gets.
        let in_list = list.map_or_else(
            || layout.clone(),
            |list| {
                let of_list = Layout::of_list(self.text, list, &layout).unwrap_or_else(|| layout.inner(Kind::List));
                self.file.sample.as_ref().map_or_else(|| of_list.inner(Kind::Object), |(_, layout)| layout.clone())
            },
        );
        let order = self.order();
        let becomes_project = list.is_none() && (order.len() != 1 || order[0].1.is_none());
        let (mut edits, mut wanted) = (Edits::default(), Vec::new());
        let is_sorted = order.iter().filter_map(|(_, index)| *index).is_sorted();
        for (tree, index) in order {
            let Some(index) = index else {
                wanted.push(Item::New(self.new_tree(tree, &in_list)?));
                continue;
            };
            let (place, mut inside) = (self.outline.trees[index].clone(), Edits::default());
            self.change(&mut edits, &mut inside, tree, index, (list.is_none(), becomes_project))?;
            if is_sorted && !becomes_project {
                edits.extend(inside);
                wanted.push(Item::Kept(index));
            } else {
                wanted.push(Item::New(inside.apply(self.text, place)));
            }
        }
        let declared = declarations(self.text, &self.outline.object);
        if becomes_project {
            let declared = self.declared(declared.as_ref(), &layout.inner(Kind::List));
            return self.project(&layout, wanted, declared);
        }
        match declared {
            Some(declared) => declare(&mut edits, self.text, &declared, &layout.inner(Kind::List), &self.declarations),
            // A tree has got them.
            None if list.is_none() => {}
            None => {
                if let Some(text) = self.declared(None, &layout.inner(Kind::List)) {
                    let mut patch = Patch::new(self.text, &self.outline.object, &layout);
                    patch.set(&mut edits, "custom_nodes", text, &[]);
                    patch.end(&mut edits);
                }
            }
        }
        if let Some(list) = list {
            let of_list = Layout::of_list(self.text, list, &layout).unwrap_or_else(|| layout.inner(Kind::List));
            relist(&mut edits, self.text, &list.at, &list.items, &of_list, wanted);
        }
        Ok(edits.apply(self.text, 0..self.text.len()))
    }

    /// Returns the trees in the order in which they are written, with their indices in the file. Those of the file keep their order, unless a tree would
    /// no longer be before one that uses it, which the editor cannot open.
    fn order(&self) -> Vec<(&'a Tree, Option<usize>)> {
        let places: HashMap<_, _> =
            { self.outline.trees.iter().enumerate() }.map(|(index, place)| (place.clone(), index)).collect();
        let mut free: HashSet<usize> = (0..self.outline.trees.len()).collect();
        let at = |tree: &'a Tree| {
            let index = tree.around.place.as_ref().and_then(|place| places.get(place).copied());
            (tree, index.filter(|index| free.remove(index)))
        };
        let mut order: Vec<_> = self.document.trees.iter().map(at).collect();
        let mut kept: Vec<_> = order.iter().copied().filter(|(_, index)| index.is_some()).collect();
        kept.sort_by_key(|(_, index)| *index);
        let mut kept = kept.into_iter();
        for item in order.iter_mut().filter(|(_, index)| index.is_some()) {
            *item = kept.next().unwrap_or(*item);
        }
        let used = order_of(&order.iter().map(|(tree, _)| *tree).collect::<Vec<_>>());
        if used.is_sorted() {
            return order;
        }
        // A file that the editor cannot open anyway stays as it is.
        let is_ordered = read(self.text).is_ok_and(|trees| order_of(&trees.iter().collect::<Vec<_>>()).is_sorted());
        if is_ordered { used.into_iter().map(|index| order[index]).collect() } else { order }
    }

    /// Returns the declarations of a project, with those of a list.
    fn declared(&self, list: Option<&List>, layout: &Layout) -> Option<String> {
        if let Some(list) = list {
            let mut edits = Edits::default();
            declare(&mut edits, self.text, list, layout, &self.declarations);
            return Some(edits.apply(self.text, list.at.clone()));
        }
        let value = |node| serde_json::to_value(node).unwrap_or_default();
        let all: Vec<_> = self.declarations.iter().map(|node| layout.value(&value(node))).collect();
        (!all.is_empty()).then(|| layout.joined(Kind::List, &all))
    }

    /// Makes a project of a file with one tree, which stays the selected one.
    fn project(&self, layout: &Layout, wanted: Vec<Item>, declared: Option<String>) -> Result<String, String> {
        if wanted.is_empty() {
            return Err("the only tree of a file cannot be removed".to_owned());
        }
        let in_list = layout.inner(Kind::List);
        let deeper = |text: String, levels: usize| match layout.step() {
            Some((newline, step)) => text.replace(newline, &format!("{newline}{}", step.repeat(levels))),
            None => text,
        };
        let trees: Vec<_> = { wanted.into_iter() }
            .map(|item| match item {
                Item::New(text) => deeper(text, 2),
                Item::Kept(index) => self.text[self.outline.trees[index].clone()].to_owned(),
            })
            .collect();
        let main = self.document.trees.iter().find(|tree| tree.around.place.is_some());
        let main = main.map(|tree| &tree.name).filter(|name| !name.is_empty());
        let raw = |name: &str| Some(self.text[self.outline.object.field(name)?.value.clone()].to_owned());
        let project = layout.of_fields([
            ("version", raw("version")),
            ("scope", self.outline.object.field("scope").map(|_| string("project"))),
            ("selectedTree", main.map(|name| string(name))),
            ("trees", Some(in_list.joined(Kind::List, &trees))),
            ("custom_nodes", declared),
        ]);
        let at = self.outline.object.at.clone();
        Ok(format!("{}{project}{}", &self.text[..at.start], &self.text[at.end..]))
    }

    /// Changes a tree of the file, with edits `inside` it and others. `(is_only, is_moved)`: whether the file is the tree, and becomes a project.
    fn change(
        &mut self,
        outside: &mut Edits,
        edits: &mut Edits,
        tree: &Tree,
        index: usize,
        (is_only, is_moved): (bool, bool),
    ) -> Result<(), String> {
        let text = self.text;
        let Some(object) = &self.outline.objects[index] else { return Ok(()) };
        let layout = Layout::of_object(text, object).unwrap_or_else(Layout::new);
        let mut patch = Patch::new(text, object, &layout);
        let field = |name| object.text(text, name).unwrap_or_default();
        let id = field("id");
        if id != tree.name {
            patch.set(edits, "id", string(&tree.name), &ORDER);
            let selected = self.outline.object.field("selectedTree").filter(|_| !is_only && !id.is_empty());
            if let Some(selected) = selected.filter(|selected| text[selected.value.clone()] == string(&id)) {
                outside.replace(selected.value.clone(), string(&tree.name));
            }
        }
        let title = tree.title.clone().unwrap_or_default();
        if field("title") != title {
            patch.set(edits, "title", string(&title), &ORDER);
        }
        if let (None, Some(entries), false) = (&tree.broken, &self.file.entries[index], tree.has_nodes_as_read()) {
            let declarations = match entries.changed(tree) {
                Some(changed) => entries.rewrite(edits, text, &changed, &mut self.names)?,
                None => {
                    let written =
                        entries.write(edits, text, tree, (&self.file.ids, self.file.first), &mut self.names)?;
                    entries.relist(edits, text, &written);
                    let root = object.field("root").map(|root| &text[root.value.clone()]);
                    let root = root.and_then(|root| serde_json::from_str::<Option<String>>(root).ok().flatten());
                    // A root that is not in the file stays as it is.
                    let is_missing = root.as_ref().is_some_and(|root| entries.object.field(root).is_none());
                    if written.root != root && !(written.root.is_none() && is_missing) {
                        let root = written.root.map_or_else(|| "null".to_owned(), |root| string(&root));
                        patch.set(edits, "root", root, &ORDER);
                    }
                    written.declarations
                }
            };
            self.declarations.extend(declarations);
        }
        let own = declarations(text, object);
        if is_moved {
            patch.remove("custom_nodes");
        } else if let Some(found) = own.filter(|_| is_only || declarations(text, &self.outline.object).is_none()) {
            let declarations = std::mem::take(&mut self.declarations);
            declare(edits, text, &found, &layout.inner(Kind::List), &declarations);
        } else if let Some(text) = self.declared(None, &layout.inner(Kind::List)).filter(|_| is_only) {
            patch.set(edits, "custom_nodes", text, &ORDER);
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
        let sample = self.file.sample.as_ref().map(|(object, _)| object);
        let raw = |name: &str| Some(text[sample?.field(name)?.value.clone()].to_owned());
        let has = |name: &str| sample.is_some_and(|sample| sample.field(name).is_some());
        let none = Object { at: 0..0, fields: Vec::new() };
        let entries = Entries::new(text, none, layout, self.file.shown(), self.file.is_of_editor);
        let written =
            entries.write(&mut Edits::default(), text, tree, (&self.file.ids, self.file.first), &mut self.names)?;
        let nodes = entries.fresh(&written);
        self.declarations.extend(written.declarations);
        Ok(layout.of_fields([
            ("version", raw("version")),
            ("scope", raw("scope")),
            ("id", Some(string(&tree.name))),
            ("title", Some(string(tree.title.as_ref().unwrap_or(&tree.name)))),
            ("description", has("description").then(|| "\"\"".to_owned())),
            ("root", Some(written.root.map_or_else(|| "null".to_owned(), |root| string(&root)))),
            ("properties", has("properties").then(|| "{}".to_owned())),
            ("nodes", Some(nodes)),
            ("display", raw("display")),
        ]))
    }
}

/// Returns the order of trees in which each is behind those that it uses.
fn order_of(trees: &[&Tree]) -> Vec<usize> {
    let names: HashMap<&str, usize> = trees.iter().enumerate().map(|(at, tree)| (tree.name.as_str(), at)).collect();
    let used = |node: &Arc<Node>| {
        let head = crate::edit::head::Head::of(&node.head);
        names.get(head.last_name()).copied().filter(|_| node.lists.is_empty())
    };
    let uses = |at: usize| trees[at].nodes().into_iter().filter_map(used).collect();
    if trees.len() < 2 { (0..trees.len()).collect() } else { used_first(trees.len(), uses) }
}
