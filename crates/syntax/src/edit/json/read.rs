//! A file of the editor as a document.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use bt_behavior3::parts::Form;
use bt_behavior3::{Diagnostic, Project, TreeSpec};
use bt_words::{MAX_LEVELS, TOO_DEEP};
use serde_json::value::RawValue;

use super::shape::{Shape, children};
use super::span::{List, Object, whole};
use crate::edit::node::{List as Children, Node, Origin, Tree};

/// Where the trees of a file are.
pub(super) struct Outline {
    /// The list of trees; `None` for a file with one tree.
    pub(super) list: Option<List>,
    /// The project, or the tree in a file with one tree.
    pub(super) object: Object,
    pub(super) trees: Vec<Range<usize>>,
    /// The same; `None` for what is no object.
    pub(super) objects: Vec<Option<Object>>,
}

impl Outline {
    /// Returns the outline of a file; `None` if it is no file of the editor.
    pub(super) fn of(text: &str) -> Option<Self> {
        let form = Form::of(text.strip_prefix('\u{feff}').unwrap_or(text));
        let outer = Object::read(text, whole(text))?;
        let object = if form.is_wrapped { outer.object(text, "data")? } else { outer };
        if !form.is_project {
            let objects = vec![Some(object.clone())];
            return Some(Self { list: None, trees: vec![object.at.clone()], object, objects });
        }
        let list = object.list(text, "trees")?;
        let objects = list.items.iter().map(|item| Object::read(text, item.clone())).collect();
        Some(Self { trees: list.items.clone(), list: Some(list), object, objects })
    }
}

/// Reads a file: a tree, a project, or the editor's wrapper around one. A tree that is invalid is read as it is, unless it is no tree at all.
pub(super) fn read(text: &str) -> Result<Vec<Tree>, Diagnostic> {
    let wrong = Project::read(text).err();
    let error = || match &wrong {
        Some(wrong) => Diagnostic::from(wrong),
        None => Diagnostic::of_tree("", "not a Behavior3 tree or project".to_owned()),
    };
    let outline = Outline::of(text).ok_or_else(error)?;
    let mut is_broken = false;
    let mut trees = Vec::with_capacity(outline.trees.len());
    for (place, object) in outline.trees.into_iter().zip(outline.objects) {
        let spec = serde_json::from_str::<TreeSpec>(&text[place.clone()]);
        is_broken |= spec.is_err();
        trees.push(Reader { text }.tree(place, object, spec));
    }
    // What is wrong in one tree of a project leaves the others as they are.
    if wrong.is_some() && !(is_broken && outline.list.is_some()) {
        return Err(error());
    }
    Ok(trees)
}

struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn tree(&self, place: Range<usize>, object: Option<Object>, spec: serde_json::Result<TreeSpec>) -> Tree {
        let text = |name| object.as_ref().and_then(|object| object.text(self.text, name)).unwrap_or_default();
        let (name, title): (String, String) = (text("id"), text("title"));
        let title = Some(title).filter(|title| !title.is_empty());
        let mut tree = Tree { title, ..Tree::new(name, Some(place)) };
        let error = |tree: &Tree, reason| Diagnostic::of_tree(tree.title.as_deref().unwrap_or(&tree.name), reason);
        let found = match (spec, object) {
            (Ok(spec), Some(object)) => self.nodes(&spec, &object),
            (Err(wrong), _) => {
                // The line is that in the tree.
                let reason = wrong.to_string();
                Err(error(&tree, reason.rsplit_once(" at line ").map_or(&*reason, |(reason, _)| reason).to_owned()))
            }
            (Ok(_), None) => Err(error(&tree, "expected a tree".to_owned())),
        };
        match found {
            Ok(Nodes { root, loose }) => {
                (tree.root, tree.loose) = (root, loose);
            }
            Err(broken) => tree.broken = Some(broken),
        }
        tree
    }

    /// Returns the nodes of a tree, or why they are none.
    fn nodes(&self, spec: &TreeSpec, object: &Object) -> Result<Nodes, Diagnostic> {
        let entries = object.object(self.text, "nodes").map(|object| object.fields).unwrap_or_default();
        let fields = |entry: Range<usize>| {
            let object = Object::read(self.text, entry).map(|object| object.fields).unwrap_or_default();
            let fields = object.into_iter();
            fields.filter_map(|field| Some((field.name, own(&self.text[field.value])?))).collect::<Vec<_>>()
        };
        let origins: Vec<_> =
            entries.into_iter().map(|entry| Arc::new(Origin { id: entry.name, fields: fields(entry.value) })).collect();
        let error = |at: usize, reason| {
            let (id, node) = &spec.nodes[at];
            node.diagnostic(id, reason)
        };
        let mut by_id = HashMap::with_capacity(origins.len());
        for (at, origin) in origins.iter().enumerate() {
            if by_id.insert(origin.id.as_str(), at).is_some() {
                return Err(error(at, "duplicate node id".to_owned()));
            }
        }
        // A child that is not in the file is an error that the checks report. The list keeps it until it is changed.
        let below = |origin: &Arc<Origin>| {
            children(&origin.fields).iter().filter_map(|id| by_id.get(id.as_str()).copied()).collect()
        };
        let below: Vec<Vec<usize>> = origins.iter().map(below).collect();
        let mut parents = vec![None; origins.len()];
        for (parent, child) in
            below.iter().enumerate().flat_map(|(parent, below)| below.iter().map(move |child| (parent, *child)))
        {
            if let Some(first) = parents[child].replace(parent) {
                let [first, second]: [&str; 2] = [first, parent].map(|at: usize| &*origins[at].id);
                return Err(error(
                    child,
                    format!("expected one parent, found `{first}` and `{second}`; help: duplicate the node"),
                ));
            }
        }
        let root = spec.root.as_deref().and_then(|root| by_id.get(root).copied());
        if let Some(root) = root.filter(|root| parents[*root].is_some()) {
            return Err(error(root, "the root is a child".to_owned()));
        }
        let tops = (0..origins.len()).filter(|at| parents[*at].is_none() && Some(*at) != root);
        let tops: Vec<_> = root.into_iter().chain(tops).collect();
        // With one parent each, what no top reaches is in a circle.
        let (mut levels, mut left) = (vec![0; origins.len()], tops.clone());
        while let Some(at) = left.pop() {
            levels[at] = parents[at].map_or(1, |parent| levels[parent] + 1);
            if levels[at] > MAX_LEVELS {
                return Err(error(at, TOO_DEEP.to_owned()));
            }
            left.extend(&below[at]);
        }
        if let Some(at) = levels.iter().position(|level| *level == 0) {
            return Err(error(at, "the node contains itself".to_owned()));
        }
        let mut tops = tops.into_iter().map(|at| built(at, &origins, &below));
        let root = root.and_then(|_| tops.next());
        Ok(Nodes { root, loose: tops.collect() })
    }
}

fn built(at: usize, origins: &[Arc<Origin>], below: &[Vec<usize>]) -> Arc<Node> {
    let children = below[at].iter().map(|child| built(*child, origins, below)).collect();
    Arc::new(node(origins[at].clone(), children))
}

struct Nodes {
    root: Option<Arc<Node>>,
    loose: Vec<Arc<Node>>,
}

/// Returns a node of a file.
pub(super) fn node(origin: Arc<Origin>, children: Vec<Arc<Node>>) -> Node {
    let shape = Shape::of(&origin.fields);
    Node {
        above: shape.note(),
        head: shape.head.text(),
        label: shape.label().map(str::to_owned),
        disabled: shape.disabled,
        lists: Children::of(children),
        origin: Some(origin),
        ..Node::default()
    }
}

/// Returns a copy of a value.
fn own(text: &str) -> Option<Box<RawValue>> {
    RawValue::from_string(text.to_owned()).ok()
}
