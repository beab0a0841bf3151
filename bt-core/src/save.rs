//! Saving memories, and loading them into the same tree only.

use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{self, DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::herd::{Herd, Slot};
use crate::memory::Memory;
use crate::node::NodeShape;
use crate::tree::Tree;

/// A tree whose memories can be saved: everything that its nodes remember is plain data with serde.
///
/// Every node of this crate is; `#[leaf]` and `#[action]` leaves are if their `Open` is; boxed subtrees are not. A function that builds
/// such a tree says so: `fn guard() -> impl Node<Guard> + Save`.
///
/// A save carries the tree's [`fingerprint`](Tree::fingerprint) and is refused by a tree of another structure. Times in it are those of the context's
/// [`Clock`](crate::Clock): where that begins anew, save what it said too, and [`shift`](Tree::shift) what was loaded.
///
/// A save is nested as deeply as the tree is. Readers have limits of their own: that of `serde_json` ends at 128 levels, about 50 parallels one in another, unless it is told otherwise.
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
/// let mut memory = tree.load(&mut serde_json::Deserializer::from_str(&save))?;
/// tree.tick(&mut log, &mut memory);                       // goes on where it was
/// assert_eq!(log, ['a', 'b', 'p', 'c']);
///
/// let other = tree! { for Vec<char>: mem_sequence { pause, pause } };
/// let error = other.load(&mut serde_json::Deserializer::from_str(&save)).unwrap_err();
/// assert!(error.to_string().contains("made for a tree of another structure"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the state of `{Self}` cannot be saved",
    label = "a node below has state without serde",
    note = "every `type Open`, `type Kept` and `#[open]` state needs `#[derive(Serialize, Deserialize)]`; boxed subtrees cannot be saved"
)]
pub trait Save: NodeShape<Open: Serialize + DeserializeOwned, Kept: Serialize + DeserializeOwned> {
    /// A memory in the form in which it is saved, for any format of serde.
    fn saved<'a>(&self, memory: &'a Memory<Self>) -> Saved<(SavedOpen<&'a Self::Open>, &'a Self::Kept)> {
        Saved { fingerprint: self.fingerprint(), content: (memory.open.as_ref().into(), &memory.kept) }
    }

    /// Loads a memory.
    ///
    /// # Errors
    ///
    /// If it was saved for a tree of another structure, or if the input is no save.
    fn load<'de, D: Deserializer<'de>>(&self, input: D) -> Result<Memory<Self>, D::Error> {
        let (open, kept): (SavedOpen<_>, _) = read(self.fingerprint(), input)?;
        Ok(Memory { open: open.into(), kept })
    }
}

impl<N> Save for N where N: NodeShape<Open: Serialize + DeserializeOwned, Kept: Serialize + DeserializeOwned> + ?Sized {}

/// A save, ready to be written: [`Save::saved`], [`Herd::saved`].
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Saved<T> {
    // First, also where a format sorts its fields, so that it is read before what it guards.
    fingerprint: u64,
    #[serde(rename = "memory")]
    content: T,
}

/// Whether a tree was running. (Not an `Option`: to JSON, `Some(())` and `None` are one.)
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum SavedOpen<O> {
    /// It was not.
    Idle,
    /// It was.
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

/// What is saved of a herd.
#[derive(Deserialize)]
struct HerdParts<O, K> {
    newest: u32,
    places: Vec<Slot>,
    memories: Vec<(SavedOpen<O>, K)>,
}

/// A herd as it is written: [`Herd::saved`].
pub struct HerdRef<'a, N: Tree>(&'a Herd<N>);

impl<N: Save> Serialize for HerdRef<'_, N> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Parts<'a, O, K> {
            newest: u32,
            places: &'a [Slot],
            memories: Vec<(SavedOpen<&'a O>, &'a K)>,
        }
        let memories = self.0.memories.iter().map(|memory| (memory.open.as_ref().into(), &memory.kept)).collect();
        Parts { newest: self.0.newest, places: &self.0.places, memories }.serialize(out)
    }
}

impl<N: Save> Herd<N> {
    /// All memories in the form in which they are saved.
    pub fn saved(&self) -> Saved<HerdRef<'_, N>> {
        Saved { fingerprint: self.tree.fingerprint(), content: HerdRef(self) }
    }

    /// Loads all memories in the place of those that are there: into the herd that was saved, or into a new one. Members from before the save are valid again, those
    /// that were added to this herd after it are not, and never will be.
    ///
    /// # Errors
    ///
    /// If they were saved for a tree of another structure, or if the input is no save; the herd stays as it was.
    pub fn load<'de, D: Deserializer<'de>>(&mut self, input: D) -> Result<(), D::Error> {
        let HerdParts { newest, places, memories } = read(self.tree.fingerprint(), input)?;
        if places.len() != memories.len() {
            let (places, memories) = (places.len(), memories.len());
            return Err(de::Error::custom(format_args!("a herd of {places} places with {memories} memories")));
        }
        let mut numbers: Vec<_> = places.iter().filter(|place| place.is_taken()).map(|place| place.0).collect();
        numbers.sort_unstable();
        if numbers.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(de::Error::custom("two agents of this herd have the same number"));
        }
        self.free = (0..).zip(&places).filter(|(_, place)| !place.is_taken()).map(|(index, _)| index).collect();
        self.newest = self.newest.max(newest).max(numbers.last().copied().unwrap_or(0));
        self.memories = memories.into_iter().map(|(open, kept)| Memory { open: open.into(), kept }).collect();
        self.places = places;
        Ok(())
    }
}

/// Reads a save for the tree with this fingerprint.
fn read<'de, T: Deserialize<'de>, D: Deserializer<'de>>(fingerprint: u64, input: D) -> Result<T, D::Error> {
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
            "this save was made for a tree of another structure: its fingerprint is {found:#018x}, this tree's is {own:#018x}"
        );
        Err(E::custom(message))
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Reader<T> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a save: the fingerprint of a tree and what was remembered of it")
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
