//! A machine as Rust. Cannot fail.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;

use super::super::plan::{Arrow, Guard, Placed, State, Target};
use super::{aside, call, list, node};

/// `keywords::machine((State, …), arrows, texts)`. Texts come last: an editor that looks for the token at its cursor in what comes of it
/// must not meet the same word in a text before.
pub(super) fn machine(keyword: &Ident, states: &[State], any: &[Arrow], at: Span) -> TokenStream {
    let list = list(&states.iter().map(state).collect::<Vec<_>>());
    let (texts, any) = (texts(any), arrows(any));
    call::keyword(at, keyword, &quote!(#list, #any, #texts))
}

fn state(state: &State) -> TokenStream {
    let at = Span::mixed_site().located_at(state.name.span());
    let name = state.name.unraw().to_string();
    let (texts, arrows) = (texts(&state.arrows), arrows(&state.arrows));
    let (enter, exit) = (hook(state.enter.as_ref()), hook(state.exit.as_ref()));
    let child = node(&state.node);
    let rules = quote!(::bt_core::__private::Rules { arrows: #arrows, enter: #enter, exit: #exit });
    call::private(at, &quote!(State::new), &quote!(#name, #child, #rules, #texts))
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
                call::private(at, &quote!(When::new), &condition)
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
            call::private(at, &quote!(Do::new), &hook)
        }
        None => quote!(::bt_core::__private::NoHook),
    }
}
