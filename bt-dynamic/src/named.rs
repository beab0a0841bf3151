//! Values by name.

use std::collections::BTreeMap;

/// Values by name, each with its number in the order in which they were added.
pub(crate) struct Named<T> {
    numbers: BTreeMap<String, usize>,
    values: Vec<T>,
}

impl<T> Named<T> {
    pub(crate) const fn new() -> Self {
        Self { numbers: BTreeMap::new(), values: Vec::new() }
    }

    /// Adds a value. Returns `true` if it replaces another of this name.
    pub(crate) fn insert(&mut self, name: &str, value: T) -> bool {
        self.values.push(value);
        self.numbers.insert(name.to_owned(), self.values.len() - 1).is_some()
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
