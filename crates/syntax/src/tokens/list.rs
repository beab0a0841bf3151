//! The list of tokens.

use std::ops::Range;

use proc_macro2::{Delimiter, TokenTree};

/// The tokens of a macro or a text.
pub struct Tokens {
    /// The text that the places of tokens refer to: that of a file, or the texts of a macro's tokens, one after the other.
    pub(super) text: String,
    pub(super) list: Vec<Token>,
    /// The token of the compiler for each token, a group for each of its delimiters. Empty for a text.
    pub(super) of_macro: Vec<TokenTree>,
    /// The begin of each line of a text.
    pub(super) lines: Vec<usize>,
}

/// A token, or a delimiter of a group.
#[derive(Clone, Copy)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// Its place in the text.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The index of the other delimiter.
    pub(crate) other: u32,
}

impl Token {
    /// Returns its place in the text.
    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Word,
    Literal,
    /// A comment that documents what follows, in a text.
    #[cfg_attr(not(feature = "file"), expect(dead_code, reason = "the compiler makes attributes of it"))]
    Documentation,
    /// A character of an operator. It is joint if another one follows at once.
    Sign {
        joint: bool,
    },
    Open(Delimiter),
    Close(Delimiter),
}

impl Tokens {
    #[cfg(feature = "file")]
    pub(crate) fn new(text: String, list: Vec<Token>, of_macro: Vec<TokenTree>, lines: Vec<usize>) -> Self {
        Self { text, list, of_macro, lines }
    }

    /// Returns the place of an index of a text.
    #[cfg(feature = "file")]
    pub(super) fn place(&self, at: usize) -> bt_behavior3::Place {
        let line = self.lines.partition_point(|begin| *begin <= at).max(1);
        let begin = self.lines.get(line - 1).copied().unwrap_or_default();
        let column = self.text[begin..at].chars().count() + 1;
        bt_behavior3::Place { line: index(line), column: index(column) }
    }

    /// Returns each token and each delimiter of a text, with its index in the text.
    #[cfg(feature = "file")]
    pub(crate) fn texts(&self) -> impl Iterator<Item = (usize, &str)> {
        self.list.iter().map(|token| (token.start as usize, self.text(*token)))
    }

    /// Returns `true` for the tokens of a text, which have no Rust for the compiler.
    pub(crate) fn is_text(&self) -> bool {
        !self.lines.is_empty()
    }

    pub(super) fn end(&self) -> u32 {
        index(self.list.len())
    }

    #[inline]
    pub(super) fn token(&self, at: u32) -> Option<Token> {
        self.list.get(at as usize).copied()
    }

    pub(super) fn text(&self, token: Token) -> &str {
        &self.text[token.range()]
    }

    #[inline]
    pub(super) fn first_byte(&self, token: Token) -> Option<u8> {
        self.text.as_bytes().get(token.start as usize).copied()
    }

    /// Returns the first index at or after one that is no delimiter of a group without delimiters, which a `macro_rules!` has inserted.
    #[inline]
    pub(super) fn visible(&self, mut at: u32, end: u32) -> u32 {
        while at < end
            && let Some(Token { kind: Kind::Open(Delimiter::None) | Kind::Close(Delimiter::None), .. }) = self.token(at)
        {
            at += 1;
        }
        at
    }

    /// Returns the index after a token, or after the group that it opens.
    pub(super) fn after(&self, at: u32) -> u32 {
        match self.token(at) {
            Some(Token { kind: Kind::Open(_), other, .. }) => other + 1,
            _ => at + 1,
        }
    }
}

/// Returns an index or a place as it is stored.
pub(crate) fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
