//! Saving memories, and loading them into the same tree.

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{self, DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::Error as _;
use serde::{Deserialize, Serialize, Serializer};

use crate::describe::fingerprint;
use crate::edits::edits;
use crate::memory::Memory;
use crate::node::NodeShape;

/// A tree whose memories can be saved, by [`Tree::saved`](crate::Tree::saved) and
/// [`Tree::load`](crate::Tree::load): the state of all of its nodes is plain data that implements serde's traits.
///
/// This holds for every node of this crate. A boxed subtree must be a `BoxNode<C, SaveMemory>`. The state types of `#[leaf]` and
/// `#[action]` leaves must implement the traits, unless the leaf is [`unsaved`](crate::leaf::unsaved). A function that returns
/// such a tree declares the trait: `fn guard() -> impl Node<Guard> + Save`.
///
/// A save contains the [`fingerprint`](crate::Tree::fingerprint) of the tree. A tree with another structure rejects it. Times
/// in a save are times of the context's [`Clock`](crate::Clock). If that clock starts again, also save its time, and
/// [`shift`](crate::Tree::shift) the loaded memory.
///
/// A save is nested as deeply as the tree. Deserializers limit the nesting: the default of `serde_json` is 128
/// levels, which is about 50 nested parallels.
///
/// ```
/// use bt_core::prelude::*;
///
/// fn patrol() -> impl Node<Vec<char>> + Save {
///     let step = |step| move |log: &mut Vec<char>| log.push(step);
///     tree! { mem_sequence { step('a'), step('b'), pause, step('c') } }
/// }
/// fn pause(log: &mut Vec<char>) -> Status {
///     if log.ends_with(&['p']) { return Status::Success }
///     log.push('p');
///     Status::Running
/// }
///
/// let tree = patrol();
/// let (mut log, mut memory) = (vec![], tree.memory());
/// tree.tick(&mut log, &mut memory);
/// let save = serde_json::to_string(&tree.saved(&memory))?;
///
/// let mut memory = tree.memory();
/// tree.load(&mut memory, &mut serde_json::Deserializer::from_str(&save))?;
/// tree.tick(&mut log, &mut memory);                       // resumes where it was
/// assert_eq!(log, ['a', 'b', 'p', 'c']);
///
/// let other = tree! { for Vec<char>: mem_sequence { pause, pause } };
/// let error = other.load(&mut other.memory(), &mut serde_json::Deserializer::from_str(&save)).unwrap_err();
/// assert!(error.to_string().contains("made for a tree with another structure"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the state of `{Self}` cannot be saved",
    label = "not a tree that can be saved",
    note = "a function that returns a tree declares it: `fn name() -> impl Node<Context> + Save`",
    note = "a boxed subtree that can be saved is a `BoxNode<Context, SaveMemory>`, created by `BoxNode::saving(…)`",
    note = "a state of your own, in `type Open`, `type Kept`, `#[open]` or `#[kept]`, needs `#[derive(Serialize, Deserialize)]`",
    note = "a leaf whose state is not part of saves is `bt_core::leaf::unsaved(leaf)`"
)]
pub trait Save: NodeShape<Open: Serialize + DeserializeOwned, Kept: Serialize + DeserializeOwned> {}

// The message is about the tree, not about the state of one of its nodes.
#[diagnostic::do_not_recommend]
impl<N> Save for N where N: NodeShape<Open: Serialize + DeserializeOwned, Kept: Serialize + DeserializeOwned> + ?Sized {}

/// The state of a node in a tree that is declared as `+ Save`: every type that implements serde's traits.
#[diagnostic::on_unimplemented(
    message = "the state `{Self}` cannot be saved",
    label = "has the state `{Self}`",
    note = "a state of your own, in `type Open`, `type Kept`, `#[open]` or `#[kept]`, needs `#[derive(Serialize, Deserialize)]`",
    note = "a function that returns a tree declares it: `fn name() -> impl Node<Context> + Save`; a boxed subtree is a `BoxNode<Context, SaveMemory>`, created by `BoxNode::saving(…)`",
    note = "a leaf whose state is not part of saves is `bt_core::leaf::unsaved(leaf)`"
)]
pub trait SavedState {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned> SavedState for T {}

/// A node in a tree that is declared as `+ Save`. Expansions require it once per leaf, so that the error is reported at the leaf.
pub trait OpenSaved: Sized {
    /// Returns the node unchanged.
    fn saved(node: Self) -> Self;
}

impl<N: NodeShape<Open: SavedState>> OpenSaved for N {
    #[inline(always)]
    fn saved(node: N) -> N {
        node
    }
}

/// Like [`OpenSaved`], for the state that is kept across runs.
pub trait KeptSaved: Sized {
    /// Returns the node unchanged.
    fn saved(node: Self) -> Self;
}

impl<N: NodeShape<Kept: SavedState>> KeptSaved for N {
    #[inline(always)]
    fn saved(node: N) -> N {
        node
    }
}

/// A save that can be serialized, returned by [`Tree::saved`](crate::Tree::saved) and [`Herd::saved`](crate::Herd::saved).
#[derive(Clone, Debug, Serialize)]
pub struct Saved<T> {
    // The first field, also in formats that sort fields, so that it is read before the content that it protects.
    fingerprint: u64,
    #[serde(rename = "memory", serialize_with = "content", bound = "T: Serialize")]
    content: Result<T, String>,
}

impl<T> Saved<T> {
    /// Creates a save of a tree.
    pub(crate) fn new<N: NodeShape + ?Sized>(tree: &N, content: Result<T, String>) -> Self {
        Self { fingerprint: fingerprint(tree), content }
    }
}

fn content<T: Serialize, S: Serializer>(content: &Result<T, String>, out: S) -> Result<S::Ok, S::Error> {
    content.as_ref().map_err(S::Error::custom)?.serialize(out)
}

/// The memory of an agent in a form that can be serialized if its tree implements [`Save`]: so the compiler's error is about the tree.
#[doc(hidden)]
pub struct MemoryRef<'a, N: NodeShape + ?Sized>(&'a Memory<N>);

