//! The states of leaves. They depend on the types of the states, not on that of the leaf, so that leaves with states of the same types share them.

use std::any::{Any, TypeId};

use bt_core::engine::{ErasedState, KeptState, State, load_parts, parts_to_value};
use bt_core::{Never, protocol::NodeState};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The state of a leaf: that of a run, and that which is kept across runs.
#[derive(Clone)]
pub(crate) struct LeafState<O, K> {
    pub(crate) open: Option<O>,
    pub(crate) kept: K,
}

impl<O, K: Default> Default for LeafState<O, K> {
    fn default() -> Self {
        Self { open: None, kept: K::default() }
    }
}

impl<O: Stored, K: Stored + Default> State for LeafState<O, K> {
    fn clone_box(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }

    fn to_value(&self) -> serde_json::Result<Value> {
        parts_to_value(self.open.as_ref(), &self.kept)
    }

    fn load(&mut self, value: &Value) -> serde_json::Result<()> {
        load_parts(&mut self.open, &mut self.kept, value)
    }
}

/// A type of state in a loaded tree.
pub(crate) trait Stored: Any + Clone + Send + Sync + Serialize + DeserializeOwned {}

impl<T: Any + Clone + Send + Sync + Serialize + DeserializeOwned> Stored for T {}

/// Returns `true` for the type without values.
pub(crate) fn is_never<T: Any>() -> bool {
    TypeId::of::<T>() == TypeId::of::<Never>()
}

/// Returns `true` for a type without values, and for the unit.
fn is_nothing<T: Any>() -> bool {
    is_never::<T>() || TypeId::of::<T>() == TypeId::of::<()>()
}

/// Returns the unit as a `T` if `T` is `()`.
pub(crate) fn unit<T: Any>() -> Option<&'static T> {
    (&() as &dyn Any).downcast_ref()
}

impl<O: Stored, K: Stored + Default> LeafState<O, K> {
    /// Returns `true` if there is something to store.
    pub(crate) fn is_stored() -> bool {
        !(is_nothing::<O>() && is_nothing::<K>())
    }

    /// Returns the state of a leaf that runs and has nothing to store.
    pub(crate) fn running() -> Self {
        Self { open: unit().cloned(), kept: K::default() }
    }

    /// Returns the state in a slot, or this one if there is nothing to store.
    pub(crate) fn or_in<'s>(&'s mut self, slot: &'s mut ErasedState) -> &'s mut Self {
        if Self::is_stored() { slot.state() } else { self }
    }

    /// Calls a function with the state in a slot.
    pub(crate) fn walk(is_open: bool, slot: KeptState<'_, ErasedState>, visit: &mut dyn FnMut(NodeState<'_, O, K>)) {
        match slot {
            KeptState::Shared(_, slot) => {
                let mut read;
                let state: &Self = match slot.get() {
                    Some(state) => state,
                    // There is none yet, or it is loaded and has not been used.
                    None => {
                        read = slot.clone();
                        read.state()
                    }
                };
                visit((if is_open { state.open.as_ref() } else { None }, &state.kept).into());
            }
            // A walk does not create a state in its place.
            KeptState::Exclusive(_, ErasedState::Empty) => {}
            KeptState::Exclusive(_, slot) => {
                let Self { open, kept } = slot.state();
                visit((if is_open { open.as_mut() } else { None }, kept).into());
                if open.is_none() && unit::<K>().is_some() {
                    *slot = ErasedState::Empty;
                }
            }
        }
    }
}
