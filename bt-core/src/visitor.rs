//! The visitor of tree descriptions.

use core::fmt;
use core::panic::Location;

use bt_words::{Family, Role};

use crate::outcomes::Outcomes;
use crate::property::Property;

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Kind {
    /// A node with several children: `selector`, `sequence`, `parallel`, …
    Composite,
    /// A node with one child: `invert`, `timeout`, a custom decorator, …
    Decorator,
    /// A named subtree: a `#[subtree]` function.
    Subtree,
    /// A finite state machine.
    Machine,
    /// A state of a machine.
    State,
    /// A leaf that only reads the context.
    Condition,
    /// A leaf that can change the context.
    Action,
}

impl Kind {
    /// Returns the kind of the words of a family.
    #[doc(hidden)]
    pub const fn of(family: Family) -> Self {
        match family {
            Family::Composite => Self::Composite,
            Family::Decorator => Self::Decorator,
            Family::Machine => Self::Machine,
            Family::State => Self::State,
            Family::Leaf => Self::Action,
        }
    }
}

/// The description of one node.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Info<'a> {
    /// The kind of the node.
    pub kind: Kind,
    /// The name of the node.
    pub name: Name<'a>,
    /// The statuses that the node can return.
    pub returns: Outcomes,
    /// The parameters, in order.
    pub params: &'a [Param<'a>],
}

/// The name of a node.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub enum Name<'a> {
    /// This name.
    Known(&'a str),
    /// The source text of the node in the tree or, if there is none, the name of this Rust type.
    Type(&'a str),
}

impl<'a> Name<'a> {
    /// Returns the name of a node with this source location, if it has one.
    pub fn at(self, place: Option<&'a SourceNode>) -> &'a str {
        match self {
            Name::Known(name) => name,
            Name::Type(name) => place.map_or(name, |place| place.text),
        }
    }
}

/// A parameter of a node.
#[derive(Clone, Copy)]
pub struct Param<'a> {
    /// The name in the source.
    pub name: &'a str,
    /// The value.
    pub value: &'a dyn fmt::Debug,
    /// The type, if it is known.
    #[doc(hidden)]
    pub type_name: Option<&'a str>,
    /// The default, if there is one.
    #[doc(hidden)]
    pub default: Option<&'a dyn fmt::Debug>,
    /// The unit of measurement, if there is one.
    #[doc(hidden)]
    pub unit: Option<&'a str>,
    /// The value as a property in a file, if serde can serialize it.
    #[doc(hidden)]
    pub property: Option<Property<'a>>,
}

impl<'a> Param<'a> {
    /// Creates a parameter without further information. In a file, its value is the `Debug` output. Numbers, text, and
    /// lists of these can be loaded again; an `Option` or a struct cannot.
    pub const fn new(name: &'a str, value: &'a dyn fmt::Debug) -> Self {
        Self { name, value, type_name: None, default: None, unit: None, property: None }
    }

    /// Creates a parameter of a known type, with its value in a file.
    #[doc(hidden)]
    pub const fn typed(
        name: &'a str,
        value: &'a dyn fmt::Debug,
        type_name: &'a str,
        property: Option<Property<'a>>,
    ) -> Self {
        Self { name, value, type_name: Some(type_name), default: None, unit: None, property }
    }
}

/// The source of a node in a `tree!`: its location, text and label. Created by the macro.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct SourceNode {
    /// The label after the keyword.
    pub label: Option<&'static str>,
    /// The source text of the node, for nodes without a name of their own.
    pub text: &'static str,
    /// The file, line and column of the first token.
    pub location: &'static Location<'static>,
    /// The sources of the children that are written in the same `tree!`, in order.
    pub children: &'static [SourceNode],
}

impl SourceNode {
    /// Creates the source of a node without children, located at the caller.
    #[track_caller]
    pub const fn new(label: Option<&'static str>, text: &'static str) -> Self {
        Self { label, text, location: Location::caller(), children: &[] }
    }
}

/// The source of a node whose tree follows a source file.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Followed<'a> {
    /// The label after the keyword.
    pub label: Option<&'a str>,
    /// The source text of the node, for nodes without a name of their own.
    pub text: &'a str,
    /// The file.
    pub file: &'a str,
    /// The line of the first token.
    pub line: u32,
    /// The column of the first token.
    pub column: u32,
    /// The warnings: parts of the node that can never run or have no effect, and the errors of an edit that the tree does not
    /// follow.
    pub warnings: &'a [&'a str],
}

/// The source text of a machine's transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TransitionText {
    /// The guard.
    pub on: &'static str,
    /// The name of the target state; `success` or `failure` if the transition ends the machine.
    pub to: &'static str,
}