impl<N: Save + ?Sized> Serialize for MemoryRef<'_, N> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let Memory { open, kept } = self.0;
        (SavedOpen::from(open.as_ref()), kept).serialize(out)
    }
}

/// Returns the memory of an agent as a save.
pub(crate) fn saved<'a, N: NodeShape + ?Sized>(tree: &N, memory: &'a Memory<N>) -> Saved<MemoryRef<'a, N>> {
    Saved::new(tree, refused(tree, &memory.kept, "saved").map(|()| MemoryRef(memory)))
}

/// Reads the memory of an agent from a save.
pub(crate) fn loaded<'de, N: Save + ?Sized, D: Deserializer<'de>>(tree: &N, input: D) -> Result<Memory<N>, D::Error> {
    let (open, kept): (SavedOpen<_>, _) = read(tree, input)?;
    refused(tree, &kept, "loaded").map_err(de::Error::custom)?;
    Ok(Memory { open: open.into(), kept })
}

/// Returns an error that names a leaf of the tree whose state is not part of saves.
pub(crate) fn refused<N: NodeShape + ?Sized>(tree: &N, kept: &N::Kept, what: &str) -> Result<(), String> {
    match tree.unsaved_leaf(kept) {
        Some(name) => Err(format!("the state of leaf `{name}` cannot be {what}: the leaf is registered as `unsaved`")),
        None => Ok(()),
    }
}

/// The open state of a tree. This is not an `Option`, because JSON does not distinguish `Some(())` from `None`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[doc(hidden)]
pub enum SavedOpen<O> {
    /// The tree was not running.
    Idle,
    /// The tree was running with this state.
    Running(O),
}

impl<O> From<Option<O>> for SavedOpen<O> {
    fn from(open: Option<O>) -> Self {
        open.map_or(SavedOpen::Idle, SavedOpen::Running)
    }
}

impl<O> From<SavedOpen<O>> for Option<O> {
    fn from(run: SavedOpen<O>) -> Self {
        match run {
            SavedOpen::Idle => None,
            SavedOpen::Running(open) => Some(open),
        }
    }
}

/// Reads a save of a tree.
pub(crate) fn read<'de, N: NodeShape + ?Sized, T: Deserialize<'de>, D: Deserializer<'de>>(
    tree: &N,
    input: D,
) -> Result<T, D::Error> {
    let fingerprint = fingerprint(tree);
    input.deserialize_struct("Saved", &["fingerprint", "memory"], Reader { fingerprint, content: PhantomData })
}

struct Reader<T> {
    fingerprint: u64,
    content: PhantomData<T>,
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Field {
    Fingerprint,
    Memory,
}

impl<T> Reader<T> {
    fn check<E: de::Error>(&self, found: u64) -> Result<(), E> {
        if found == self.fingerprint {
            return Ok(());
        }
        let own = self.fingerprint;
        let message = format!(
            "the save was made for a tree with another structure: expected fingerprint {own:#018x}, found {found:#018x}{}",
            if edits() > 0 { "; note: trees of this program were edited while it runs" } else { "" }
        );
        Err(E::custom(message))
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Reader<T> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a save with the fields `fingerprint` and `memory`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut input: A) -> Result<T, A::Error> {
        let fingerprint = input.next_element()?.ok_or_else(|| de::Error::missing_field("fingerprint"))?;
        self.check(fingerprint)?;
        input.next_element()?.ok_or_else(|| de::Error::missing_field("memory"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut input: A) -> Result<T, A::Error> {
        let (mut checked, mut content) = (false, None);
        while let Some(field) = input.next_key()? {
            match field {
                Field::Fingerprint => {
                    self.check(input.next_value()?)?;
                    checked = true;
                }
                Field::Memory => content = Some(input.next_value()?),
            }
        }
        if !checked {
            return Err(de::Error::missing_field("fingerprint"));
        }
        content.ok_or_else(|| de::Error::missing_field("memory"))
    }
}
