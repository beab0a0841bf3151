//! The arguments of words, as files give them.

use std::time::Duration;

use bt_words::Role;

use crate::transition::Transition;

/// An argument of a word.
#[derive(Clone, PartialEq, Debug)]
pub enum Arg {
    /// A number of times or runs.
    Number(u32),
    /// A duration.
    Time(Duration),
    /// A probability from 0 to 1.
    Probability(f64),
    /// How many children decide.
    Threshold(usize),
    /// A weight for each child.
    Weights(Vec<f64>),
    /// The registered name of a leaf, and how it belongs to the node.
    Leaf(Role, String),
    /// Transitions, in order.
    Transitions(Vec<Transition>),
    /// The name of a state.
    Name(String),
}

/// The arguments of a word, in the order of the parameters of its [`Row`](bt_words::Row): `None` where an optional one is left out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Args(pub Vec<Option<Arg>>);

impl Args {
    fn find<'a, T>(&'a self, is_it: impl Fn(&'a Arg) -> Option<T>) -> Option<T> {
        self.0.iter().flatten().find_map(is_it)
    }

    /// The number of times or runs, if the word has one.
    pub fn number(&self) -> Option<u32> {
        self.find(|arg| if let Arg::Number(number) = arg { Some(*number) } else { None })
    }

    /// The duration, if the word has one.
    pub fn time(&self) -> Option<Duration> {
        self.find(|arg| if let Arg::Time(time) = arg { Some(*time) } else { None })
    }

    /// The probability, if the word has one.
    pub fn probability(&self) -> Option<f64> {
        self.find(|arg| if let Arg::Probability(probability) = arg { Some(*probability) } else { None })
    }

    /// The thresholds for success and failure, if the word has them.
    pub fn thresholds(&self) -> Option<[usize; 2]> {
        let mut thresholds = self.0.iter().flatten().filter_map(|arg| match arg {
            Arg::Threshold(threshold) => Some(*threshold),
            _ => None,
        });
        Some([thresholds.next()?, thresholds.next()?])
    }

    /// The weights of the children, if some are given.
    pub fn weights(&self) -> Option<&[f64]> {
        self.find(|arg| if let Arg::Weights(weights) = arg { Some(weights.as_slice()) } else { None })
    }

    /// The name of the leaf of this role, if one is given.
    pub fn leaf(&self, role: Role) -> Option<&str> {
        self.find(|arg| if let Arg::Leaf(of, name) = arg { (*of == role).then_some(name.as_str()) } else { None })
    }

    /// The transitions: none if the word has no such argument.
    pub fn transitions(&self) -> &[Transition] {
        let found = self.find(|arg| if let Arg::Transitions(transitions) = arg { Some(transitions) } else { None });
        found.map_or(&[], Vec::as_slice)
    }

    /// The name of a state: empty if the word has none.
    pub fn name(&self) -> &str {
        self.find(|arg| if let Arg::Name(name) = arg { Some(name.as_str()) } else { None }).unwrap_or_default()
    }
}
