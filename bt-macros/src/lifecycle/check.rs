//! Checks an impl block that will be split.

use proc_macro2::TokenStream;
use syn::ItemImpl;

use super::Split;
use crate::errors::Errors;

/// Checks an impl block.
pub(crate) fn block(
    split: &Split,
    arguments: &TokenStream,
    item: TokenStream,
    errors: &mut Errors,
) -> Option<ItemImpl> {
    let Split { word, over, .. } = split;
    if !arguments.is_empty() {
        errors.on(arguments, format!("`#[{word}]` takes no arguments"));
    }
    let block: ItemImpl = match syn::parse2(item) {
        Ok(block) => block,
        Err(error) => {
            let message = format!(
                "`#[{word}]` is only allowed on an impl block\nnote: {error}\nhelp: write `impl {over}<Context> for Type {{ … }}`"
            );
            errors.add(syn::Error::new(error.span(), message));
            return None;
        }
    };
    let of_trait = block.trait_.as_ref().and_then(|of| of.0.segments.last());
    if of_trait.is_none_or(|segment| segment.ident != over) {
        errors.on(&block.self_ty, format!("`#[{word}]` is only allowed on `impl {over}<Context> for …`"));
        return None;
    }
    Some(block)
}
