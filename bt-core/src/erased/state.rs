//! Type-erased states that can be saved: of erased trees, and of the user's leaves and decorators in loaded trees.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser};
use serde_json::Value;

use crate::memory::Memory;
use crate::save::{Save, SavedOpen};

/// The state of one erased tree, leaf or decorator.
#[derive(Default)]
pub enum ErasedState {
    /// The node has never run.
    #[default]
    Empty,
    /// The state.
    Live(Box<dyn State>),
    /// Loaded from a save; the node can deserialize it.
    Saved(Value),
}

/// A state that can be saved. What surrounds the parts of a state is compiled once for all.
pub trait State: Any + Send + Sync {
    /// Clones the state.
    fn clone_box(&self) -> Box<dyn State>;
    /// Serializes the state.
    ///
    /// # Errors
    ///
    /// Returns the error of `Serialize`.
    fn to_value(&self) -> serde_json::Result<Value>;
    /// Deserializes a state in place of this one.
    ///
    /// # Errors
    ///
    /// Returns the error of `Deserialize`. The state is then unspecified.
    fn load(&mut self, value: &Value) -> serde_json::Result<()>;
}

impl dyn State {
    /// Serializes the state. Fails if it could not be deserialized again.
    fn save(&self) -> serde_json::Result<Value> {
        let value = self.to_value()?;
        match self.clone_box().load(&value) {
            Ok(()) => Ok(value),
            Err(error) => {
                Err(ser::Error::custom(format_args!("the state of a leaf cannot be deserialized again: {error}")))
            }
        }
    }
}

/// Serializes an open state, if there is one, and a kept one.
///
/// # Errors
///
/// Returns the error of `Serialize`.
pub fn parts_to_value<O: Serialize, K: Serialize>(open: Option<&O>, kept: &K) -> serde_json::Result<Value> {
    let open = match open {
        Some(open) => SavedOpen::Running(serde_json::to_value(open)),
        None => SavedOpen::Idle,
    };
    joined(open, serde_json::to_value(kept))
}

/// Deserializes an open state, if there is one, and a kept one.
///
/// # Errors
///
/// Returns the error of `Deserialize`.
pub fn load_parts<O: DeserializeOwned, K: DeserializeOwned>(
    open: &mut Option<O>,
    kept: &mut K,
    value: &Value,
) -> serde_json::Result<()> {
    let (saved, value) = split(value)?;
    *kept = K::deserialize(&value)?;
    *open = match saved {
        SavedOpen::Running(value) => Some(O::deserialize(&value)?),
        SavedOpen::Idle => None,
    };
    Ok(())
}

fn joined(open: SavedOpen<serde_json::Result<Value>>, kept: serde_json::Result<Value>) -> serde_json::Result<Value> {
    let open = match open {
        SavedOpen::Running(open) => SavedOpen::Running(open?),
        SavedOpen::Idle => SavedOpen::Idle,
    };
    serde_json::to_value((open, kept?))
}

fn split(value: &Value) -> serde_json::Result<(SavedOpen<Value>, Value)> {
    Deserialize::deserialize(value)
}

/// A memory in its serialized form.
pub(super) struct SavableMemory<N: Save>(pub(super) Memory<N>);

impl<N: Save + 'static> State for SavableMemory<N> {
    fn clone_box(&self) -> Box<dyn State> {
        Box::new(Self(self.0.clone()))
    }

    fn to_value(&self) -> serde_json::Result<Value> {
        parts_to_value(self.0.open.as_ref(), &self.0.kept)
    }

    fn load(&mut self, value: &Value) -> serde_json::Result<()> {
        load_parts(&mut self.0.open, &mut self.0.kept, value)
    }
}

impl<N: Save> Default for SavableMemory<N> {
    fn default() -> Self {
        Self(Memory::new())
    }
}

impl ErasedState {
    /// Returns the state of this type; `None` if there is none, or if it has not been deserialized yet.
    pub fn get<T: Any>(&self) -> Option<&T> {
        match self {
            ErasedState::Live(state) => (&**state as &dyn Any).downcast_ref(),
            ErasedState::Empty | ErasedState::Saved(_) => None,
        }
    }

    /// Returns the state of this type, as [`get`](Self::get) does.
    pub fn get_mut<T: Any>(&mut self) -> Option<&mut T> {
        match self {
            ErasedState::Live(state) => (&mut **state as &mut dyn Any).downcast_mut(),
            ErasedState::Empty | ErasedState::Saved(_) => None,
        }
    }

