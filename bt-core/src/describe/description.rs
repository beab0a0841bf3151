//! The description of a tree as a value.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::panic::Location;

use crate::describe::{Followed, InFile, Info, Kind, Name, Param, Role, SourceNode, TransitionText, Visitor};
use crate::id::NodeId;
use crate::node::NodeShape;
use crate::outcomes::Outcomes;

/// The description of a tree: all of its nodes in pre-order. `Display` draws the tree as text; [`draw`](Self::draw)
/// offers other forms.
///
/// With the feature `serde` it can be serialized and deserialized: as a sequence of maps with the fields of
/// [`Described`], the source location as `file:line:column`.
///
/// ```
/// use bt_core::prelude::*;
///
/// fn near(_: &u8) -> bool { true }
/// let tree = tree! { for u8: selector "guard" { sequence { near, fail }, run } };
///
/// let description = tree.description();
/// assert_eq!(description.node(NodeId::ROOT).unwrap().label.as_deref(), Some("guard"));
/// assert_eq!(description.to_string(), "\
/// selector \"guard\"
/// ├─ sequence
/// │  ├─ near
/// │  └─ fail
/// └─ run
/// ");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Description {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::parse::in_order"))]
    nodes: Vec<Described>,
}

/// One node of a [`Description`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Described {
    /// The id of the node: its index in pre-order.
    pub id: NodeId,
    /// The node above; `None` for the root.
    pub parent: Option<NodeId>,
    /// The relation of the node to the node above.
    #[cfg_attr(feature = "serde", serde(default))]
    pub role: Role,
    /// The kind of node.
    pub kind: Kind,
    /// The name of the node.
    pub name: String,
    /// The label in the tree, if the node has one.
    pub label: Option<String>,
    /// The parameters, in order.
    pub params: Vec<Parameter>,
    /// The source location in a `tree!`; `None` if the node was not written in one.
    pub location: Option<Source>,
    /// The statuses that the node can return.
    pub returns: Outcomes,
    /// The transitions out of the node, if it is a state. For a machine, the transitions that apply in every state.
    pub transitions: Vec<Transition>,
    /// The corresponding node in the file that the tree was built from, if there is one.
    #[cfg_attr(feature = "serde", serde(default))]
    pub file: Option<FileNode>,
    /// The warnings of a loaded tree: why a part of the node can never run, or has no effect. For a live tree, also the errors of
    /// an edit that the tree does not follow.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub warnings: Vec<String>,
}

/// A node in a file of the Behavior3 editor. See [`InFile`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FileNode {
    /// The id of the node.
    pub id: String,
    /// The name of the node.
    pub name: String,
    /// The line and the column, if the file is text or XML and not an included one.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub place: Option<(u32, u32)>,
    /// The properties, as JSON.
    pub properties: String,
    /// All other fields of the node in the file, as JSON.
    pub more: String,
}

impl From<&InFile<'_>> for FileNode {
    fn from(file: &InFile<'_>) -> Self {
        Self {
            id: file.id.to_owned(),
            name: file.name.to_owned(),
            place: file.place,
            properties: file.properties.to_string(),
            more: file.more.to_string(),
        }
    }
}

/// A source location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file, as passed to the compiler.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1.
    pub column: u32,
}

#[doc(hidden)]
impl From<&Location<'_>> for Source {
    fn from(location: &Location<'_>) -> Self {
        Self { file: location.file().to_owned(), line: location.line(), column: location.column() }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A transition of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Transition {
    /// The guard, as source text.
    pub on: String,
    /// The name of the target state; `success` or `failure` if the transition ends the machine.
    pub to: String,
}

impl From<&TransitionText> for Transition {
    fn from(text: &TransitionText) -> Self {
        Self { on: text.on.to_owned(), to: text.to.to_owned() }
    }
}

/// A parameter of a node, with its value as text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Parameter {
    /// The name in the source.
    pub name: String,
    /// The value, formatted with `Debug`.
    pub value: String,
    /// The type, if it is known.
    pub type_name: Option<String>,
    /// The default, if there is one, formatted with `Debug`.
    pub default: Option<String>,
    /// The unit of measurement, if there is one.
    pub unit: Option<String>,
    /// The value as JSON, if it differs from the `Debug` output, as for a struct. Requires the feature `json`.
    #[cfg_attr(feature = "serde", serde(default))]
    #[doc(hidden)]
    pub property: Option<String>,
}

