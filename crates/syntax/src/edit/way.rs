//! Where a node is in a document; taking it out and putting it in.

use std::collections::HashSet;
use std::sync::Arc;

use super::document::Document;
use super::fragment::open_of;
use super::head::{Form, Head};
use super::node::{List, Node, Open, Tree};
use super::operation::At;

/// The way to a node.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Way {
    pub(super) tree: usize,
    /// 0 for the root, then the nodes that it does not reach.
    root: usize,
    /// The list and the index in it, below each node.
    steps: Vec<(usize, usize)>,
}

/// A place between two nodes.
pub(super) enum Spot {
    /// In a list of a node, before the node with this id; `None` is its end.
    List { parent: u32, list: usize, before: Option<u32> },
    /// The root of an empty tree, by its index.
    Root(usize),
}

impl Document {
    /// Returns the way to a node.
    pub(super) fn way(&self, id: u32) -> Result<Way, String> {
        // The steps are noted on the way back.
        fn find(node: &Node, id: u32, steps: &mut Vec<(usize, usize)>) -> bool {
            node.id == id
                || node.lists.iter().enumerate().any(|(list, below)| {
                    let index = below.children.iter().position(|child| find(child, id, steps));
                    steps.extend(index.map(|index| (list, index)));
                    index.is_some()
                })
        }
        let mut steps = Vec::new();
        let found = self.roots().find(|(_, root)| find(root, id, &mut steps));
        steps.reverse();
        found.map(|(way, _)| Way { steps, ..way }).ok_or_else(|| missing(id))
    }

    /// Returns the nodes at the top of all trees, with their ways.
    fn roots(&self) -> impl Iterator<Item = (Way, &Arc<Node>)> {
        self.trees.iter().enumerate().flat_map(|(tree, of)| {
            let roots = of.root.iter().map(|node| (0, node)).chain((1..).zip(&of.loose));
            roots.map(move |(root, node)| (Way { tree, root, steps: Vec::new() }, node))
        })
    }

    /// Visits all nodes with their ways, in the order of the document, until a visit returns `true`.
    fn walk(&self, visit: &mut dyn FnMut(&Node, &Way) -> bool) {
        fn walk(node: &Node, way: &mut Way, visit: &mut dyn FnMut(&Node, &Way) -> bool) -> bool {
            visit(node, way)
                || node.lists.iter().enumerate().any(|(list, below)| {
                    below.children.iter().enumerate().any(|(index, child)| {
                        way.steps.push((list, index));
                        let ends = walk(child, way, visit);
                        way.steps.pop();
                        ends
                    })
                })
        }
        let _ = self.roots().any(|(mut way, node)| walk(node, &mut way, visit));
    }

    /// Returns the nodes that are not as they were before an operation, or not below the same nodes, with their levels.
    pub(super) fn changed_since(&self, before: &Self) -> Vec<(&Arc<Node>, usize)> {
        fn add<'n>(old: Option<&Arc<Node>>, new: &'n Arc<Node>, level: usize, all: &mut Vec<(&'n Arc<Node>, usize)>) {
            if old.is_some_and(|old| Arc::ptr_eq(old, new)) {
                return;
            }
            all.push((new, level));
            for (old, child) in new.children_with(old) {
                add(old, child, level + 1, all);
            }
        }
        let mut all = Vec::new();
        for tree in &self.trees {
            let old = before.trees.iter().find(|old| old.id == tree.id);
            for root in tree.tops() {
                let mut roots = old.into_iter().flat_map(Tree::tops);
                add(roots.find(|old| old.id == root.id), root, 1, &mut all);
            }
        }
        all
    }

    /// Returns the way to a node with the `!` before it.
    pub(super) fn with_not(&self, id: u32) -> Result<Way, String> {
        Ok(self.before_not(self.way(id)?))
    }

    /// Returns the way to the first `!` right before a node, or else to the node.
    pub(super) fn before_not(&self, mut way: Way) -> Way {
        while let Some((parent, list, _)) = way.parent()
            && self.at(&parent).lists[list].open == Open::Not
        {
            way = parent;
        }
        way
    }

