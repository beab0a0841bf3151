//! `tree!`: `bt-syntax` parses and checks it, and what follows is expanded here.

use bt_syntax::errors::Errors;
use bt_syntax::{check, parse};
use proc_macro2::TokenStream;

mod completions;
mod expand;
#[cfg(test)]
mod tests;

pub(crate) use completions::completions;

/// Expands a `tree!`. Always expands to an expression, with the errors if there are any.
pub(crate) fn tree(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let tree = parse::tree(input, &mut errors);
    let plan = check::tree(tree, &mut errors);
    expand::tree(&plan, &errors)
}
