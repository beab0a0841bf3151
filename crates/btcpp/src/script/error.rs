//! The errors of scripts.

use std::error::Error;
use std::fmt;

/// The error of a text that is not a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptError {
    /// The byte offset of the fault in the text.
    pub at: usize,
    /// What was found, and what was expected.
    pub reason: String,
}

/// The error of running a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunError {
    /// The text of the script.
    pub script: String,
    /// What could not be evaluated.
    pub reason: String,
}

impl ScriptError {
    pub(super) fn new(at: usize, reason: impl Into<String>) -> Self {
        Self { at, reason: reason.into() }
    }
}

impl fmt::Display for ScriptError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "at byte {}: {}", self.at, self.reason)
    }
}

impl Error for ScriptError {}

impl fmt::Display for RunError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "script `{}`: {}", self.script, self.reason)
    }
}

impl Error for RunError {}
