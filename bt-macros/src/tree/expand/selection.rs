//! The functions that select children: scores and the cases of a `match`.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ReturnType;

use super::super::ast::Function;
use super::{call, cx};
use crate::text;

/// Returns a local variable of the expansion.
fn local(name: &str, at: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(at))
}

/// Returns the scores of the children as one function of the context and the child. The expressions are evaluated once.
pub(super) fn scores(scores: &[TokenStream], at: Span) -> TokenStream {
    let (cx, all, ctx, child) = (cx(), local("__scores", at), local("__ctx", at), local("__child", at));
    let texts = scores.iter().map(|score| text::written(score.clone()));
    let arms = scores.iter().enumerate().map(|(index, score)| {
        let (at, index) = (Span::mixed_site().located_at(first(score)), Literal::usize_unsuffixed(index));
        let score = call::of_trait(at, &quote!(Score<_, _>), &quote!(of), &quote!(&#all.#index, #ctx));
        quote!(#index => #score,)
    });
    let arms = quote!(#(#arms)*);
    let function = quote!(move |#ctx: &_, #child: __bt_core::__private::usize| match #child { #arms _ => __bt_core::__private::NAN });
    let table = call::function(at, &quote!(scores), &quote!(#cx, [#(#texts),*], #function));
    quote!({
        let #all = (#(#scores,)*);
        #table
    })
}

/// Returns the selection of a `match`: a function of the context that returns the index of a child.
pub(super) fn cases(function: &Function, patterns: &[TokenStream], at: Span) -> TokenStream {
    let (cx, on) = (cx(), text::name(&function.tokens));
    let texts = patterns.iter().map(|pattern| text::written(pattern.clone()));
    let arms = patterns.iter().enumerate().map(|(index, pattern)| {
        let index = Literal::usize_unsuffixed(index);
        quote!(#pattern => #index,)
    });
    let arms = quote!({ #(#arms)* });
    let (before, select) = match &function.closure {
        // The arms stand in the closure itself, since its result may borrow from the context.
        Some(closure) if closure.asyncness.is_none() && closure.constness.is_none() => {
            let (parameter, body) = (&closure.inputs, &closure.body);
            let value = match &closure.output {
                ReturnType::Default => body.to_token_stream(),
                ReturnType::Type(_, ty) => {
                    let value = local("__value", at);
                    quote!({ let #value: #ty = #body; #value })
                }
            };
            (TokenStream::new(), quote!(move |#parameter| match #value #arms))
        }
        _ => {
            let tokens = &function.tokens;
            let here = Span::mixed_site().located_at(first(tokens));
            let (called, ctx) = (local("__function", here), local("__ctx", here));
            let value = quote_spanned!(here=> #called(#ctx));
            (quote!(let #called = #tokens;), quote!(move |#ctx: &_| match #value #arms))
        }
    };
    let cases = call::function(at, &quote!(cases), &quote!(#cx, #on, &[#(#texts),*], #select));
    quote!({
        #before
        #cases
    })
}

/// Returns the location of the first token.
fn first(tokens: &TokenStream) -> Span {
    tokens.clone().into_iter().next().map_or_else(Span::mixed_site, |token| token.span())
}
