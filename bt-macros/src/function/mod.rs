//! `#[action]` and `#[condition]`: turn a function into a struct that holds its parameters, and a constructor.

use proc_macro2::TokenStream;
use quote::quote;

use bt_syntax::errors::Errors;

mod answer;
mod ast;
mod attributes;
mod call;
mod check;
mod defaults;
mod expand;
mod form;
mod future;
mod handle;
mod held;
mod names;
mod node;
mod output;
mod property;
mod reference;
mod stand_in;
mod states;
mod task;

pub(crate) use form::Form;

/// Expands `#[action]` or `#[condition]`. An invalid function is replaced by one that takes any arguments, so that its
/// uses cause no more errors.
pub(crate) fn function(form: Form, arguments: TokenStream, item: TokenStream, errors: &mut Errors) -> TokenStream {
    let checked = check::function(form, arguments, item.clone(), errors);
    let errors = errors.to_tokens();
    match checked {
        Some(function) => expand::function(&function),
        None => {
            let item = stand_in::stand_in(form, item);
            quote!(#errors #item)
        }
    }
}
