//! The command `bt diff`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use bt_behavior3::{MAX_LEVELS, NodeSpec, TreeSpec};
use bt_core::NodeId;
use bt_core::describe::Description;
use serde_json::{Map, Value, json};

use crate::command::{DiffArguments, Names};
use crate::input::{all_names, checked_trees, help, message, messages, project};
use crate::output::Output;

/// One version of a tree.
struct Version {
    spec: TreeSpec,
    /// Its nodes, with those of nested trees.
    nodes: Description,
    /// Whether the file has it as the tree that runs.
    is_main: bool,
}

/// A difference between two versions.
struct Difference {
    /// The name of the tree, if one of the files has several.
    tree: Option<String>,
    /// The id of the node; empty if the difference is one of the tree.
    id: String,
    /// The name and the title of the node.
    node: String,
    /// The names of the nodes above it and its own, from the root.
    path: String,
    kind: &'static str,
    /// The changes; empty if the kind is enough.
    details: Vec<String>,
}

/// Compares two versions of a file. Nodes and trees match by id. Nodes of texts match by structure.
pub(crate) fn run(arguments: &DiffArguments) -> Result<Output, String> {
    let DiffArguments { old, new, tree, names, .. } = arguments;
    if old == new && old.as_os_str() == "-" {
        return Err("only one of the two versions can be the standard input".to_owned());
    }
    // An invalid tree is an error, not a difference.
    let versions = [old, new].map(|file| read(file, tree.as_deref(), names));
    let (before, after) = match versions {
        [Ok(before), Ok(after)] => (before, after),
        versions => {
            let errors: Vec<_> = versions.into_iter().filter_map(Result::err).flatten().collect();
            return if arguments.json {
                json_output(&json!({ "errors": errors }), false)
            } else {
                Err(errors.join("\n"))
            };
        }
    };
    let differences = of_projects(&before, &after);
    let is_good = differences.is_empty();
    if arguments.json {
        let differences = differences.iter().map(
            |one| json!({ "tree": one.tree, "id": one.id, "node": one.node, "path": one.path, "kind": one.kind, "details": one.details }),
        );
        return json_output(&Value::Array(differences.collect()), is_good);
    }
    let mut text = String::new();
    for Difference { tree, path, kind, details, .. } in &differences {
        let tree = tree.as_ref().map(|tree| format!("tree {tree:?}"));
        let what = tree.into_iter().chain((!path.is_empty()).then(|| path.clone())).collect::<Vec<_>>().join(", ");
        let what = if what.is_empty() { "the tree".to_owned() } else { what };
        let details = if details.is_empty() { String::new() } else { format!(": {}", details.join(", ")) };
        let _ = writeln!(text, "{kind}: {what}{details}");
    }
    Ok(Output::new(text, is_good))
}

fn json_output(value: &Value, is_good: bool) -> Result<Output, String> {
    let text = serde_json::to_string_pretty(value).map_err(|error| error.to_string())?;
    Ok(Output::new(text + "\n", is_good))
}

