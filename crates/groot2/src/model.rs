//! A tree as Groot2 knows it.

use std::sync::Arc;

use bt_core::describe::{Described, Description, Kind, Parameter};
use bt_core::{NodeId, NodeShape, Tree as _};

use crate::element::{Element, attributes, is_attribute};
use crate::row::{Nested, Row, uid_of};
use crate::scope::Scope;
use crate::xml;

/// A tree as Groot2 shows it: its XML, in which each node has a number, as BehaviorTree.CPP writes it.
///
/// It is cheap to clone. Nodes are numbered from 1 in pre-order, through nested trees. The scripts of a node (`_skipIf` and others) are nodes of their own
/// in this library, but attributes in XML, without a number.
///
/// The tree need not be loaded from XML. The words of this library become the nodes of BehaviorTree.CPP that behave in the same way or nearly so, as
/// [`to_xml`](bt_btcpp::to_xml) writes them; words without a counterpart and nodes of the program keep their names. The model at the end of the XML declares all
/// nodes, with the ports that are used.
///
/// ```
/// use bt_groot2::Model;
/// use bt_core::prelude::*;
///
/// fn is_hit(_: &u32) -> bool { true }
/// fn flee(_: &mut u32) -> Status { Status::Running }
/// let tree = tree! { for u32: selector { sequence { is_hit, flee } until_failure { flee "always" } } };
///
/// let model = Model::new(&tree).with_id("Guard");
/// assert_eq!(model.uid(NodeId::new(3)), Some(4));
/// assert_eq!(model.node(4), Some(NodeId::new(3)));
/// assert_eq!(model.xml(), r#"<root BTCPP_format="4">
///     <BehaviorTree ID="Guard" _fullpath="">
///         <ReactiveFallback name="ReactiveFallback" _uid="1">
///             <ReactiveSequence name="ReactiveSequence" _uid="2">
///                 <is_hit name="is_hit" _uid="3"/>
///                 <flee name="flee" _uid="4"/>
///             </ReactiveSequence>
///             <until_failure name="until_failure" _uid="5">
///                 <flee name="always" _uid="6"/>
///             </until_failure>
///         </ReactiveFallback>
///     </BehaviorTree>
///     <TreeNodesModel>
///         <Control ID="ReactiveFallback"/>
///         <Control ID="ReactiveSequence"/>
///         <Action ID="flee"/>
///         <Condition ID="is_hit"/>
///         <Decorator ID="until_failure"/>
///     </TreeNodesModel>
/// </root>
/// "#);
/// ```
#[derive(Clone, Debug)]
pub struct Model(Arc<Inner>);

#[derive(Clone, Debug)]
pub(crate) struct Inner {
    pub(crate) id: String,
    /// In pre-order: the node with the number `i + 1` is at index `i`.
    pub(crate) rows: Vec<Row>,
    /// The row of each node of the tree.
    of_nodes: Vec<Option<usize>>,
    pub(crate) xml: String,
}

impl Model {
    /// Creates the model of a tree, with the ID `MainTree`. A tree can have 65535 numbered nodes; those after them are left out.
    pub fn new<N: NodeShape>(tree: &N) -> Self {
        Self::of(&tree.description(), "MainTree")
    }

    /// Sets the ID of the tree, such as [`LoadedTree::title`](bt_dynamic::LoadedTreeOf::title).
    #[must_use]
    pub fn with_id(self, id: impl Into<String>) -> Self {
        let mut inner = Arc::unwrap_or_clone(self.0);
        inner.id = id.into();
        inner.xml = xml::write(&inner.id, &inner.rows);
        Self(Arc::new(inner))
    }

    fn of(description: &Description, id: &str) -> Self {
        let count = description.nodes().len();
        let mut inner = Inner { id: id.to_owned(), rows: Vec::new(), of_nodes: vec![None; count], xml: String::new() };
        if let Some(root) = description.node(NodeId::ROOT) {
            let mut builder = Builder { description, inner: &mut inner };
            builder.add(root, None, "", &Scope::default());
        }
        inner.xml = xml::write(&inner.id, &inner.rows);
        Self(Arc::new(inner))
    }

    /// Returns the XML.
    pub fn xml(&self) -> &str {
        &self.0.xml
    }

    /// Returns the number of a node. The decorators that are attributes in XML have the number of their child.
    pub fn uid(&self, node: NodeId) -> Option<u16> {
        self.row_of(node).map(uid_of)
    }

