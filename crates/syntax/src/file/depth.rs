//! Limits the depth of a text before it is parsed, which takes a stack in proportion, and the length of numbers, which take time by its square.

use bt_behavior3::Diagnostic;
use bt_words::{MAX_LEVELS, TOO_DEEP};
use proc_macro2::{Delimiter, Literal, TokenStream, TokenTree, token_stream};

use super::place;

/// The maximum depth of delimiters in each other: those of a tree, of the function around it, and of the arguments of a leaf.
pub(crate) const MAX_DELIMITERS: usize = MAX_LEVELS + 56;
/// The maximum number of tokens around and before a token that can contain it: those of its list after the last comma or list in braces, and those of the
/// lists around it. A level has a name, arguments, a label and delimiters, and may have a weight and attributes.
const MAX_TOKENS: usize = 15 * MAX_LEVELS;
/// The maximum length of a number.
const MAX_DIGITS: usize = 500;

/// The tokens of a group that are still to be visited.
struct Level {
    tokens: std::iter::Peekable<token_stream::IntoIter>,
    /// The number of tokens before the group that can contain it.
    around: usize,
    /// The number of tokens in it that can contain the next.
    own: usize,
    /// The number of `<`, after which a comma ends nothing.
    angles: usize,
}

impl Level {
    fn new(stream: TokenStream, around: usize) -> Self {
        Self { tokens: stream.into_iter().peekable(), around, own: 0, angles: 0 }
    }

    fn count(&self) -> usize {
        self.around + self.own + self.angles
    }
}

/// Returns an error if the parser could need more stack than it has, or too much time.
pub(super) fn check(stream: TokenStream) -> Result<(), Vec<Diagnostic>> {
    let mut open = vec![Level::new(stream, 0)];
    while let Some(level) = open.last_mut() {
        let Some(token) = level.tokens.next() else {
            open.pop();
            continue;
        };
        level.own += 1;
        let (count, span) = (level.count(), token.span());
        if count > MAX_TOKENS {
            return Err(vec![Diagnostic::at(place(span), format!("{TOO_DEEP}, and a part without a comma is short"))]);
        }
        match token {
            TokenTree::Group(group) => {
                // `else` continues an `if`; a label, a weight or a transition continues nothing.
                let ends = group.delimiter() == Delimiter::Brace
                    && !matches!(level.tokens.peek(), Some(TokenTree::Ident(word)) if word == "else");
                level.own = if ends { 0 } else { level.own };
                if open.len() > MAX_DELIMITERS {
                    return Err(vec![Diagnostic::at(place(span), TOO_DEEP.to_owned())]);
                }
                open.push(Level::new(group.stream(), count));
            }
            TokenTree::Punct(sign) if sign.as_char() == ',' => level.own = 0,
            TokenTree::Punct(sign) if sign.as_char() == '<' => level.angles += 1,
            TokenTree::Literal(literal) if is_long(&literal) => {
                return Err(vec![Diagnostic::at(place(span), "the number is too long".to_owned())]);
            }
            TokenTree::Punct(_) | TokenTree::Ident(_) | TokenTree::Literal(_) => {}
        }
    }
    Ok(())
}

fn is_long(literal: &Literal) -> bool {
    let text = literal.to_string();
    text.len() > MAX_DIGITS && text.starts_with(|first: char| first.is_ascii_digit())
}
