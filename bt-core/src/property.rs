//! A parameter's value, for a file.

use core::fmt;

/// A parameter's value as a property in a file: with the feature `json`, what serde makes of it.
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
    /// A value that serde can write.
    pub const fn new<T: serde::Serialize>(value: &'a T) -> Self {
        Self { value }
    }

    /// The value as JSON, unless that is what `shown` is already. `None` if it cannot be written as JSON.
    pub(crate) fn beyond(self, shown: &str) -> Option<alloc::string::String> {
        let text = serde_json::to_string(self.value).ok()?;
        let value: serde_json::Value = serde_json::from_str(&text).ok()?;
        let same = serde_json::from_str(shown).is_ok_and(|shown: serde_json::Value| shown == value);
        (!same).then_some(text)
    }
}

#[cfg(not(feature = "json"))]
impl Property<'_> {
    /// Without the feature `json`, nothing is written as JSON.
    #[cfg(feature = "alloc")]
    pub(crate) fn beyond(self, _: &str) -> Option<alloc::string::String> {
        let _ = self.value;
        None
    }
}
