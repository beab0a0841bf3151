//! The nodes of a tree in a file, as they now are.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bt_behavior3::CustomNode;

use super::coordinates::{Coordinates, Point};
use super::entry::{self, Heads, Wanted};
use super::flat::{Flat, flatten};
use super::fresh::Fresh;
use super::head::Head;
use super::layout::{Kind, Layout};
use super::names::Names;
use super::shape::{children, raw};
use super::span::Object;
use super::splice::{Item, relist};
use super::style::Style;
use crate::edit::edits::Edits;
use crate::edit::node::{Node, Tree};

/// The fields of a node in a file without nodes; of a file of the editor, all of them.
const NEW: [&str; 8] = ["id", "name", "title", "description", "properties", "category", "display", "children"];

/// The entries of a tree in a file.
pub(super) struct Entries {
    /// The object `nodes`.
    pub(super) object: Object,
    /// The indices of its fields.
    by_id: HashMap<String, usize>,
    /// The layout of that, and of the entries.
    layout: Layout,
    style: Style,
    /// The fields of the first entry, which a new one has if it has no neighbor.
    first: HashSet<String>,
}

/// A node, and what was read in its place.
type Now<'t> = (&'t Arc<Node>, &'t Arc<Node>);

/// The text that is written for the nodes of a tree.
pub(super) struct Written {
    /// The id of the root.
    pub(super) root: Option<String>,
    /// The entries of nodes that the file lacks, each after an entry.
    added: Vec<(Option<usize>, String)>,
    kept: Vec<bool>,
    /// The declarations that the nodes need.
    pub(super) declarations: Vec<CustomNode>,
}

impl Entries {
    /// Returns the entries of a tree with a layout; those of another tree show the style of one that has none.
    pub(super) fn new(
        text: &str,
        object: Object,
        around: &Layout,
        sample: Option<&Object>,
        is_of_editor: bool,
    ) -> Self {
        let shown = if object.fields.is_empty() { sample.unwrap_or(&object) } else { &object };
        let layout = Layout::of_object(text, shown).unwrap_or_else(|| around.inner(Kind::Object));
        let first = shown.fields.first().and_then(|first| Object::read(text, first.value.clone()));
        let style = Style::of(text, shown, first.as_ref(), &layout);
        let first = match first {
            Some(first) => first.fields.into_iter().map(|field| field.name).collect(),
            None => NEW[..if is_of_editor { NEW.len() } else { 5 }].iter().map(|name| (*name).to_owned()).collect(),
        };
        let by_id = object.fields.iter().enumerate().map(|(at, field)| (field.name.clone(), at)).collect();
        Self { object, by_id, layout, style, first }
    }

