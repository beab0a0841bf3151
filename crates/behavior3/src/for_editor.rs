//! Trees as the Behavior3 editor opens them, and behavior3js loads them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use bt_words::{Word, is_behavior3, is_file_name};
use serde_json::{Map, Value, json};

use crate::allow::NAME as ALLOW;
use crate::diagnostic::Diagnostic;
use crate::disabled::NAME as DISABLED;
use crate::format::{CustomNode, Project, TreeSpec};
use crate::in_behavior3::in_behavior3;
use crate::names::NodeNames;
use crate::palette::declaration;
use crate::spec::NodeSpec;

impl Project {
    /// Returns the project as the Behavior3 editor opens it: words have the names of Behavior3 where it has them, all other nodes are declared, a tree is
    /// before those that use it, and all nodes have coordinates. What the project has of this stays as it is.
    ///
    /// # Errors
    ///
    /// Returns the errors of invalid trees.
    ///
    /// ```
    /// use bt_behavior3::{NodeNames, Project};
    ///
    /// let file = r#"{ "root": "1", "nodes": { "1": { "name": "limit", "properties": { "runs": 2 }, "children": ["2"] }, "2": { "name": "attack" } } }"#;
    /// let project = Project::read(file)?.for_editor(&NodeNames::default().open()).unwrap();
    /// let [(_, limit), (_, attack)] = &project.trees[0].nodes[..] else { panic!() };
    /// assert_eq!((&*limit.name, &limit.properties["maxLoop"], limit.child.as_deref()), ("Limiter", &2.into(), Some("2")));
    /// assert_eq!(attack.more.get("display").unwrap()["x"], 408);
    /// assert_eq!(project.trees[0].custom_nodes[0].name, "attack");
    /// # Ok::<(), bt_behavior3::ReadError>(())
    /// ```
    pub fn for_editor(self, names: &NodeNames) -> Result<Self, Vec<Diagnostic>> {
        let (mut leaves, mut errors) = (BTreeMap::new(), Vec::new());
        for (_, checked) in self.check_all(names) {
            match checked {
                Ok(checked) => {
                    let attached = checked.nodes.iter().flat_map(|node| node.kind.attached_leaves());
                    leaves.extend(attached.map(|leaf| (leaf.name.to_owned(), "action")));
                }
                Err(found) => errors.extend(found),
            }
        }
        if errors.is_empty() { Ok(finished(self, &leaves)) } else { Err(errors) }
    }
}

/// Returns a valid project as the editor opens it. `known` are the categories of the program's nodes, by name, of those too that only properties name.
pub fn finished(mut project: Project, known: &BTreeMap<String, &'static str>) -> Project {
    name_trees(&mut project);
    let titles: BTreeMap<_, _> =
        project.trees.iter().map(|tree| (tree.id.clone(), tree.shown_title().to_owned())).collect();
    let nodes = project.trees.iter_mut().flat_map(|tree| &mut tree.nodes);
    nodes.for_each(|(_, node)| rename(Arc::make_mut(node)));
    let declared = declared(&project, &titles, known);
    // The ids of a text are numbers after a sign.
    let of_text = project.trees.iter().flat_map(|tree| &tree.nodes).any(|(_, node)| node.place.is_some());
    let lasting = |id: &str| if of_text { id.trim_start_matches('#').to_owned() } else { id.to_owned() };
    for tree in &mut project.trees {
        tree.root = tree.root.as_deref().map(lasting);
        for (id, node) in &mut tree.nodes {
            *id = lasting(id);
            let node = Arc::make_mut(node);
            let category = declared.get(&node.name).and_then(CustomNode::category).map(str::to_owned);
            let (category, title) = match titles.get(&node.name) {
                Some(title) => ("tree".to_owned(), title.clone()),
                None => (category.unwrap_or_else(|| category_of(&node.name)), node.name.clone()),
            };
            finish(node, id, &category, title);
            node.children.iter_mut().flatten().chain(&mut node.child).for_each(|child| *child = lasting(child));
        }
        tree.custom_nodes.clear();
        let texts = [("version", "0.3.0"), ("scope", "tree"), ("title", ""), ("description", "")];
        add(&mut tree.more, texts.map(|(name, text)| (name, text.into())));
        tree.lay_out();
    }
    let declared = declared.into_values().collect();
    match project.trees.as_mut_slice() {
        [tree] if project.custom_nodes.is_empty() => tree.custom_nodes = declared,
        [_] => project.custom_nodes = declared,
        _ => {
            project.custom_nodes = declared;
            add(&mut project.more, [("version", json!("0.3.0")), ("scope", json!("project"))]);
        }
    }
    sort(&mut project.trees);
    project
}

