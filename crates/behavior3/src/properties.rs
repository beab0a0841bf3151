//! The properties of a node, and where they are in its text.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::diagnostic::Place;

/// The properties of a node by name, which are a JSON object, and the places of those that were read from a text.
///
/// ```
/// use bt_behavior3::{Place, Properties};
///
/// let mut properties = Properties::default();
/// properties.insert("speed".to_owned(), 2.into());
/// properties.insert_at("place", "door", Place { line: 1, column: 9 });
/// assert_eq!(properties["place"], "door");
/// assert_eq!(properties.places("place"), [Place { line: 1, column: 9 }]);
/// assert!(properties.places("speed").is_empty());
/// ```
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Properties {
    values: Map<String, Value>,
    #[serde(skip)]
    places: Vec<(String, Vec<Place>)>,
}

impl Properties {
    /// Inserts a property that is at a place of a text.
    pub fn insert_at(&mut self, name: &str, value: impl Into<Value>, place: Place) {
        self.insert(name.to_owned(), value.into());
        self.places.push((name.to_owned(), vec![place]));
    }

    /// Inserts a property that is a list, each of whose items is at a place of a text.
    pub fn insert_list(&mut self, name: &str, items: Vec<(Place, Value)>) {
        let (places, values): (Vec<_>, Vec<_>) = items.into_iter().unzip();
        self.insert(name.to_owned(), values.into());
        self.places.push((name.to_owned(), places));
    }

    /// Adds other properties with their places.
    pub fn append(&mut self, others: Self) {
        self.values.extend(others.values);
        self.places.extend(others.places);
    }

    /// Returns the place of a property, or for a list, the place of each item; none if it is at no place of a text.
    pub fn places(&self, name: &str) -> &[Place] {
        let found = self.places.iter().rfind(|(known, _)| known == name);
        found.map_or(&[], |(_, places)| places)
    }
}

impl Deref for Properties {
    type Target = Map<String, Value>;

    fn deref(&self) -> &Self::Target {
        &self.values
    }
}

impl DerefMut for Properties {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.values
    }
}

impl From<Map<String, Value>> for Properties {
    fn from(values: Map<String, Value>) -> Self {
        Self { values, places: Vec::new() }
    }
}

impl From<Properties> for Map<String, Value> {
    fn from(properties: Properties) -> Self {
        properties.values
    }
}
