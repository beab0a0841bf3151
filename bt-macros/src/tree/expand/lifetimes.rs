//! Checks that a leaf is a node over every lifetime of the context, so that the error of a leaf that is not is at the leaf.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::call;

/// Returns the variable that holds the family of contexts.
fn family() -> Ident {
    Ident::new("__family", Span::mixed_site())
}

/// Returns the statements before the tree.
pub(super) fn every(given: &TokenStream) -> TokenStream {
    let family = family();
    quote! {
        #[allow(unused_imports)]
        use __bt_core::__private::{OverOne as _, OverOneBox as _, OverOneFunction as _};
        #[allow(unused_variables)]
        let #family = __bt_core::__private::Family::<#given>::new();
    }
}

/// Returns a leaf that is checked.
pub(super) fn checked(leaf: &TokenStream, at: Span) -> TokenStream {
    let family = family();
    let over = call::function(at, &quote!(OverFamily), &quote!(#family, #leaf));
    let arguments = call::group(at, &TokenStream::new());
    call::of_trait(at, &quote!(OverEvery), &quote!(node), &quote!(#over.over #arguments))
}
