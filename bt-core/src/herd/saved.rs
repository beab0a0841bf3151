//! Saving herds.

use alloc::vec::Vec;

use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize, Serializer};

use crate::herd::{Herd, HerdMemories, Slot};
use crate::memory::Memory;
use crate::save::{Save, Saved, SavedOpen, read, refused};
use crate::tree::Tree;

/// The saved content of a herd.
#[derive(Deserialize)]
struct HerdParts<O, K> {
    newest: u32,
    places: Vec<Slot>,
    memories: Vec<(SavedOpen<O>, K)>,
}

/// A herd in a form that can be serialized, returned by [`Herd::saved`].
#[doc(hidden)]
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

impl<N: Tree> Herd<N> {
    /// Returns all memories in a form that can be serialized, if the tree implements [`Save`].
    pub fn saved(&self) -> Saved<HerdRef<'_, N>> {
        let refused = self.memories.iter().try_for_each(|memory| refused(&self.tree, &memory.kept, "saved"));
        Saved::new(&self.tree, refused.map(|()| HerdRef(self)))
    }
}

impl<N: Save> Herd<N> {
    /// Replaces all memories by the memories of a save. The herd can be the saved herd or a new one.
    ///
    /// Ids of agents from before the save are valid again. Ids of agents that were added to this herd after the save
    /// are invalid, and remain invalid.
    ///
    /// # Errors
    ///
    /// Returns an error if the memories were saved for a tree with another structure, if the input is not a save, or if it
    /// contains state of an [`unsaved`](crate::leaf::unsaved) leaf. The herd is then unchanged.
    pub fn load<'de, D: Deserializer<'de>>(&mut self, input: D) -> Result<(), D::Error> {
        let HerdParts { newest, places, memories } = read(&self.tree, input)?;
        memories.iter().try_for_each(|(_, kept)| refused(&self.tree, kept, "loaded")).map_err(de::Error::custom)?;
        if places.len() != memories.len() {
            let (slots, memories) = (places.len(), memories.len());
            return Err(de::Error::custom(format_args!("expected {slots} memories, one per slot, found {memories}")));
        }
        let mut numbers: Vec<_> = places.iter().filter(|place| !place.is_free()).map(|place| place.number()).collect();
        numbers.sort_unstable();
        if let Some([number, ..]) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(de::Error::custom(format_args!("duplicate agent number {number}")));
        }
        let free = (0..).zip(&places).filter(|(_, place)| place.is_free()).map(|(index, _)| index).collect();
        let newest = newest.max(numbers.last().copied().unwrap_or(0));
        let memories = memories.into_iter().map(|(open, kept)| Memory { open: open.into(), kept }).collect();
        self.set_memories(HerdMemories { memories, places, free, newest });
        Ok(())
    }
}
