//! The arguments of words in files.

use std::time::Duration;

use bt_words::{Bound, Role};

use crate::amount::{Amount, FromScalar};
use crate::source::{Scalar, Source};
use crate::transition::Transition;

/// An argument of a word.
#[derive(Clone, PartialEq, Debug)]
pub enum Arg {
    /// A number of times or runs.
    Number(Amount<u32>),
    /// A duration.
    Time(Amount<Duration>),
    /// A probability from 0 to 1.
    Probability(Amount<f64>),
    /// The number of children that decide, and the word that the file has for it: `all` or `one`.
    Threshold(usize, Option<Bound>),
    /// A weight for each child.
    Weights(Vec<f64>),
    /// The score of each child.
    Scores(Vec<Source>),
    /// The number that is added to the score of the running child.
    Bonus(f64),
    /// The value that a `match` evaluates.
    Value(Source),
    /// The values that select all children except the last.
    Cases(Vec<Scalar>),
    /// The role of a leaf, and its registered name.
    Leaf(Role, String),
    /// Transitions, in order.
    Transitions(Vec<Transition>),
    /// The name of a state.
    Name(String),
}

impl Arg {
    /// Returns the source of a number or time, whether it is drawn from a range, and what is expected of its value.
    fn amount(&self) -> Option<(Option<&Source>, bool, &'static str)> {
        const fn of<T: FromScalar>(amount: &Amount<T>) -> (Option<&Source>, bool, &'static str) {
            (amount.source(), matches!(amount, Amount::Range(..)), T::EXPECTED)
        }
        match self {
            Arg::Number(amount) => Some(of(amount)),
            Arg::Time(amount) => Some(of(amount)),
            Arg::Probability(amount) => Some(of(amount)),
            Arg::Threshold(..)
            | Arg::Weights(_)
            | Arg::Scores(_)
            | Arg::Bonus(_)
            | Arg::Value(_)
            | Arg::Cases(_)
            | Arg::Leaf(..)
            | Arg::Transitions(_)
            | Arg::Name(_) => None,
        }
    }

    /// Returns the values that it reads.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &Source> {
        let (one, several) = match self {
            Arg::Value(source) => (Some(source), [].as_slice()),
            Arg::Scores(scores) => (None, scores.as_slice()),
            other => (other.amount().and_then(|(source, ..)| source), [].as_slice()),
        };
        one.into_iter().chain(several)
    }
}

/// The arguments of a word, in the order of the parameters in its [`Row`](bt_words::Row). An omitted optional argument is `None`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Args(pub Vec<Option<Arg>>);

impl Args {
    fn find<'a, T>(&'a self, is_it: impl Fn(&'a Arg) -> Option<T>) -> Option<T> {
        self.0.iter().flatten().find_map(is_it)
    }

    /// Returns the number of times or runs, if the word has one.
    pub fn number(&self) -> Option<&Amount<u32>> {
        self.find(|arg| if let Arg::Number(number) = arg { Some(number) } else { None })
    }

    /// Returns the duration, if the word has one.
    pub fn time(&self) -> Option<&Amount<Duration>> {
        self.find(|arg| if let Arg::Time(time) = arg { Some(time) } else { None })
    }

    /// Returns the probability, if the word has one.
    pub fn probability(&self) -> Option<&Amount<f64>> {
        self.find(|arg| if let Arg::Probability(probability) = arg { Some(probability) } else { None })
    }

    /// Returns the thresholds for success and failure, if the word has them.
    pub fn thresholds(&self) -> Option<[usize; 2]> {
        let mut thresholds = self.0.iter().flatten().filter_map(|arg| match arg {
            Arg::Threshold(threshold, _) => Some(*threshold),
            _ => None,
        });
        Some([thresholds.next()?, thresholds.next()?])
    }

    /// Returns the weights of the children, if there are any.
    pub fn weights(&self) -> Option<&[f64]> {
        self.find(|arg| if let Arg::Weights(weights) = arg { Some(weights.as_slice()) } else { None })
    }

    /// Returns the scores of the children, if the word has them.
    pub fn scores(&self) -> Option<&[Source]> {
        self.find(|arg| if let Arg::Scores(scores) = arg { Some(scores.as_slice()) } else { None })
    }

    /// Returns the number that is added to the score of the running child; 0 if there is none.
    pub fn bonus(&self) -> f64 {
        self.find(|arg| if let Arg::Bonus(bonus) = arg { Some(*bonus) } else { None }).unwrap_or_default()
    }

    /// Returns the value that a `match` evaluates, if the word is a `match`.
    pub fn value(&self) -> Option<&Source> {
        self.find(|arg| if let Arg::Value(value) = arg { Some(value) } else { None })
    }

    /// Returns the values that select all children except the last, if the word is a `match`.
    pub fn cases(&self) -> Option<&[Scalar]> {
        self.find(|arg| if let Arg::Cases(cases) = arg { Some(cases.as_slice()) } else { None })
    }

    /// Returns the values that the node reads.
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        self.0.iter().flatten().flat_map(Arg::sources)
    }

    /// Returns the values that the node reads as a number or time, and what is expected of them.
    pub(crate) fn amounts(&self) -> impl Iterator<Item = (&Source, &'static str)> {
        self.0.iter().flatten().filter_map(Arg::amount).filter_map(|(source, _, expected)| Some((source?, expected)))
    }

    /// Returns `true` if a value is drawn at random from a range.
    pub fn is_random(&self) -> bool {
        self.0.iter().flatten().filter_map(Arg::amount).any(|(_, is_range, _)| is_range)
    }

    /// Returns the name of the leaf with this role, if there is one.
    pub fn leaf(&self, role: Role) -> Option<&str> {
        self.find(|arg| if let Arg::Leaf(of, name) = arg { (*of == role).then_some(name.as_str()) } else { None })
    }

    /// Returns the transitions; empty if the word has none.
    pub fn transitions(&self) -> &[Transition] {
        let found = self.find(|arg| if let Arg::Transitions(transitions) = arg { Some(transitions) } else { None });
        found.map_or(&[], Vec::as_slice)
    }

    /// Returns the name of a state; empty if the word has none.
    pub fn name(&self) -> &str {
        self.find(|arg| if let Arg::Name(name) = arg { Some(name.as_str()) } else { None }).unwrap_or_default()
    }
}
