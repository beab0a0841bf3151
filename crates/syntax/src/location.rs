//! Locations of tokens in the user's code.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// Returns the location of the first token; that of the macro's call if there are none.
pub fn of(tokens: &impl ToTokens) -> Span {
    tokens.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}

/// Returns the location of the first token, for names of the expansion.
pub fn for_names(tokens: &TokenStream) -> Span {
    Span::mixed_site().located_at(of(tokens))
}

/// Returns the place of a token in a text.
#[cfg(feature = "file")]
pub(crate) fn place(span: Span) -> bt_behavior3::Place {
    let at = span.start();
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    bt_behavior3::Place { line: number(at.line.max(1)), column: number(at.column).saturating_add(1) }
}
