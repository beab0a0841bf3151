//! The storage of one variable of a board.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;
use core::task::Waker;

/// A type that a board can store: plain data that implements `Debug`. Implemented for all such types.
pub trait Value: Any + Clone + fmt::Debug + Send + Sync {}

impl<T: Any + Clone + fmt::Debug + Send + Sync> Value for T {}

/// A value of an erased type.
pub(crate) trait AnyValue: Any + fmt::Debug + Send + Sync {
    fn clone_box(&self) -> Box<dyn AnyValue>;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<T: Value> AnyValue for T {
    fn clone_box(&self) -> Box<dyn AnyValue> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// A boxed value of an erased type.
pub(crate) type Boxed = Box<dyn AnyValue>;

/// A variable. Its type is that of the first key used with it.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) type_id: core::any::TypeId,
    pub(crate) type_name: &'static str,
    pub(crate) value: Option<Boxed>,
    pub(crate) default: Option<Boxed>,
    pub(crate) changes: u64,
    /// `true` if the type is that of the first value of a script. It is fixed when a typed key creates, sets or watches the
    /// variable.
    pub(crate) free: bool,
    /// Called when the variable changes.
    pub(crate) watchers: Vec<Waker>,
    #[cfg(feature = "serde")]
    pub(crate) format: Option<Format>,
}

impl Entry {
    pub(crate) fn change(&mut self, value: Option<Boxed>) {
        self.value = value;
        self.changes += 1;
        self.wake();
    }

    /// Wakes the agents that watch the variable.
    pub(crate) fn wake(&self) {
        self.watchers.iter().for_each(Waker::wake_by_ref);
    }

    /// Resets the variable to its default.
    pub(crate) fn reset(&mut self) {
        if self.value.is_some() || self.default.is_some() {
            let default = self.default.as_ref().map(|default| (**default).clone_box());
            self.change(default);
        }
    }
}

impl Clone for Entry {
    fn clone(&self) -> Self {
        let clone = |value: &Option<Boxed>| value.as_ref().map(|value| (**value).clone_box());
        // A copy is the board of another agent, which nothing watches.
        let watchers = Vec::new();
        Self { value: clone(&self.value), default: clone(&self.default), watchers, ..*self }
    }
}

#[cfg(feature = "serde")]
/// Serializes and deserializes the values of one type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    pub(super) write: fn(&dyn AnyValue) -> Option<&dyn erased_serde::Serialize>,
    pub(super) read: fn(&mut dyn erased_serde::Deserializer<'_>) -> Result<Boxed, erased_serde::Error>,
}

#[cfg(feature = "serde")]
impl Format {
    pub(crate) const fn of<T: Value + serde::Serialize + serde::de::DeserializeOwned>() -> Self {
        Self {
            write: |value| value.as_any().downcast_ref::<T>().map(|value| value as &dyn erased_serde::Serialize),
            read: |input| Ok(Box::new(erased_serde::deserialize::<T>(input)?)),
        }
    }
}
