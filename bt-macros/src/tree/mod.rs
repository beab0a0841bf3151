//! `tree!`: parse -> ast -> check -> plan -> expand.

use proc_macro2::TokenStream;

use crate::errors::Errors;

pub(crate) use keyword::completions;
pub(crate) use parse::SAVED;

mod ast;
mod check;
mod expand;
mod keyword;
mod parse;
mod plan;
#[cfg(test)]
mod tests;

/// Expands a `tree!`. Always expands to an expression, with the errors if there are any.
pub(crate) fn tree(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let tree = parse::tree(input, &mut errors);
    let plan = check::tree(tree, &mut errors);
    expand::tree(&plan, &errors)
}