fn add<const N: usize>(fields: &mut Map<String, Value>, new: [(&str, Value); N]) {
    for (name, value) in new {
        fields.entry(name).or_insert(value);
    }
}

/// Gives ids to several trees that have none, and states which is the main one, before their order changes.
fn name_trees(project: &mut Project) {
    if project.trees.len() < 2 {
        return;
    }
    let mut known: HashSet<String> = project.trees.iter().map(|tree| tree.id.clone()).collect();
    for tree in project.trees.iter_mut().filter(|tree| tree.id.is_empty()) {
        let mut free = (1..).map(|number| format!("tree-{number}")).filter(|id| !known.contains(id));
        tree.id = free.next().unwrap_or_default();
        known.insert(tree.id.clone());
    }
    project.selected = project.tree(None).map(|tree| tree.id.clone());
}

fn rename(node: &mut NodeSpec) {
    if let Some((name, properties)) = in_behavior3(&node.name, &node.properties) {
        // A title that is the name is no label, and does not become one.
        if node.more.text("title").is_some_and(|title| title == node.name) {
            let mut more = node.more.to_map();
            more.remove("title");
            node.more = more.into();
        }
        (node.name, node.properties) = (name.to_owned(), properties.into());
    }
}

/// Returns the category of a word in the editor; `action` for any other name.
fn category_of(name: &str) -> String {
    let category = Word::of_file(name).and_then(|word| declaration(word).category().map(str::to_owned));
    category.unwrap_or_else(|| "action".to_owned())
}

/// What the nodes of a name have in common.
struct Common {
    /// The properties that all of them have, with the values of the first: the editor gives declared properties to a node that lacks them.
    properties: Map<String, Value>,
    /// The number of children of the node with most of them.
    children: usize,
    /// The category that a node has.
    category: Option<String>,
}

/// Returns the declarations of the nodes that Behavior3 lacks, by name.
fn declared(
    project: &Project,
    trees: &BTreeMap<String, String>,
    known: &BTreeMap<String, &'static str>,
) -> BTreeMap<String, CustomNode> {
    let mut names: BTreeMap<&str, Common> = BTreeMap::new();
    let nodes = project.trees.iter().flat_map(|tree| &tree.nodes).map(|(_, node)| &**node);
    for node in nodes.filter(|node| !is_behavior3(&node.name) && !trees.contains_key(&node.name)) {
        let of_first = || Common { properties: Map::clone(&node.properties), children: 0, category: None };
        let common = names.entry(&node.name).or_insert_with(of_first);
        common.properties.retain(|name, _| node.properties.contains_key(name) && name != ALLOW && name != DISABLED);
        common.children = common.children.max(node.children().count());
        common.category = common.category.take().or_else(|| Some(node.category()?.into_owned()));
    }
    let attached = known.keys().filter(|name| !is_file_name(name) && !trees.contains_key(*name));
    for name in attached {
        names.entry(name).or_insert_with(|| Common { properties: Map::new(), children: 0, category: None });
    }
    let mut all: BTreeMap<_, _> = project.declared().map(|node| (node.name.clone(), node.clone())).collect();
    for (name, Common { properties, children, category }) in names {
        let own = known.get(name).map(|category| (*category).to_owned()).or(category).filter(|_| !is_file_name(name));
        let category = own.unwrap_or_else(|| category_of(name));
        let doc = Word::named(name).next().map_or("", |word| word.row().doc);
        let node = all.entry(name.to_owned()).or_insert_with(|| CustomNode::declare(name, &category, doc, properties));
        // The editor has one category for all nodes of a name, and drops children that do not fit it.
        let category = match (node.category().unwrap_or(&category), children) {
            ("composite", _) | (_, 2..) => "composite",
            ("decorator", _) | (_, 1) => "decorator",
            ("condition", _) => "condition",
            _ => "action",
        };
        node.more.insert("category".to_owned(), category.into());
    }
    all
}

/// Adds what only the editor needs.
fn finish(node: &mut NodeSpec, id: &str, category: &str, title: String) {
    let mut more = node.more.to_map();
    more.insert("category".to_owned(), category.into());
    add(&mut more, [("title", title.into()), ("description", json!(""))]);
    node.more = more.into();
    let mut children: Vec<_> = node.children().map(str::to_owned).collect();
    (node.children, node.child) = (None, None);
    match (category, children.len()) {
        ("decorator", 1) => node.child = children.pop(),
        ("composite", _) | (_, 1..) => node.children = Some(children),
        _ => {}
    }
    (node.id, node.place, node.file) = (id.to_owned(), None, None);
}

