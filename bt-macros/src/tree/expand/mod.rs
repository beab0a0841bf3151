//! Plan to Rust. Cannot fail.
//!
//! The user's tokens are emitted once, with their own spans, for the errors of rustc and for editors. All other
//! tokens resolve in this crate (`mixed_site`) and have the location of the user's node.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use bt_syntax::errors::Errors;
use bt_syntax::plan::Tree;

use crate::editor::is_in_editor;

mod call;
mod context;
mod left;
mod lifetimes;
#[cfg(feature = "live")]
mod live;
mod node;
mod place;
mod selection;
mod tuple;
mod varying;

#[cfg(feature = "live")]
pub(crate) use live::{generated, live};

/// Returns a block that evaluates to the root of the tree.
///
/// If the tree is not a node over its context, its nodes have been reported. It is then replaced by a valid node, which avoids one more error.
pub(crate) fn tree(tree: &Tree, errors: &Errors) -> TokenStream {
    let (root, spot) = (node::node(&tree.root), place::spot(&tree.root, tree.root.flags));
    let whole = whole();
    block(tree, errors, |cx, known| {
        quote! {
            let #whole = __bt_core::__private::Whole(#cx, #root, #spot);
            #known
        }
    })
}

/// Returns the variable that holds the whole tree.
fn whole() -> Ident {
    Ident::new("__whole", Span::mixed_site())
}

/// Returns the block of a tree. `statements` bind the whole tree. They get its context, and a statement that reports if the nodes of the tree do not
/// determine it.
fn block(
    tree: &Tree,
    errors: &Errors,
    statements: impl FnOnce(&TokenStream, Option<TokenStream>) -> TokenStream,
) -> TokenStream {
    let left = errors.left().iter().map(left::left);
    let context = tree.context.as_ref().map_or_else(|| quote!(_), |context| context.ty.clone());
    let (binding, cx) = context::binding(&context);
    let every = tree.context.as_ref().and_then(|context| context.family.as_ref()).and_then(lifetimes::every);
    let is_inferred = tree.context.is_none() && errors.is_empty() && !is_in_editor();
    let known = is_inferred.then(|| {
        let at = Span::mixed_site().located_at(tree.root.span);
        let known = call::of_trait(at, &quote!(HasContext), &quote!(check), &quote!(#cx.known()));
        quote!(#known;)
    });
    let (methods, statements, whole) = (varying::methods(), statements(&cx, known), whole());
    let (states, errors) = (errors.left().iter().filter_map(left::states), errors.to_tokens());
    // An editor compares the expansions with and without the word at its cursor up to that word, which the texts of errors and states can contain.
    let (first, last) = if is_in_editor() { (None, Some(quote!(#(#states)* #errors))) } else { (Some(errors), None) };
    quote! {{
        #methods
        #binding
        #every
        #(#left)*
        #first
        #statements
        #last
        #whole.or_broken()
    }}
}
