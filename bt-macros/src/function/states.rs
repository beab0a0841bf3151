//! The states of a leaf: their types, and the walk over them.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Index;

use super::ast::Function;

/// Returns the function that walks over the state of a leaf; `None` if it has none, for the default.
pub(super) fn walk(function: &Function) -> Option<TokenStream> {
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
        fn walk(
            &self,
            __at: __bt_core::__private::NodeId,
            __state: __bt_core::protocol::NodeState<'_, Self::Open, Self::Kept>,
            __visitor: &mut dyn __bt_core::protocol::StateVisitor,
        ) {
            #[allow(unused_imports)]
            use __bt_core::__private::Timeless as _;
            __state.visit_timed(__at, __visitor, |__open, __kept, __by| {
                if let __bt_core::__private::Some(__open) = __open {
                    #output
                    #(__bt_core::__private::Times(#open).shift(__by);)*
                }
                #(__bt_core::__private::Times(#kept).shift(__by);)*
            });
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
