//! Tokens as a tree: those of a group are inside of it.

use std::ops::Range;

use proc_macro2::Delimiter;

use super::{NoTokens, list};
use crate::tokens::{Kind, Token as Flat};

/// A token, or a group of tokens in delimiters.
#[derive(Debug)]
pub(crate) enum Token {
    /// An identifier, a lifetime, a literal, a sign, or a documentation comment. A sign is `joint` if another one follows at once.
    Leaf { range: Range<usize>, joint: bool },
    /// A group. Its delimiters have places of their own.
    Group { delimiter: Delimiter, open: Range<usize>, close: Range<usize>, inner: Vec<Self> },
}

impl Token {
    /// Returns the place of the token, including delimiters.
    pub(crate) fn range(&self) -> Range<usize> {
        match self {
            Self::Leaf { range, .. } => range.clone(),
            Self::Group { open, close, .. } => open.start..close.end,
        }
    }

    /// Returns `true` if the token is this text.
    pub(crate) fn is(&self, source: &str, text: &str) -> bool {
        matches!(self, Self::Leaf { range, .. } if source[range.clone()] == *text)
    }

    /// Returns the content of a group in braces.
    pub(crate) fn braces(&self) -> Option<(&Range<usize>, &Range<usize>, &[Self])> {
        match self {
            Self::Group { delimiter: Delimiter::Brace, open, close, inner } => Some((open, close, inner)),
            _ => None,
        }
    }
}

/// Returns `true` if the tokens begin with these two signs, written together.
pub(crate) fn is_pair(tokens: &[Token], source: &str, first: &str, second: &str) -> bool {
    matches!(tokens, [one @ Token::Leaf { joint: true, .. }, two, ..] if one.is(source, first) && two.is(source, second))
}

/// Returns the place of a list of tokens.
pub(crate) fn range_of(tokens: &[Token]) -> Option<Range<usize>> {
    Some(tokens.first()?.range().start..tokens.last()?.range().end)
}

/// Returns the tokens of a text.
///
/// # Errors
///
/// As [`Tokens::of_text`] does, without looking into literals.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, NoTokens> {
    list(text).map(|list| nested(text, &list))
}

/// Returns the tokens of a list as a tree.
pub(crate) fn nested(text: &str, list: &[Flat]) -> Vec<Token> {
    let (mut before, mut tokens) = (Vec::new(), Vec::new());
    for flat in list {
        let range = flat.range();
        match flat.kind {
            Kind::Open(_) => before.push((range, std::mem::take(&mut tokens))),
            Kind::Close(delimiter) => {
                if let Some((open, outer)) = before.pop() {
                    let inner = std::mem::replace(&mut tokens, outer);
                    tokens.push(Token::Group { delimiter, open, close: range, inner });
                }
            }
            Kind::Sign { joint } => tokens.push(Token::Leaf { range, joint }),
            // A lifetime is one token here.
            Kind::Word if matches!(tokens.last(), Some(Token::Leaf { range: sign, joint: true }) if text[sign.clone()] == *"'") => {
                if let Some(Token::Leaf { range: sign, joint }) = tokens.last_mut() {
                    (sign.end, *joint) = (range.end, false);
                }
            }
            Kind::Word | Kind::Literal | Kind::Documentation => tokens.push(Token::Leaf { range, joint: false }),
        }
    }
    tokens
}
