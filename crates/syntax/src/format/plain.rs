//! The bytes of a file that are not text: a byte order mark, and the carriage returns at the ends of lines.

/// The text of a file as it is read: without a byte order mark, and with `\n` at the ends of lines.
pub(crate) struct Plain {
    pub(crate) text: String,
    has_mark: bool,
    /// Whether all lines ended with `\r\n`; `None` if only some did.
    pub(crate) returns: Option<bool>,
}

impl Plain {
    pub(crate) fn of(source: &str) -> Self {
        let text = source.strip_prefix('\u{feff}').unwrap_or(source);
        let count = text.matches("\r\n").count();
        let returns = if count == 0 { Some(false) } else { (count == text.matches('\n').count()).then_some(true) };
        Self { text: text.replace("\r\n", "\n"), has_mark: text.len() < source.len(), returns }
    }

    /// Returns a changed text as the file had it.
    pub(crate) fn restore(&self, text: &str) -> String {
        let text = if self.returns == Some(true) { text.replace('\n', "\r\n") } else { text.to_owned() };
        if self.has_mark { format!("\u{feff}{text}") } else { text }
    }
}
