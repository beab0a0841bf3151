//! What a command has found.

/// The output of a command, and whether the command found no errors.
pub(crate) struct Output {
    /// For the standard output.
    pub(crate) text: String,
    /// Lines for the standard error.
    pub(crate) errors: Vec<String>,
    pub(crate) is_good: bool,
}

impl Output {
    pub(crate) const fn new(text: String, is_good: bool) -> Self {
        Self { text, errors: Vec::new(), is_good }
    }

    pub(crate) const fn text(text: String) -> Self {
        Self::new(text, true)
    }
}
