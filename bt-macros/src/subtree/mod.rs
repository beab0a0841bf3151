//! `#[subtree]`: turns a function that builds a tree into one that builds a named node.

use proc_macro2::TokenStream;
use quote::quote;

use crate::errors::Errors;

mod check;
mod expand;

/// Expands `#[subtree]`. An invalid function stays as it is, unless that would only cause more errors.
pub(crate) fn subtree(arguments: TokenStream, item: TokenStream, errors: &mut Errors) -> TokenStream {
    let checked = check::subtree(&arguments, item.clone(), errors);
    let errors = errors.to_tokens();
    let function = checked.map_or(item, |subtree| expand::subtree(&subtree));
    quote!(#errors #function)
}
