//! Values by name.

use std::collections::BTreeMap;

/// Values by name. The map is one of numbers, so that its code is compiled with this package, not for each type of values.
pub(crate) struct Named<T> {
    numbers: Numbers,
    values: Vec<T>,
}

struct Numbers(BTreeMap<String, usize>);

impl Numbers {
    /// Gives a name a number. Returns `true` if the name had one.
    fn insert(&mut self, name: &str, number: usize) -> bool {
        self.0.insert(name.to_owned(), number).is_some()
    }

    fn get(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }

    fn in_order(&self) -> Vec<(&str, usize)> {
        self.0.iter().map(|(name, number)| (name.as_str(), *number)).collect()
    }
}

impl<T> Named<T> {
    pub(crate) const fn new() -> Self {
        Self { numbers: Numbers(BTreeMap::new()), values: Vec::new() }
    }

    /// Adds a value. Returns `true` if it replaces another of this name.
    pub(crate) fn insert(&mut self, name: &str, value: T) -> bool {
        self.values.push(value);
        self.numbers.insert(name, self.values.len() - 1)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        Some(&self.values[self.numbers.get(name)?])
    }

    /// Returns the values with their names, in the order of the names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.numbers.in_order().into_iter().map(|(name, number)| (name, &self.values[number]))
    }

    /// Returns the names in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.numbers.in_order().into_iter().map(|(name, _)| name)
    }
}
