//! A `tree!` that does not follow its source.

use bt_syntax::errors::Errors;
use bt_syntax::plan::Tree;
use bt_syntax::{check, parse};
use proc_macro2::TokenStream;

use super::expand;

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

/// Parses and checks a tree.
pub(super) fn planned(input: TokenStream) -> (Tree, Errors) {
    let mut errors = Errors::default();
    let tokens = input.into();
    let tree = parse::tree(&tokens, &mut errors);
    let plan = check::tree(tree, &mut errors);
    (plan, errors)
}
