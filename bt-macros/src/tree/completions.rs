//! The words of `tree!` for editors.

use std::collections::BTreeMap;

use bt_syntax::keyword::WITHIN;
use bt_words::{Family, Word};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::editor::is_in_editor;

/// Returns a type for each word of `tree!` before braces, whose names rust-analyzer completes. For the compiler, there are none.
pub(crate) fn completions() -> TokenStream {
    if !is_in_editor() {
        return TokenStream::new();
    }
    let is_in_tree = |word: &Word| matches!(word.row().family, Family::Composite | Family::Decorator | Family::Machine);
    let names = Word::ALL.iter().filter(|word| is_in_tree(word)).map(|word| word.name()).chain([WITHIN]);
    // Words of Rust need no completion, and two words may share a name.
    let names: BTreeMap<_, _> = names.filter_map(|name| Some((name, syn::parse_str::<Ident>(name).ok()?))).collect();
    let types = names.iter().map(|(name, ident)| {
        let doc = format!("The keyword `{name}` of `tree!`: see `bt_core::keywords`.");
        quote! {
            #[doc = #doc]
            #[allow(non_camel_case_types)]
            pub enum #ident {}
        }
    });
    quote!(#(#types)*)
}
