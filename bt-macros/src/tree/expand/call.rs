//! Generated calls with the spans of the user's nodes, for errors and for `Location::caller`.
//!
//! A call has the span of a node if the ends of its path and its parentheses have it. The words of the path have other spans; otherwise an editor
//! would take them for the user's.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

/// Returns the call of a function in `bt_core::__private`.
pub(super) fn private(span: Span, function: &TokenStream, arguments: &TokenStream) -> TokenStream {
    let (begin, end) = (quote_spanned!(span=> ::), quote_spanned!(span=> ::<>));
    let arguments = group(span, arguments);
    quote!(#begin bt_core::__private::#function #end #arguments)
}

/// Returns the call of a keyword's function. The keyword is the user's own token.
pub(super) fn keyword(span: Span, keyword: &Ident, arguments: &TokenStream) -> TokenStream {
    let begin = quote_spanned!(span=> ::);
    let arguments = group(span, arguments);
    quote!(#begin bt_core::keywords::#keyword #arguments)
}

/// Returns arguments in parentheses with this span.
pub(super) fn group(span: Span, arguments: &TokenStream) -> Group {
    let mut group = Group::new(Delimiter::Parenthesis, arguments.clone());
    group.set_span(span);
    group
}
