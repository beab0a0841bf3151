//! Where tokens are.

use std::fmt;

use proc_macro2::TokenTree;

use super::list::{Kind, Tokens};

/// Where tokens are. A span of one token that opens a group is that of its delimiter.
#[derive(Clone, Copy)]
pub struct Span<'t> {
    pub(super) tokens: &'t Tokens,
    pub(super) from: u32,
    pub(super) to: u32,
}

impl<'t> Span<'t> {
    pub(super) fn new(tokens: &'t Tokens, from: u32, to: u32) -> Self {
        Self { tokens, from, to }
    }

    /// Returns the spans of the first and the last token of a macro; that of its call if there are none.
    pub fn ends(self) -> (proc_macro2::Span, proc_macro2::Span) {
        (self.to_macro(), self.of_macro(self.from.max(self.to.saturating_sub(1))))
    }

    /// Returns the span of the first token of a macro.
    pub fn to_macro(self) -> proc_macro2::Span {
        self.of_macro(self.from)
    }

    fn of_macro(self, at: u32) -> proc_macro2::Span {
        let Some(token) = self.tokens.token(at) else { return proc_macro2::Span::call_site() };
        match (token.kind, self.tokens.of_macro.get(at as usize)) {
            (Kind::Open(_), Some(TokenTree::Group(group))) if token.other >= self.to => group.span_open(),
            (Kind::Close(_), Some(TokenTree::Group(group))) if token.other < self.from => group.span_close(),
            (_, Some(tree)) => tree.span(),
            (_, None) => proc_macro2::Span::call_site(),
        }
    }

    /// Returns the place in a text; its begin if there are no tokens.
    #[cfg(feature = "file")]
    pub fn place(self) -> bt_behavior3::Place {
        let Some(token) = self.tokens.token(self.from) else { return bt_behavior3::Place { line: 1, column: 1 } };
        self.tokens.place(token.start as usize)
    }

    /// Returns `true` for the tokens of a text.
    pub(crate) fn is_in_text(self) -> bool {
        self.tokens.is_text()
    }
}

impl fmt::Debug for Span<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.from, self.to)
    }
}
