//! The context type of a tree as a value, which all nodes of the tree share, so that they have one context type.
//!
//! An editor would complete the variable in the user's code. There each node has a value of its own.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

use crate::editor::is_in_editor;

/// Returns the variable.
fn variable() -> Ident {
    Ident::new("__context", Span::mixed_site())
}

fn new(context: &TokenStream) -> TokenStream {
    quote!(__bt_core::__private::Context::<#context>::new())
}

/// Returns the statement before a tree, and the value of the whole tree.
pub(super) fn binding(context: &TokenStream) -> (Option<TokenStream>, TokenStream) {
    let (variable, value) = (variable(), new(context));
    if is_in_editor() { (None, value) } else { (Some(quote!(let #variable = #value;)), variable.into_token_stream()) }
}

/// Returns the value at a node.
pub(super) fn value() -> TokenStream {
    if is_in_editor() { new(&quote!(_)) } else { variable().into_token_stream() }
}

/// Returns the parameter that is the value in a tree over a part.
pub(super) fn parameter() -> TokenStream {
    if is_in_editor() { quote!(_) } else { variable().into_token_stream() }
}
