//! A machine as Rust. Cannot fail.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;

use super::super::plan::{Arrow, Guard, Placed, State, Target};
use super::{aside, list, node};

/// `keywords::machine((State, …), texts, arrows)`.
pub(super) fn machine(keyword: &Ident, states: &[State], any: &[Arrow], at: Span) -> TokenStream {
    let list = list(&states.iter().map(state).collect::<Vec<_>>());
    let (texts, any) = (texts(any), arrows(any));
    quote_spanned!(at=> ::bt_core::keywords::#keyword(#list, #texts, #any))
}

fn state(state: &State) -> TokenStream {
    let at = Span::mixed_site().located_at(state.name.span());
    let name = state.name.unraw().to_string();
    let (texts, arrows) = (texts(&state.arrows), arrows(&state.arrows));
    let (enter, exit) = (hook(state.enter.as_ref()), hook(state.exit.as_ref()));
    let child = node(&state.node);
    quote_spanned! {at=>
        ::bt_core::__private::State::new(
            #name,
            #texts,
            #child,
            ::bt_core::__private::Rules { arrows: #arrows, enter: #enter, exit: #exit },
        )
    }
}

/// Arrows one in the other: `(first, (second, ()))`.
fn arrows(arrows: &[Arrow]) -> TokenStream {
    arrows.iter().rev().fold(quote!(()), |rest, arrow| {
        let guard = match &arrow.guard {
            Guard::End(true) => quote!(::bt_core::__private::OnSuccess),
            Guard::End(false) => quote!(::bt_core::__private::OnFailure),
            Guard::Condition(condition) => {
                let at = Span::mixed_site().located_at(condition.span);
                let condition = aside(condition);
                quote_spanned!(at=> ::bt_core::__private::When::new(#condition))
            }
        };
        let to = match &arrow.target {
            Target::State(index, _) => quote!(::bt_core::__private::To::<#index>),
            Target::Out(success) => quote!(::bt_core::__private::Out::<#success>),
        };
        quote!((::bt_core::__private::Arrow { guard: #guard, to: #to }, #rest))
    })
}

/// Arrows as they are shown.
fn texts(arrows: &[Arrow]) -> TokenStream {
    let texts = arrows.iter().map(|arrow| {
        let on = &arrow.text;
        let to = match &arrow.target {
            Target::State(_, name) => name.unraw().to_string(),
            Target::Out(true) => "success".to_owned(),
            Target::Out(false) => "failure".to_owned(),
        };
        quote!(::bt_core::__private::ArrowText { on: #on, to: #to })
    });
    quote!(&[#(#texts),*])
}

fn hook(hook: Option<&Placed>) -> TokenStream {
    match hook {
        Some(hook) => {
            let at = Span::mixed_site().located_at(hook.span);
            let hook = aside(hook);
            quote_spanned!(at=> ::bt_core::__private::Do::new(#hook))
        }
        None => quote!(::bt_core::__private::NoHook),
    }
}
