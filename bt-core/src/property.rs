//! The value of a parameter in a file.

use core::fmt;

/// The value of a parameter as a property in a file. With the feature `json`, it is serialized with serde.
#[derive(Clone, Copy)]
pub struct Property<'a> {
    #[cfg(feature = "json")]
    value: &'a dyn erased_serde::Serialize,
    #[cfg(not(feature = "json"))]
    value: core::marker::PhantomData<&'a ()>,
}

impl fmt::Debug for Property<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Property").finish_non_exhaustive()
    }
}

#[cfg(feature = "json")]
impl<'a> Property<'a> {
    /// Creates a property from a value that serde can serialize.
    pub const fn new<T: serde::Serialize>(value: &'a T) -> Self {
        Self { value }
    }

    /// Returns the value as JSON; `None` if `shown` is the same JSON, or if the value cannot be serialized.
    pub(crate) fn beyond(self, shown: &str) -> Option<alloc::string::String> {
        let text = serde_json::to_string(self.value).ok()?;
        let value: serde_json::Value = serde_json::from_str(&text).ok()?;
        let same = serde_json::from_str(shown).is_ok_and(|shown: serde_json::Value| shown == value);
        (!same).then_some(text)
    }
}

#[cfg(not(feature = "json"))]
impl Property<'_> {
    /// Returns `None`: without the feature `json`, values are not written as JSON.
    #[cfg(feature = "alloc")]
    pub(crate) fn beyond(self, _: &str) -> Option<alloc::string::String> {
        let _ = self.value;
        None
    }
}
