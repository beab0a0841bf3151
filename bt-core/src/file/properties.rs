//! From a node's properties to a leaf.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;

use bt_behavior3::{unknown, variable};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Map, Value};

use crate::board::{Key, ValueOrKey};

/// A leaf that can be made from the properties of a node in a file. `#[action]` and `#[condition]` write it, one property for each parameter.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be created from properties in a file",
    label = "not a leaf whose parameters a file can set",
    note = "only `#[action]` and `#[condition]` functions without type parameters can; for other leaves, use `registry.add_with(\"Name\", |properties: MyProperties| …)`"
)]
pub trait FromProperties: Sized {
    /// Reads the properties. What is wrong with them is told to [`Properties`]; then nothing is made.
    fn from_properties(properties: &mut Properties<'_>) -> Option<Self>;
}

/// A node's properties, being read.
pub struct Properties<'a> {
    given: &'a Map<String, Value>,
    asked: Vec<&'static str>,
    faults: Vec<String>,
}

impl<'a> Properties<'a> {
    /// The properties of a node, none read yet.
    pub const fn new(given: &'a Map<String, Value>) -> Self {
        Self { given, asked: Vec::new(), faults: Vec::new() }
    }

    /// What is wrong with the properties, as far as they were read.
    pub fn into_faults(self) -> Vec<String> {
        self.faults
    }

    /// Reports something that is wrong with the properties.
    pub fn report(&mut self, fault: String) {
        self.faults.push(fault);
    }

    /// Reads one property; `None`, and a fault, if it is wrong, or missing without a default.
    pub fn read<T: DeserializeOwned>(&mut self, name: &'static str, default: Option<T>) -> Option<T> {
        self.one(name, default, value)
    }

    /// Reads one property that may be a variable's name in braces, `"{hunger}"`.
    pub fn read_given<T: DeserializeOwned>(&mut self, name: &'static str, default: Option<T>) -> Option<ValueOrKey<T>> {
        self.one(name, default.map(ValueOrKey::Value), |property| given(property, value))
    }

    /// A parameter of the type of this name. Nobody may know how it is read: then it may only be left out.
    #[doc(hidden)]
    pub fn parameter<T>(
        &mut self,
        name: &'static str,
        type_name: &str,
        default: Option<T>,
        how: Option<How<T>>,
    ) -> Option<T> {
        match how {
            Some(how) => self.one(name, default, how),
            None if default.is_some() && !self.given.contains_key(name) => default,
            None => {
                self.asked.push(name);
                self.faults.push(format!(
                    "parameter `{name}` has type `{type_name}`, which a file cannot set; help: register the leaf with `add_with`"
                ));
                None
            }
        }
    }

    /// The same of one that may be a variable.
    #[doc(hidden)]
    pub fn parameter_given<T>(
        &mut self,
        name: &'static str,
        type_name: &str,
        default: Option<T>,
        how: Option<How<T>>,
    ) -> Option<ValueOrKey<T>> {
        match how {
            Some(how) => self.one(name, default.map(ValueOrKey::Value), |property| given(property, how)),
            None => self.parameter(name, type_name, default, None).map(ValueOrKey::Value),
        }
    }

    fn one<T>(
        &mut self,
        name: &'static str,
        default: Option<T>,
        read: impl Fn(&Value) -> Result<T, String>,
    ) -> Option<T> {
        self.asked.push(name);
        match self.given.get(name).map(|value| (value, read(value))) {
            Some((_, Ok(value))) => Some(value),
            // `null` is a value of some types, as of `Option`; for the others the property is missing.
            Some((Value::Null, Err(_))) | None => {
                if default.is_none() {
                    self.faults.push(format!("missing property `{name}`"));
                }
                default
            }
            Some((_, Err(reason))) => {
                self.faults.push(format!("property `{name}`: {reason}"));
                None
            }
        }
    }

    /// All properties as one value of serde's.
    pub fn whole<T: DeserializeOwned>(&mut self) -> Option<T> {
        let whole = Value::Object(self.given.clone());
        let read = T::deserialize(&whole).or_else(|error| {
            let values =
                self.given.iter().map(|(name, value)| (name.clone(), inner(value).unwrap_or_else(|| value.clone())));
            T::deserialize(Value::Object(values.collect())).map_err(|_| error)
        });
        read.map_err(|error| self.faults.push(format!("properties: {error}"))).ok()
    }

    /// Reports the properties that were not read.
    pub fn finish(&mut self) {
        self.faults.extend(unknown(self.given, &self.asked));
    }
}

/// How a value is read.
#[doc(hidden)]
pub type How<T> = fn(&Value) -> Result<T, String>;

/// A value as it is; where it is text, also as the JSON in it.
fn value<T: DeserializeOwned>(property: &Value) -> Result<T, String> {
    T::deserialize(property).or_else(|error| inner(property).ok_or_else(|| format!("{error}")))
}

/// The JSON in a text: the editor writes all properties as text once they were edited.
fn inner<T: DeserializeOwned>(property: &Value) -> Option<T> {
    property.as_str().and_then(|text| serde_json::from_str(text).ok())
}

fn given<T>(property: &Value, how: How<T>) -> Result<ValueOrKey<T>, String> {
    // A struct that the editor has made text of is in braces too.
    let name = property.as_str().filter(|_| inner::<IgnoredAny>(property).is_none());
    match name.and_then(variable) {
        Some(key) => Ok(ValueOrKey::Key(Key::shared(key.into()))),
        None => how(property).map(ValueOrKey::Value),
    }
}

/// The properties of a node that has none, for `Registry::add_with` of the crate `bt-dynamic`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoProperties {}

/// Whether serde can read a type, and how. Called as `(&Reader::<T>::new()).how()`: the first that fits is taken.
pub struct Reader<T>(PhantomData<T>);

impl<T> Reader<T> {
    /// A reader of this type.
    #[expect(clippy::new_without_default, reason = "expansions alone make one")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// What serde can read.
pub trait Readable<T> {
    /// By serde.
    fn how(&self) -> Option<How<T>>;
}

impl<T: DeserializeOwned> Readable<T> for Reader<T> {
    fn how(&self) -> Option<How<T>> {
        Some(value)
    }
}

/// What it cannot.
pub trait Unreadable<T> {
    /// Not at all.
    fn how(&self) -> Option<How<T>>;
}

impl<T> Unreadable<T> for &Reader<T> {
    fn how(&self) -> Option<How<T>> {
        None
    }
}
