//! `#[leaf]`, `#[decorator]` and `#[composite]`: split one impl block in two, since the state of a node must not depend on the context.

use proc_macro2::TokenStream;
use quote::quote;

use bt_syntax::errors::Errors;

mod check;
mod expand;
mod lifetimes;
mod split;

pub(crate) use split::{COMPOSITE, DECORATOR, LEAF, Split};

/// Expands `#[leaf]`, `#[decorator]` or `#[composite]`.
pub(crate) fn split(split: &Split, arguments: TokenStream, item: TokenStream, errors: &mut Errors) -> TokenStream {
    let block = check::block(split, item.clone(), errors);
    let count = check::arguments(split, arguments, errors);
    let errors = errors.to_tokens();
    let item = block.map_or(item, |(split, mut block)| {
        if split.counts_children {
            lifetimes::name(&mut block);
        }
        expand::block(split, count, block)
    });
    quote!(#errors #item)
}
