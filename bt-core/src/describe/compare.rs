//! Compares two trees: by the ids of their nodes, or by their structure.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::describe::{Described, Description, Matching};
use crate::hash::Fnv;
use crate::id::NodeId;

/// The nodes of a tree in pre-order, for a comparison.
pub trait Nodes {
    /// Returns the number of nodes.
    fn count(&self) -> usize;
    /// Returns the index of the parent of a node; `None` for the root.
    fn parent(&self, node: usize) -> Option<usize>;
    /// Returns the id of a node, if it has one. It is compared if it [lasts](is_lasting).
    fn id(&self, node: usize) -> Option<&str>;
    /// Returns the name of a node, and a number for its kind and role.
    fn name(&self, node: usize) -> (usize, &str);
    /// Returns the label of a node.
    fn label(&self, node: usize) -> Option<&str>;
    /// Adds the arguments of a node to a hash.
    fn arguments(&self, node: usize, hash: &mut Fnv);
    /// Returns `true` if a node is known to have a lasting id, and the same id and name as a node of another tree, without
    /// comparing them.
    fn equals(&self, _node: usize, _other: &Self, _there: usize) -> bool {
        false
    }
}

/// Returns the index of each old node in the new tree; `None` if the new tree does not have it.
///
/// Nodes that have ids are the same if their ids and names are the same. The others are compared by structure: equal subtrees
/// first, then the nodes that share most of them, then equal names and labels among the children of the same node, then unique
/// subtrees and leaves that have moved.
pub fn compare<T: Nodes + ?Sized>(old: &T, new: &T) -> Vec<Option<usize>> {
    let mut comparing = Comparing { old, new, to: vec![None; old.count()], taken: vec![false; new.count()] };
    comparing.by_id();
    let has_rest = |tree: &T, is_rest: &dyn Fn(usize) -> bool| {
        let mut rest =
            (0..tree.count()).filter(|node| is_rest(*node)).map(|node| lasting(tree, node).is_some()).peekable();
        (rest.peek().is_some(), rest.all(|has_id| has_id))
    };
    let (any_old, old_ids) = has_rest(old, &|node| comparing.to[node].is_none());
    let (any_new, new_ids) = has_rest(new, &|node| !comparing.taken[node]);
    if any_old && any_new && !(old_ids && new_ids) {
        comparing.by_structure();
    }
    comparing.to
}

/// Returns the id of a node, if it has one that lasts.
fn lasting<T: Nodes + ?Sized>(tree: &T, node: usize) -> Option<&str> {
    tree.id(node).filter(|id| is_lasting(id))
}

/// Returns `true` if the id of a node lasts when its file is edited. One that begins with `#` is only the number of a node in a text.
///
/// ```
/// use bt_core::describe::is_lasting;
///
/// assert!(is_lasting("Open/door"));
/// assert!(!is_lasting("#4") && !is_lasting("Open/#4"));
/// ```
#[must_use]
pub fn is_lasting(id: &str) -> bool {
    !id.split('/').any(|part| part.starts_with('#'))
}

struct Comparing<'t, T: ?Sized> {
    old: &'t T,
    new: &'t T,
    to: Vec<Option<usize>>,
    /// The new nodes that are old ones.
    taken: Vec<bool>,
}