/// Reads a version and checks its trees. Returns the selected tree, or all.
fn read(file: &Path, tree: Option<&str>, names: &Names) -> Result<Vec<Version>, Vec<String>> {
    let project = project(file, names).map_err(|error| vec![error])?;
    let names = all_names(&project, names);
    let main = project.tree(None);
    let has_several = tree.is_none() && project.trees.len() > 1;
    let (mut trees, mut errors, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for (spec, checked) in checked_trees(&project, tree, &names) {
        match checked {
            Ok(checked) => trees.push(Version {
                spec: spec.without_disabled(),
                nodes: bt_dynamic::describe(&checked),
                is_main: main.is_some_and(|main| std::ptr::eq(main, spec)),
            }),
            Err(of_tree) => {
                let name = has_several.then(|| spec.shown_title());
                errors.extend(of_tree.iter().map(|error| message(file, name, "", error)));
                found.extend(of_tree);
            }
        }
    }
    if trees.is_empty() && found.is_empty() {
        errors.extend(project.check(tree, &names).err().map(|errors| messages(file, &errors)));
    }
    errors.extend(help(&found));
    if errors.is_empty() { Ok(trees) } else { Err(errors) }
}

fn of_projects(old: &[Version], new: &[Version]) -> Vec<Difference> {
    // One tree is the other version of the other, whatever its id is.
    if let ([old], [new]) = (old, new) {
        return differences(None, old, new);
    }
    let of_tree = |tree: &Version, kind, details| Difference {
        tree: Some(tree.spec.shown_title().to_owned()),
        id: String::new(),
        node: String::new(),
        path: String::new(),
        kind,
        details,
    };
    let with_id = |trees: &'_ [Version], id: &str| trees.iter().position(|tree| tree.spec.id == id);
    let removed = old.iter().filter(|tree| with_id(new, &tree.spec.id).is_none());
    let mut all: Vec<_> = removed.map(|tree| of_tree(tree, "removed", Vec::new())).collect();
    let main = |trees: &'_ [Version]| trees.iter().position(|tree| tree.is_main);
    if let (Some(was), Some(now)) = (main(old), main(new))
        && old[was].spec.id != new[now].spec.id
    {
        all.push(of_tree(&new[now], "main", vec![format!("was tree {:?}", old[was].spec.shown_title())]));
    }
    for tree in new {
        match with_id(old, &tree.spec.id) {
            None => all.push(of_tree(tree, "added", Vec::new())),
            Some(was) => all.extend(differences(Some(tree.spec.shown_title()), &old[was], tree)),
        }
    }
    all
}

/// Returns a tree with the ids of the other version, if one of them is a text, which has only numbers: nodes are then compared by structure.
fn renumbered(old: &Version, new: &Version) -> Option<TreeSpec> {
    let is_text = |version: &Version| version.spec.nodes.iter().any(|(id, _)| id.starts_with('#'));
    if !is_text(old) && !is_text(new) {
        return None;
    }
    let matching = old.nodes.matching(&new.nodes);
    let id = |of: &Version, at: NodeId| Some(of.nodes.nodes().get(at.index())?.file.as_ref()?.id.clone());
    let mut ids = BTreeMap::new();
    for (was, now) in matching.pairs() {
        if let (Some(was), Some(now)) = (id(old, was), id(new, now)) {
            ids.entry(now).or_insert(was);
        }
    }
    let named = |id: &String| ids.get(id).cloned().unwrap_or_else(|| format!("+{id}"));
    let mut tree = new.spec.clone();
    tree.root = tree.root.as_ref().map(named);
    for (id, node) in &mut tree.nodes {
        *id = named(id);
        let node = Arc::make_mut(node);
        node.child = node.child.as_ref().map(named);
        node.children = node.children.as_ref().map(|children| children.iter().map(named).collect());
    }
    Some(tree)
}

/// A node with its place.
struct Placed<'a> {
    spec: &'a NodeSpec,
    parent: Option<Parent<'a>>,
    is_root: bool,
}

/// The place below a parent.
#[derive(Clone, Copy)]
struct Parent<'a> {
    id: &'a str,
    /// The sibling before the node.
    before: Option<&'a str>,
    has_siblings: bool,
}

/// The nodes of a tree by id.
struct Nodes<'a>(BTreeMap<&'a str, Placed<'a>>);

impl<'a> Nodes<'a> {
    fn of(tree: &'a TreeSpec) -> Self {
        let mut parents = BTreeMap::new();
        for (id, node) in &tree.nodes {
            let siblings = children(node);
            for (index, child) in siblings.iter().enumerate() {
                let before = index.checked_sub(1).map(|before| siblings[before]);
                parents.insert(*child, Parent { id, before, has_siblings: siblings.len() > 1 });
            }
        }
        let root = tree.root.as_deref();
        let place = |(id, spec)| (id, Placed { spec, parent: parents.get(id).copied(), is_root: root == Some(id) });
        Self(tree.nodes.iter().map(|(id, node)| (&**id, &**node)).map(place).collect())
    }

    /// Returns the title of a node, or its name. A number tells it apart from siblings of this name.
    fn shown(&self, id: &str) -> String {
        let Some(node) = self.0.get(id) else { return id.to_owned() };
        let name = |node: &NodeSpec| title(node).unwrap_or_else(|| node.name.clone());
        let shown = name(node.spec);
        let parent = node.parent.and_then(|parent| self.0.get(parent.id));
        let siblings = parent.into_iter().flat_map(|parent| children(parent.spec));
        let same: Vec<_> =
            siblings.filter(|other| self.0.get(other).is_some_and(|other| name(other.spec) == shown)).collect();
        match same.iter().position(|other| *other == id) {
            Some(index) if same.len() > 1 => format!("{shown}[{}]", index + 1),
            _ => shown,
        }
    }

    /// Returns the names of the nodes from the root to this one. Nodes that are not connected may form a circle.
    fn path(&self, id: &str) -> String {
        let above = |id: &&str| self.0.get(id).and_then(|node| node.parent).map(|parent| parent.id);
        let ids = std::iter::successors(self.0.get_key_value(id).map(|(id, _)| *id), above);
        let mut names: Vec<_> = ids.take(MAX_LEVELS).map(|id| self.shown(id)).collect();
        names.reverse();
        names.join("/")
    }

