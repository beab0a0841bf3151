//! Collecting errors: all of them are reported in one go, each on the token at fault.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;

/// The errors found so far, and what they leave over.
#[derive(Default)]
pub(crate) struct Errors {
    found: Option<syn::Error>,
    left: Vec<Left>,
}

/// A piece of the user's text that has no place in what comes of it, because of an error. It is kept aside, for editors.
pub(crate) enum Left {
    /// Rust that is a leaf.
    Leaf(TokenStream),
    /// Other Rust.
    Rust(TokenStream),
    /// A keyword.
    Keyword(Ident),
}

impl Errors {
    /// Reports an error at one token.
    pub(crate) fn at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.add(syn::Error::new(span, message));
    }

    /// Reports an error at a run of tokens.
    pub(crate) fn on(&mut self, tokens: &impl ToTokens, message: impl std::fmt::Display) {
        self.add(syn::Error::new_spanned(tokens, message));
    }

    /// Reports an error that syn has found.
    pub(crate) fn add(&mut self, error: syn::Error) {
        match &mut self.found {
            Some(errors) => errors.combine(error),
            none => *none = Some(error),
        }
    }

    /// Keeps something aside.
    pub(crate) fn leave(&mut self, left: Left) {
        self.left.push(left);
    }

    /// Keeps aside what others have.
    pub(crate) fn leave_all(&mut self, others: Self) {
        self.left.extend(others.left);
    }

    /// What was kept aside.
    pub(crate) fn left(&self) -> &[Left] {
        &self.left
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_none()
    }

    /// Calls of `compile_error!` for all of them.
    pub(crate) fn to_tokens(&self) -> TokenStream {
        self.found.as_ref().map(syn::Error::to_compile_error).unwrap_or_default()
    }

    /// The messages, for unit tests.
    #[cfg(test)]
    pub(crate) fn messages(&self) -> Vec<String> {
        self.found.iter().flat_map(|errors| errors.clone().into_iter().map(|error| error.to_string())).collect()
    }
}