    /// Returns the node with this number.
    pub fn node(&self, uid: u16) -> Option<NodeId> {
        let row = usize::from(uid).checked_sub(1)?;
        self.rows().get(row).map(|row| row.node)
    }
    pub(crate) fn id(&self) -> &str {
        &self.0.id
    }

    /// Returns the rows in the order of the XML: those of each tree, without those of the trees in it.
    pub(crate) fn tree_order(&self) -> Vec<usize> {
        let rows = self.rows();
        let roots = rows.iter().filter(|row| row.tree.is_some()).filter_map(|row| row.children.first().copied());
        let mut order = Vec::with_capacity(rows.len());
        for root in std::iter::once(0).chain(roots) {
            let mut row = root;
            let end = rows.get(root).map_or(root, |row| row.end);
            while row < end {
                order.push(row);
                row = if rows[row].tree.is_some() { rows[row].end } else { row + 1 };
            }
        }
        order
    }

    pub(crate) fn rows(&self) -> &[Row] {
        &self.0.rows
    }

    pub(crate) fn row_of(&self, node: NodeId) -> Option<usize> {
        self.0.of_nodes.get(node.index()).copied().flatten()
    }
}

/// Returns what is passed to a nested tree.
fn unquoted(param: &Parameter) -> &str {
    param.value.trim_matches('"')
}

/// The creation of a model.
struct Builder<'b> {
    description: &'b Description,
    inner: &'b mut Inner,
}

impl Builder<'_> {
    /// Adds a node and those below it, in a nested tree with this path and these names.
    fn add(&mut self, outer: &Described, parent: Option<usize>, path: &str, scope: &Scope) {
        let row = self.inner.rows.len();
        if row >= usize::from(u16::MAX) {
            return;
        }
        let (mut node, mut scripts, mut values) = (outer, Vec::new(), Vec::new());
        while is_attribute(node) {
            let Some(child) = self.description.children(node.id).next() else { break };
            let attributes = attributes(node, scope);
            let is_script = attributes.iter().any(|(name, _)| name.starts_with('_'));
            if is_script { &mut scripts } else { &mut values }.extend(attributes);
            self.inner.of_nodes[node.id.index()] = Some(row);
            node = child;
        }
        self.inner.of_nodes[node.id.index()] = Some(row);
        let Element { name, title, ports, manner } = Element::of(node, scope);
        let tree = (node.kind == Kind::Subtree).then(|| {
            let named = node.label.clone().unwrap_or_else(|| format!("{}::{}", node.name, row + 1));
            let path = if path.is_empty() { named } else { format!("{path}/{named}") };
            let passed = || node.params.iter().map(|param| (param.name.as_str(), unquoted(param)));
            Nested {
                path,
                scope: Scope::nested(passed()),
                fixed: passed()
                    .filter(|(_, value)| bt_behavior3::variable(value).is_none())
                    .map(|(port, value)| (port.to_owned(), value.to_owned()))
                    .collect(),
                prefix: format!("{}/.", node.file.as_ref().map_or("", |file| &file.id)),
            }
        });
        // A variable that is set once for a nested tree is the value that the XML passes.
        let passed = |name: &str| node.params.iter().find(|param| param.name == name).map(unquoted);
        let initial = |name: &str| values.iter().find(|(variable, _)| passed(name) == Some(variable));
        let attributes = ports.into_iter().map(|(name, value)| match initial(&name) {
            Some((_, value)) => (name, value.clone()),
            None => (name, value),
        });
        self.inner.rows.push(Row {
            node: node.id,
            outer: outer.id,
            parent,
            children: Vec::new(),
            end: row + 1,
            element: name,
            title,
            attributes: attributes.collect(),
            scripts,
            kind: node.kind,
            manner,
            tree: tree.clone(),
        });
        if let Some(parent) = parent {
            self.inner.rows[parent].children.push(row);
        }
        let (path, scope) = tree.as_ref().map_or((path, scope), |tree| (&*tree.path, &tree.scope));
        let below = self.description.descendants(node.id).filter(|below| below.parent == Some(node.id));
        for child in below.collect::<Vec<_>>() {
            self.add(child, Some(row), path, scope);
        }
        self.inner.rows[row].end = self.inner.rows.len();
    }
}
