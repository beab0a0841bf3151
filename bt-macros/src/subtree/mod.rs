//! `#[subtree]`: turns a function that builds a tree into one that builds a named node.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use self::check::Named;
use bt_syntax::errors::Errors;

mod check;
mod expand;

/// Expands `#[subtree]`. An invalid function stays as it is, unless that would only cause more errors.
pub(crate) fn subtree(arguments: TokenStream, item: TokenStream, errors: &mut Errors) -> TokenStream {
    let checked = check::subtree(&arguments, item.clone(), errors);
    let errors = errors.to_tokens();
    let function = match checked {
        Some(Named::Subtree(subtree)) => expand::subtree(&subtree),
        Some(Named::Other(function)) => function.into_token_stream(),
        None => item,
    };
    quote!(#errors #function)
}
