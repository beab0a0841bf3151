//! The macros of `bt-core`, which re-exports and documents them. Depend on that crate, not on this one.
//!
//! Every macro has the same stages: parse (tokens to syntax), check (validates, collecting all errors), expand (cannot fail).

#![expect(missing_docs, reason = "bt-core documents the macros where it re-exports them")]

use proc_macro::TokenStream;

mod blackboard;
mod errors;
mod function;
mod generics;
#[cfg(feature = "json")]
mod json;
mod lifecycle;
#[cfg(test)]
mod mutate;
mod subtree;
mod text;
mod tree;

/// Returns the name of a variable in an expansion. Hygiene hides it from the user's variables, but a pattern of that name would match a user's
/// constant.
fn hidden(name: &str) -> proc_macro2::Ident {
    proc_macro2::Ident::new(&format!("__bt_{name}"), proc_macro2::Span::mixed_site())
}

#[proc_macro]
pub fn tree(input: TokenStream) -> TokenStream {
    tree::tree(input.into()).into()
}

#[cfg(feature = "json")]
#[proc_macro]
pub fn tree_from_json(input: TokenStream) -> TokenStream {
    json::tree_from_json(input.into(), proc_macro::Span::call_site().local_file()).into()
}

#[proc_macro_attribute]
pub fn action(arguments: TokenStream, item: TokenStream) -> TokenStream {
    function::function(function::Form::Action, arguments.into(), item.into()).into()
}

#[proc_macro_attribute]
pub fn condition(arguments: TokenStream, item: TokenStream) -> TokenStream {
    function::function(function::Form::Condition, arguments.into(), item.into()).into()
}

#[proc_macro_attribute]
pub fn subtree(arguments: TokenStream, item: TokenStream) -> TokenStream {
    subtree::subtree(arguments.into(), item.into()).into()
}

#[proc_macro_attribute]
pub fn leaf(arguments: TokenStream, item: TokenStream) -> TokenStream {
    lifecycle::split(&lifecycle::LEAF, arguments.into(), item.into()).into()
}

#[proc_macro_attribute]
pub fn decorator(arguments: TokenStream, item: TokenStream) -> TokenStream {
    lifecycle::split(&lifecycle::DECORATOR, arguments.into(), item.into()).into()
}

#[proc_macro_attribute]
pub fn composite(arguments: TokenStream, item: TokenStream) -> TokenStream {
    lifecycle::split(&lifecycle::COMPOSITE, arguments.into(), item.into()).into()
}

#[proc_macro_derive(Blackboard, attributes(board))]
pub fn blackboard(item: TokenStream) -> TokenStream {
    blackboard::blackboard(item.into()).into()
}
