//! Rust among tokens, which `syn` reads.

use proc_macro2::{Delimiter, TokenTree};
use syn::parse::{ParseStream, Parser};

use super::input::Input;

impl Input<'_> {
    /// Parses Rust from here with a parser of `syn`. Returns what it has parsed, and the reader after that; `None` for an error.
    pub(crate) fn rust<T>(&self, parser: impl FnOnce(ParseStream<'_>) -> syn::Result<T>) -> Option<(T, Self)> {
        let mut left = 0;
        let counted = |input: ParseStream<'_>| {
            // A fork, since more tokens than the parser reads can be in a group.
            let ahead = input.fork();
            let parsed = parser(&ahead)?;
            left = size(ahead.parse()?);
            input.parse::<proc_macro2::TokenStream>()?;
            Ok(parsed)
        };
        let rest = self.rest().to_macro();
        let all = size(rest.clone());
        let parsed = Parser::parse2(counted, rest).ok()?;
        let ahead = self.fork();
        // The parser may have ended inside of a group without delimiters.
        for _ in left..all {
            ahead.at.set(ahead.visible() + 1);
        }
        Some((parsed, ahead))
    }
}

/// Returns the number of tokens and delimiters.
fn size(tokens: proc_macro2::TokenStream) -> usize {
    let sizes = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => size(group.stream()) + if group.delimiter() == Delimiter::None { 0 } else { 2 },
        TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Punct(_) => 1,
    });
    sizes.sum()
}
