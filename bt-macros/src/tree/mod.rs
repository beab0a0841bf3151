//! `tree!`: `bt-syntax` parses and checks it, and what follows is expanded here.

use bt_syntax::errors::Errors;
use bt_syntax::{check, parse};
use proc_macro2::TokenStream;

mod completions;
mod expand;
#[cfg(feature = "live")]
mod live;
#[cfg(test)]
mod tests;

pub(crate) use completions::completions;

/// Expands a `tree!` that follows its source, if the crate depends on `bt-live`.
#[cfg(feature = "live")]
pub(crate) fn followed(input: TokenStream) -> TokenStream {
    match live::path() {
        Some(path) => live::tree(input, &path),
        None => tree(input),
    }
}

/// Expands a `tree!`. Always expands to an expression, with the errors if there are any.
pub(crate) fn tree(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let tree = parse::tree(input, &mut errors);
    let plan = check::tree(tree, &mut errors);
    expand::tree(&plan, &errors)
}
