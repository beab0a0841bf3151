//! The names of words in files, including those of the Behavior3 editor.

use crate::table::{Row, Word};

/// A name in a file, and the words that it means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileForm {
    /// The name.
    pub name: &'static str,
    /// The words, outermost first. At most one word has arguments.
    pub words: &'static [Word],
    /// The names of the properties that hold the arguments, in order. If empty, the names are those in the [`Row`].
    pub properties: &'static [&'static str],
    /// The property that selects this form if the property is missing, or -1 in Behavior3. Another form of the same name has a number in it.
    pub unbounded: Option<&'static str>,
    /// Whether words of `tree!` are written to files in this form.
    pub is_written: bool,
}

impl FileForm {
    /// Returns the name of the property that holds the argument of this index.
    pub fn property(&self, row: &Row, param: usize) -> &'static str {
        self.properties.get(param).copied().unwrap_or(row.params[param].name)
    }
}

const fn form(name: &'static str, words: &'static [Word]) -> FileForm {
    FileForm { name, words, properties: &[], unbounded: None, is_written: true }
}

const fn with(name: &'static str, words: &'static [Word], properties: &'static [&'static str]) -> FileForm {
    FileForm { properties, ..form(name, words) }
}

const fn unbounded(name: &'static str, words: &'static [Word], property: &'static str) -> FileForm {
    FileForm { unbounded: Some(property), ..form(name, words) }
}

/// The built-in names of Behavior3, which its editor knows.
const BEHAVIOR3: &[FileForm] = &[
    form("Priority", &[Word::Selector]),
    form("Sequence", &[Word::Sequence]),
    form("MemPriority", &[Word::MemSelector]),
    form("MemSequence", &[Word::MemSequence]),
    form("Inverter", &[Word::Invert]),
    with("Limiter", &[Word::Limit], &["maxLoop"]),
    with("MaxTime", &[Word::Timeout], &["maxTime"]),
    unbounded("Repeater", &[Word::Repeat], "maxLoop"),
    with("Repeater", &[Word::RepeatTimes], &["maxLoop"]),
    unbounded("RepeatUntilFailure", &[Word::UntilFailure], "maxLoop"),
    with("RepeatUntilFailure", &[Word::ForceSuccess, Word::Retry, Word::Invert], &["maxLoop"]),
    unbounded("RepeatUntilSuccess", &[Word::UntilSuccess], "maxLoop"),
    FileForm { is_written: false, ..with("RepeatUntilSuccess", &[Word::Retry], &["maxLoop"]) },
    with("Wait", &[Word::Wait], &["milliseconds"]),
    form("Succeeder", &[Word::Succeed]),
    form("Failer", &[Word::Fail]),
    form("Runner", &[Word::Run]),
    form("Error", &[Word::Error]),
];

/// The names of `tree!` that mean two words, selected by a number.
const OVERLOADED: &[FileForm] = &[unbounded("repeat", &[Word::Repeat], "times")];

/// Returns the forms of this name: none if it is not the name of a word, two if a number selects the form.
pub fn file_forms(name: &str) -> impl Iterator<Item = FileForm> + '_ {
    let behavior3 = BEHAVIOR3.iter().copied().filter(move |form| form.name == name);
    let own = Word::named(name).map(move |word| {
        let overloaded = OVERLOADED.iter().find(|form| form.name == name && form.words == [word]);
        overloaded.copied().unwrap_or(form(word.name(), word.alone()))
    });
    behavior3.chain(own)
}

/// Returns `true` if this is the name of a word in files: a name of `tree!` or of Behavior3.
pub fn is_file_name(name: &str) -> bool {
    file_forms(name).next().is_some()
}

impl Word {
    /// Returns the word of this name in files, the outermost if the name means several, and without arguments if it can be.
    pub fn of_file(name: &str) -> Option<Self> {
        file_forms(name).find_map(|form| form.words.first().copied())
    }

    /// Returns the form of this word in Behavior3; `None` if Behavior3 has no such word.
    pub fn behavior3(self) -> Option<FileForm> {
        BEHAVIOR3.iter().copied().find(|form| form.is_written && form.words == [self])
    }

    /// Returns all names of words in files.
    pub fn file_names() -> impl Iterator<Item = &'static str> {
        let behavior3 = BEHAVIOR3.iter().map(|form| form.name);
        Self::ALL.iter().map(|word| word.name()).chain(behavior3)
    }
}

/// Returns `true` if this is a built-in name of Behavior3, which its editor knows.
pub fn is_behavior3(name: &str) -> bool {
    BEHAVIOR3.iter().any(|form| form.name == name)
}
