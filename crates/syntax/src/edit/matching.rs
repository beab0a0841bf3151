//! Matches the nodes of a file with the nodes that were read before.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::document::Document;
use super::node::Node;

/// Gives the nodes and trees of a new version of a file the ids of those before.
pub(super) fn keep_ids(old: &Document, new: &mut Document) {
    let mut matching = Matching { left: HashMap::new(), next: old.next };
    let mut pairs = Vec::new();
    for index in 0..new.trees.len() {
        let name = &new.trees[index].name;
        let before = old.trees.iter().position(|tree| tree.name == *name);
        let before = before.or((new.trees.len() == old.trees.len()).then_some(index));
        let before = before.filter(|before| !pairs.iter().any(|(other, _)| other == before));
        new.trees[index].id = match before {
            Some(before) => {
                pairs.push((before, index));
                old.trees[before].id
            }
            None => matching.new_id(),
        };
    }
    for tree in &mut new.trees {
        tree.root.iter_mut().chain(&mut tree.loose).for_each(forget);
    }
    for (before, index) in &pairs {
        let (from, to) = (&old.trees[*before], &mut new.trees[*index]);
        if let (Some(from), Some(to)) = (&from.root, &mut to.root) {
            matching.node(from, to);
        }
        let loose: Vec<_> = from.loose.iter().collect();
        matching.siblings(&loose, to.loose.iter_mut().collect());
    }
    // What is nowhere among its old siblings may have moved.
    let mut known: HashMap<u64, Vec<&Arc<Node>>> = HashMap::new();
    let taken: HashSet<_> = new.nodes().map(|node| node.id).collect();
    for node in old.nodes().filter(|node| !taken.contains(&node.id)) {
        known.entry(whole(node)).or_default().push(node);
    }
    for nodes in known.values_mut() {
        nodes.reverse();
    }
    for tree in &mut new.trees {
        for node in tree.root.iter_mut().chain(&mut tree.loose) {
            matching.moved(&mut known, node);
        }
    }
    new.next = matching.next;
}

struct Matching {
    /// The hashes of subtrees, by the address of their node.
    left: HashMap<*const Node, u64>,
    next: u32,
}

impl Matching {
    fn new_id(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn whole(&mut self, node: &Arc<Node>) -> u64 {
        *self.left.entry(Arc::as_ptr(node)).or_insert_with(|| whole(node))
    }

    fn node(&mut self, old: &Arc<Node>, new: &mut Arc<Node>) {
        let new = Arc::make_mut(new);
        new.id = old.id;
        for (index, list) in new.lists.iter_mut().enumerate() {
            let before: Vec<_> = old.lists.get(index).map_or(&[][..], |list| &list.children).iter().collect();
            self.siblings(&before, list.children.iter_mut().collect());
        }
    }

    /// Matches siblings: equal subtrees first, then equal heads and labels, then equal names.
    fn siblings(&mut self, old: &[&Arc<Node>], new: Vec<&mut Arc<Node>>) {
        let mut old: Vec<_> = old.iter().map(|node| Some(*node)).collect();
        let mut new: Vec<_> = new.into_iter().map(Some).collect();
        for pass in 0..3 {
            let key = |matching: &mut Self, node: &Arc<Node>| match pass {
                0 => matching.whole(node),
                1 => hash(&(&node.head, &node.label)),
                _ => hash(&super::head::Head::of(&node.head).name),
            };
            let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
            for (index, node) in old.iter().enumerate().rev() {
                if let Some(node) = node {
                    places.entry(key(self, node)).or_default().push(index);
                }
            }
            for node in &mut new {
                let Some(found) = node.as_deref().map(|node| key(self, node)) else { continue };
                if let Some(index) = places.get_mut(&found).and_then(Vec::pop)
                    && let (Some(old), Some(node)) = (old[index].take(), node.take())
                {
                    self.node(old, node);
                }
            }
        }
    }

    /// Gives ids to nodes that have none: those of equal subtrees elsewhere, or new ones.
    fn moved(&mut self, known: &mut HashMap<u64, Vec<&Arc<Node>>>, node: &mut Arc<Node>) {
        if node.id == 0 {
            match known.get_mut(&whole(node)).and_then(Vec::pop) {
                Some(old) => return self.node(old, node),
                None => Arc::make_mut(node).id = self.new_id(),
            }
        }
        for child in Arc::make_mut(node).lists.iter_mut().flat_map(|list| &mut list.children) {
            self.moved(known, child);
        }
    }
}

fn forget(node: &mut Arc<Node>) {
    let node = Arc::make_mut(node);
    node.id = 0;
    node.lists.iter_mut().flat_map(|list| &mut list.children).for_each(forget);
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns a hash of a node without its comments.
pub(super) fn own(node: &Node) -> u64 {
    let lists: Vec<_> = node.lists.iter().map(|list| &list.before).collect();
    hash(&(&node.attributes, &node.before, &node.head, &node.label, lists, &node.tail, node.disabled))
}

/// Returns a hash of a subtree.
pub(super) fn whole(node: &Node) -> u64 {
    let below: Vec<_> =
        node.lists.iter().map(|list| list.children.iter().map(|child| whole(child)).collect::<Vec<_>>()).collect();
    hash(&(own(node), &node.above, &node.behind, below))
}
