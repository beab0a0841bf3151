//! The lines of a formatted tree, with its comments.

use super::comment::{Comment, push_indent};

/// Lines of a formatted tree.
pub(super) struct Lines {
    pub(super) text: String,
    pub(super) has_tabs: bool,
}

impl Lines {
    pub(super) fn line(&mut self, indent: usize, text: &str) {
        push_indent(&mut self.text, indent, self.has_tabs);
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Writes the comments and blank lines between two items. At the end of a list, blank lines before the brace are dropped.
    pub(super) fn comments(&mut self, comments: &[Comment<'_>], indent: usize, at_end: bool) {
        let Some((end, comments)) = comments.split_last() else { return };
        let next = comments.iter().map(|comment| comment.breaks).skip(1).chain([end.breaks]);
        for (comment, next) in comments.iter().zip(next) {
            // A comment at the end of the line before, unless it is before an item in this line.
            let is_behind = comment.breaks == 0 && (next > 0 || at_end || comment.is_of_line());
            if is_behind && self.text.ends_with('\n') {
                self.text.pop();
                self.text.push(' ');
            } else {
                self.blank_lines(comment.breaks);
                push_indent(&mut self.text, indent, self.has_tabs);
            }
            self.comment(&comment.at(indent, self.has_tabs), indent);
        }
        if !at_end {
            self.blank_lines(end.breaks);
        }
    }

    /// Writes the blank lines for this number of line breaks.
    fn blank_lines(&mut self, breaks: usize) {
        self.text.push_str(&"\n".repeat(breaks.saturating_sub(1)));
    }

    /// Writes a comment up to the end of its last line. The stars at the beginning of the lines of a block are aligned.
    fn comment(&mut self, text: &str, indent: usize) {
        for (number, line) in text.split('\n').enumerate() {
            let content = line.trim_start();
            let is_star = number > 0 && content.starts_with('*');
            if is_star {
                push_indent(&mut self.text, indent, self.has_tabs);
                self.text.push(' ');
            }
            self.text.push_str(if is_star || number == 0 { content } else { line }.trim_end());
            self.text.push('\n');
        }
    }
}
