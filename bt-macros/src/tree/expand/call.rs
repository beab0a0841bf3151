//! Calls of ours that lie where the user's nodes do, for errors and for `Location::caller`.
//!
//! A call lies there if its path begins and ends there and its parentheses do. No word of ours does, or an editor would take it for the
//! user's.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

/// The call of a function in `bt_core::__private`.
pub(super) fn private(span: Span, function: &TokenStream, arguments: &TokenStream) -> TokenStream {
    let (begin, end) = (quote_spanned!(span=> ::), quote_spanned!(span=> ::<>));
    let arguments = group(span, arguments);
    quote!(#begin bt_core::__private::#function #end #arguments)
}

/// The call of a keyword's function: the keyword is the user's own word.
pub(super) fn keyword(span: Span, keyword: &Ident, arguments: &TokenStream) -> TokenStream {
    let begin = quote_spanned!(span=> ::);
    let arguments = group(span, arguments);
    quote!(#begin bt_core::keywords::#keyword #arguments)
}

/// Arguments in parentheses that lie there.
pub(super) fn group(span: Span, arguments: &TokenStream) -> Group {
    let mut group = Group::new(Delimiter::Parenthesis, arguments.clone());
    group.set_span(span);
    group
}
