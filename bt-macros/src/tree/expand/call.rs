//! Generated calls with the spans of the user's nodes, for errors and for `Location::caller`.
//!
//! A call has the span of a node if its first and its last token have it. Both are punctuation: an editor would take words with that span for the
//! user's.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

/// Returns the call of a function in `bt_core::__private`.
pub(super) fn function(span: Span, function: &TokenStream, arguments: &TokenStream) -> TokenStream {
    let path = group(span, &quote!(__bt_core::__private::#function));
    let arguments = group(span, arguments);
    quote!(#path #arguments)
}

/// Returns the call of a function of a type in `bt_core::__private`: `When<_>` and `new`.
pub(super) fn associated(span: Span, of: &TokenStream, function: &TokenStream, arguments: &TokenStream) -> TokenStream {
    let (begin, end) = (quote_spanned!(span=> <), quote_spanned!(span=> ::<>));
    let arguments = group(span, arguments);
    quote!(#begin __bt_core::__private::#of>::#function #end #arguments)
}

/// Returns the call of a function of a trait in `bt_core::__private`: `NodeOver<_>` and `over`. The error for a type without the trait is at the `_`.
pub(super) fn of_trait(span: Span, of: &TokenStream, function: &TokenStream, arguments: &TokenStream) -> TokenStream {
    let (begin, end) = (quote_spanned!(span=> <_), quote_spanned!(span=> ::<>));
    let arguments = group(span, arguments);
    quote!(#begin as __bt_core::__private::#of>::#function #end #arguments)
}

/// Returns the call of a keyword's function. The keyword is the user's own token.
pub(super) fn keyword(span: Span, keyword: &Ident, arguments: &TokenStream) -> TokenStream {
    let path = group(span, &quote!(__bt_core::keywords::#keyword));
    let arguments = group(span, arguments);
    quote!(#path #arguments)
}

/// Returns arguments in parentheses with this span.
pub(super) fn group(span: Span, arguments: &TokenStream) -> Group {
    let mut group = Group::new(Delimiter::Parenthesis, arguments.clone());
    group.set_span(span);
    group
}