impl<T: Nodes + ?Sized> Comparing<'_, T> {
    /// Returns `true` if both have the same id, and are the same kind of node.
    fn is_same(&self, old: usize, new: usize) -> bool {
        self.old.equals(old, self.new, new)
            || lasting(self.old, old).is_some_and(|id| self.new.id(new) == Some(id))
                && self.old.name(old) == self.new.name(new)
    }

    fn pair(&mut self, old: usize, new: usize) {
        self.to[old] = Some(new);
        self.taken[new] = true;
    }

    fn by_id(&mut self) {
        let (before, after) = (self.old.count(), self.new.count());
        let shorter = before.min(after);
        // Most of a tree stays as it is.
        let first = (0..shorter).take_while(|node| self.is_same(*node, *node)).count();
        let last = (1..=shorter - first).take_while(|back| self.is_same(before - back, after - back)).count();
        (0..first).for_each(|node| self.pair(node, node));
        (1..=last).for_each(|back| self.pair(before - back, after - back));
        let keys = |tree: &T, nodes: core::ops::Range<usize>| {
            let mut keys: Vec<_> = nodes.filter_map(|node| Some((hash_of_id(tree, node)?, node))).collect();
            keys.sort_unstable();
            keys
        };
        let (old, new) = (keys(self.old, first..before - last), keys(self.new, first..after - last));
        self.in_order(&old, &new, |comparing, old, new| {
            if comparing.is_same(old, new) {
                comparing.pair(old, new);
            }
        });
    }

    /// Calls a function with the first old and new nodes of each key, then with the second ones, and so on.
    fn in_order(&mut self, old: &[(u64, usize)], new: &[(u64, usize)], mut pair: impl FnMut(&mut Self, usize, usize)) {
        let mut rest = new;
        for same in old.chunk_by(|one, other| one.0 == other.0) {
            rest = &rest[rest.partition_point(|(key, _)| *key < same[0].0)..];
            let there = rest.iter().take_while(|(key, _)| *key == same[0].0);
            for ((_, old), (_, new)) in same.iter().zip(there) {
                pair(self, *old, *new);
            }
        }
    }

    fn by_structure(&mut self) {
        let shapes = [Shape::of(self.old), Shape::of(self.new)];
        self.unique(&shapes, |_| true);
        self.parents(&shapes);
        // The roots are the children of the same node.
        self.children(&shapes, None);
        self.all_children(&shapes);
        self.unique(&shapes, |_| true);
        self.unique(&shapes, |size| size == 1);
        self.parents(&shapes);
        self.all_children(&shapes);
    }

    /// Returns `true` if two nodes can be the same without having the same id.
    fn can_pair(&self, old: usize, new: usize) -> bool {
        self.to[old].is_none()
            && !self.taken[new]
            && (lasting(self.old, old).is_none() || lasting(self.new, new).is_none())
            && self.old.name(old) == self.new.name(new)
    }

    /// Pairs the nodes of two equal subtrees.
    fn subtrees(&mut self, old: usize, new: usize, size: usize) {
        for node in 0..size {
            if self.can_pair(old + node, new + node) {
                self.pair(old + node, new + node);
            }
        }
    }

    /// Pairs the subtrees of some sizes that are equal, and of which each tree has one that is left over.
    fn unique(&mut self, [old, new]: &[Shape; 2], sizes: impl Fn(usize) -> bool) {
        let rest = |shape: &Shape, is_rest: &dyn Fn(usize) -> bool| {
            let nodes = (0..shape.size.len()).filter(|node| is_rest(*node) && sizes(shape.size[*node]));
            let mut keys: Vec<_> = nodes.map(|node| (shape.subtree[node], node)).collect();
            keys.sort_unstable();
            keys
        };
        let (olds, news) = (rest(old, &|node| self.to[node].is_none()), rest(new, &|node| !self.taken[node]));
        let is_unique = |keys: &[(u64, usize)]| -> Vec<_> {
            keys.chunk_by(|one, other| one.0 == other.0).filter(|same| same.len() == 1).map(|same| same[0]).collect()
        };
        let (olds, news) = (is_unique(&olds), is_unique(&news));
        let mut pairs = Vec::new();
        self.in_order(&olds, &news, |_, old, new| pairs.push((old, new)));
        pairs.sort_unstable();
        for (before, after) in pairs {
            if old.size[before] == new.size[after] && self.can_pair(before, after) {
                self.subtrees(before, after, old.size[before]);
            }
        }
    }

    fn all_children(&mut self, shapes: &[Shape; 2]) {
        for old in 0..self.to.len() {
            if let Some(new) = self.to[old] {
                self.children(shapes, Some((old, new)));
            }
        }
    }

    /// Pairs children of the same node: equal subtrees first, then those that share most equal subtrees, then those with equal names and labels.
    fn children(&mut self, [old, new]: &[Shape; 2], parents: Option<(usize, usize)>) {
        let rest = |shape: &Shape, parent: Option<usize>, is_rest: &dyn Fn(usize) -> bool| -> Vec<_> {
            shape.children(parent).filter(|node| is_rest(*node)).collect()
        };
        for by in [Alike::Subtree, Alike::Below, Alike::Name] {
            let olds = rest(old, parents.map(|(old, _)| old), &|node| self.to[node].is_none());
            if olds.is_empty() {
                return;
            }
            let news = rest(new, parents.map(|(_, new)| new), &|node| !self.taken[node]);
            if by == Alike::Below && olds.len() + news.len() < 3 {
                continue;
            }
            let mut shared = Vec::new();
            self.in_order(&by.keys(old, &olds), &by.keys(new, &news), |comparing, before, after| match by {
                Alike::Below => shared.push((before, after, 1)),
                Alike::Subtree | Alike::Name if comparing.can_pair(before, after) => {
                    comparing.subtrees(before, after, if by == Alike::Subtree { old.size[before] } else { 1 });
                }
                Alike::Subtree | Alike::Name => {}
            });
            self.most_shared([old, new], shared);
        }
    }

    /// Pairs the parents of nodes that are the same: those that share most first. Then theirs.
    fn parents(&mut self, [old, new]: &[Shape; 2]) {
        loop {
            let shares = |(child, there): (usize, &Option<usize>)| {
                let there = (*there)?;
                let (before, after) = (self.old.parent(child)?, self.new.parent(there)?);
                let is_left = self.to[before].is_none() && !self.taken[after];
                let size = if old.subtree[child] == new.subtree[there] { old.size[child] } else { 1 };
                is_left.then_some((before, after, size))
            };
            let shared = self.to.iter().enumerate().filter_map(shares).collect();
            if !self.most_shared([old, new], shared) {
                return;
            }
        }
    }

    /// Pairs nodes with equal names and labels by how much they share, the most first. Returns `true` if it has paired any.
    fn most_shared(&mut self, [old, new]: [&Shape; 2], mut shared: Vec<(usize, usize, usize)>) -> bool {
        shared.sort_unstable();
        let sums = shared.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1));
        let mut sums: Vec<_> = sums
            .map(|same| (Reverse(same.iter().map(|(.., size)| size).sum::<usize>()), same[0].0, same[0].1))
            .collect();
        // The same in both directions.
        sums.sort_unstable_by_key(|(sum, before, after)| (*sum, before + after));
        let mut any = false;
        for (_, before, after) in sums {
            if old.named[before] == new.named[after] && self.can_pair(before, after) {
                self.pair(before, after);
                any = true;
            }
        }
        any
    }
}

