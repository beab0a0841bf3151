//! The catalogue of keywords.

/// A word that is special before a list of children.
pub(crate) struct Keyword {
    pub(crate) word: &'static str,
    pub(crate) form: Form,
}

/// What a keyword takes.
pub(crate) enum Form {
    /// Any number of children but none.
    Composite,
    /// The same, perhaps with weights.
    Random,
    /// The same, and the thresholds `success` and `failure`.
    Parallel,
    /// One child and no arguments.
    Plain,
    /// One child and one argument.
    One(Arg),
    /// One child and perhaps an argument: the function to call where it is given.
    Maybe(&'static str, Arg),
    /// One child, a time, and an action.
    Service,
}

/// What the argument of a keyword is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arg {
    /// A number of times, which the node's type knows if it is written.
    Times,
    /// A number of runs.
    Runs,
    /// A time, with an example.
    Time(&'static str),
}

impl Arg {
    /// An example.
    pub(crate) const fn example(self) -> &'static str {
        match self {
            Arg::Times | Arg::Runs => "3",
            Arg::Time(example) => example,
        }
    }
}

/// The options of a parallel.
pub(crate) const THRESHOLDS: [&str; 2] = ["success", "failure"];

const KEYWORDS: &[Keyword] = &[
    Keyword { word: "selector", form: Form::Composite },
    Keyword { word: "sequence", form: Form::Composite },
    Keyword { word: "mem_selector", form: Form::Composite },
    Keyword { word: "mem_sequence", form: Form::Composite },
    Keyword { word: "random_selector", form: Form::Random },
    Keyword { word: "random_sequence", form: Form::Random },
    Keyword { word: "parallel", form: Form::Parallel },
    Keyword { word: "mem_parallel", form: Form::Parallel },
    Keyword { word: "invert", form: Form::Plain },
    Keyword { word: "force_success", form: Form::Plain },
    Keyword { word: "force_failure", form: Form::Plain },
    Keyword { word: "repeat", form: Form::Maybe("repeat_times", Arg::Times) },
    Keyword { word: "retry", form: Form::One(Arg::Times) },
    Keyword { word: "until_failure", form: Form::Plain },
    Keyword { word: "until_success", form: Form::Plain },
    Keyword { word: "limit", form: Form::One(Arg::Runs) },
    Keyword { word: "run_once", form: Form::Plain },
    Keyword { word: "timeout", form: Form::One(Arg::Time("secs(5)")) },
    Keyword { word: "delay", form: Form::One(Arg::Time("millis(500)")) },
    Keyword { word: "cooldown", form: Form::One(Arg::Time("secs(5)")) },
    Keyword { word: "wait_until", form: Form::Plain },
    Keyword { word: "service", form: Form::Service },
];

/// The keyword that a word is.
pub(crate) fn find(word: &str) -> Option<&'static Keyword> {
    KEYWORDS.iter().find(|keyword| keyword.word == word)
}

/// All of the words.
pub(crate) fn words() -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().map(|keyword| keyword.word)
}
