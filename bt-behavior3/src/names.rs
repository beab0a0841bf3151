//! The names that are known beside the words: those of the user's own nodes.

use std::collections::BTreeMap;

use bt_words::{Arity, Word, did_you_mean, is_file_name, nearest, peer};

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
        self.0.keys().map(String::as_str).filter(|name| is_file_name(name))
    }

    /// What to say of a name that is not that of a leaf.
    pub(crate) fn no_leaf(&self, name: &str) -> String {
        match self.takes(name) {
            Some(_) => ", which takes children".to_owned(),
            None if is_file_name(name) => ", which is a keyword".to_owned(),
            None => {
                let leaves = self.0.iter().filter(|(_, arity)| **arity == Arity::Zero);
                did_you_mean(name, leaves.map(|(name, _)| name.as_str()))
            }
        }
    }

    /// What to say of an unknown name: the word of ours, if it is one of another library, or the nearest known name.
    pub(crate) fn suggestion(&self, name: &str) -> String {
        let own = || self.0.keys().map(String::as_str);
        let words = Word::file_names().map(|word| -> &str { word });
        let near = nearest(name, own().chain(words));
        let is_sure = near.is_some_and(|near| near.eq_ignore_ascii_case(name) || own().any(|own| own == near));
        match (peer(name), near) {
            (Some(peer), _) if !is_sure => {
                let difference =
                    if peer.difference.is_empty() { String::new() } else { format!("; {}", peer.difference) };
                format!("; it is called `{}` here{difference}", peer.word.name())
            }
            (_, Some(near)) => format!("; did you mean `{near}`?"),
            (_, None) => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_nearest_name_is_found_among_own_ones_and_words() {
        let names = super::Names::new([("AnyAround", super::Arity::Zero)]);
        assert_eq!(names.suggestion("AnyAruond"), "; did you mean `AnyAround`?");
        assert_eq!(names.suggestion("priorty"), "; did you mean `Priority`?");
        assert_eq!(names.suggestion("Squence"), "; did you mean `Sequence`?");
        assert_eq!(names.suggestion("xyz"), "");
    }

    #[test]
    fn words_of_other_libraries_are_known() {
        let names = super::Names::default();
        assert_eq!(names.suggestion("ReactiveSequence"), "; it is called `sequence` here");
        assert!(names.suggestion("Fallback").starts_with("; it is called `mem_selector` here; "));
    }
}
