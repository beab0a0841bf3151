//! The states of a leaf: their types, when they have to be ticked again, and their times.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Index;

use super::ast::Function;

/// Returns whether the leaf may sleep. The output of an action can say so; with a state of the user, nothing is known.
pub(super) fn sleeps(function: &Function) -> Option<TokenStream> {
    function.has_output_state().then(|| {
        quote!(
            const SLEEPS: bool = <Self::Open as __bt_core::__private::OutputState>::SLEEPS;
        )
    })
}

/// Returns the function that shifts the times in the state of a leaf to another clock.
pub(super) fn times(function: &Function) -> Option<TokenStream> {
    let [open, kept] = [function.open.len(), function.kept.len()];
    let is_output = function.has_output_state();
    if open + kept == 0 && !is_output {
        return None;
    }
    let output = is_output.then(|| quote!(__bt_core::__private::OutputState::shift(__open, __by);));
    let open = (0..open).map(|index| one_of(index, open, &quote!(__open)));
    let kept = (0..kept).map(|index| one_of(index, kept, &quote!(__kept)));
    Some(quote! {
        #[allow(clippy::allow_attributes, unused_variables)]
        fn shift_times(
            &self,
            __open: __bt_core::__private::Option<&mut Self::Open>,
            __kept: &mut Self::Kept,
            __by: __bt_core::Shift,
        ) {
            #[allow(unused_imports)]
            use __bt_core::__private::Timeless as _;
            if let __bt_core::__private::Some(__open) = __open {
                #output
                #(__bt_core::__private::Times(#open).shift(__by);)*
            }
            #(__bt_core::__private::Times(#kept).shift(__by);)*
        }
    })
}

/// Returns a reference to one of several states, of which `all` is a reference to a tuple, or to the only one.
pub(super) fn one_of(index: usize, states: usize, all: &impl ToTokens) -> TokenStream {
    let place = Index::from(index);
    if states == 1 { quote!(&mut *#all) } else { quote!(&mut #all.#place) }
}

/// Returns the type of all `#[open]` states: one state as it is, several as a tuple.
pub(super) fn open_type(function: &Function) -> TokenStream {
    let types: Vec<_> = function.open.iter().map(|open| &open.ty).collect();
    tuple(&types)
}

/// Returns one element as it is, and several or none as a tuple.
pub(super) fn tuple(elements: &[impl ToTokens]) -> TokenStream {
    match elements {
        [element] => element.to_token_stream(),
        elements => quote!((#(#elements,)*)),
    }
}