    /// Returns the node at the end of a way.
    pub(super) fn at(&self, way: &Way) -> &Arc<Node> {
        let tree = &self.trees[way.tree];
        let root = if way.root == 0 { tree.root.as_ref() } else { tree.loose.get(way.root - 1) };
        let root = root.expect("the way leads to a node");
        way.steps.iter().fold(root, |node, (list, index)| &node.lists[*list].children[*index])
    }

    /// Returns a node.
    pub(super) fn node(&self, id: u32) -> Result<&Arc<Node>, String> {
        Ok(self.at(&self.way(id)?))
    }

    /// Returns a node to change.
    pub(super) fn node_mut(&mut self, id: u32) -> Result<&mut Node, String> {
        let way = self.way(id)?;
        Ok(self.at_mut(&way))
    }

    pub(super) fn at_mut(&mut self, way: &Way) -> &mut Node {
        let tree = &mut self.trees[way.tree];
        let root = if way.root == 0 { tree.root.as_mut() } else { tree.loose.get_mut(way.root - 1) };
        let root = Arc::make_mut(root.expect("the way leads to a node"));
        way.steps.iter().fold(root, |node, (list, index)| Arc::make_mut(&mut node.lists[*list].children[*index]))
    }

    /// Returns the list in which a node is, and its index; `None` for a root. A node that is negated is in the list of `!`.
    pub(super) fn list_mut(&mut self, way: &Way) -> Option<(&mut List, usize)> {
        let (parent, list, index) = way.parent()?;
        Some((&mut self.at_mut(&parent).lists[list], index))
    }

    /// Takes a node out of its list, or away as a root. A `!` goes with its child.
    pub(super) fn take(&mut self, id: u32) -> Result<Arc<Node>, String> {
        let way = self.way(id)?;
        let Some((parent, list, index)) = way.parent() else {
            let tree = &mut self.trees[way.tree];
            let taken = if way.root == 0 { tree.root.take() } else { Some(tree.loose.remove(way.root - 1)) };
            return taken.ok_or_else(|| "the tree is empty".to_owned());
        };
        let of = self.at_mut(&parent);
        let taken = of.lists[list].children.remove(index);
        let of_id = of.id;
        match of.lists[list].open {
            Open::Not => _ = self.take(of_id)?,
            // `else { }` is no place for a node.
            Open::Brace | Open::Angle if of.lists[list].children.is_empty() && !of.lists[list].before.is_empty() => {
                let List { begin, end, .. } = of.lists.remove(list);
                let begin = Some(begin).filter(|text| !text.is_empty());
                of.lists[list - 1].end.extend(begin.into_iter().chain(end));
            }
            Open::Brace | Open::Angle => {}
        }
        Ok(taken)
    }

    /// Returns the delimiters of the list that a node is in, or those of its tree.
    pub(super) fn open_at(&self, way: &Way) -> Open {
        let lists = std::iter::successors(way.parent(), |(parent, ..)| parent.parent());
        let open = lists.map(|(parent, list, _)| self.at(&parent).lists[list].open).find(|open| *open != Open::Not);
        open.unwrap_or_else(|| open_of(&self.trees[way.tree]))
    }

    /// Returns the delimiters of the list that a place is in.
    pub(super) fn open_in(&self, spot: &Spot) -> Result<Open, String> {
        Ok(match spot {
            Spot::Root(tree) => open_of(&self.trees[*tree]),
            Spot::List { parent, list, .. } => {
                let way = self.way(*parent)?;
                self.at(&way).lists.get(*list).map_or_else(|| self.open_at(&way), |list| list.open)
            }
        })
    }

