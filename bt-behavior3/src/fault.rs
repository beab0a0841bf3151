//! What can be wrong with a file.

use std::fmt::{self, Write};

/// Something that is wrong with a tree: with which node, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The node's id; empty if it is the tree that is wrong.
    pub id: String,
    /// Its title, if it has one that is not its name, else its name.
    pub title: String,
    /// What is wrong, and how to mend it.
    pub reason: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.id.as_str(), self.title.as_str()) {
            ("", "") => write!(out, "the tree: {}", self.reason),
            ("", title) => write!(out, "the tree \"{}\": {}", Short(title), self.reason),
            (id, "") => write!(out, "node {}: {}", Short(id), self.reason),
            (id, title) => write!(out, "node {} (\"{}\"): {}", Short(id), Short(title), self.reason),
        }
    }
}

impl std::error::Error for Fault {}

/// Text of a file, of which too much would hide the rest.
pub(crate) struct Short<'a>(pub(crate) &'a str);

impl fmt::Display for Short<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 60;
        let mut signs = self.0.chars();
        for sign in signs.by_ref().take(MOST) {
            if sign.is_control() { write!(out, "{}", sign.escape_default())? } else { out.write_char(sign)? }
        }
        if signs.next().is_some() { out.write_str("…") } else { Ok(()) }
    }
}

/// Why a file cannot be read as one of the editor's.
#[derive(Debug)]
pub struct ReadError(pub(crate) serde_json::Error);

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "this is no tree or project of Behavior3: {}", self.0)
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}
