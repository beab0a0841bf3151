//! The trees of a project while they are checked.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::ptr;
use std::rc::Rc;

use bt_words::is_file_name;

use crate::format::{Project, TreeSpec};
use crate::index::Index;
use crate::names::NodeNames;
use crate::size::Size;

/// The trees of a project, with what is known about each. They are identified by their addresses.
pub(crate) struct Trees<'a> {
    pub(crate) names: &'a NodeNames,
    all: &'a [TreeSpec],
    by_id: HashMap<&'a str, &'a TreeSpec>,
    /// The ids that several trees have.
    duplicates: HashSet<&'a str>,
    /// The categories of custom nodes, by name.
    categories: HashMap<&'a str, &'a str>,
    /// The maximum size of a tree with its nested trees, after it was needed.
    limit: Option<Size>,
    indices: HashMap<*const TreeSpec, Rc<Index<'a>>>,
    /// The sizes of trees with their nested trees.
    sizes: HashMap<*const TreeSpec, Size>,
}

impl<'a> Trees<'a> {
    pub(crate) fn new(project: &'a Project, names: &'a NodeNames) -> Self {
        let (mut by_id, mut duplicates) = (HashMap::new(), HashSet::new());
        for tree in &project.trees {
            if !tree.id.is_empty() && by_id.contains_key(&*tree.id) {
                duplicates.insert(&*tree.id);
            } else if !tree.id.is_empty() {
                by_id.insert(&*tree.id, tree);
            }
        }
        let categories = project.declared().filter_map(|node| Some((&*node.name, node.category()?))).collect();
        let (indices, sizes) = (HashMap::new(), HashMap::new());
        Self { names, all: &project.trees, by_id, duplicates, categories, limit: None, indices, sizes }
    }

    /// Returns the error for a tree of this size with its nested trees, if it is too large for the file.
    pub(crate) fn too_large(&mut self, size: Size) -> Option<String> {
        if size.is_small() {
            return None;
        }
        let limit = self.limit.unwrap_or_else(|| {
            let mut all = Size::default();
            self.all.iter().for_each(|tree| all += self.index(tree).size);
            all.limit()
        });
        self.limit = Some(limit);
        limit.exceeded_by(size)
    }

    /// Returns `true` if another tree has the same id.
    pub(crate) fn is_duplicate(&self, tree: &TreeSpec) -> bool {
        self.duplicates.contains(&*tree.id)
    }

    /// Returns the declared category of custom nodes with this name.
    pub(crate) fn category(&self, name: &str) -> Option<&'a str> {
        self.categories.get(name).copied()
    }

    /// Returns the tree that a node with this name nests.
    pub(crate) fn nested(&self, name: &str) -> Option<&'a TreeSpec> {
        if self.by_id.is_empty() {
            return None;
        }
        let is_known = || is_file_name(name) || self.names.arity(name).is_some();
        self.by_id.get(name).copied().filter(|_| !is_known())
    }

    /// Returns the nodes of a tree by id.
    pub(crate) fn index(&mut self, tree: &'a TreeSpec) -> Rc<Index<'a>> {
        self.indices.entry(ptr::from_ref(tree)).or_insert_with(|| Rc::new(Index::new(tree))).clone()
    }

    /// Returns the size of a tree with its nested trees, without expanding them. A tree that contains itself, which is an error, counts once.
    pub(crate) fn size(&mut self, tree: &'a TreeSpec) -> Size {
        let mut steps = vec![Count::Begin(tree)];
        while let Some(step) = steps.pop() {
            match step {
                Count::Begin(tree) => {
                    if let Entry::Vacant(size) = self.sizes.entry(ptr::from_ref(tree)) {
                        size.insert(Size::default());
                        let (size, nested) = self.own(tree);
                        let below: Vec<_> = nested.iter().copied().map(Count::Begin).collect();
                        steps.push(Count::End { tree, size, nested });
                        steps.extend(below);
                    }
                }
                Count::End { tree, mut size, nested } => {
                    for nested in nested {
                        size += self.sizes[&ptr::from_ref(nested)];
                    }
                    self.sizes.insert(ptr::from_ref(tree), size);
                }
            }
        }
        self.sizes[&ptr::from_ref(tree)]
    }

    /// Returns the size of a tree without its nested trees, and these, each as often as a node nests it.
    fn own(&mut self, tree: &'a TreeSpec) -> (Size, Vec<&'a TreeSpec>) {
        let index = self.index(tree);
        let (mut size, mut nested, mut reached) = (Size::default(), Vec::new(), vec![false; tree.nodes.len()]);
        let root = tree.root.as_deref().and_then(|root| index.at(root));
        let mut next: Vec<_> = root.filter(|_| !index.is_disabled(root)).into_iter().collect();
        while let Some(at) = next.pop() {
            if std::mem::replace(&mut reached[at], true) {
                continue;
            }
            size += index.size_of(at);
            nested.extend(self.nested(&index.node(at).1.name));
            next.extend(index.places(at).iter().flatten().filter(|child| !index.is_disabled(Some(**child))));
        }
        (size, nested)
    }
}

/// A step of counting the nodes of a tree with its nested trees.
enum Count<'a> {
    Begin(&'a TreeSpec),
    /// The nested trees are counted.
    End {
        tree: &'a TreeSpec,
        /// Its own size.
        size: Size,
        nested: Vec<&'a TreeSpec>,
    },
}