/// A type that receives the description of a tree, in pre-order.
#[expect(unused_variables, reason = "the defaults ignore their arguments")]
pub trait Visitor {
    /// Receives the source of the next node. If there are several, the last location and the first label apply.
    #[doc(hidden)]
    fn place(&mut self, place: &'static SourceNode);
    /// Receives the source of the next node, if its tree follows a source file.
    #[doc(hidden)]
    fn follows(&mut self, source: Followed<'_>) {}
    /// Receives the label of the next node, if the node was not written in a `tree!`.
    #[doc(hidden)]
    fn label(&mut self, label: &str) {}
    /// Receives the role of the next node, if the node is not a child.
    #[doc(hidden)]
    fn role(&mut self, role: Role) {}
    /// Receives the registered name of the next node, if the node is a leaf that is named in a property of a file.
    #[doc(hidden)]
    fn registered(&mut self, name: &str) {}
    /// Receives the node of a Behavior3 file that corresponds to the next node.
    #[doc(hidden)]
    fn in_file(&mut self, file: InFile<'_>) {}
    /// Receives the properties of the next node in its file, if the node is a leaf that is made of them. It need not show them itself.
    #[doc(hidden)]
    fn properties(&mut self, properties: &[Param<'_>]) {}
    /// Receives the nodes of the file that the next tree was built from, in pre-order.
    #[doc(hidden)]
    fn file_nodes(&mut self, nodes: &'static [InFile<'static>]) {}
    /// Receives the state type of the next node, if the node is a leaf or a decorator.
    #[doc(hidden)]
    fn state(&mut self, state: StateType) {}
    /// Receives that the next node is a leaf that runs a future. A clone of its state does not contain the future.
    #[doc(hidden)]
    fn future(&mut self) {}
    /// Receives the transitions of the next node: a state, or a machine for its transitions from any state.
    #[doc(hidden)]
    fn transitions(&mut self, transitions: &'static [TransitionText]) {}
    /// Receives one transition of the next node, if the node was not written in a `tree!`.
    #[doc(hidden)]
    fn transition(&mut self, on: &str, to: &str) {}
    /// Receives a node. The nodes until the matching `leave` are below it.
    ///
    /// Returns the [`children`](SourceNode::children) of the node's source, if it has one. The node passes the source
    /// of each child to [`place`](Self::place) before it describes the child.
    #[doc(hidden)]
    fn enter(&mut self, info: &Info<'_>) -> &'static [SourceNode];
    /// Ends the node that was entered last.
    #[doc(hidden)]
    fn leave(&mut self);
}

/// A node in a file of the Behavior3 editor.
#[derive(Clone, Copy)]
pub struct InFile<'a> {
    /// The id. If a name in the file corresponds to several nested nodes, all of them have the same id.
    pub id: &'a str,
    /// The name.
    pub name: &'a str,
    /// The line and the column, if the file is text or XML and not an included one.
    pub place: Option<(u32, u32)>,
    /// The title, if it differs from the name.
    pub title: Option<&'a str>,
    /// The properties, displayed as JSON.
    pub properties: &'a (dyn fmt::Display + Sync),
    /// The other fields in the file, displayed as JSON: title, description, coordinates, …
    pub more: &'a (dyn fmt::Display + Sync),
    /// The warnings: parts of the node that can never run or have no effect.
    pub warnings: &'a [&'a str],
    /// `true` if the name is a custom name.
    pub is_own: bool,
    /// `true` if the node has no children in the file.
    pub is_leaf: bool,
}

impl fmt::Debug for InFile<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, name, place, title, properties, more, warnings, is_own, is_leaf } = self;
        out.debug_struct("InFile")
            .field("id", id)
            .field("name", name)
            .field("place", place)
            .field("title", title)
            .field("properties", &format_args!("{properties}"))
            .field("more", &format_args!("{more}"))
            .field("warnings", warnings)
            .field("is_own", is_own)
            .field("is_leaf", is_leaf)
            .finish()
    }
}

/// The type of the state of a leaf or decorator, as part of the fingerprint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StateType {
    /// The name of the type.
    pub name: &'static str,
    /// The size in bytes.
    pub size: usize,
}

impl StateType {
    /// Returns the description of the type `T`.
    pub fn of<T>() -> Self {
        Self { name: core::any::type_name::<T>(), size: size_of::<T>() }
    }
}

/// Returns the last segment of a type's path, without generics: `Talk` for `a::b::Talk<u8>`.
pub(crate) fn short_name<T: ?Sized>() -> &'static str {
    last_segment(core::any::type_name::<T>())
}

fn last_segment(path: &'static str) -> &'static str {
    let path = path.split('<').next().unwrap_or(path);
    path.rsplit("::").next().unwrap_or(path)
}
