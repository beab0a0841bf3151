//! Type-erased states that can be saved: of erased trees, and of the user's leaves and decorators in loaded trees.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::{Any, TypeId};
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

/// The type-erased interface of a state.
pub trait State: Any + Send + Sync {
    /// Clones the state.
    fn clone_box(&self) -> Box<dyn State>;
    /// Serializes the state. Fails if it could not be deserialized again.
    fn save(&self) -> serde_json::Result<Value>;
}

/// A state as a value of serde, in which its parts are serialized on their own: what surrounds them is compiled once for all states.
pub trait Savable: Any + Clone + Default + Send + Sync {
    /// Serializes the state.
    fn to_value(&self) -> serde_json::Result<Value>;
    /// Deserializes a state.
    fn from_value(value: &Value) -> serde_json::Result<Self>;
}

impl<T: Savable> State for T {
    fn clone_box(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }

    fn save(&self) -> serde_json::Result<Value> {
        checked(self.to_value(), |value| T::from_value(value).err())
    }
}

/// Returns an error if a state cannot be deserialized again.
fn checked(
    value: serde_json::Result<Value>,
    error: fn(&Value) -> Option<serde_json::Error>,
) -> serde_json::Result<Value> {
    let value = value?;
    match error(&value) {
        None => Ok(value),
        Some(error) => {
            Err(ser::Error::custom(format_args!("the state of a leaf cannot be deserialized again: {error}")))
        }
    }
}

/// Serializes an open state, if there is one, and a kept one.
pub fn parts_to_value<O: Serialize, K: Serialize>(open: Option<&O>, kept: &K) -> serde_json::Result<Value> {
    let open = match open {
        Some(open) => SavedOpen::Running(serde_json::to_value(open)),
        None => SavedOpen::Idle,
    };
    joined(open, serde_json::to_value(kept))
}

/// Deserializes an open state, if there is one, and a kept one.
pub fn parts_from_value<O: DeserializeOwned, K: DeserializeOwned>(value: &Value) -> serde_json::Result<(Option<O>, K)> {
    let (open, kept) = split(value)?;
    let open = match open {
        SavedOpen::Running(open) => Some(O::deserialize(&open)?),
        SavedOpen::Idle => None,
    };
    Ok((open, K::deserialize(&kept)?))
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

impl<N: Save + 'static> Savable for SavableMemory<N> {
    fn to_value(&self) -> serde_json::Result<Value> {
        parts_to_value(self.0.open.as_ref(), &self.0.kept)
    }

    fn from_value(value: &Value) -> serde_json::Result<Self> {
        let (open, kept) = parts_from_value(value)?;
        Ok(Self(Memory { open, kept }))
    }
}

impl<N: Save> Clone for SavableMemory<N> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
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
    pub fn is_savable<T: Savable>(&self) -> bool {
        match self {
            ErasedState::Empty => true,
            ErasedState::Live(state) => (**state).save().is_ok(),
            ErasedState::Saved(value) => T::from_value(value).is_ok(),
        }
    }

    /// Returns the state of this type, or a new state if there is none.
    #[allow(clippy::missing_panics_doc, reason = "the state was just created")]
    pub fn state<T: Savable>(&mut self) -> &mut T {
        let fits = matches!(self, ErasedState::Live(state) if Any::type_id(&**state) == TypeId::of::<T>());
        if !fits {
            let state = match self {
                // In an edited save, unreadable state counts as new.
                ErasedState::Saved(value) => T::from_value(value).unwrap_or_default(),
                _ => T::default(),
            };
            *self = ErasedState::Live(Box::new(state));
        }
        let ErasedState::Live(state) = self else { unreachable!("the state was just created") };
        let state: &mut dyn Any = &mut **state;
        state.downcast_mut().expect("the state was just created with this type")
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
