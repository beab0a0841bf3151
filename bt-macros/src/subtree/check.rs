//! From a function's syntax to a stored subtree.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{FnArg, GenericArgument, ItemFn, Pat, PathArguments, ReturnType, Type, TypeParamBound};

use crate::errors::Errors;
use crate::generics;

/// A stored subtree in which nothing is wrong, or where what is has been reported.
pub(crate) struct Subtree {
    pub(crate) function: ItemFn,
    /// The context in `impl Node<Context>`.
    pub(crate) context: Type,
    /// The parameters that have a name.
    pub(crate) params: Vec<Ident>,
    /// Whether it contains itself, so that its body must not be compiled.
    pub(crate) endless: bool,
}

/// Checks a whole function.
pub(crate) fn subtree(arguments: &TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Subtree> {
    if !arguments.is_empty() {
        errors.on(arguments, "`#[subtree]` takes no arguments");
    }
    let function: ItemFn = match syn::parse2(item) {
        Ok(function) => function,
        Err(error) => {
            errors.add(syn::Error::new(error.span(), format!("`#[subtree]` stands on a function: {error}")));
            return None;
        }
    };
    let Some(context) = context(&function.sig.output) else {
        let message = "a `#[subtree]` returns `impl Node<Context>`, with the type of your context";
        match &function.sig.output {
            ReturnType::Default => errors.on(&function.sig.ident, message),
            ReturnType::Type(_, ty) => errors.on(ty, message),
        }
        return None;
    };
    let name = &function.sig.ident;
    let itself = generics::find(function.block.to_token_stream(), name);
    if let Some(itself) = &itself {
        let context = context.to_token_stream();
        errors.on(
            itself,
            format!(
                "`{name}` contains itself, so its type would have no end: box it, in a plain function \
                 `fn {name}(…) -> BoxNode<{context}> {{ boxed(tree! {{ … }}) }}`"
            ),
        );
    }
    let params = function.sig.inputs.iter().filter_map(named).collect();
    Some(Subtree { params, context, endless: itself.is_some(), function })
}

fn named(input: &FnArg) -> Option<Ident> {
    match input {
        FnArg::Typed(input) => match &*input.pat {
            Pat::Ident(pat) => Some(pat.ident.clone()),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}

/// The context in a return type `impl Node<Context>`.
fn context(output: &ReturnType) -> Option<Type> {
    let ReturnType::Type(_, ty) = output else { return None };
    let Type::ImplTrait(ty) = &**ty else { return None };
    ty.bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let node = bound.path.segments.last().filter(|segment| segment.ident == "Node")?;
        let PathArguments::AngleBracketed(arguments) = &node.arguments else { return None };
        arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty.clone()),
            _ => None,
        })
    })
}
