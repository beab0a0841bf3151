//! What an agent remembers of a loaded tree.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::memory::Memory;
use crate::save::{Save, SavedOpen};

/// What an agent remembers of a [`DynTree`](super::DynTree): a bit for each node, a word for each that counts or measures time, and the states of leaves that have some.
/// It allocates in the first tick, and when a leaf with a state first runs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DynMemory {
    pub(super) words: Vec<u64>,
    pub(super) slots: Vec<Slot>,
}

/// The state of one leaf or decorator of the user's.
#[derive(Default)]
pub(super) enum Slot {
    /// It never ran.
    #[default]
    Empty,
    Live(Box<dyn State>),
    /// It was loaded from a save; the leaf knows what it means.
    Saved(Value),
}

/// A state whose type is not known.
pub(super) trait State: Any + Send + Sync {
    fn clone_box(&self) -> Box<dyn State>;
    fn as_any(&mut self) -> &mut dyn Any;
    fn save(&self) -> Value;
}

impl<T: Any + Clone + Send + Sync + Serialize> State for T {
    fn clone_box(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }

    fn save(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// What a node remembers, in the form in which it is saved.
pub(super) struct Parts<N: Save>(pub(super) Memory<N>);

impl<N: Save> Serialize for Parts<N> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        (SavedOpen::from(self.0.open.as_ref()), &self.0.kept).serialize(out)
    }
}

impl<'de, N: Save> Deserialize<'de> for Parts<N> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let (open, kept): (SavedOpen<_>, _) = Deserialize::deserialize(input)?;
        Ok(Self(Memory { open: open.into(), kept }))
    }
}

impl<N: Save> Clone for Parts<N> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<N: Save> Default for Parts<N> {
    fn default() -> Self {
        Self(Memory::new())
    }
}

impl Slot {
    /// The state of this type, new if there is none.
    pub(super) fn state<T: Any + Clone + Default + Send + Sync + Serialize + DeserializeOwned>(&mut self) -> &mut T {
        let fits = matches!(self, Slot::Live(state) if (**state).type_id() == core::any::TypeId::of::<T>());
        if !fits {
            let state: T = match core::mem::take(self) {
                // Of a save that was changed by hand, what cannot be read is as new.
                Slot::Saved(value) => serde_json::from_value(value).unwrap_or_default(),
                _ => T::default(),
            };
            *self = Slot::Live(Box::new(state));
        }
        let Slot::Live(state) = self else { unreachable!("it was just made") };
        (**state).as_any().downcast_mut().expect("it was just made for this type")
    }
}

impl Clone for Slot {
    fn clone(&self) -> Self {
        match self {
            Slot::Empty => Slot::Empty,
            Slot::Live(state) => Slot::Live((**state).clone_box()),
            Slot::Saved(value) => Slot::Saved(value.clone()),
        }
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slot::Empty => out.write_str("-"),
            Slot::Live(state) => (**state).save().fmt(out),
            Slot::Saved(value) => value.fmt(out),
        }
    }
}

impl Serialize for Slot {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Slot::Empty => out.serialize_none(),
            Slot::Live(state) => out.serialize_some(&(**state).save()),
            Slot::Saved(value) => out.serialize_some(value),
        }
    }
}

impl<'de> Deserialize<'de> for Slot {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let value = Option::<Value>::deserialize(input)?;
        Ok(value.map_or(Slot::Empty, Slot::Saved))
    }
}