/// What children of the same node have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alike {
    /// They are equal.
    Subtree,
    /// Subtrees below them are equal.
    Below,
    /// Their names and labels are equal.
    Name,
}

impl Alike {
    /// Returns hashes of what can be common, each with its child, in order.
    fn keys(self, shape: &Shape, children: &[usize]) -> Vec<(u64, usize)> {
        let mut keys: Vec<_> = match self {
            Self::Subtree => children.iter().map(|child| (shape.subtree[*child], *child)).collect(),
            Self::Name => children.iter().map(|child| (shape.named[*child], *child)).collect(),
            Self::Below => {
                let below =
                    |child: usize| (child + 1..child + shape.size[child]).map(move |node| (shape.subtree[node], child));
                children.iter().flat_map(|child| below(*child)).collect()
            }
        };
        keys.sort_unstable();
        keys
    }
}

fn hash_of_id(tree: &(impl Nodes + ?Sized), node: usize) -> Option<u64> {
    let mut hash = Fnv::new();
    hash.write(lasting(tree, node)?.as_bytes());
    hash_name(tree, node, &mut hash);
    Some(hash.finish())
}

fn hash_name(tree: &(impl Nodes + ?Sized), node: usize, hash: &mut Fnv) {
    let (number, name) = tree.name(node);
    hash.write(&number.to_le_bytes());
    hash.write(name.as_bytes());
}

