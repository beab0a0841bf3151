//! Whether and how a type is deserialized.

use alloc::string::String;
use core::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::text::value;

/// A function that deserializes a value.
#[doc(hidden)]
pub type How<T> = fn(&Value) -> Result<T, String>;

/// Selects whether and how a type is deserialized. In `(&Reader::<T>::new()).how()`, the first applicable method is
/// used.
pub struct Reader<T>(PhantomData<T>);

impl<T> Reader<T> {
    /// Creates a reader of this type.
    #[expect(clippy::new_without_default, reason = "expansions alone make one")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// A type that serde can deserialize.
pub trait Readable<T> {
    /// Returns the deserialization by serde.
    fn how(&self) -> Option<How<T>>;
}

impl<T: DeserializeOwned> Readable<T> for Reader<T> {
    fn how(&self) -> Option<How<T>> {
        Some(value)
    }
}

/// Any other type.
pub trait Unreadable<T> {
    /// Returns `None`.
    fn how(&self) -> Option<How<T>>;
}

impl<T> Unreadable<T> for &Reader<T> {
    fn how(&self) -> Option<How<T>> {
        None
    }
}