/// Moves trees before those that use them: the editor cannot open a node before the tree that it uses.
fn sort(trees: &mut Vec<TreeSpec>) {
    let order = {
        let indices: HashMap<_, _> = trees.iter().enumerate().map(|(index, tree)| (tree.id.as_str(), index)).collect();
        let uses = |tree: usize| trees[tree].nodes.iter().filter_map(|(_, node)| indices.get(&*node.name).copied());
        used_first(trees.len(), |tree| uses(tree).collect())
    };
    let mut all: Vec<_> = std::mem::take(trees).into_iter().map(Some).collect();
    trees.extend(order.into_iter().filter_map(|index| all[index].take()));
}

/// Returns the order of a number of trees in which each is behind those that it uses, and that changes no more than this needs.
pub fn used_first(count: usize, uses: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let (mut order, mut known) = (Vec::with_capacity(count), vec![false; count]);
    for tree in 0..count {
        let mut next = vec![(tree, false)];
        while let Some((tree, is_behind)) = next.pop() {
            if is_behind {
                order.push(tree);
            } else if !std::mem::replace(&mut known[tree], true) {
                next.push((tree, true));
                next.extend(uses(tree).into_iter().rev().map(|used| (used, false)));
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(text: &str) -> Project {
        let project = Project::read(text).expect("a project");
        project.for_editor(&NodeNames::default().open()).expect("the trees are valid")
    }

    #[test]
    fn a_tree_is_before_those_that_use_it_and_the_main_one_stays_so() {
        let text = r#"{ "trees": [
            { "id": "a", "root": "1", "nodes": { "1": { "name": "Priority", "children": ["2", "3"] }, "2": { "name": "c" }, "3": { "name": "b" } } },
            { "id": "b", "title": "Beta", "root": "1", "nodes": { "1": { "name": "c", "title": "mine" } } },
            { "id": "c", "title": "Gamma", "root": "1", "nodes": { "1": { "name": "go", "properties": { "far": 1 } } } }
        ] }"#;
        let project = finished(text);
        assert_eq!(project.trees.iter().map(|tree| &*tree.id).collect::<Vec<_>>(), ["c", "b", "a"]);
        assert_eq!((project.selected.as_deref(), &project.more["scope"]), (Some("a"), &json!("project")));
        let uses: Vec<_> = project.trees[2].nodes.iter().map(|(_, node)| (node.title(), node.category())).collect();
        assert_eq!(uses[1..], [("Gamma".into(), Some("tree".into())), ("Beta".into(), Some("tree".into()))]);
        assert_eq!(project.trees[1].nodes[0].1.title(), "mine");
        assert_eq!(project.custom_nodes.iter().map(|node| &*node.name).collect::<Vec<_>>(), ["go"]);
        assert_eq!(finished(&project.write()), project);
    }

    #[test]
    fn a_title_that_is_the_name_of_a_word_follows_it() {
        let project = finished(
            r#"{ "root": "1", "nodes": { "1": { "name": "repeat", "title": "repeat", "child": "2" }, "2": { "name": "a" } } }"#,
        );
        let node = &project.trees[0].nodes[0].1;
        assert_eq!((&*node.name, &*node.title()), ("Repeater", "Repeater"));
    }

    #[test]
    fn a_declaration_has_no_property_that_a_node_would_get_from_it() {
        let text = r#"{ "root": "1", "nodes": {
            "1": { "name": "Sequence", "children": ["2", "3", "4"] },
            "2": { "name": "go", "properties": { "far": 1, "fast": true } }, "3": { "name": "go", "properties": { "far": 2 } },
            "4": { "name": "twice", "child": "5" }, "5": { "name": "twice", "children": ["6", "7"] },
            "6": { "name": "go", "properties": { "far": 3 } }, "7": { "name": "look", "category": "condition" }
        } }"#;
        let project = finished(text);
        let declared: Vec<_> =
            project.declared().map(|node| (&*node.name, node.category(), &node.properties)).collect();
        let (far, none) = (json!({ "far": 1 }), json!({}));
        let far = far.as_object().expect("an object");
        let none = none.as_object().expect("an object");
        let expected =
            [("go", Some("action"), far), ("look", Some("condition"), none), ("twice", Some("composite"), none)];
        assert_eq!(declared, expected);
        assert_eq!(project.trees[0].nodes[3].1.children, Some(vec!["5".to_owned()]), "as all nodes of the name");
    }

    #[test]
    fn trees_that_use_each_other_have_an_order() {
        let uses = [vec![1], vec![2, 0], vec![1, 1]];
        assert_eq!(used_first(3, |tree| uses[tree].clone()), [2, 1, 0]);
        assert_eq!(used_first(3, |_| Vec::new()), [0, 1, 2]);
        assert_eq!(used_first(100_000, |tree| if tree < 99_999 { vec![tree + 1] } else { Vec::new() })[0], 99_999);
    }
}
