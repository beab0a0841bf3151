//! Generated calls with the spans of the user's nodes, for errors and for `Location::caller`.
//!
//! A call has the span of a node if its first and its last token have it. Both are punctuation: an editor would take words with that span for the
//! user's.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

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

/// Returns the path and the arguments of a call; `None` for other Rust.
pub(super) fn parts(tokens: &TokenStream) -> Option<(TokenStream, Group)> {
    let mut path: Vec<_> = tokens.clone().into_iter().collect();
    let TokenTree::Group(arguments) = path.pop()? else { return None };
    let is_path = path.iter().all(|token| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(punct) => punct.as_char() == ':',
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    });
    let is_call = !path.is_empty() && is_path && arguments.delimiter() == Delimiter::Parenthesis;
    is_call.then(|| (path.into_iter().collect(), arguments))
}

/// Returns arguments with a trailing comma.
pub(super) fn with_comma(args: &TokenStream) -> TokenStream {
    let last = args.clone().into_iter().last();
    let needs_comma = last.is_some_and(|last| !matches!(last, TokenTree::Punct(punct) if punct.as_char() == ','));
    let comma = needs_comma.then(|| quote!(,));
    let mut tokens = args.to_token_stream();
    tokens.extend(comma);
    tokens
}
