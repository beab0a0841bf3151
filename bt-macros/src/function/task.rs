//! Expands the node of an action that returns a future.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Generics, parse_quote};

use super::ast::Function;
use super::future::Future;
use super::handle::{Access, any_context};
use super::names::Names;
use super::output::Output;
use crate::hidden::hidden;

/// Returns the type of the state of a running action.
pub(super) fn state(function: &Function, future: &Future) -> TokenStream {
    let (output, meaning) = (stored(function, future), &function.answer);
    let mail = future.mail(&function.context);
    quote!(__bt_core::task::Task<#output, <#meaning as __bt_core::__private::ActionOutput>::Open, #mail>)
}

/// Returns the type of the output of the future that is stored.
fn stored(function: &Function, future: &Future) -> TokenStream {
    let output = &future.output.ty;
    if function.fails { quote!(<#output as __bt_core::__private::Fallible>::Fails) } else { quote!(#output) }
}

/// Returns the generics of the impl for the context.
pub(super) fn generics(function: &Function, future: &Future) -> Generics {
    let mut generics = function.body.sig.generics.clone();
    if future.access == Access::None && future.applied_to().is_none() {
        let context = any_context();
        generics.params.push(parse_quote!(#context: ?::core::marker::Sized));
    }
    generics
}

/// Returns the code that creates the future if there is none, and polls it.
pub(super) fn resume(
    function: &Function,
    future: &Future,
    names: &Names,
    reads: &TokenStream,
    call: &TokenStream,
) -> TokenStream {
    let Names { at, visit, state, handle, .. } = names;
    let context = &function.context;
    let mail = hidden("mail");
    let (ends, mail) = match future.access {
        Access::Handle => (
            Some(quote!(let (#handle, #mail) = __bt_core::task::AsyncContext::<#context>::new();)),
            mail.to_token_stream(),
        ),
        Access::First | Access::None => (None, quote!(())),
    };
    let Output { ty: output, boxed_in, .. } = &future.output;
    let wrapped = match boxed_in {
        None => call.clone(),
        Some(depth) => {
            let boxed = quote!(__bt_core::__private::Box::new(__value) as _);
            let value = (0..*depth).fold(boxed, |value, _| quote!(__value.map(|__value| #value)));
            quote!({
                let __future = #call;
                async move {
                    let __value = __future.await;
                    let __output: #output = #value;
                    __output
                }
            })
        }
    };
    let wrapped = if function.fails {
        quote!({
            let __future = #wrapped;
            async move { __bt_core::__private::Fallible::fails(__future.await) }
        })
    } else {
        wrapped
    };
    // A future that is not `Send` is reported at the name of the function.
    let span = Span::mixed_site().located_at(function.body.sig.ident.span());
    let begin = quote_spanned!(span=> #state.begin(__bt_core::__private::Box::pin(#wrapped), #mail););
    quote! {
        if #state.is_start() {
            #reads
            #ends
            #begin
        }
        #state.poll(#at, #visit)
    }
}