    /// Returns the nodes that are not as they were read, each with its entry; `None` if a node was added, removed or moved.
    pub(super) fn changed<'t>(&self, tree: &'t Tree) -> Option<Vec<(Now<'t>, usize)>> {
        let read = tree.around.read.as_ref().filter(|read| read.root.is_some() == tree.root.is_some())?;
        let (mut changed, mut left) = (Vec::new(), pairs(tree.tops(), read.tops())?);
        while let Some((node, read)) = left.pop() {
            if !Arc::ptr_eq(node, read) {
                changed.push(((node, read), *self.by_id.get(&read.origin.as_ref()?.id)?));
                left.extend(pairs(node.children(), read.children())?.into_iter().rev());
            }
        }
        Some(changed)
    }

    /// Writes such nodes. Returns the declarations that they need.
    pub(super) fn rewrite(
        &self,
        edits: &mut Edits,
        text: &str,
        changed: &[(Now<'_>, usize)],
        names: &mut Names<'_>,
    ) -> Result<Vec<CustomNode>, String> {
        let mut declarations = Vec::new();
        for ((node, read), entry) in changed {
            let ids = node.children().filter_map(|child| Some(child.origin.as_ref()?.id.clone()));
            let wanted = Wanted { node, children: ids.collect(), before: Vec::new(), point: None };
            declarations.extend(self.rewrite_one(edits, text, (wanted, Some(read)), *entry, names)?);
        }
        Ok(declarations)
    }

    /// Changes an entry of the file. Returns the declaration that its node needs.
    fn rewrite_one(
        &self,
        edits: &mut Edits,
        text: &str,
        (mut wanted, read): (Wanted<'_>, Option<&Arc<Node>>),
        entry: usize,
        names: &mut Names<'_>,
    ) -> Result<Option<CustomNode>, String> {
        let (node, field) = (wanted.node, &self.object.fields[entry]);
        check(node)?;
        let object = Object::read(text, field.value.clone());
        let (Some(object), Some(origin)) = (object, &node.origin) else {
            return Err(format!("node {} cannot be read", field.name));
        };
        wanted.before =
            children(&origin.fields).into_iter().filter(|id| self.by_id.contains_key(id.as_str())).collect();
        let is_of = |read: &&Arc<Node>| read.origin.as_ref().is_some_and(|of| Arc::ptr_eq(of, origin));
        let heads = Heads::of(node, origin, read.filter(is_of).map(|read| &**read))?;
        let (old, new) = (&heads.old.head, &heads.new);
        let needed = if new.name == old.name { None } else { names.need(new, wanted.children.len()) };
        entry::change(edits, text, &object, &heads, &wanted, names, &self.style);
        Ok(needed)
    }

    /// Writes the nodes of a tree, with edits of the entries that the file has. `(others, first)` are the ids of all nodes of the file, and the number of the
    /// first node that was not read.
    pub(super) fn write(
        &self,
        edits: &mut Edits,
        text: &str,
        tree: &Tree,
        (others, first): (&[String], u32),
        names: &mut Names<'_>,
    ) -> Result<Written, String> {
        let flats = flatten(tree);
        let read = tree.around.read.as_ref().map_or_else(Vec::new, |read| read.nodes());
        let read: HashMap<u32, &Arc<Node>> = read.into_iter().map(|node| (node.id, node)).collect();
        let claims = self.claims(&flats, &read);
        let fields = self.object.fields.iter().map(|field| field.name.as_str());
        let mut fresh = Fresh::new(fields, others.iter().map(String::as_str), first);
        let ids: Vec<String> = { flats.iter().zip(&claims) }
            .map(|(flat, claim)| match (claim, &flat.node.origin) {
                (Some(entry), _) => self.object.fields[*entry].name.clone(),
                (None, Some(origin)) if fresh.keep(&origin.id) => origin.id.clone(),
                (None, _) => fresh.id(flat.node.id),
            })
            .collect();
        let points = self.points(&flats, &claims);
        let mut written = Written {
            root: tree.root.as_ref().and_then(|_| ids.first().cloned()),
            added: Vec::new(),
            kept: vec![false; self.object.fields.len()],
            declarations: Vec::new(),
        };
        let mut anchor: Option<usize> = None;
        for (at, flat) in flats.iter().enumerate() {
            let is_as_read = read.get(&flat.node.id).is_some_and(|read| Arc::ptr_eq(read, flat.node));
            let below = || flat.children.iter().map(|child| ids[*child].clone()).collect();
            let wanted = || Wanted { node: flat.node, children: below(), before: Vec::new(), point: points[at] };
            if let Some(claim) = claims[at] {
                written.kept[claim] = true;
                anchor = Some(claim);
                if points[at].is_some() || !is_as_read {
                    written.declarations.extend(self.rewrite_one(
                        edits,
                        text,
                        (wanted(), read.get(&flat.node.id).copied()),
                        claim,
                        names,
                    )?);
                }
                continue;
            }
            check(flat.node)?;
            let neighbor = anchor.and_then(|at| Object::read(text, self.object.fields[at].value.clone()));
            let style = neighbor.as_ref().map_or_else(|| self.style.clone(), |neighbor| self.style.at(text, neighbor));
            let entry = if let Some(origin) = &flat.node.origin {
                let heads = Heads::of(flat.node, origin, None)?;
                written.declarations.extend(names.need(&heads.new, flat.children.len()));
                entry::copied(origin, &heads, &ids[at], &wanted(), names, &style)?
            } else {
                let head = Head::parse(&flat.node.head).map_err(|error| format!("`{}`: {error}", flat.node.head))?;
                written.declarations.extend(names.need(&head, flat.children.len()));
                let has = |name: &str| match &neighbor {
                    Some(neighbor) => neighbor.field(name).is_some(),
                    None => self.first.contains(name),
                };
                entry::added(&ids[at], &wanted(), &head, has, names, &style)
            };
            written.added.push((anchor, self.layout.field(&ids[at], &entry)));
        }
        Ok(written)
    }

    /// Adds and removes entries.
    pub(super) fn relist(&self, edits: &mut Edits, text: &str, written: &Written) {
        let added = |behind: Option<usize>| {
            let added = written.added.iter().filter(move |(anchor, _)| *anchor == behind);
            added.map(|(_, text)| Item::New(text.clone()))
        };
        let mut wanted: Vec<_> = added(None).collect();
        let mut next = written.added.iter().filter(|(anchor, _)| anchor.is_some()).collect::<Vec<_>>();
        next.sort_by_key(|(anchor, _)| *anchor);
        let mut next = next.into_iter().peekable();
        for (index, _) in written.kept.iter().enumerate().filter(|(_, kept)| **kept) {
            wanted.push(Item::Kept(index));
            while let Some((_, text)) = next.next_if(|(anchor, _)| *anchor == Some(index)) {
                wanted.push(Item::New(text.clone()));
            }
        }
        let parts: Vec<_> = self.object.fields.iter().map(|field| field.at.clone()).collect();
        relist(edits, text, &self.object.at, &parts, &self.layout, wanted);
    }

    /// Returns new entries as an object.
    pub(super) fn fresh(&self, written: &Written) -> String {
        let added: Vec<_> = written.added.iter().map(|(_, text)| text.clone()).collect();
        self.layout.joined(Kind::Object, &added)
    }

    /// Returns the entry of each node that was read in the tree.
    fn claims(&self, flats: &[Flat<'_>], known: &HashMap<u32, &Arc<Node>>) -> Vec<Option<usize>> {
        let claim = |flat: &Flat<'_>| self.by_id.get(&known.get(&flat.node.id)?.origin.as_ref()?.id).copied();
        flats.iter().map(claim).collect()
    }

    /// Returns the coordinates that change, if the file has coordinates.
    fn points(&self, flats: &[Flat<'_>], claims: &[Option<usize>]) -> Vec<Option<Point>> {
        let read = |flat: &Flat<'_>| {
            let display: serde_json::Value =
                serde_json::from_str(raw(&flat.node.origin.as_ref()?.fields, "display")?).ok()?;
            Some(Point { x: display.get("x")?.as_f64()?, y: display.get("y")?.as_f64()? })
        };
        let of_all: Vec<_> = flats.iter().map(read).collect();
        // A tree of nodes that came from another one has their coordinates.
        let is_moved = claims.iter().all(Option::is_none);
        let known: Vec<_> =
            { of_all.iter().zip(claims) }.map(|(point, claim)| point.filter(|_| is_moved || claim.is_some())).collect();
        let has_some = known.iter().any(Option::is_some) || is_moved && self.first.contains("display");
        let is_complete = { known.iter().zip(claims) }.all(|(point, claim)| point.is_some() || claim.is_some());
        let owners: HashMap<_, _> =
            { claims.iter().enumerate() }.filter_map(|(at, claim)| Some(((*claim)?, at))).collect();
        let before = |flat: &Flat<'_>| -> Vec<usize> {
            let ids = flat.node.origin.iter().flat_map(|origin| children(&origin.fields));
            let found = ids.filter_map(|id| owners.get(self.by_id.get(&id)?).copied());
            found.filter(|at| known[*at].is_some()).collect()
        };
        let before: Vec<_> = flats.iter().map(before).collect();
        let now = |flat: &Flat<'_>| flat.children.iter().copied().filter(|at| known[*at].is_some()).collect::<Vec<_>>();
        let is_same = flats.iter().zip(&before).all(|(flat, before)| now(flat) == *before);
        if !has_some || is_complete && (is_same || is_moved) {
            return vec![None; flats.len()];
        }
        let all = Coordinates::new(flats, &known, &before);
        // A node of the file that has no coordinates gets none.
        let of_one = |at: usize| {
            all.at(at).filter(|point| of_all[at] != Some(*point) && (of_all[at].is_some() || claims[at].is_none()))
        };
        (0..flats.len()).map(of_one).collect()
    }
}

/// Returns nodes with what was read in their places; `None` if these are not the same.
fn pairs<'n>(
    now: impl Iterator<Item = &'n Arc<Node>>,
    read: impl Iterator<Item = &'n Arc<Node>>,
) -> Option<Vec<(&'n Arc<Node>, &'n Arc<Node>)>> {
    let (now, read): (Vec<_>, Vec<_>) = (now.collect(), read.collect());
    let is_same = now.len() == read.len() && now.iter().zip(&read).all(|(now, read)| now.id == read.id);
    is_same.then(|| now.into_iter().zip(read).collect())
}

/// Returns an error for what a file of the editor cannot contain.
fn check(node: &Node) -> Result<(), String> {
    let mut parts = [&node.before, &node.tail].into_iter().chain(&node.attributes);
    parts.find(|part| !part.is_empty()).map_or(Ok(()), |part| {
        Err(format!("`{}`: a file of the editor cannot contain `{part}`; help: write a property", node.head))
    })
}
