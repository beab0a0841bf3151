//! The names that are known beside the words: those of the user's own nodes.

use std::collections::BTreeMap;

use crate::word::{WORDS, is_word};

/// How many children a node takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// None: a leaf.
    Zero,
    /// One: a decorator.
    One,
    /// One or more: a composite.
    Many,
}

/// The user's own nodes, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names(BTreeMap<String, Arity>);

impl Names {
    /// These names.
    pub fn new<N: Into<String>>(names: impl IntoIterator<Item = (N, Arity)>) -> Self {
        Self(names.into_iter().map(|(name, takes)| (name.into(), takes)).collect())
    }

    /// How many children the node of this name takes, if it is known.
    pub fn takes(&self, name: &str) -> Option<Arity> {
        self.0.get(name).copied()
    }

    /// The names that mean something in files anyway.
    pub(crate) fn hiding(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str).filter(|name| is_word(name))
    }

    /// The known name that is most like this one.
    pub(crate) fn nearest(&self, name: &str) -> Option<&str> {
        let known = self.0.keys().map(String::as_str).chain(WORDS.iter().map(|word| word.name));
        nearest(name, known)
    }
}

/// The one of some words that may have been meant.
pub(crate) fn nearest<'a>(name: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const MOST: usize = 64;
    if name.len() > MOST {
        return None;
    }
    let distance = |word: &str| strsim::damerau_levenshtein(&name.to_lowercase(), &word.to_lowercase());
    let near = words.into_iter().map(|word| (distance(word), word));
    near.filter(|(distance, word)| *distance <= word.len().max(name.len()) / 3).min().map(|(_, word)| word)
}

/// `; did you mean …?`, or nothing.
pub(crate) fn did_you_mean(word: Option<&str>) -> String {
    word.map_or_else(String::new, |word| format!("; did you mean `{word}`?"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_nearest_name_is_found_among_own_ones_and_words() {
        let names = super::Names::new([("AnyAround", super::Arity::Zero)]);
        assert_eq!(names.nearest("AnyAruond"), Some("AnyAround"));
        assert_eq!(names.nearest("priority"), Some("Priority"));
        assert_eq!(names.nearest("Squence"), Some("Sequence"));
        assert_eq!(names.nearest("xyz"), None);
    }
}