#[doc(hidden)]
impl From<&Param<'_>> for Parameter {
    fn from(param: &Param<'_>) -> Self {
        let value = format!("{:?}", param.value);
        Self {
            name: param.name.to_owned(),
            property: param.property.and_then(|property| property.beyond(&value)),
            value,
            type_name: param.type_name.map(ToOwned::to_owned),
            default: param.default.map(|default| format!("{default:?}")),
            unit: param.unit.map(ToOwned::to_owned),
        }
    }
}

impl Description {
    /// Returns the description of a tree.
    #[doc(hidden)]
    pub fn of<N: NodeShape>(tree: &N) -> Self {
        Self::by(&|visitor| tree.describe(visitor))
    }

    /// Returns the description of the tree that this function describes. It is compiled once for all trees.
    pub(crate) fn by(describe: &dyn Fn(&mut dyn Visitor)) -> Self {
        let mut builder = Builder::default();
        describe(&mut builder);
        Self { nodes: builder.nodes }
    }

    /// Creates a description from nodes in pre-order.
    pub(crate) const fn from_nodes(nodes: Vec<Described>) -> Self {
        Self { nodes }
    }

    /// Returns all nodes in pre-order: the node with id `i` is at index `i`.
    pub fn nodes(&self) -> &[Described] {
        &self.nodes
    }

    /// Returns the node with this id; `None` if there is no such node.
    pub fn node(&self, id: NodeId) -> Option<&Described> {
        self.nodes.get(id.index())
    }

    /// Returns the children of a node, in order. The guards of transitions, the `enter:` and `exit:` actions of states,
    /// and the actions of services are [`attachments`](Self::attachments).
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = &Described> {
        self.below(id).filter(|node| node.role.is_child())
    }

    /// Returns the nodes below a node that are not children, in order: see [`Role`].
    #[doc(hidden)]
    pub fn attachments(&self, id: NodeId) -> impl Iterator<Item = &Described> {
        self.below(id).filter(|node| !node.role.is_child())
    }

    /// Returns all nodes below a node, in pre-order.
    #[doc(hidden)]
    pub fn descendants(&self, id: NodeId) -> impl Iterator<Item = &Described> {
        // In pre-order, the descendants of a node directly follow it.
        self.nodes.iter().skip(id.index() + 1).take_while(move |node| node.parent >= Some(id))
    }

    fn below(&self, id: NodeId) -> impl Iterator<Item = &Described> {
        self.descendants(id).filter(move |node| node.parent == Some(id))
    }

    /// Returns the nodes in whose visits a node is visited, nearest first. A machine visits the guards and actions of its
    /// states, before or after it visits the state.
    pub(crate) fn visitors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let visitor = |id: NodeId| {
            let node = self.node(id)?;
            let parent = self.node(node.parent?)?;
            if parent.kind == Kind::State && !node.role.is_child() { parent.parent } else { Some(parent.id) }
        };
        core::iter::successors(visitor(id), move |id| visitor(*id))
    }

    /// Returns the first node that a path names, in pre-order.
    ///
    /// A path is a name, or several names separated by `/`. A name matches the label of a node, its name, its name with
    /// parameters as in a drawing, such as `walk_to(post: 3)`, or its id in a file. `"attack/aim"` matches each node `aim`
    /// anywhere below a node `attack`. The empty path is the root.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// # fn aim(_: &mut u8) -> Status { Status::Running }
    /// # fn hide(_: &mut u8) -> Status { Status::Running }
    /// let tree = tree! { for u8: selector { sequence "attack" { hide, aim } sequence "flee" { hide, run } } };
    ///
    /// let description = tree.description();
    /// assert_eq!(description.find("flee/hide").map(|node| node.id.index()), Some(5));
    /// assert_eq!(description.find("sequence").map(|node| node.id.index()), Some(1));
    /// assert_eq!(description.find("flee/aim"), None);
    /// assert_eq!(description.find_all("hide").count(), 2);
    /// ```
    pub fn find(&self, path: &str) -> Option<&Described> {
        self.find_all(path).next()
    }

    /// Returns all nodes that a path names, in pre-order. See [`find`](Self::find).
    pub fn find_all<'a>(&'a self, path: &str) -> impl Iterator<Item = &'a Described> {
        self.nodes.iter().filter(move |node| self.is_at(node, path))
    }

    /// Returns the path of a node: its label, or its name with parameters, after the labeled nodes, subtrees and states that
    /// contain it. [`find`](Self::find) accepts the path, unless a label contains `/`. Other nodes may have the same path.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// # #[action] fn walk_to(_: &mut u8, post: u32) -> bool { post < 3 }
    /// #[subtree]
    /// fn patrol() -> impl Node<u8> { tree! { mem_sequence { walk_to(1), walk_to(2) } } }
    ///
    /// let tree = tree! { for u8: selector { sequence "day" { patrol() } run } };
    /// let description = tree.description();
    /// assert_eq!(description.path_of(NodeId::new(5)), "day/patrol/walk_to(post: 2)");
    /// assert_eq!(description.find("day/patrol/walk_to(post: 2)").unwrap().id, NodeId::new(5));
    /// ```
    pub fn path_of(&self, id: NodeId) -> String {
        let Some(node) = self.node(id) else { return String::new() };
        let mut names = alloc::vec![node.label.clone().unwrap_or_else(|| node.call())];
        let above = core::iter::successors(node.parent, |id| self.node(*id)?.parent);
        for node in above.filter_map(|id| self.node(id)) {
            match &node.label {
                Some(label) => names.push(label.clone()),
                None if matches!(node.kind, Kind::Subtree | Kind::State) => names.push(node.name.clone()),
                None => {}
            }
        }
        names.reverse();
        names.join("/")
    }

    /// Returns `true` if a path names this node.
    fn is_at(&self, node: &Described, path: &str) -> bool {
        if path.is_empty() {
            return node.parent.is_none();
        }
        // A name may contain the separator.
        if node.is_named(path) {
            return true;
        }
        let Some((above, name)) = path.rsplit_once('/') else { return false };
        let mut above = above.rsplit('/').peekable();
        let mut parent = node.parent;
        while let (Some(name), Some(node)) = (above.peek(), parent.and_then(|parent| self.node(parent))) {
            if node.is_named(name) {
                above.next();
            }
            parent = node.parent;
        }
        node.is_named(name) && above.peek().is_none()
    }
}

