//! The macros of `bt-core`, which re-exports and documents them. Depend on `bt-core` instead of this crate.
//!
//! Every macro has the same stages: parse (tokens to syntax), check (validates, collecting all errors), expand (cannot fail).

#![expect(missing_docs, reason = "bt-core documents the macros where it re-exports them")]

use proc_macro::TokenStream;

use bt_syntax::errors::Errors;

mod blackboard;
mod documentation;
mod editor;
mod externs;
#[cfg(feature = "json")]
mod file;
mod function;
mod hidden;
mod krate;
mod lifecycle;
#[cfg(test)]
mod mutate;
mod subtree;
mod tree;

/// Expands a macro that `bt-core` calls with its own path.
fn called(
    input: TokenStream,
    expand: impl FnOnce(proc_macro2::TokenStream) -> proc_macro2::TokenStream,
) -> TokenStream {
    let (path, input) = krate::of_macro(input.into());
    krate::resolve(expand(input), &path).into()
}

/// Expands an attribute, whose arguments can contain the path of `bt-core`. Without the path, the rest of the expansion would only cause more errors.
fn attribute(
    arguments: TokenStream,
    item: TokenStream,
    expand: impl FnOnce(proc_macro2::TokenStream, proc_macro2::TokenStream, &mut Errors) -> proc_macro2::TokenStream,
) -> TokenStream {
    let mut errors = Errors::default();
    let (path, arguments) = krate::of_attribute(arguments.into(), &mut errors);
    match path {
        Some(path) => krate::resolve(expand(arguments, item.into(), &mut errors), &path).into(),
        None => errors.to_tokens().into(),
    }
}

#[proc_macro]
pub fn tree(input: TokenStream) -> TokenStream {
    #[cfg(feature = "live")]
    return called(input, tree::followed);
    #[cfg(not(feature = "live"))]
    called(input, tree::tree)
}

#[doc(hidden)]
#[proc_macro]
pub fn completions(_: TokenStream) -> TokenStream {
    tree::completions().into()
}

#[cfg(feature = "json")]
#[proc_macro]
pub fn tree_from_json(input: TokenStream) -> TokenStream {
    called(input, |input| file::expand(input, file::read::json))
}

#[cfg(feature = "text")]
#[proc_macro]
pub fn tree_from_file(input: TokenStream) -> TokenStream {
    called(input, |input| file::expand(input, file::read::text))
}

#[proc_macro_attribute]
pub fn action(arguments: TokenStream, item: TokenStream) -> TokenStream {
    attribute(arguments, item, |arguments, item, errors| {
        function::function(function::Form::Action, arguments, item, errors)
    })
}

#[proc_macro_attribute]
pub fn condition(arguments: TokenStream, item: TokenStream) -> TokenStream {
    attribute(arguments, item, |arguments, item, errors| {
        function::function(function::Form::Condition, arguments, item, errors)
    })
}

#[proc_macro_attribute]
pub fn subtree(arguments: TokenStream, item: TokenStream) -> TokenStream {
    attribute(arguments, item, subtree::subtree)
}

#[proc_macro_attribute]
pub fn leaf(arguments: TokenStream, item: TokenStream) -> TokenStream {
    attribute(arguments, item, |arguments, item, errors| lifecycle::split(&lifecycle::LEAF, arguments, item, errors))
}

#[proc_macro_attribute]
pub fn decorator(arguments: TokenStream, item: TokenStream) -> TokenStream {
    attribute(arguments, item, |arguments, item, errors| {
        lifecycle::split(&lifecycle::DECORATOR, arguments, item, errors)
    })
}

#[proc_macro_attribute]
pub fn composite(arguments: TokenStream, item: TokenStream) -> TokenStream {
    attribute(arguments, item, |arguments, item, errors| {
        lifecycle::split(&lifecycle::COMPOSITE, arguments, item, errors)
    })
}

#[proc_macro_derive(Blackboard, attributes(board))]
pub fn blackboard(item: TokenStream) -> TokenStream {
    let (path, expansion) = blackboard::blackboard(item.into());
    krate::resolve(expansion, &path).into()
}
