//! The words of `tree!` for editors.

use std::collections::BTreeMap;

use bt_syntax::keyword::WITHIN;
use bt_words::{Family, Word};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Returns a type for each word of `tree!` before braces, which only rust-analyzer sees: it completes their names.
pub(crate) fn completions() -> TokenStream {
    let is_in_tree = |word: &Word| matches!(word.row().family, Family::Composite | Family::Decorator | Family::Machine);
    let names = Word::ALL.iter().filter(|word| is_in_tree(word)).map(|word| word.name()).chain([WITHIN]);
    // Words of Rust need no completion, and two words may share a name.
    let names: BTreeMap<_, _> = names.filter_map(|name| Some((name, syn::parse_str::<Ident>(name).ok()?))).collect();
    let types = names.iter().map(|(name, ident)| {
        let doc = format!("The keyword `{name}` of `tree!`: see `bt_core::keywords`.");
        quote! {
            #[cfg(rust_analyzer)]
            #[doc = #doc]
            #[allow(non_camel_case_types)]
            pub enum #ident {}
        }
    });
    quote!(#(#types)*)
}
