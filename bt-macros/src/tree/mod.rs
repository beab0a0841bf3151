//! `tree!`: `bt-syntax` parses and checks it, and what follows is expanded here.

use bt_syntax::errors::Errors;
use bt_syntax::plan::Tree;
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
    let (plan, errors) = planned(input);
    expand::tree(&plan, &errors)
}

/// Expands the `tree!` of a file. All of it is at the path of the file, where an editor would show the states.
#[cfg(feature = "json")]
pub(crate) fn of_file(input: TokenStream) -> TokenStream {
    let (plan, mut errors) = planned(input);
    errors.forget_states();
    expand::tree(&plan, &errors)
}

fn planned(input: TokenStream) -> (Tree, Errors) {
    let mut errors = Errors::default();
    let tree = parse::tree(input, &mut errors);
    let plan = check::tree(tree, &mut errors);
    (plan, errors)
}
