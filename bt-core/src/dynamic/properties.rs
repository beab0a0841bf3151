//! From a node's properties to a leaf.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::board::{Given, Key};

/// A leaf that can be made from the properties of a node in a file. `#[action]` and `#[condition]` write it, one property for each parameter.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be made from the properties of a node",
    label = "not a leaf with parameters that a file can give",
    note = "`#[action]` and `#[condition]` functions without type parameters can; for others say how: `registry.add_with(\"Name\", |properties: MyProperties| …)`"
)]
pub trait FromProperties: Sized {
    /// Reads the properties. What is wrong with them is told to [`Properties`]; then nothing is made.
    fn from_properties(properties: &mut Properties<'_>) -> Option<Self>;
}

/// A node's properties, being read.
pub struct Properties<'a> {
    given: &'a Map<String, Value>,
    asked: Vec<&'static str>,
    pub(super) faults: Vec<String>,
}

impl<'a> Properties<'a> {
    pub(super) const fn new(given: &'a Map<String, Value>) -> Self {
        Self { given, asked: Vec::new(), faults: Vec::new() }
    }

    /// Reads one property; `None`, and a fault, if it is wrong, or missing without a default.
    pub fn read<T: DeserializeOwned>(&mut self, name: &'static str, default: Option<T>) -> Option<T> {
        self.one(name, default, Self::value)
    }

    /// Reads one property that may be a variable's name in braces, `"{hunger}"`.
    pub fn read_given<T: DeserializeOwned>(&mut self, name: &'static str, default: Option<T>) -> Option<Given<T>> {
        self.one(name, default.map(Given::Value), |value| match variable(value) {
            Some(key) => Ok(Given::Key(Key::shared(key.into()))),
            None => Self::value(value).map(Given::Value),
        })
    }

    /// Tells that a parameter can never be read from a file.
    pub fn unreadable(&mut self, name: &'static str, type_name: &str) {
        self.asked.push(name);
        self.faults.push(format!(
            "the parameter `{name}` is a `{type_name}`, which no file can give: register the leaf with `add_with`"
        ));
    }

    fn one<T>(
        &mut self,
        name: &'static str,
        default: Option<T>,
        read: impl Fn(&Value) -> Result<T, String>,
    ) -> Option<T> {
        self.asked.push(name);
        let Some(value) = self.given.get(name).filter(|value| !value.is_null()) else {
            if default.is_none() {
                self.faults.push(format!("the property `{name}` is missing"));
            }
            return default;
        };
        read(value).map_err(|reason| self.faults.push(format!("the property `{name}`: {reason}"))).ok()
    }

    /// A value as it is; where it is text, also as the JSON in it: the editor writes all properties as text once they were edited.
    fn value<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
        T::deserialize(value).or_else(|error| {
            let inner = value.as_str().and_then(|text| serde_json::from_str(text).ok());
            inner.ok_or_else(|| format!("{error}"))
        })
    }

    /// All properties as one value of serde's.
    pub(super) fn whole<T: DeserializeOwned>(&mut self) -> Option<T> {
        let whole = Value::Object(self.given.clone());
        T::deserialize(&whole).map_err(|error| self.faults.push(format!("its properties: {error}"))).ok()
    }

    /// Tells of properties that nobody has asked for.
    pub(super) fn finish(&mut self) {
        for name in self.given.keys().filter(|name| !self.asked.contains(&name.as_str())) {
            let known = self.asked.join("`, `");
            let known = if known.is_empty() { "it has none".to_owned() } else { format!("it has `{known}`") };
            self.faults.push(format!("no property `{name}`: {known}"));
        }
    }
}

fn variable(value: &Value) -> Option<&str> {
    value.as_str()?.strip_prefix('{')?.strip_suffix('}').filter(|name| !name.is_empty())
}

/// The properties of a node that has none, for [`Registry::add_with`](super::Registry::add_with).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoProperties {}

/// Reads a parameter of a type that serde can read, or tells that it cannot. Called as `(&Reader::<T>::new()).read(…)`: the first that fits is taken.
pub struct Reader<T>(PhantomData<T>);

impl<T> Reader<T> {
    /// A reader of this type.
    #[expect(clippy::new_without_default, reason = "expansions alone make one")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// Tells that it cannot be read, unless it has a default and is not given. Also for what is borrowed, since nobody would own it.
    pub fn refuse(
        &self,
        properties: &mut Properties<'_>,
        name: &'static str,
        type_name: &str,
        default: Option<T>,
    ) -> Option<T> {
        if default.is_some() && !properties.given.contains_key(name) {
            return default;
        }
        properties.unreadable(name, type_name);
        None
    }
}

/// What serde can read.
pub trait Readable<T> {
    /// Reads it.
    fn read(
        &self,
        properties: &mut Properties<'_>,
        name: &'static str,
        type_name: &str,
        default: Option<T>,
    ) -> Option<T>;
    /// Reads it, or the name of a variable.
    fn read_given(
        &self,
        properties: &mut Properties<'_>,
        name: &'static str,
        type_name: &str,
        default: Option<T>,
    ) -> Option<Given<T>>;
}

impl<T: DeserializeOwned> Readable<T> for Reader<T> {
    fn read(&self, properties: &mut Properties<'_>, name: &'static str, _: &str, default: Option<T>) -> Option<T> {
        properties.read(name, default)
    }

    fn read_given(
        &self,
        properties: &mut Properties<'_>,
        name: &'static str,
        _: &str,
        default: Option<T>,
    ) -> Option<Given<T>> {
        properties.read_given(name, default)
    }
}

/// What it cannot.
pub trait Unreadable<T> {
    /// Tells that it cannot be read, unless it has a default and is not given.
    fn read(
        &self,
        properties: &mut Properties<'_>,
        name: &'static str,
        type_name: &str,
        default: Option<T>,
    ) -> Option<T>;
    /// The same.
    fn read_given(
        &self,
        properties: &mut Properties<'_>,
        name: &'static str,
        type_name: &str,
        default: Option<T>,
    ) -> Option<Given<T>>;
}

impl<T> Unreadable<T> for &Reader<T> {
    fn read(
        &self,
        properties: &mut Properties<'_>,
        name: &'static str,
        type_name: &str,
        default: Option<T>,
    ) -> Option<T> {
        self.refuse(properties, name, type_name, default)
    }

    fn read_given(
        &self,
        properties: &mut Properties<'_>,
        name: &'static str,
        type_name: &str,
        default: Option<T>,
    ) -> Option<Given<T>> {
        self.refuse(properties, name, type_name, default).map(Given::Value)
    }
}