/// The subtrees of a tree.
struct Shape {
    /// The number of nodes of each subtree.
    size: Vec<usize>,
    /// The first child of each node, and the next child of its parent.
    first: Vec<Option<usize>>,
    next: Vec<Option<usize>>,
    /// A hash of the name and the label of each node.
    named: Vec<u64>,
    /// A hash of each subtree.
    subtree: Vec<u64>,
}

impl Shape {
    fn of(tree: &(impl Nodes + ?Sized)) -> Self {
        let len = tree.count();
        let mut shape = Self {
            size: vec![1; len],
            first: vec![None; len],
            next: vec![None; len],
            named: vec![0; len],
            subtree: vec![0; len],
        };
        for node in (0..len).rev() {
            let mut hash = Fnv::new();
            hash_name(tree, node, &mut hash);
            hash.write(tree.label(node).unwrap_or_default().as_bytes());
            shape.named[node] = hash.finish();
            tree.arguments(node, &mut hash);
            // So far, those of its children.
            hash.write(&shape.subtree[node].to_le_bytes());
            shape.subtree[node] = hash.finish();
            if let Some(parent) = tree.parent(node) {
                shape.size[parent] += shape.size[node];
                shape.next[node] = shape.first[parent].replace(node);
                let mut above = Fnv::new();
                above.write(&shape.subtree[parent].to_le_bytes());
                above.write(&shape.subtree[node].to_le_bytes());
                shape.subtree[parent] = above.finish();
            }
        }
        shape
    }

    /// Returns the children of a node, or the root.
    fn children(&self, parent: Option<usize>) -> impl Iterator<Item = usize> {
        let first = match parent {
            Some(parent) => self.first[parent],
            None => (!self.size.is_empty()).then_some(0),
        };
        core::iter::successors(first, move |child| self.next[*child])
    }
}

impl Nodes for [Described] {
    fn count(&self) -> usize {
        self.len()
    }

    fn parent(&self, node: usize) -> Option<usize> {
        self[node].parent.map(NodeId::index)
    }

    fn id(&self, node: usize) -> Option<&str> {
        self[node].file.as_ref().map(|file| &*file.id)
    }

    fn name(&self, node: usize) -> (usize, &str) {
        (self[node].kind as usize * 8 + self[node].role as usize, &self[node].name)
    }

    fn label(&self, node: usize) -> Option<&str> {
        self[node].label.as_deref()
    }

    fn arguments(&self, node: usize, hash: &mut Fnv) {
        let Described { params, transitions, .. } = &self[node];
        let params = params.iter().map(|param| (&param.name, &param.value));
        for (one, other) in params.chain(transitions.iter().map(|transition| (&transition.on, &transition.to))) {
            hash.write(one.as_bytes());
            hash.write(other.as_bytes());
        }
    }
}

impl Description {
    /// Matches the nodes of this tree with the nodes of the tree that replaces this tree.
    ///
    /// Two nodes that have ids in a file are the same if their ids and names are the same. Other nodes are compared by structure: equal
    /// subtrees are the same, then the parents that share most of them, then children of the same node with equal names and
    /// labels, then unique subtrees and leaves that have moved.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// # fn near(_: &u8) -> bool { true }
    /// # fn attack(_: &mut u8) {}
    /// # fn patrol(_: &mut u8) {}
    /// let old = tree! { for u8: selector { sequence { near, attack }, patrol } }.description();
    /// let new = tree! { for u8: selector { limit(3) { sequence { near, attack } }, patrol } }.description();
    ///
    /// let matching = old.matching(&new);
    /// assert_eq!(matching.get(NodeId::new(4)), Some(NodeId::new(5)));   // `patrol`
    /// assert_eq!(matching.get(NodeId::new(1)), Some(NodeId::new(2)));   // the sequence
    /// assert!(old.matching(&old).is_same());
    /// ```
    #[must_use]
    pub fn matching(&self, new: &Self) -> Matching {
        let id = |node| NodeId::new(u32::try_from(node).unwrap_or(u32::MAX));
        Matching::new(compare(self.nodes(), new.nodes()).into_iter().map(|node| node.map(id)))
    }
}
