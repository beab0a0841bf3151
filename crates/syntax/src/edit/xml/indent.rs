//! The space before the lines of an element.

/// Replaces the space at the begin of each line but the first: `from` by `to`. What is inside of values of attributes stays.
pub(super) fn moved(text: &str, from: &str, to: &str) -> String {
    if from == to {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut inside = Inside::Text;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        match line.strip_prefix(from) {
            Some(rest) if index > 0 && !matches!(inside, Inside::Value(_)) => {
                // An empty line has no space.
                out += if rest.trim().is_empty() { "" } else { to };
                out += rest;
            }
            _ => out += line,
        }
        inside = inside.after(line);
    }
    out
}

/// What a line begins in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inside {
    Text,
    Comment,
    Tag,
    /// A value with this quote.
    Value(char),
}

impl Inside {
    fn after(mut self, text: &str) -> Self {
        let mut rest = text;
        while let Some(sign) = rest.chars().next() {
            let (next, length) = match self {
                Self::Text if rest.starts_with("<!--") => (Self::Comment, 4),
                Self::Text if sign == '<' => (Self::Tag, 1),
                Self::Comment if rest.starts_with("-->") => (Self::Text, 3),
                Self::Tag if sign == '>' => (Self::Text, 1),
                Self::Tag if matches!(sign, '"' | '\'') => (Self::Value(sign), 1),
                Self::Value(quote) if sign == quote => (Self::Tag, 1),
                same => (same, sign.len_utf8()),
            };
            self = next;
            rest = &rest[length..];
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_moved_but_not_values() {
        let text = "<A x=\"1\n    2\"\n    y='>'>\n    <!-- \" -->\n\n    <B/>\n  </A>";
        let expected = "<A x=\"1\n    2\"\n  y='>'>\n  <!-- \" -->\n\n  <B/>\n</A>";
        assert_eq!(moved(text, "  ", ""), expected);
        assert_eq!(moved("<A>\n<B/>\n\n</A>", "", "\t"), "<A>\n\t<B/>\n\n\t</A>");
    }
}
