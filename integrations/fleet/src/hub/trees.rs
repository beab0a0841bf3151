//! The trees of all machines, of which the same tree of several machines is one.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};

use super::names::Fields;

/// The maximum number of trees, of all versions, that a machine has in a page.
const MAX_TREES: usize = 10_000;

/// What two machines have the same tree by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Identity {
    /// The key of the first version; `None` if it is the first.
    first: Option<usize>,
    name: String,
    fingerprint: String,
    /// The numbers of the nodes, as text: versions that are reached by different edits have different ones.
    numbers: String,
    /// The number of trees of the same machine before it that are equal otherwise.
    before: usize,
}

/// The names of a node in a description.
#[derive(Deserialize)]
struct NodeNames {
    name: String,
    label: Option<String>,
}

/// The trees of a page of the hub.
#[derive(Default)]
pub(super) struct Trees {
    keys: BTreeMap<Identity, usize>,
    /// By their keys, with the names of the nodes.
    all: Vec<(Identity, Vec<String>)>,
}

/// The keys of the trees of a machine, as those of the page.
#[derive(Default)]
pub(super) struct TreeKeys {
    keys: BTreeMap<usize, usize>,
    identities: BTreeSet<Identity>,
}

impl TreeKeys {
    /// Returns the key in the page.
    pub(super) fn page(&self, key: usize) -> Option<usize> {
        self.keys.get(&key).copied()
    }

    /// Returns an identity that no other tree of the machine has.
    fn identify(&mut self, mut identity: Identity) -> Identity {
        while self.identities.contains(&identity) {
            identity.before += 1;
        }
        self.identities.insert(identity.clone());
        identity
    }

    /// Returns the key at the machine of a tree of the page, if the machine has it.
    pub(super) fn machine(&self, key: usize) -> Option<usize> {
        self.keys.iter().find(|(_, page)| **page == key).map(|(machine, _)| *machine)
    }
}

impl Trees {
    /// Adds the trees of a machine from the content of its update. Returns those that the page does not have. Invalid trees are left out.
    pub(super) fn add(&mut self, machine: &mut TreeKeys, content: &RawValue) -> Vec<Box<RawValue>> {
        let trees: Vec<Fields> = serde_json::from_str(content.get()).unwrap_or_default();
        trees.into_iter().filter_map(|tree| self.add_one(machine, tree)).collect()
    }

    /// Adds a tree. Returns it if it is valid, and the page does not have it.
    fn add_one(&mut self, machine: &mut TreeKeys, mut tree: Fields) -> Option<Box<RawValue>> {
        let number = |field: &str| serde_json::from_str::<usize>(tree.get(field)?.get()).ok();
        let text = |field: &str| serde_json::from_str::<String>(tree.get(field)?.get()).ok();
        if machine.identities.len() >= MAX_TREES {
            return None;
        }
        let (key, first) = (number("key")?, number("first")?);
        let (name, fingerprint) = (text("name")?, text("fingerprint")?);
        let nodes: Vec<NodeNames> = serde_json::from_str(tree.get("nodes")?.get()).ok()?;
        let numbers = tree.get("numbers").map(|numbers| numbers.get().to_owned()).unwrap_or_default();
        let mut identity = Identity { first: None, name, fingerprint, numbers, before: 0 };
        if first != key {
            identity.first = Some(self.first_version(machine, first, &identity));
        }
        let first = identity.first;
        let identity = machine.identify(identity);
        if let Some(known) = self.keys.get(&identity) {
            machine.keys.insert(key, *known);
            return None;
        }
        let page = self.all.len();
        machine.keys.insert(key, page);
        tree.insert("key".to_owned(), to_raw_value(&page).ok()?);
        tree.insert("first".to_owned(), to_raw_value(&first.unwrap_or(page)).ok()?);
        self.keys.insert(identity.clone(), page);
        self.all.push((identity, nodes.into_iter().map(|node| node.label.unwrap_or(node.name)).collect()));
        to_raw_value(&tree).ok()
    }

    /// Returns the key of the first version of a tree, which its machine may not have any more: it frees versions in which no agent is.
    fn first_version(&mut self, machine: &mut TreeKeys, key: usize, version: &Identity) -> usize {
        if let Some(known) = machine.page(key) {
            return known;
        }
        // That of another machine which has the same version, or of one that has freed it, too.
        let same = self.all.iter().find_map(|(tree, _)| {
            let first = tree.first.filter(|first| !machine.keys.values().any(|taken| taken == first))?;
            (*tree == Identity { first: Some(first), before: tree.before, ..version.clone() }).then_some(first)
        });
        let first = same.unwrap_or_else(|| {
            let freed = Identity {
                first: None,
                name: version.name.clone(),
                fingerprint: String::new(),
                numbers: String::new(),
                before: 0,
            };
            let freed = machine.identify(freed);
            *self.keys.entry(freed.clone()).or_insert_with(|| {
                self.all.push((freed, Vec::new()));
                self.all.len() - 1
            })
        });
        machine.keys.insert(key, first);
        first
    }

    /// Returns the key of the first version of a tree.
    pub(super) fn first(&self, key: usize) -> usize {
        self.all.get(key).and_then(|(tree, _)| tree.first).unwrap_or(key)
    }

