//! Text of tokens in which each token has its location in the source, if the compiler provides the location.

use bt_behavior3::Place;
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

use crate::location::place;
use crate::text::delimiters;

/// Returns the text of tokens, and the location of the first token; `None` if the compiler provides no locations. Comments are
/// left out.
pub fn laid_out(tokens: TokenStream) -> Option<(String, Place)> {
    let first = tokens.clone().into_iter().next()?.span();
    let start = place(first);
    let mut layout = Layout { text: String::new(), line: start.line, column: start.column };
    // An unknown location is line 0.
    (first.start().line > 0 && layout.add(tokens)).then_some((layout.text, start))
}

struct Layout {
    text: String,
    /// Where the text ends.
    line: u32,
    column: u32,
}

impl Layout {
    /// Adds tokens. Returns `false` if one is on a line before the others, as those of fragments of a macro are.
    fn add(&mut self, tokens: TokenStream) -> bool {
        tokens.into_iter().all(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => self.add(group.stream()),
            TokenTree::Group(group) => {
                let (open, close) = delimiters(group.delimiter());
                self.word(open, group.span_open()) && self.add(group.stream()) && self.word(close, group.span_close())
            }
            token => self.word(&token.to_string(), token.span()),
        })
    }

    fn word(&mut self, word: &str, span: Span) -> bool {
        let at = place(span);
        if at.line < self.line {
            return false;
        }
        while self.line < at.line {
            self.text.push('\n');
            (self.line, self.column) = (self.line + 1, 1);
        }
        while self.column < at.column {
            self.text.push(' ');
            self.column += 1;
        }
        for sign in word.chars() {
            self.text.push(sign);
            (self.line, self.column) = if sign == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::flat;

    #[test]
    fn tokens_are_where_they_were() {
        for text in [
            "selector { a, b(1, \"x\") }",
            "a {\n    // says\n    |x: &'a u8| x.y >= 3,\n\n  \"two\n lines\" }",
            "é(1) b",
        ] {
            let tokens: TokenStream = text.parse().expect("the text is tokens");
            let (laid, start) = laid_out(tokens.clone()).expect("the locations are known");
            assert_eq!((start.line, start.column), (1, 1));
            assert_eq!(laid, text.replace("// says", "").replace("    \n", "\n"));
            assert_eq!(flat(laid.parse().expect("the text is tokens")), flat(tokens));
        }
    }
}
