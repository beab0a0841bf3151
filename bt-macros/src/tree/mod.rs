//! `tree!`: `bt-syntax` parses and checks it, and what follows is expanded here.

use proc_macro2::TokenStream;

mod completions;
mod expand;
mod fixed;
#[cfg(feature = "live")]
mod live;
#[cfg(test)]
mod tests;

pub(crate) use completions::completions;
pub(crate) use fixed::tree;

/// Expands a `tree!` that follows its source, if the crate depends on `bt-live`.
#[cfg(feature = "live")]
pub(crate) fn followed(input: TokenStream) -> TokenStream {
    match live::path() {
        Some(path) => live::tree(input, &path),
        None => tree(input),
    }
}

/// Expands the `tree!` of a file. All of it is at the path of the file, where an editor would show the states.
#[cfg(feature = "json")]
pub(crate) fn of_file(input: TokenStream) -> TokenStream {
    let (plan, mut errors) = fixed::planned(input);
    errors.forget_states();
    expand::tree(&plan, &errors)
}