impl Described {
    fn is_named(&self, name: &str) -> bool {
        let id = self.file.as_ref().map(|file| file.id.as_str());
        self.label.as_deref() == Some(name) || self.name == name || id == Some(name) || self.call() == name
    }
}

/// A tree that was built from a file, while it is described.
struct Scope {
    nodes: &'static [InFile<'static>],
    /// The index of the next node.
    next: usize,
    /// The root of the tree.
    root: NodeId,
    /// The open nodes that have children in the file.
    holds: Vec<NodeId>,
}

/// The node of a file that corresponds to a node.
struct Found {
    node: FileNode,
    /// Whether its name in the file is a custom name.
    is_own: bool,
    /// Whether it has no children in the file.
    is_leaf: bool,
    warnings: Vec<String>,
}

/// Returns texts that outlive what they were shown for.
fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

impl From<&InFile<'_>> for Found {
    fn from(file: &InFile<'_>) -> Self {
        Self { node: file.into(), is_own: file.is_own, is_leaf: file.is_leaf, warnings: owned(file.warnings) }
    }
}

#[derive(Default)]
struct Builder {
    /// The next node as a node of a file.
    file: Option<Found>,
    from_file: Option<&'static [InFile<'static>]>,
    scopes: Vec<Scope>,
    nodes: Vec<Described>,
    open: Vec<NodeId>,
    place: Option<SourceNode>,
    role: Role,
    transitions: &'static [TransitionText],
    /// The registered name of the next node, if it is not a node of the file itself.
    registered: Option<String>,
    label: Option<String>,
    /// The properties of the next node in its file.
    properties: Vec<Parameter>,
    own_transitions: Vec<Transition>,
    /// The text, the location and the warnings of the next node, if its tree follows a source file.
    followed: Option<(String, Source, Vec<String>)>,
}

impl Builder {
    /// Returns the node of a file that corresponds to the node with this id, if there is one.
    fn in_which_file(&mut self, id: NodeId, role: Role) -> Option<Found> {
        if let Some(nodes) = self.from_file.take() {
            self.scopes.push(Scope { nodes, next: 0, root: id, holds: Vec::new() });
        } else if self.file.is_some() {
            return self.file.take();
        }
        let scope = self.scopes.last_mut()?;
        let parent = self.open.last();
        let is_in_it =
            id == scope.root || (role.is_child() && parent.is_some_and(|parent| scope.holds.last() == Some(parent)));
        let file = scope.nodes.get(scope.next).filter(|_| is_in_it)?;
        scope.next += 1;
        if !file.is_leaf {
            scope.holds.push(id);
        }
        if let Some(title) = file.title {
            self.label = Some(title.to_owned());
        }
        Some(file.into())
    }
}

