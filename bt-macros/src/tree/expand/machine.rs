//! Expands a machine to Rust. Cannot fail.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;

use super::{STATES, attachment, call, node, tuple};
use bt_syntax::plan::{Guard, Located, State, Target, Transition};

/// Returns `keywords::machine((State, …), transitions, texts)`. Texts come last: an editor that looks for the token at its cursor in the expansion
/// must find the token before a text with the same word.
pub(super) fn machine(keyword: &Ident, states: &[State], any: &[Transition], at: Span) -> TokenStream {
    let list = tuple(&states.iter().map(state).collect::<Vec<_>>(), STATES);
    let (texts, any) = (texts(any), transitions(any));
    call::keyword(at, keyword, &quote!(#list, #any, #texts))
}

fn state(state: &State) -> TokenStream {
    let at = Span::mixed_site().located_at(state.name.span());
    let name = state.name.unraw().to_string();
    let (texts, transitions) = (texts(&state.transitions), transitions(&state.transitions));
    let (enter, exit) = (hook(state.enter.as_ref()), hook(state.exit.as_ref()));
    let child = node(&state.node);
    let rules = quote!(__bt_core::__private::StateRules { transitions: #transitions, enter: #enter, exit: #exit });
    call::associated(at, &quote!(State<_, _>), &quote!(new), &quote!(#name, #child, #rules, #texts))
}

/// Returns nested transitions: `(first, (second, ()))`.
fn transitions(transitions: &[Transition]) -> TokenStream {
    transitions.iter().rev().fold(quote!(()), |rest, transition| {
        let guard = match &transition.guard {
            Guard::End(true) => quote!(__bt_core::__private::OnSuccess),
            Guard::End(false) => quote!(__bt_core::__private::OnFailure),
            Guard::Condition(condition) => {
                let at = Span::mixed_site().located_at(condition.span);
                let condition = attachment(condition);
                call::associated(at, &quote!(When<_>), &quote!(new), &condition)
            }
        };
        let to = match &transition.target {
            Target::State(index, _) => quote!(__bt_core::__private::To::<#index>),
            Target::Out(success) => quote!(__bt_core::__private::Out::<#success>),
        };
        quote!((__bt_core::__private::Guarded { guard: #guard, to: #to }, #rest))
    })
}

/// Returns transitions as shown in descriptions.
fn texts(transitions: &[Transition]) -> TokenStream {
    let texts = transitions.iter().map(|transition| {
        let on = &transition.text;
        let to = match &transition.target {
            Target::State(_, name) => name.unraw().to_string(),
            Target::Out(true) => "success".to_owned(),
            Target::Out(false) => "failure".to_owned(),
        };
        quote!(__bt_core::__private::TransitionText { on: #on, to: #to })
    });
    quote!(&[#(#texts),*])
}

fn hook(hook: Option<&Located>) -> TokenStream {
    match hook {
        Some(hook) => {
            let at = Span::mixed_site().located_at(hook.span);
            let hook = attachment(hook);
            call::associated(at, &quote!(Do<_>), &quote!(new), &hook)
        }
        None => quote!(__bt_core::__private::NoHook),
    }
}
