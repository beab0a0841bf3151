//! Checks that a leaf is a node over every lifetime of the context, so that the error of a leaf that is not is at the leaf.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ExprClosure;

use super::call;
use crate::editor::is_in_editor;

/// Returns the variable that holds the family of contexts.
fn family() -> Ident {
    Ident::new("__family", Span::mixed_site())
}

/// Returns the statements before the tree. An editor checks nothing, and would complete the variable.
pub(super) fn every(given: &TokenStream) -> Option<TokenStream> {
    if is_in_editor() {
        return None;
    }
    let family = family();
    Some(quote! {
        #[allow(unused_imports)]
        use __bt_core::__private::{OverOne as _, OverOneBox as _, OverOneFunction as _};
        #[allow(unused_variables)]
        let #family = __bt_core::__private::Family::<#given>::new();
    })
}

/// Returns the function of a `within`. A closure gets the signature of one over every lifetime, which it cannot state itself.
pub(super) fn part(part: &TokenStream, at: Span) -> TokenStream {
    if is_in_editor() || syn::parse2::<ExprClosure>(part.clone()).is_err() {
        return part.clone();
    }
    let family = family();
    call::function(at, &quote!(Family::part), &quote!(#family, #part))
}

/// Returns a leaf that is checked.
pub(super) fn checked(leaf: &TokenStream, at: Span) -> TokenStream {
    if is_in_editor() {
        return leaf.clone();
    }
    let family = family();
    let over = call::function(at, &quote!(OverFamily), &quote!(#family, #leaf));
    let arguments = call::group(at, &TokenStream::new());
    call::of_trait(at, &quote!(OverEvery), &quote!(node), &quote!(#over.over #arguments))
}
