//! A file of the editor as it was read: what all that is written depends on.

use super::layout::Layout;
use super::names::{Declared, declarations};
use super::nodes::Entries;
use super::read::Outline;
use super::span::Object;
use crate::edit::original::Original;

/// A file as it was read.
pub(super) struct File {
    pub(super) outline: Outline,
    /// The nodes of each tree.
    pub(super) entries: Vec<Option<Entries>>,
    /// The ids of all nodes.
    pub(super) ids: Vec<String>,
    /// The number of the first node or tree of the document that was not read.
    pub(super) first: u32,
    /// The first tree, whose style others get.
    pub(super) sample: Option<(Object, Layout)>,
    /// Whether the editor has written the file, which needs the coordinates of all nodes.
    pub(super) is_of_editor: bool,
    /// The category and the title of each declared node.
    pub(super) declared: Declared,
}

impl File {
    /// Returns what a text is; `None` if it is no file of the editor.
    pub(super) fn of(text: &Original) -> Option<&Self> {
        text.found(Self::read)?.as_ref()
    }

    fn read(text: &str) -> Option<Self> {
        let outline = Outline::of(text)?;
        let nodes = outline.objects.iter().map(|tree| tree.as_ref()?.object(text, "nodes"));
        let nodes: Vec<_> = nodes.collect();
        let fields = nodes.iter().flatten().flat_map(|nodes| &nodes.fields);
        let ids: Vec<_> = fields.map(|field| field.name.clone()).collect();
        let first = u32::try_from(1 + outline.trees.len() + ids.len()).unwrap_or(u32::MAX);
        let sample = outline.objects.iter().flatten().find_map(|tree| {
            let layout = Layout::of_object(text, tree).filter(|_| tree.field("nodes").is_some())?;
            Some((tree.clone(), layout))
        });
        let is = |object: &Object| object.field("scope").is_some() || object.field("display").is_some();
        let is_of_editor = is(&outline.object) || sample.as_ref().is_some_and(|(tree, _)| is(tree));
        let shown = nodes.iter().flatten().find(|nodes| !nodes.fields.is_empty()).cloned();
        let entries = outline.objects.iter().zip(nodes).map(|(tree, nodes)| {
            let around = Layout::of_object(text, tree.as_ref()?).unwrap_or_else(Layout::new);
            Some(Entries::new(text, nodes?, &around, shown.as_ref(), is_of_editor))
        });
        let entries = entries.collect();
        let objects = std::iter::once(&outline.object).chain(outline.objects.iter().flatten());
        let lists = objects.filter_map(|object| declarations(text, object));
        let declared = lists.flat_map(|list| list.items).filter_map(|item| {
            let object = Object::read(text, item)?;
            let field = |name| object.text(text, name);
            Some((field("name")?, (field("category"), field("title"))))
        });
        let declared = declared.collect();
        Some(Self { outline, entries, ids, first, sample, is_of_editor, declared })
    }

    /// Returns the first nodes, whose style others get.
    pub(super) fn shown(&self) -> Option<&Object> {
        self.entries.iter().flatten().map(|entries| &entries.object).find(|nodes| !nodes.fields.is_empty())
    }
}
