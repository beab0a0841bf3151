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

/// The known word that is nearest, if one is near.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let far = if word.len() < 5 { 1 } else { 2 };
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, _)| (1..=far).contains(distance))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `; did you mean …?` with the known word that is nearest, or nothing: the end of a message.
pub(crate) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_meant_if_it_is_near() {
        let known = ["selector", "sequence", "repeat"];
        assert_eq!(nearest("selctor", known), Some("selector"));
        assert_eq!(nearest("sequnece", known), Some("sequence"));
        assert_eq!(nearest("patrol", known), None);
        assert_eq!(nearest("repeat", known), None);
    }
}
