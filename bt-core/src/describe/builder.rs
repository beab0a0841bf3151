//! Builds the description of a tree from what its nodes tell a visitor.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::describe::{
    Described, FileNode, Followed, InFile, Info, Kind, Name, Param, Parameter, Role, Source, SourceNode, Transition,
    TransitionText, Visitor,
};
use crate::id::NodeId;

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

/// A visitor that stores everything.
#[derive(Default)]
pub(super) struct Builder {
    /// The next node as a node of a file.
    file: Option<Found>,
    from_file: Option<&'static [InFile<'static>]>,
    scopes: Vec<Scope>,
    pub(super) nodes: Vec<Described>,
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