    /// Returns `true` if the state of this type, if there is any, can be part of a save.
    pub fn is_savable<T: State + Default>(&self) -> bool {
        match self {
            ErasedState::Empty => true,
            ErasedState::Live(state) => (**state).save().is_ok(),
            ErasedState::Saved(value) => T::default().load(value).is_ok(),
        }
    }

    /// Returns the state of this type, or a new state if there is none.
    #[allow(clippy::missing_panics_doc, reason = "the state was just created")]
    pub fn state<T: State + Default>(&mut self) -> &mut T {
        if self.get::<T>().is_none() {
            self.renew(|| Box::new(T::default()));
        }
        self.get_mut().expect("the state was just created with this type")
    }

    /// Calls a function with the state of this type, or with a new state if there is none: with one check of its type.
    #[inline(always)]
    pub fn with_state<T: State + Default, R>(&mut self, act: impl FnOnce(&mut T) -> R) -> R {
        match self.get_mut() {
            Some(state) => act(state),
            None => act(self.state()),
        }
    }

    /// Creates a state in place of the present one, or that of a save.
    #[cold]
    fn renew(&mut self, new: fn() -> Box<dyn State>) {
        let mut state = new();
        // In an edited save, unreadable state counts as new.
        if let ErasedState::Saved(value) = self
            && state.load(value).is_err()
        {
            state = new();
        }
        *self = ErasedState::Live(state);
    }
}

impl Clone for ErasedState {
    fn clone(&self) -> Self {
        match self {
            ErasedState::Empty => ErasedState::Empty,
            ErasedState::Live(state) => ErasedState::Live((**state).clone_box()),
            ErasedState::Saved(value) => ErasedState::Saved(value.clone()),
        }
    }
}

impl fmt::Debug for ErasedState {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErasedState::Empty => out.write_str("-"),
            ErasedState::Live(state) => match (**state).save() {
                Ok(value) => value.fmt(out),
                Err(error) => write!(out, "({error})"),
            },
            ErasedState::Saved(value) => value.fmt(out),
        }
    }
}

impl ErasedState {
    /// Returns the state in its serialized form.
    fn saved<E: ser::Error>(&self) -> Result<Option<Cow<'_, Value>>, E> {
        match self {
            ErasedState::Empty => Ok(None),
            ErasedState::Live(state) => (**state).save().map(|value| Some(Cow::Owned(value))).map_err(E::custom),
            ErasedState::Saved(value) => Ok(Some(Cow::Borrowed(value))),
        }
    }
}

impl Serialize for ErasedState {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let value = self.saved::<S::Error>()?;
        if out.is_human_readable() { value.serialize(out) } else { value.as_deref().map(Portable::from).serialize(out) }
    }
}

impl<'de> Deserialize<'de> for ErasedState {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let value = if input.is_human_readable() {
            Option::<Value>::deserialize(input)?
        } else {
            Option::<Portable>::deserialize(input)?.map(Value::from)
        };
        Ok(value.map_or(ErasedState::Empty, ErasedState::Saved))
    }
}

/// A value for formats that are not self-describing, which are those that are not human-readable.
#[derive(Serialize, Deserialize)]
enum Portable {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Text(String),
    List(Vec<Portable>),
    Map(Vec<(String, Portable)>),
}

impl From<&Value> for Portable {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => Self::Unsigned(number),
                (None, Some(number)) => Self::Signed(number),
                (None, None) => number.as_f64().map_or(Self::Null, Self::Float),
            },
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(list) => Self::List(list.iter().map(Self::from).collect()),
            Value::Object(map) => Self::Map(map.iter().map(|(key, value)| (key.clone(), value.into())).collect()),
        }
    }
}

impl From<Portable> for Value {
    fn from(portable: Portable) -> Self {
        match portable {
            Portable::Null => Self::Null,
            Portable::Bool(value) => value.into(),
            Portable::Unsigned(number) => number.into(),
            Portable::Signed(number) => number.into(),
            Portable::Float(number) => number.into(),
            Portable::Text(text) => text.into(),
            Portable::List(list) => list.into_iter().map(Self::from).collect(),
            Portable::Map(map) => Self::Object(map.into_iter().map(|(key, value)| (key, value.into())).collect()),
        }
    }
}
