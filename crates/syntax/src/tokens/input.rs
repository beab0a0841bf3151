//! Reads tokens one by one.

use std::cell::Cell;

use proc_macro2::Delimiter;

use super::list::{Kind, Token, Tokens};
use super::span::Span;
use super::stream::{Group, TokenStream, Tree};
use super::view::{Ident, Literal, Text};

/// A position in tokens, and their end. As in `syn`, most functions look into groups without delimiters.
#[derive(Clone)]
pub struct Input<'t> {
    tokens: &'t Tokens,
    pub(super) at: Cell<u32>,
    end: u32,
}

impl<'t> Input<'t> {
    pub(super) fn new(tokens: &'t Tokens, at: u32, end: u32) -> Self {
        Self { tokens, at: Cell::new(at), end }
    }

    /// Returns another reader at the same position.
    pub(crate) fn fork(&self) -> Self {
        self.clone()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.visible() >= self.end
    }

    /// Returns where the next token is, or the end if there is none. That of a group is its delimiter.
    pub(crate) fn span(&self) -> Span<'t> {
        let at = if self.is_empty() { self.end } else { self.tree_begin() };
        Span::new(self.tokens, at, at + 1)
    }

    /// Returns the tokens that are not read yet.
    pub(crate) fn rest(&self) -> TokenStream<'t> {
        TokenStream::new(self.tokens, self.tree_begin(), self.end)
    }

    /// Returns no tokens, for those of an error that has been reported.
    pub(crate) fn nothing(&self) -> TokenStream<'t> {
        let at = self.tree_begin();
        TokenStream::new(self.tokens, at, at)
    }

    /// Returns the index of the next token in or outside of a group without delimiters.
    #[inline]
    pub(super) fn visible(&self) -> u32 {
        self.tokens.visible(self.at.get(), self.end)
    }

    #[inline]
    fn token(&self) -> Option<(u32, Token)> {
        self.token_at(self.visible())
    }

    #[inline]
    fn token_at(&self, at: u32) -> Option<(u32, Token)> {
        if at < self.end { self.tokens.token(at).map(|token| (at, token)) } else { None }
    }

    /// Returns the reader after one token, or one group.
    pub(crate) fn after(&self) -> Self {
        let at = self.visible();
        let after = if at < self.end { self.tokens.after(at) } else { at };
        Self { at: Cell::new(after), ..self.clone() }
    }

    /// Returns `true` if this word, operator or opening delimiter follows. An operator may be the begin of a longer one.
    #[inline]
    pub(crate) fn peek(&self, text: &str) -> bool {
        self.length(text).is_some()
    }

    /// Returns `true` if this follows after one token.
    pub(crate) fn peek2(&self, text: &str) -> bool {
        self.after().peek(text)
    }

    /// Returns the index after this word, operator or delimiter, if it follows.
    #[inline]
    fn length(&self, text: &str) -> Option<u32> {
        let (at, token) = self.token()?;
        // Most of what is looked for is not there.
        if self.tokens.first_byte(token) == text.bytes().next() { self.length_at(at, token, text) } else { None }
    }

    fn length_at(&self, at: u32, token: Token, text: &str) -> Option<u32> {
        match token.kind {
            Kind::Word => (self.tokens.text(token) == text).then_some(at + 1),
            Kind::Open(_) => (self.tokens.text(token) == text).then_some(token.other + 1),
            Kind::Sign { .. } => {
                let mut at = at;
                for (index, sign) in text.bytes().enumerate() {
                    let (_, token) = self.token_at(at)?;
                    let Kind::Sign { joint } = token.kind else { return None };
                    if self.tokens.text(token).as_bytes() != [sign] || !joint && index + 1 < text.len() {
                        return None;
                    }
                    at += 1;
                }
                Some(at)
            }
            Kind::Literal | Kind::Documentation | Kind::Close(_) => None,
        }
    }

    /// Takes this word or operator, if it follows. Returns where it is.
    pub(crate) fn eat(&self, text: &str) -> Option<Span<'t>> {
        let (from, to) = (self.visible(), self.length(text)?);
        self.at.set(to);
        Some(Span::new(self.tokens, from, to))
    }

    /// Returns the next token, if it is a word.
    pub(crate) fn peek_word(&self) -> Option<Ident<'t>> {
        let (at, token) = self.token()?;
        (token.kind == Kind::Word).then(|| Ident::new(self.tokens.text(token), Span::new(self.tokens, at, at + 1)))
    }

    /// Returns the next token, if it is a word that can be a name in Rust.
    pub(crate) fn peek_name(&self) -> Option<Ident<'t>> {
        self.peek_word().filter(|word| !word.is_keyword())
    }

    /// Takes the next token, if it is a word.
    pub(crate) fn word(&self) -> Option<Ident<'t>> {
        self.peek_word().inspect(|_| self.at.set(self.visible() + 1))
    }

    /// Takes the next token, if it is a word that can be a name in Rust.
    pub(crate) fn name(&self) -> Option<Ident<'t>> {
        self.peek_name().and_then(|_| self.word())
    }

    /// Returns the next token, if it is a number, a text or a character.
    pub(crate) fn peek_literal(&self) -> Option<Literal<'t>> {
        let (at, token) = self.token()?;
        match Tree::at(self.tokens, at) {
            Some(Tree::Literal(literal)) if token.kind == Kind::Literal => Some(literal),
            _ => None,
        }
    }

    /// Returns `true` if a literal follows, which may be `true`, `false` or a negative number.
    pub(crate) fn peek_value(&self) -> bool {
        let is_number = |input: &Self| {
            input.peek_literal().is_some_and(|literal| literal.text().starts_with(|sign: char| sign.is_ascii_digit()))
        };
        self.peek_literal().is_some()
            || self.peek("true")
            || self.peek("false")
            || self.peek("-") && is_number(&self.after())
    }

    /// Takes the next token, if it is a number, a text or a character.
    pub(crate) fn literal(&self) -> Option<Literal<'t>> {
        self.peek_literal().inspect(|_| self.at.set(self.visible() + 1))
    }

    /// Returns `true` if a text in quotes follows.
    pub(crate) fn peek_text(&self) -> bool {
        self.peek_literal().is_some_and(Literal::is_text)
    }

    /// Takes the next token, if it is a text in quotes.
    pub(crate) fn text(&self) -> Option<Text<'t>> {
        let text = Text::of(self.peek_literal()?)?;
        self.literal();
        Some(text)
    }

    /// Returns the group in delimiters that follows.
    pub(crate) fn peek_group(&self) -> Option<Group<'t>> {
        match Tree::at(self.tokens, self.token()?.0) {
            Some(Tree::Group(group)) => Some(group),
            _ => None,
        }
    }

    /// Takes the group in delimiters that follows.
    pub(crate) fn group(&self) -> Option<Group<'t>> {
        self.peek_group().inspect(|_| self.at.set(self.after().at.get()))
    }

    /// Takes the group in these delimiters that follows.
    pub(crate) fn group_in(&self, delimiter: Delimiter) -> Option<Group<'t>> {
        self.peek_group().filter(|group| group.delimiter() == delimiter).and_then(|_| self.group())
    }

    /// Returns the token or the group that follows, which may be one without delimiters.
    pub(crate) fn peek_tree(&self) -> Option<Tree<'t>> {
        Tree::at(self.tokens, self.token_at(self.tree_begin())?.0)
    }

    /// Takes the token or the group that follows, which may be one without delimiters.
    pub(crate) fn tree(&self) -> Option<Tree<'t>> {
        let tree = self.peek_tree()?;
        self.at.set(self.tokens.after(self.tree_begin()));
        Some(tree)
    }

    /// Returns the index of the next token or group, outside of groups that have ended.
    fn tree_begin(&self) -> u32 {
        let mut at = self.at.get();
        while at < self.end && matches!(self.tokens.token(at), Some(Token { kind: Kind::Close(_), .. })) {
            at += 1;
        }
        at
    }

    /// Takes a number of tokens or groups, or all if there are fewer.
    pub(crate) fn take(&self, count: usize) -> TokenStream<'t> {
        let from = self.tree_begin();
        self.skip(count);
        TokenStream::new(self.tokens, from, self.at.get())
    }

    /// Skips a number of tokens or groups, or all if there are fewer.
    pub(crate) fn skip(&self, count: usize) {
        for _ in 0..count {
            if self.tree().is_none() {
                break;
            }
        }
    }

    /// Takes the tokens up to the position of another reader.
    pub(crate) fn take_until(&self, ahead: &Self) -> TokenStream<'t> {
        let tokens = ahead.since(self);
        self.at.set(ahead.at.get());
        tokens
    }

    /// Returns the tokens that have been read since the position of another reader.
    pub(crate) fn since(&self, begin: &Self) -> TokenStream<'t> {
        TokenStream::new(self.tokens, begin.tree_begin(), self.at.get())
    }

    /// Takes the tokens before the first place where `ends` returns `true`, or all.
    pub(crate) fn take_before(&self, ends: impl Fn(&Self) -> bool) -> TokenStream<'t> {
        let begin = self.fork();
        while !(self.is_empty() || ends(self)) {
            self.skip(1);
        }
        self.since(&begin)
    }
}

impl<'t> TokenStream<'t> {
    /// Returns a reader of the tokens.
    pub fn input(self) -> Input<'t> {
        Input::new(self.tokens, self.from, self.to)
    }
}