    /// Returns the name of a tree.
    pub(super) fn name(&self, key: usize) -> &str {
        self.all.get(key).map_or("", |(tree, _)| &tree.name)
    }

    /// Returns the name of a node.
    pub(super) fn node(&self, key: usize, node: usize) -> Option<String> {
        self.all.get(key)?.1.get(node).cloned()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn add(trees: &mut Trees, machine: &mut TreeKeys, content: &Value) -> Vec<Value> {
        let content = to_raw_value(content).expect("it is JSON");
        trees.add(machine, &content).iter().map(|tree| serde_json::from_str(tree.get()).expect("valid JSON")).collect()
    }

    fn tree(key: usize, first: usize, fingerprint: &str) -> Value {
        let nodes = [json!({ "name": "walk", "label": null }), json!({ "name": "sit", "label": "rest" })];
        json!({ "key": key, "first": first, "name": "guard", "fingerprint": fingerprint, "nodes": nodes })
    }

    #[test]
    fn the_same_tree_of_two_machines_is_one() {
        let (mut trees, mut ann, mut bob) = (Trees::default(), TreeKeys::default(), TreeKeys::default());
        assert_eq!(add(&mut trees, &mut ann, &json!([tree(0, 0, "a")])).len(), 1);
        assert_eq!(add(&mut trees, &mut bob, &json!([tree(0, 0, "b"), tree(1, 1, "a")])).len(), 1);
        assert_eq!((ann.page(0), bob.page(1), bob.page(0)), (Some(0), Some(0), Some(1)));
        assert_eq!((ann.machine(1), bob.machine(0)), (None, Some(1)));
        assert_eq!(
            (trees.name(1), trees.node(1, 1), trees.node(1, 0)),
            ("guard", Some("rest".into()), Some("walk".into()))
        );
        assert_eq!((trees.name(9), trees.node(1, 9)), ("", None));
    }

    #[test]
    fn a_version_has_the_first_one_of_the_page() {
        let (mut trees, mut ann, mut bob) = (Trees::default(), TreeKeys::default(), TreeKeys::default());
        add(&mut trees, &mut ann, &json!([tree(0, 0, "other")]));
        let new = add(&mut trees, &mut bob, &json!([tree(0, 0, "a"), tree(1, 0, "b"), tree(2, 0, "a")]));
        let keys: Vec<_> = new.iter().map(|tree| (tree["key"].clone(), tree["first"].clone())).collect();
        assert_eq!(keys, [(json!(1), json!(1)), (json!(2), json!(1)), (json!(3), json!(1))], "no version is another");
    }

    #[test]
    fn a_machine_may_have_freed_the_first_version() {
        let (mut trees, mut ann, mut bob, mut cat) =
            (Trees::default(), TreeKeys::default(), TreeKeys::default(), TreeKeys::default());
        let firsts = |new: &[Value]| new.iter().map(|tree| tree["first"].clone()).collect::<Vec<_>>();
        add(&mut trees, &mut ann, &json!([tree(0, 0, "a"), tree(1, 0, "b")]));
        assert!(add(&mut trees, &mut bob, &json!([tree(5, 3, "b")])).is_empty(), "the same version");
        assert_eq!((bob.page(3), bob.page(5)), (Some(0), Some(1)));
        let new = add(&mut trees, &mut cat, &json!([tree(7, 2, "c"), tree(8, 2, "d"), tree(9, 4, "c")]));
        assert_eq!(firsts(&new), [json!(2), json!(2), json!(5)]);
        assert_eq!(add(&mut trees, &mut bob, &json!([tree(6, 3, "e")])).len(), 1);
        let mut dan = TreeKeys::default();
        assert_eq!(firsts(&add(&mut trees, &mut dan, &json!([tree(1, 0, "f")]))), [json!(2)], "freed there, too");
    }

    #[test]
    fn equal_trees_of_one_machine_are_two() {
        let (mut trees, mut ann, mut bob) = (Trees::default(), TreeKeys::default(), TreeKeys::default());
        let two = json!([tree(0, 0, "a"), tree(1, 1, "a")]);
        assert_eq!(add(&mut trees, &mut ann, &two).len(), 2);
        assert_eq!(add(&mut trees, &mut bob, &two).len(), 0);
        assert_eq!((bob.page(0), bob.page(1)), (Some(0), Some(1)));
    }

    #[test]
    fn the_trees_of_a_machine_are_bounded() {
        let (mut trees, mut ann) = (Trees::default(), TreeKeys::default());
        let many: Vec<_> = (0..MAX_TREES + 10).map(|key| tree(key, key, &key.to_string())).collect();
        assert_eq!(add(&mut trees, &mut ann, &json!(many)).len(), MAX_TREES);
    }

    #[test]
    fn an_invalid_tree_is_left_out() {
        let (mut trees, mut ann) = (Trees::default(), TreeKeys::default());
        let invalid = json!([{ "key": 0 }, { "key": 1, "first": 1, "name": "guard" }, tree(2, 2, "a")]);
        assert_eq!(add(&mut trees, &mut ann, &invalid).len(), 1);
        assert_eq!(add(&mut trees, &mut ann, &json!({})).len(), 0);
    }
}