impl Visitor for Builder {
    fn in_file(&mut self, file: InFile<'_>) {
        if let Some(title) = file.title {
            self.label = Some(title.to_owned());
        }
        self.file = Some((&file).into());
    }

    fn registered(&mut self, name: &str) {
        self.registered = Some(name.to_owned());
    }

    fn properties(&mut self, properties: &[Param<'_>]) {
        self.properties = properties.iter().map(Parameter::from).collect();
    }

    fn file_nodes(&mut self, nodes: &'static [InFile<'static>]) {
        self.from_file = Some(nodes);
    }

    fn transition(&mut self, on: &str, to: &str) {
        self.own_transitions.push(Transition { on: on.to_owned(), to: to.to_owned() });
    }

    fn follows(&mut self, source: Followed<'_>) {
        let Followed { label, text, file, line, column, warnings } = source;
        self.label = self.label.take().or(label.map(ToOwned::to_owned));
        let place = Source { file: file.to_owned(), line, column };
        self.followed = Some((text.to_owned(), place, owned(warnings)));
    }

    fn label(&mut self, label: &str) {
        self.label = Some(label.to_owned());
    }

    fn transitions(&mut self, transitions: &'static [TransitionText]) {
        self.transitions = transitions;
    }

    fn role(&mut self, role: Role) {
        self.role = role;
    }

    fn place(&mut self, place: &'static SourceNode) {
        let label = self.place.and_then(|before| before.label).or(place.label);
        self.place = Some(SourceNode { label, ..*place });
    }

    fn enter(&mut self, info: &Info<'_>) -> &'static [SourceNode] {
        let place = self.place.take();
        let mut transitions = core::mem::take(&mut self.own_transitions);
        transitions.extend(core::mem::take(&mut self.transitions).iter().map(Transition::from));
        let id = NodeId::new(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let role = core::mem::take(&mut self.role);
        let file = self.in_which_file(id, role);
        let (text, followed, warnings) = match self.followed.take() {
            Some((text, place, warnings)) => (Some(text), Some(place), warnings),
            None => (None, None, Vec::new()),
        };
        let mut name = match (info.name, place, text) {
            (Name::Type(_), None, Some(text)) => text,
            (name, ..) => name.at(place.as_ref()).to_owned(),
        };
        // The label in a `tree!` around a loaded tree comes before the title in its file.
        let title = self.label.take();
        let mut label = place.and_then(|place| place.label).map(ToOwned::to_owned).or(title);
        // A custom node has the name that the file uses.
        let own = match &file {
            Some(Found { node, is_own: true, .. }) => Some(node.name.clone()),
            _ => self.registered.take(),
        };
        let given = core::mem::take(&mut self.properties);
        let mut params: Vec<_> = info.params.iter().map(Parameter::from).collect();
        if params.is_empty() && matches!(info.kind, Kind::Condition | Kind::Action) {
            params = given;
        }
        if let Some(own) = own {
            // A composite with children in the file is custom; one without is the root of a registered subtree.
            let is_composite = file.as_ref().is_some_and(|file| !file.is_leaf);
            match info.kind {
                Kind::Condition | Kind::Action | Kind::Decorator => name = own,
                Kind::Composite if is_composite => name = own,
                _ => label = label.or(Some(own)),
            }
        }
        self.nodes.push(Described {
            id,
            parent: self.open.last().copied(),
            role,
            kind: info.kind,
            name,
            label,
            params,
            location: place.map(|place| place.location.into()).or(followed),
            returns: info.returns,
            transitions,
            warnings: file.as_ref().map_or(warnings, |file| file.warnings.clone()),
            file: file.map(|file| file.node),
        });
        self.open.push(id);
        place.map_or(&[], |place| place.children)
    }

    fn leave(&mut self) {
        let Some(left) = self.open.pop() else { return };
        if let Some(scope) = self.scopes.last_mut() {
            if scope.holds.last() == Some(&left) {
                scope.holds.pop();
            }
            if scope.root == left {
                self.scopes.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_type_is_called_by_the_last_part_of_its_path() {
        assert_eq!(crate::describe::short_name::<core::option::Option<core::time::Duration>>(), "Option");
        assert_eq!(crate::describe::short_name::<u8>(), "u8");
    }
}