    /// Returns where a node is among its siblings; `None` if it has none.
    fn order(&self, node: &Placed<'_>) -> Option<String> {
        match node.parent? {
            Parent { has_siblings: false, .. } => None,
            Parent { before: None, .. } => Some("first".to_owned()),
            Parent { before: Some(before), .. } => Some(format!("after {}", self.shown(before))),
        }
    }

    fn place(&self, node: &Placed<'_>) -> String {
        match node.parent {
            Some(parent) => {
                let below = format!("below {}", self.path(parent.id));
                [below].into_iter().chain(self.order(node)).collect::<Vec<_>>().join(", ")
            }
            None if node.is_root => "the root".to_owned(),
            None => "unconnected".to_owned(),
        }
    }
}

fn differences(name: Option<&str>, old: &Version, new: &Version) -> Vec<Difference> {
    let renumbered = renumbered(old, new);
    let (old, new) = (&old.spec, renumbered.as_ref().unwrap_or(&new.spec));
    let (before, after) = (Nodes::of(old), Nodes::of(new));
    let mut all = Vec::new();
    let mut add = |nodes: &Nodes<'_>, id: &str, kind, details| {
        let node = nodes.0.get(id).map_or_else(String::new, |node| called(node.spec));
        let (tree, path) = (name.map(str::to_owned), nodes.path(id));
        all.push(Difference { tree, id: id.to_owned(), node, path, kind, details });
    };
    let of_tree = properties(&old.properties, &new.properties);
    if !of_tree.is_empty() {
        add(&after, "", "changed", of_tree);
    }
    for id in before.0.keys().filter(|id| !after.0.contains_key(*id)) {
        add(&before, id, "removed", Vec::new());
    }
    for (id, node) in &after.0 {
        let Some(was) = before.0.get(id) else {
            let place = if node.parent.is_some() { after.order(node) } else { Some(after.place(node)) };
            add(&after, id, "added", Vec::from_iter(place));
            continue;
        };
        let parent = |node: &Placed<'_>| (node.parent.map(|parent| parent.id.to_owned()), node.is_root);
        if parent(was) != parent(node) {
            add(&after, id, "moved", vec![format!("{} -> {}", before.place(was), after.place(node))]);
        }
        let changes = changes(was.spec, node.spec);
        if !changes.is_empty() {
            add(&after, id, "changed", changes);
        }
        let common = |of: &NodeSpec, other: &NodeSpec| {
            let others: BTreeSet<_> = children(other).into_iter().collect();
            children(of).into_iter().filter(|child| others.contains(child)).map(str::to_owned).collect::<Vec<_>>()
        };
        let (first, second) = (common(was.spec, node.spec), common(node.spec, was.spec));
        if first != second {
            let shown = |ids: &[String]| ids.iter().map(|id| after.shown(id)).collect::<Vec<_>>().join(", ");
            add(&after, id, "reordered", vec![format!("{} -> {}", shown(&first), shown(&second))]);
        }
    }
    all
}

fn children(node: &NodeSpec) -> Vec<&str> {
    node.child.iter().chain(node.children.iter().flatten()).map(String::as_str).collect()
}

fn title(node: &NodeSpec) -> Option<String> {
    let title = node.title();
    (!title.is_empty() && title != node.name).then(|| title.into_owned())
}

fn called(node: &NodeSpec) -> String {
    title(node).map_or_else(|| node.name.clone(), |title| format!("{} {title:?}", node.name))
}

/// Returns what has changed in a node itself.
fn changes(old: &NodeSpec, new: &NodeSpec) -> Vec<String> {
    let mut changes = Vec::new();
    if old.name != new.name {
        changes.push(format!("name: {} -> {}", old.name, new.name));
    }
    let text = |title: Option<String>| title.map_or_else(|| "none".to_owned(), |title| format!("{title:?}"));
    if title(old) != title(new) {
        changes.push(format!("title: {} -> {}", text(title(old)), text(title(new))));
    }
    changes.extend(properties(&old.properties, &new.properties));
    changes
}

fn properties(old: &Map<String, Value>, new: &Map<String, Value>) -> Vec<String> {
    let names: BTreeSet<_> = old.keys().chain(new.keys()).filter(|name| old.get(*name) != new.get(*name)).collect();
    let value = |of: &Map<String, Value>, name| of.get(name).map_or_else(|| "none".to_owned(), Value::to_string);
    names.into_iter().map(|name| format!("{name}: {} -> {}", value(old, name), value(new, name))).collect()
}
