//! Keys: typed names of variables.

use alloc::sync::Arc;
use core::cmp::Ordering;
use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

#[cfg(feature = "serde")]
use crate::board::entry::{Format, Value};
use crate::id::NodeId;

/// The typed name of a variable of a [`Board`](crate::board::Board).
///
/// A value of another type does not compile: `board.set(&HUNGER, "very")` is a type error.
///
/// ```
/// use bt_core::prelude::*;
///
/// const HUNGER: Key<u32> = Key::new("hunger");
///
/// let mut board = Board::new();
/// assert_eq!(board.get(&HUNGER), None);
/// board.set(&HUNGER, 3);
/// board.set(&HUNGER.in_tree("patrol"), 5);          // another variable
/// assert_eq!(board.get(&HUNGER), Some(&3));
/// ```
///
/// ```compile_fail
/// # use bt_core::prelude::*;
/// const HUNGER: Key<u32> = Key::new("hunger");
/// Board::new().set(&HUNGER, "very");
/// ```
pub struct Key<T> {
    pub(crate) place: VariableId,
    #[cfg(feature = "serde")]
    pub(crate) format: Option<Format>,
    holds: PhantomData<fn() -> T>,
}

/// The scope and the name of a variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct VariableId {
    pub(crate) scope: Scope,
    pub(crate) name: Text,
}

impl VariableId {
    const fn global(name: &'static str) -> Self {
        Self { scope: Scope::Global, name: Text::Static(name) }
    }
}

/// The scope of a variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[doc(hidden)]
pub enum Scope {
    /// The whole board.
    Global,
    /// A tree, by its name.
    Tree(Text),
    /// A node of a tree, by the name of the tree and the node's id.
    Node(Text, NodeId),
}

/// A name, either a string literal or a string created at run time.
#[derive(Clone)]
#[doc(hidden)]
pub enum Text {
    /// A string literal.
    Static(&'static str),
    /// A string created at run time.
    Shared(Arc<str>),
}

impl Text {
    /// Returns the name as a string slice.
    pub fn as_str(&self) -> &str {
        match self {
            Text::Static(text) => text,
            Text::Shared(text) => text,
        }
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(out)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text::Shared(text.into())
    }
}

impl<T> Key<T> {
    /// Creates a key with this name and global scope.
    pub const fn new(name: &'static str) -> Self {
        Self {
            place: VariableId::global(name),
            #[cfg(feature = "serde")]
            format: None,
            holds: PhantomData,
        }
    }

    /// Creates a key whose variable is part of saves, with this name and global scope. See [`Board::load`](crate::board::Board::load).
    #[cfg(feature = "serde")]
    pub const fn saved(name: &'static str) -> Self
    where
        T: Value + serde::Serialize + serde::de::DeserializeOwned,
    {
        Self { place: VariableId::global(name), format: Some(Format::of::<T>()), holds: PhantomData }
    }

    /// Creates a key of a variable that belongs to this key and its clones only: each call creates another variable.
    ///
    /// In a subtree function, each use of the subtree has a variable of its own. All uses of one tree, as `&tree` or by
    /// several agents with one board, share one variable.
    ///
    /// ```
    /// use bt_core::board::{compare, set};
    /// use bt_core::prelude::*;
    ///
    /// #[action]
    /// fn add(_: &mut Board, #[input] count: u32, #[output] sum: &mut Option<u32>) { *sum = Some(count + 1) }
    ///
    /// #[subtree]
    /// fn count_to(end: u32) -> impl Node<Board> {
    ///     let count = Key::local("count");
    ///     tree! {
    ///         mem_sequence {
    ///             set(count.clone(), 0),
    ///             until_success { sequence { add(count.clone(), count.clone()), compare(count, move |count| *count == end) } }
    ///         }
    ///     }
    /// }
    ///
    /// let tree = tree! { for Board: mem_parallel { count_to(2), count_to(3) } };
    /// let (mut board, mut memory) = (Board::new(), tree.memory());
    /// let statuses = [(); 3].map(|()| tree.tick(&mut board, &mut memory));
    /// assert_eq!(statuses, [Status::Running, Status::Running, Status::Success]);
    /// ```
    pub fn local(name: &'static str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Self::new(name).in_node("local variables", NodeId::new(NEXT.fetch_add(1, Relaxed)))
    }

    pub(crate) fn shared(name: Text) -> Self {
        Self { place: VariableId { scope: Scope::Global, name }, ..Self::new("") }
    }

    /// Returns the key of the variable of the same name that belongs to a tree.
    #[must_use]
    pub fn in_tree(mut self, tree: &'static str) -> Self {
        self.place.scope = Scope::Tree(Text::Static(tree));
        self
    }

    /// Returns the key of the variable of the same name that belongs to a node of a tree.
    #[must_use]
    pub fn in_node(mut self, tree: &'static str, node: NodeId) -> Self {
        self.place.scope = Scope::Node(Text::Static(tree), node);
        self
    }

    /// Returns the scope of the variable.
    #[doc(hidden)]
    pub const fn scope(&self) -> &Scope {
        &self.place.scope
    }
}

impl Key<()> {
    /// Creates a key with this name and global scope, for a variable whose type is not known at compile time.
    #[doc(hidden)]
    pub fn named(name: &str) -> Self {
        Self::shared(name.into())
    }
}

impl<T> Key<T> {
    /// Returns the key of the same variable for a value of any type.
    pub(crate) fn untyped(&self) -> Key<()> {
        Key { place: self.place.clone(), ..Key::new("") }
    }
}

impl<T> Clone for Key<T> {
    fn clone(&self) -> Self {
        Self {
            place: self.place.clone(),
            #[cfg(feature = "serde")]
            format: self.format,
            holds: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Key<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{{{}}}", self.place.name.as_str())
    }
}
