//! The bytes of a file that are not text: a byte order mark, and the carriage returns at the ends of lines.

use std::borrow::Cow;

/// The text of a file as it is read: without a byte order mark, and with `\n` at the ends of lines.
pub(crate) struct Plain<'t> {
    pub(crate) text: Cow<'t, str>,
    has_mark: bool,
    /// Whether all lines ended with `\r\n`; `None` if only some did.
    pub(crate) returns: Option<bool>,
}

impl<'t> Plain<'t> {
    pub(crate) fn of(source: &'t str) -> Self {
        let text = source.strip_prefix('\u{feff}').unwrap_or(source);
        let has_mark = text.len() < source.len();
        let count = if text.contains('\r') { text.matches("\r\n").count() } else { 0 };
        if count == 0 {
            return Self { text: text.into(), has_mark, returns: Some(false) };
        }
        let returns = (count == text.matches('\n').count()).then_some(true);
        Self { text: text.replace("\r\n", "\n").into(), has_mark, returns }
    }

    /// Returns a changed text as the file had it.
    pub(crate) fn restore(&self, text: String) -> String {
        let text = if self.returns == Some(true) { text.replace('\n', "\r\n") } else { text };
        if self.has_mark { format!("\u{feff}{text}") } else { text }
    }
}
