//! Values by name.

use std::collections::BTreeMap;
use std::panic::Location;

/// Values by name, each with its number in the order in which they were added.
pub(crate) struct Named<T> {
    numbers: BTreeMap<String, usize>,
    values: Vec<T>,
    /// Where the program added each.
    places: Vec<&'static Location<'static>>,
}

impl<T> Named<T> {
    pub(crate) const fn new() -> Self {
        Self { numbers: BTreeMap::new(), values: Vec::new(), places: Vec::new() }
    }

    /// Adds a value. Returns an error if there is another of this name, which it replaces.
    #[track_caller]
    pub(crate) fn insert(&mut self, name: &str, value: T) -> Option<String> {
        let place = Location::caller();
        self.values.push(value);
        self.places.push(place);
        let before = self.places[self.numbers.insert(name.to_owned(), self.values.len() - 1)?];
        Some(format!("`{name}` is registered twice: at {before} and at {place}"))
    }

    pub(crate) fn get(&self, name: &str) -> Option<(usize, &T)> {
        let number = *self.numbers.get(name)?;
        Some((number, &self.values[number]))
    }

    /// Returns the values with their names and numbers, in the order of the names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, usize, &T)> {
        self.numbers.iter().map(|(name, number)| (name.as_str(), *number, &self.values[*number]))
    }
}
