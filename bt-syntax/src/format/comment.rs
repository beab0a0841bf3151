//! The comments and blank lines between two items.

/// A comment, or what is between two.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Comment<'a> {
    /// The number of line breaks before it.
    pub(crate) breaks: usize,
    /// The text; empty at the end of the gap.
    pub(crate) text: &'a str,
}

impl Comment<'_> {
    /// Returns `true` if nothing can follow it in its line.
    pub(crate) fn is_of_line(&self) -> bool {
        self.text.starts_with("//")
    }
}

/// Returns the comments of a gap, and its end as the last one. Returns `None` if the gap contains anything else except commas,
/// which are dropped.
pub(crate) fn comments_of(gap: &str) -> Option<Vec<Comment<'_>>> {
    let (mut comments, mut breaks, mut rest) = (Vec::new(), 0, gap);
    loop {
        let length = match rest.chars().next() {
            None => {
                comments.push(Comment { breaks, text: "" });
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
        comments.push(Comment { breaks, text: rest[..length].trim_end() });
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