    /// Returns the place that an operation names.
    pub(super) fn spot(&self, at: At) -> Result<Spot, String> {
        let beside = |id: u32, distance: usize| {
            let (parent, list, index) =
                self.with_not(id)?.parent().ok_or("a root has no neighbors; help: put a composite around it")?;
            let of = self.at(&parent);
            let before = of.lists[list].children.get(index + distance).map(|child| child.id);
            Ok(Spot::List { parent: of.id, list, before })
        };
        match at {
            At::Before(id) => beside(id, 0),
            At::After(id) => beside(id, 1),
            At::In { r#in: parent, list, index } => {
                let of = self.node(parent)?;
                let in_list = of.lists.get(list);
                if in_list.is_some_and(|list| list.open == Open::Not) {
                    return Err("`!` has one child; help: replace the child".to_owned());
                }
                if in_list.is_none() && list > 0 {
                    return Err(format!("`{}` has no list {list}", of.head));
                }
                let before = in_list.and_then(|list| list.children.get(index)).map(|child| child.id);
                Ok(Spot::List { parent, list, before })
            }
            At::Tree { tree } => {
                let index = self.tree_index(tree)?;
                match &self.trees[index] {
                    of if of.root.is_some() => Err(format!("{} has a root; help: insert into it", of.shown())),
                    of if of.broken.is_some() => Err(format!("{} cannot be read", of.shown())),
                    _ => Ok(Spot::Root(index)),
                }
            }
        }
    }

    pub(super) fn tree_index(&self, id: u32) -> Result<usize, String> {
        self.trees.iter().position(|tree| tree.id == id).ok_or_else(|| format!("there is no tree {id}"))
    }

    /// Puts nodes into a place.
    pub(super) fn put(&mut self, nodes: Vec<Arc<Node>>, spot: &Spot) -> Result<(), String> {
        match *spot {
            Spot::Root(tree) => {
                let mut nodes = nodes.into_iter();
                match (nodes.next(), nodes.next()) {
                    (Some(mut root), None) => {
                        let of = &mut self.trees[tree];
                        // The comments of the empty tree are above its first node.
                        Arc::make_mut(&mut root).above.splice(0..0, std::mem::take(&mut of.around.end));
                        of.root = Some(root);
                        Ok(())
                    }
                    _ => Err("a tree has one root; help: put a composite around the nodes".to_owned()),
                }
            }
            Spot::List { parent, list, before } => {
                let open = self.open_in(spot)?;
                let of = self.node_mut(parent)?;
                if of.lists.is_empty() {
                    if Head::of(&of.head).form != Form::Call {
                        return Err(format!("`{}` takes no children", of.head));
                    }
                    of.lists.push(List { open, ..List::default() });
                }
                let list = of.lists.get_mut(list).ok_or("the list is gone")?;
                let index = before.and_then(|id| list.children.iter().position(|child| child.id == id));
                let index = index.unwrap_or(list.children.len());
                list.children.splice(index..index, nodes);
                Ok(())
            }
        }
    }

    /// Returns nodes without those below others of them, in the order of the document.
    pub(super) fn outermost(&self, ids: &[u32]) -> Result<Vec<u32>, String> {
        Ok(self.outermost_ways(ids)?.iter().map(|way| self.at(way).id).collect())
    }

    /// Returns the ways to nodes without those below others of them, in the order of the document.
    pub(super) fn outermost_ways(&self, ids: &[u32]) -> Result<Vec<Way>, String> {
        let (mut rest, mut ways) = (ids.iter().copied().collect::<HashSet<_>>(), Vec::<Way>::new());
        self.walk(&mut |node, way| {
            if rest.remove(&node.id) && !ways.last().is_some_and(|above| above.contains(way)) {
                ways.push(way.clone());
            }
            rest.is_empty()
        });
        match ids.iter().find(|id| rest.contains(id)) {
            Some(id) => Err(missing(*id)),
            None if ways.is_empty() => Err("no node is selected".to_owned()),
            None => Ok(ways),
        }
    }
}

fn missing(id: u32) -> String {
    format!("there is no node {id}: it was deleted")
}

impl Way {
    /// Returns the way to its parent, the list of the parent, and the index in it; `None` for a root.
    pub(super) fn parent(&self) -> Option<(Self, usize, usize)> {
        let ((list, index), steps) = self.steps.split_last()?;
        Some((Self { steps: steps.to_vec(), ..*self }, *list, *index))
    }

    /// Returns `true` if another way leads through the end of this one.
    pub(super) fn contains(&self, other: &Self) -> bool {
        (self.tree, self.root) == (other.tree, other.root) && other.steps.starts_with(&self.steps)
    }

    /// Returns `true` for a node that its root does not reach.
    pub(super) const fn is_loose(&self) -> bool {
        self.root > 0
    }
}
