//! How a node shows itself: the events that a tree's description consists of.

use core::fmt;
use core::panic::Location;

use bt_words::{Family, Role};

use crate::outcomes::Outcomes;
use crate::property::Property;

/// What sort of node it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Kind {
    /// Several children: `selector`, `sequence`, `parallel`, …
    Composite,
    /// One child: `invert`, `timeout`, your own, …
    Decorator,
    /// A stored subtree: a `#[subtree]` function.
    Subtree,
    /// A finite state machine.
    Machine,
    /// A state of a machine.
    State,
    /// A leaf that looks and does not touch.
    Condition,
    /// A leaf that does something.
    Action,
}

impl Kind {
    /// The kind of the words of a family.
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

/// What a node says of itself.
#[derive(Clone, Copy)]
pub struct Info<'a> {
    /// What sort of node it is.
    pub kind: Kind,
    /// How it is called.
    pub name: Name<'a>,
    /// Which statuses it can ever give.
    pub can: Outcomes,
    /// Its parameters, in order.
    pub params: &'a [Param<'a>],
}

/// How a node is called.
#[derive(Clone, Copy, Debug)]
pub enum Name<'a> {
    /// By this name.
    Known(&'a str),
    /// By the text that stands for it in the tree; where there is none, by the name of this Rust type.
    Type(&'a str),
}

impl<'a> Name<'a> {
    /// The name of a node that stands at a place, if it stands at one.
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
    /// Its name in the source.
    pub name: &'a str,
    /// Its value.
    pub value: &'a dyn fmt::Debug,
    /// Its type, where it is known.
    pub type_name: Option<&'a str>,
    /// Its default, if it has one.
    pub default: Option<&'a dyn fmt::Debug>,
    /// The unit that it is measured in, if it has one.
    pub unit: Option<&'a str>,
    /// Its value as a property in a file, where serde can write it.
    pub property: Option<Property<'a>>,
}

impl<'a> Param<'a> {
    /// A parameter of which no more is known. In a file it is written as `Debug` shows it: numbers, text and lists of them load again, an `Option` or a struct does not.
    pub const fn new(name: &'a str, value: &'a dyn fmt::Debug) -> Self {
        Self { name, value, type_name: None, default: None, unit: None, property: None }
    }
}

/// Where and as what a node stands in a `tree!`: made by the macro.
#[derive(Clone, Copy, Debug)]
pub struct SourceNode {
    /// The label that follows the keyword.
    pub label: Option<&'static str>,
    /// The node as it is written, for those without a name of their own.
    pub text: &'static str,
    /// File, line and column of its first token.
    pub location: &'static Location<'static>,
    /// Where its children stand, in order, as far as they stand in the same `tree!`.
    pub children: &'static [SourceNode],
}

impl SourceNode {
    /// The place where this is called, of a node without children.
    #[track_caller]
    pub const fn new(label: Option<&'static str>, text: &'static str) -> Self {
        Self { label, text, location: Location::caller(), children: &[] }
    }
}

/// A transition of a machine, as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TransitionText {
    /// When it may be followed.
    pub on: &'static str,
    /// The name of the state it leads to; `success` or `failure` if it leads out.
    pub to: &'static str,
}

/// Somebody to whom a tree shows itself, in pre-order.
pub trait Visitor {
    /// Says where the next node stands. Of several the last holds, but a label once given is kept.
    fn place(&mut self, place: &'static SourceNode);
    /// Says how the next node is labelled, if it stands in no `tree!`.
    fn label(&mut self, label: &str) {
        let _ = label;
    }
    /// Says what the next node is to the one above it, if it is not a child like any other.
    fn role(&mut self, role: Role) {
        let _ = role;
    }
    /// Says which name the next node is registered under, if it is a leaf that a node of a file names in a property.
    fn registered(&mut self, name: &str) {
        let _ = name;
    }
    /// Says what the next node is in a file of the Behavior3 editor.
    fn in_file(&mut self, file: InFile<'_>) {
        let _ = file;
    }
    /// Says what the nodes of the next tree are in the file that it was made of, in pre-order.
    fn file_nodes(&mut self, nodes: &'static [InFile<'static>]) {
        let _ = nodes;
    }
    /// Says what the next node remembers, if it is a leaf or a decorator that does.
    fn state(&mut self, state: StateType) {
        let _ = state;
    }
    /// Says which transitions lead out of the next node: a state, or any state of a machine.
    fn transitions(&mut self, transitions: &'static [TransitionText]) {
        let _ = transitions;
    }
    /// Says that a transition leads out of the next node, if it stands in no `tree!`.
    fn transition(&mut self, on: &str, to: &str) {
        let _ = (on, to);
    }
    /// A node; the nodes until the matching `leave` are below it. Returns the [`children`](SourceNode::children) of its place, if it has one:
    /// the node says of each child where it stands before it shows it.
    fn enter(&mut self, info: &Info<'_>) -> &'static [SourceNode];
    /// The end of the node entered last.
    fn leave(&mut self);
}

/// What a node is in a file of the Behavior3 editor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InFile<'a> {
    /// Its id. Where a name of the file stands for several nodes, one below the other, all have the same.
    pub id: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its title, where that is not its name.
    pub title: Option<&'a str>,
    /// Its properties, as JSON.
    pub properties: &'a str,
    /// What else the file says of it: title, description, coordinates, …; as JSON.
    pub more: &'a str,
    /// Whether the name is one of the user's own.
    pub is_own: bool,
    /// Whether it has no children in the file.
    pub is_leaf: bool,
}

/// The type of a leaf's or decorator's state, as part of the fingerprint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StateType {
    /// The type's name.
    pub name: &'static str,
    /// Its size in bytes.
    pub size: usize,
}

impl StateType {
    /// What a state of this type is.
    pub fn of<T>() -> Self {
        Self { name: core::any::type_name::<T>(), size: size_of::<T>() }
    }
}

/// The last part of a type's path, without its generics: `a::b::Talk<u8>` is `Talk`.
pub(crate) fn short_name<T: ?Sized>() -> &'static str {
    let path = core::any::type_name::<T>();
    let path = path.split('<').next().unwrap_or(path);
    path.rsplit("::").next().unwrap_or(path)
}
