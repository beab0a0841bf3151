//! The documentation of a node as a constant, for the palettes of editors.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// Returns the constant `DOC`; `None` without documentation. Only literals can be read: the text of `#[doc = include_str!(…)]` is that of another file.
pub(crate) fn documentation(attributes: &[Attribute]) -> Option<TokenStream> {
    let lines = attributes.iter().filter(|attribute| attribute.path().is_ident("doc")).filter_map(line);
    let text = lines.collect::<Vec<_>>().join("\n");
    let text = text.trim();
    (!text.is_empty()).then(|| {
        let text = text.to_token_stream();
        quote!(const DOC: &'static str = #text;)
    })
}

/// Returns a line of documentation, without the space that follows `///`.
fn line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(given) = &attribute.meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &given.value else { return None };
    let text = text.value();
    Some(text.strip_prefix(' ').unwrap_or(&text).to_owned())
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn the_lines_of_documentation_are_one_text() {
        let item: syn::ItemFn = parse_quote! {
            /// Walks to a place.
            ///
            ///  - slowly
            #[doc(hidden)]
            #[doc = include_str!("walk.md")]
            fn walk() {}
        };
        let text = documentation(&item.attrs).expect("it has one").to_string();
        assert_eq!(text, "const DOC : & 'static str = \"Walks to a place.\\n\\n - slowly\" ;");
        assert!(documentation(&item.attrs[3..]).is_none());
    }
}
