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
