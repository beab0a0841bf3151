//! What an agent remembers of a loaded tree.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::save::Save;

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

/// What a node remembers.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct Parts<N: Save> {
    #[serde(with = "idle_or_running")]
    pub(super) open: Option<N::Open>,
    pub(super) kept: N::Kept,
}

/// (To JSON, `Some(())` and `None` would be one.)
mod idle_or_running {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::save::SavedOpen;

    #[expect(clippy::ref_option, reason = "serde wants it so")]
    pub(super) fn serialize<T: Serialize, S: Serializer>(open: &Option<T>, out: S) -> Result<S::Ok, S::Error> {
        SavedOpen::from(open.as_ref()).serialize(out)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(input: D) -> Result<Option<T>, D::Error> {
        SavedOpen::deserialize(input).map(Into::into)
    }
}

impl<N: Save> Clone for Parts<N> {
    fn clone(&self) -> Self {
        Self { open: self.open.clone(), kept: self.kept.clone() }
    }
}

impl<N: Save> Default for Parts<N> {
    fn default() -> Self {
        Self { open: None, kept: N::Kept::default() }
    }
}

impl Slot {
    /// The state of a node, new if there is none.
    pub(super) fn of<N: Save + 'static>(&mut self) -> &mut Parts<N> {
        self.state()
    }

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
