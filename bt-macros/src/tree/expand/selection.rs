//! The functions that select children: scores and the cases of a `match`.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{ExprClosure, Pat, ReturnType};

use super::{call, context};
use bt_syntax::plan::Function;
use bt_syntax::{location, text};

/// Returns a local variable of the expansion.
fn local(name: &str, at: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(at))
}

/// Returns the scores of the children as one function of the context and the child. The expressions are evaluated once; variables hold those that are
/// `bound`.
pub(super) fn scores(
    scores: &[TokenStream],
    bound: &[Option<Ident>],
    context: Option<&TokenStream>,
    at: Span,
) -> TokenStream {
    let (all, ctx, child) = (local("__scores", at), local("__ctx", at), local("__child", at));
    let texts = scores.iter().map(text::score);
    let arms = scores.iter().enumerate().map(|(index, score)| {
        let (at, index) = (location::for_names(score), Literal::usize_unsuffixed(index));
        let score = call::of_trait(at, &quote!(Score<_, _>), &quote!(of), &quote!(&#all.#index, #ctx));
        quote!(#index => #score,)
    });
    let arms = quote!(#(#arms)*);
    let ty = referenced(context);
    let function = quote!(move |#ctx: &#ty, #child: __bt_core::__private::usize| match #child { #arms _ => __bt_core::__private::NAN });
    let table = made("scores", context, &quote!([#(#texts),*]), &function, at);
    let scores = scores.iter().zip(bound).map(|(score, bound)| match bound {
        Some(variable) => variable.to_token_stream(),
        None => score.clone(),
    });
    quote!({
        let #all = (#(#scores,)*);
        #table
    })
}

/// Returns the selection of a `match`: a function of the context that returns the index of a child. `on` is its text.
pub(super) fn cases(
    on: &str,
    function: &Function,
    patterns: &[TokenStream],
    context: Option<&TokenStream>,
    at: Span,
) -> TokenStream {
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
            let here = location::for_names(tokens);
            let (called, ctx) = (local("__function", here), local("__ctx", here));
            let (value, ty) = (quote_spanned!(here=> #called(#ctx)), referenced(context));
            (quote!(let #called = #tokens;), quote!(move |#ctx: &#ty| match #value #arms))
        }
    };
    let is_typed = |closure: &ExprClosure| closure.inputs.iter().all(|input| matches!(input, Pat::Type(_)));
    // A closure without the type of its parameter needs the expected one.
    let known = context.filter(|_| function.closure.as_ref().is_none_or(is_typed));
    let cases = made("cases", known, &quote!(#on, &[#(#texts),*]), &select, at);
    quote!({
        #before
        #cases
    })
}

/// Returns the type of the context behind the reference in a closure's parameter.
fn referenced(context: Option<&TokenStream>) -> TokenStream {
    match context {
        // An elided lifetime stands for any. As an argument, a trait object is `'static`, as in the type of the tree.
        Some(context) => quote!(__bt_core::__private::Same<#context>),
        None => quote!(_),
    }
}

/// Returns the call that makes a selection of a closure. If the context is not written, the call determines its type. It
/// would also determine the lifetimes in the context, so that the tree would not be one over all of them.
fn made(
    kind: &str,
    context: Option<&TokenStream>,
    texts: &TokenStream,
    function: &TokenStream,
    at: Span,
) -> TokenStream {
    let (make, of) = (local(kind, at), local(&format!("{kind}_of"), at));
    match context {
        Some(_) => call::function(at, &quote!(#make), &quote!(#texts, #function)),
        None => {
            let cx = context::value();
            call::function(at, &quote!(#of), &quote!(#cx, #texts, #function))
        }
    }
}

/// Returns a number as `f32`.
pub(super) fn number(number: &TokenStream) -> TokenStream {
    let at = location::for_names(number);
    call::of_trait(at, &quote!(ScoreNumber), &quote!(into_f32), number)
}
