//! Errors and warnings in files.

use std::fmt::{self, Write};

use bt_words::{ChildCount, Lint};

/// What is also valid in the place of a number or time, for messages: texts write variables in another way than files of the editor and XML.
pub(crate) const READ: &str = "the name of a registered value or a variable, `{name}` or in a text `var(name)`";

/// An error in a tree, or a warning: the node and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The id of the node; empty for an error of the tree.
    pub id: String,
    /// The title of the node or tree; the name of the node if it has no title.
    pub title: String,
    /// The error, with a suggested fix if there is one.
    pub reason: String,
    /// The lint of a valid node with a mistake, which is a warning; `None` for an error, and for a warning that cannot be allowed.
    pub lint: Option<Lint>,
    /// The place of the error, if the tree was read from text. The message then contains the place instead of the id and the
    /// title.
    pub place: Option<Place>,
}

/// A fault of a node or of one of its properties. The place of the property in a text is that of the error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The name of the property.
    pub property: Option<String>,
    /// The index of the invalid item, if the property is a list that is not invalid as a whole.
    pub item: Option<usize>,
    /// The error, with a suggested fix if there is one.
    pub reason: String,
}

impl Fault {
    /// Creates a fault of a property.
    pub fn of(property: impl Into<String>, reason: String) -> Self {
        Self { property: Some(property.into()), item: None, reason }
    }

    /// Creates a fault of one item of a property.
    pub fn of_item(property: impl Into<String>, item: usize, reason: String) -> Self {
        Self { item: Some(item), ..Self::of(property, reason) }
    }
}

impl From<String> for Fault {
    fn from(reason: String) -> Self {
        Self { property: None, item: None, reason }
    }
}

/// A place in a text: a line and a column, counted from 1. Columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.line, self.column)
    }
}

impl Diagnostic {
    /// Creates an error of a tree with this title, or of a file if the title is empty.
    pub fn of_tree(title: &str, reason: String) -> Self {
        Self { id: String::new(), title: title.to_owned(), reason, lint: None, place: None }
    }

    /// Creates an error at a place in a text.
    pub const fn at(place: Place, reason: String) -> Self {
        Self { id: String::new(), title: String::new(), reason, lint: None, place: Some(place) }
    }

    /// Adds the name of the file that the error is in, if that is included by the file of the tree.
    #[must_use]
    pub fn in_file(mut self, file: Option<&str>) -> Self {
        if let Some(file) = file {
            self.reason = format!("{} (in `{file}`)", self.reason);
        }
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place {
            return write!(out, "{place}: {}", self.reason);
        }
        match (self.id.as_str(), self.title.as_str()) {
            ("", "") => write!(out, "tree: {}", self.reason),
            ("", title) => write!(out, "tree \"{}\": {}", Short(title), self.reason),
            (id, "") => write!(out, "node {}: {}", Short(id), self.reason),
            (id, title) => write!(out, "node {} (\"{}\"): {}", Short(id), Short(title), self.reason),
        }
    }
}

impl std::error::Error for Diagnostic {}

/// Returns the error for an invalid number of children; `None` if the number is valid.
pub fn wrong_children(takes: ChildCount, found: usize) -> Option<String> {
    if takes.contains(found) {
        return None;
    }
    let note = match takes.as_note() {
        "" => String::new(),
        note => format!("; note: {note}"),
    };
    Some(format!("expected {takes}, found {found}{note}"))
}

/// Text of a file, shortened for messages.
pub(crate) struct Short<'a>(pub(crate) &'a str);

impl fmt::Display for Short<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_LEN: usize = 60;
        let mut signs = self.0.chars();
        for sign in signs.by_ref().take(MAX_LEN) {
            if sign.is_control() { write!(out, "{}", sign.escape_default())? } else { out.write_char(sign)? }
        }
        if signs.next().is_some() { out.write_str("…") } else { Ok(()) }
    }
}

/// The error for a text that is not a file of the editor.
#[derive(Debug)]
pub struct ReadError(pub(crate) serde_json::Error);

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "not a Behavior3 tree or project: {}", self.0)
    }
}

/// The error at its place in the text.
impl From<&ReadError> for Diagnostic {
    fn from(error: &ReadError) -> Self {
        let (reason, line, column) = (error.to_string(), error.0.line(), error.0.column());
        let number = |number: usize| u32::try_from(number.max(1)).unwrap_or(u32::MAX);
        let place = Place { line: number(line), column: number(column) };
        match reason.strip_suffix(&format!(" at line {line} column {column}")) {
            Some(reason) => Self::at(place, reason.to_owned()),
            None => Self::of_tree("", reason),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}
