//! Tokens with their places in the source.

use std::ops::Range;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// A token, or a group of tokens in delimiters.
#[derive(Debug)]
pub(crate) enum Token {
    /// An identifier, a literal or a sign. A sign is `joint` if another one follows at once.
    Leaf { range: Range<usize>, joint: bool },
    /// A group. Its delimiters have places of their own.
    Group { delimiter: Delimiter, open: Range<usize>, close: Range<usize>, inner: Vec<Self> },
}

/// Returns the tokens of a stream.
pub(crate) fn tokens(stream: TokenStream) -> Vec<Token> {
    stream.into_iter().map(Token::from).collect()
}

impl From<TokenTree> for Token {
    fn from(tree: TokenTree) -> Self {
        match tree {
            TokenTree::Group(group) => Self::Group {
                delimiter: group.delimiter(),
                open: group.span_open().byte_range(),
                close: group.span_close().byte_range(),
                inner: tokens(group.stream()),
            },
            TokenTree::Punct(sign) => {
                Self::Leaf { range: sign.span().byte_range(), joint: sign.spacing() == Spacing::Joint }
            }
            other => Self::Leaf { range: other.span().byte_range(), joint: false },
        }
    }
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
