//! Tokens in succession, and groups of them.

use std::fmt;

use proc_macro2::Delimiter;

use super::list::{Kind, Token, Tokens};
use super::span::Span;
use super::view::{Ident, Literal, Punct};
use crate::text;

impl Tokens {
    /// Returns the whole list.
    pub fn all(&self) -> TokenStream<'_> {
        TokenStream::new(self, 0, self.end())
    }
}

/// Tokens in delimiters.
#[derive(Clone, Copy)]
pub struct Group<'t> {
    tokens: &'t Tokens,
    delimiter: Delimiter,
    open: u32,
    close: u32,
}

impl<'t> Group<'t> {
    pub const fn delimiter(self) -> Delimiter {
        self.delimiter
    }

    /// Returns the tokens between the delimiters.
    pub fn stream(self) -> TokenStream<'t> {
        TokenStream::new(self.tokens, self.open + 1, self.close)
    }

    /// Returns the tokens with the delimiters.
    fn whole(self) -> TokenStream<'t> {
        TokenStream::new(self.tokens, self.open, self.close + 1)
    }

    /// Returns where the group is, with its delimiters.
    pub fn span(self) -> Span<'t> {
        Span::new(self.tokens, self.open, self.close + 1)
    }

    pub(crate) fn span_open(self) -> Span<'t> {
        Span::new(self.tokens, self.open, self.open + 1)
    }
}

/// A token, or a group of tokens.
#[derive(Clone, Copy)]
pub enum Tree<'t> {
    Group(Group<'t>),
    Ident(Ident<'t>),
    Punct(Punct<'t>),
    Literal(Literal<'t>),
}

impl<'t> Tree<'t> {
    /// Returns the token at an index.
    pub(super) fn at(tokens: &'t Tokens, at: u32) -> Option<Self> {
        let token @ Token { kind, other, .. } = tokens.token(at)?;
        let (text, span) = (tokens.text(token), Span::new(tokens, at, at + 1));
        Some(match kind {
            Kind::Word => Self::Ident(Ident::new(text, span)),
            Kind::Literal => Self::Literal(Literal { text, span }),
            Kind::Sign { .. } => Self::Punct(Punct { text, span }),
            Kind::Open(delimiter) => Self::Group(Group { tokens, delimiter, open: at, close: other }),
            Kind::Documentation | Kind::Close(_) => return None,
        })
    }

    /// Returns `true` for this sign.
    pub(crate) fn is_punct(self, sign: char) -> bool {
        matches!(self, Self::Punct(punct) if punct.as_char() == sign)
    }
}

/// Tokens in succession.
#[derive(Clone, Copy)]
pub struct TokenStream<'t> {
    pub(super) tokens: &'t Tokens,
    pub(super) from: u32,
    pub(super) to: u32,
}

impl<'t> TokenStream<'t> {
    pub(super) const fn new(tokens: &'t Tokens, from: u32, to: u32) -> Self {
        Self { tokens, from, to }
    }

    pub fn is_empty(self) -> bool {
        self.from >= self.to
    }

    /// Returns where the tokens are.
    pub const fn span(self) -> Span<'t> {
        Span { tokens: self.tokens, from: self.from, to: self.to }
    }

    /// Returns where the first token is; the call of the macro if there are none.
    pub(crate) fn begin(self) -> Span<'t> {
        let to = if self.is_empty() { self.from } else { self.tokens.after(self.from).min(self.to) };
        let from = if self.is_empty() { u32::MAX } else { self.from };
        Span::new(self.tokens, from, to)
    }

    /// Returns `true` for one token with this text.
    pub(crate) fn is(self, text: &str) -> bool {
        self.to == self.from + 1 && self.tokens.token(self.from).is_some_and(|token| self.tokens.text(token) == text)
    }

    /// Returns the tokens at the top, in order.
    pub(crate) fn trees(self) -> impl Iterator<Item = Tree<'t>> + Clone {
        let Self { tokens, mut from, to } = self;
        std::iter::from_fn(move || {
            // The part of a group without delimiters may end here.
            while from < to && matches!(tokens.token(from), Some(Token { kind: Kind::Close(_), .. })) {
                from += 1;
            }
            if from >= to {
                return None;
            }
            let tree = Tree::at(tokens, from)?;
            from = tokens.after(from);
            Some(tree)
        })
    }

    /// Returns the tokens of the compiler; those of a text without their places.
    pub fn to_macro(self) -> proc_macro2::TokenStream {
        if self.tokens.is_text() {
            return self.source().parse().unwrap_or_default();
        }
        let (mut stream, mut at) = (proc_macro2::TokenStream::new(), self.from);
        while at < self.to {
            // A part can begin or end inside of a group without delimiters.
            let is_whole = match self.tokens.token(at) {
                Some(Token { kind: Kind::Open(_), other, .. }) => other < self.to,
                Some(Token { kind: Kind::Close(_), .. }) | None => false,
                Some(_) => true,
            };
            if is_whole {
                stream.extend(self.tokens.of_macro.get(at as usize).cloned());
                at = self.tokens.after(at);
            } else {
                at += 1;
            }
        }
        stream
    }

    /// Returns the tokens as they are in a text.
    fn source(self) -> &'t str {
        let last = self.to.checked_sub(1).and_then(|last| self.tokens.token(last));
        match (self.tokens.token(self.from), last) {
            (Some(first), Some(last)) if !self.is_empty() => &self.tokens.text[first.start as usize..last.end as usize],
            _ => "",
        }
    }

    /// Returns the tokens as a person writes them.
    pub(crate) fn written(self) -> String {
        text::written(self.to_macro())
    }

    /// Returns the name of a leaf that has no name of its own: the last word of a path, or the text of other Rust.
    pub(crate) fn name(self) -> String {
        match self.trees().collect::<Vec<_>>()[..] {
            [Tree::Ident(word)] => word.unraw().to_owned(),
            _ => text::name(&self.to_macro()),
        }
    }
}

impl fmt::Display for TokenStream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_macro().fmt(f)
    }
}

impl fmt::Display for Tree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Group(group) => write!(f, "{}", group.whole().to_macro()),
            Self::Ident(word) => f.write_str(word.text),
            Self::Punct(sign) => f.write_str(sign.text),
            Self::Literal(literal) => f.write_str(literal.text),
        }
    }
}
