//! The comments and blank lines between two items.

use std::borrow::Cow;

/// A comment, or what is between two.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Comment<'a> {
    /// The number of line breaks before it.
    pub(crate) breaks: usize,
    /// The column at which it begins, if it is the first in its line.
    column: Option<usize>,
    /// Where it begins in the gap.
    pub(crate) start: usize,
    /// The text; empty at the end of the gap.
    pub(crate) text: &'a str,
}

impl Comment<'_> {
    /// Returns `true` if nothing can follow it in its line.
    pub(crate) fn is_of_line(&self) -> bool {
        self.text.starts_with("//")
    }

    /// Returns the text as it is when the comment begins at another column. The lines of a block move with its first one.
    pub(crate) fn at(&self, column: usize, has_tabs: bool) -> Cow<'_, str> {
        let Some(was) = self.column.filter(|was| *was != column && self.text.contains('\n')) else {
            return self.text.into();
        };
        let mut moved = String::new();
        for (number, line) in self.text.split('\n').enumerate() {
            let (columns, count) = indentation(line);
            if number > 0 {
                moved.push('\n');
                if count < line.len() {
                    push_indent(&mut moved, (columns + column).saturating_sub(was), has_tabs);
                }
            }
            moved.push_str(&line[count..]);
        }
        moved.into()
    }
}

/// The columns of a level of indentation, and of a tab.
pub(crate) const INDENT: usize = 4;

/// Adds the spaces or tabs at the beginning of a line.
pub(super) fn push_indent(text: &mut String, indent: usize, has_tabs: bool) {
    let tabs = if has_tabs { indent / INDENT } else { 0 };
    text.extend(std::iter::repeat_n('\t', tabs));
    text.extend(std::iter::repeat_n(' ', indent - tabs * INDENT));
}

/// Returns a line of a list as if it were in no list.
#[cfg(feature = "edit")]
pub(crate) fn outdented(line: &str) -> &str {
    line.strip_prefix('\t').or_else(|| line.strip_prefix("    ")).unwrap_or(line)
}

/// Returns the number of columns of the spaces and tabs at the beginning of a line, and their number.
pub(crate) fn indentation(line: &str) -> (usize, usize) {
    let signs = line.chars().take_while(|sign| *sign == ' ' || *sign == '\t');
    signs.fold((0, 0), |(columns, count), sign| (columns + if sign == '\t' { INDENT } else { 1 }, count + 1))
}

/// Returns the comments of a gap, and its end as the last one. Returns `None` if the gap contains anything else except commas,
/// which are dropped.
pub(crate) fn comments_of(gap: &str) -> Option<Vec<Comment<'_>>> {
    let (mut comments, mut breaks, mut rest) = (Vec::new(), 0, gap);
    loop {
        let length = match rest.chars().next() {
            None => {
                comments.push(Comment { breaks, column: None, start: gap.len(), text: "" });
                return Some(comments);
            }
            Some(sign) if sign.is_whitespace() => {
                breaks += usize::from(sign == '\n');
                rest = &rest[sign.len_utf8()..];
                continue;
            }
            Some(_) if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            Some(_) if rest.starts_with("/*") => block(rest)?,
            Some(_) => return None,
        };
        let before = &gap[..gap.len() - rest.len()];
        let line = before.rfind('\n').filter(|_| breaks > 0).map(|end| &before[end + 1..]);
        let column = line.map(|line| indentation(line).0);
        comments.push(Comment { breaks, column, start: before.len(), text: rest[..length].trim_end() });
        (breaks, rest) = (0, &rest[length..]);
    }
}

/// Returns the length of a block comment, which may contain others.
fn block(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, 0);
    loop {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += rest.chars().next()?.len_utf8();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_split() {
        let comments = comments_of(" // a\n\n /* b /* c */\n d */ /* e */\n").expect("only comments");
        let parts: Vec<_> = comments.iter().map(|comment| (comment.breaks, comment.text)).collect();
        assert_eq!(parts, [(0, "// a"), (2, "/* b /* c */\n d */"), (0, "/* e */"), (1, "")]);
        assert_eq!(comments_of("/* a"), None);
        assert_eq!(comments_of(" x // a"), None);
    }
}
