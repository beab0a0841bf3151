//! Checks a function that builds a named subtree.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, GenericArgument, ItemFn, Pat, PathArguments, ReturnType, Type, TypeParamBound};

use crate::errors::Errors;
use crate::text;

/// A named subtree. It is valid, or its errors have been reported.
pub(crate) struct Subtree {
    pub(crate) function: ItemFn,
    /// The context in `impl Node<Context>`.
    pub(crate) context: Type,
    /// The parameters that have a name.
    pub(crate) params: Vec<Ident>,
    /// Whether the subtree contains itself, so that its body must not be compiled.
    pub(crate) endless: bool,
}

/// Checks a function.
pub(crate) fn subtree(arguments: &TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Subtree> {
    if !arguments.is_empty() {
        errors.on(arguments, "`#[subtree]` takes no arguments");
    }
    let function: ItemFn = match syn::parse2(item) {
        Ok(function) => function,
        Err(error) => {
            errors.add(syn::Error::new(
                error.span(),
                format!("`#[subtree]` is only allowed on a function\nnote: {error}"),
            ));
            return None;
        }
    };
    let Some(context) = context(&function.sig.output) else {
        let message = |found: String| {
            format!(
                "a `#[subtree]` must return `impl Node<Context>`, found `{found}`\nnote: `Context` is your context type"
            )
        };
        match &function.sig.output {
            ReturnType::Default => errors.on(&function.sig.ident, message("()".to_owned())),
            ReturnType::Type(_, ty) => errors.on(ty, message(text::written(ty.to_token_stream()))),
        }
        return None;
    };
    let name = &function.sig.ident;
    let itself = call(function.block.to_token_stream(), name);
    if let Some(itself) = &itself {
        let context = text::written(context.to_token_stream());
        errors.on(
            itself,
            format!(
                "`{name}` contains itself\nnote: its type would be infinite\nhelp: box it, in a plain function: \
                 `fn {name}(…) -> BoxNode<{context}> {{ boxed(tree! {{ … }}) }}`"
            ),
        );
    }
    let params = function.sig.inputs.iter().filter_map(named).collect();
    Some(Subtree { params, context, endless: itself.is_some(), function })
}

/// Finds where a function of this name is called or used as a leaf. Ignores macros, fields, methods, keywords and items of other paths.
fn call(tokens: TokenStream, name: &Ident) -> Option<Ident> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_sign = |index: Option<usize>, signs: &[char]| {
        let token = index.and_then(|index| tokens.get(index));
        matches!(token, Some(TokenTree::Punct(punct)) if signs.contains(&punct.as_char()))
    };
    let is_group = |index: usize, delimiter| matches!(tokens.get(index), Some(TokenTree::Group(group)) if group.delimiter() == delimiter);
    tokens.iter().enumerate().find_map(|(index, token)| match token {
        TokenTree::Group(group) => call(group.stream(), name),
        TokenTree::Ident(ident) if ident == name => {
            let elsewhere = is_sign(index.checked_sub(1), &['.', ':']) || is_sign(Some(index + 1), &['!', ':']);
            let after = if is_group(index + 1, Delimiter::Parenthesis) { index + 2 } else { index + 1 };
            let has_children = is_group(after, Delimiter::Brace) || is_sign(Some(after), &['<']);
            (!elsewhere && !has_children).then(|| ident.clone())
        }
        _ => None,
    })
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

/// Returns the context in a return type `impl Node<Context>`, or in `impl StateMachine<Context>`, which is a node too.
fn context(output: &ReturnType) -> Option<Type> {
    let ReturnType::Type(_, ty) = output else { return None };
    let Type::ImplTrait(ty) = &**ty else { return None };
    ty.bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let node =
            bound.path.segments.last().filter(|segment| segment.ident == "Node" || segment.ident == "StateMachine")?;
        let PathArguments::AngleBracketed(arguments) = &node.arguments else { return None };
        arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty.clone()),
            _ => None,
        })
    })
}

#[cfg(test)]
mod tests {
    use quote::{format_ident, quote};

    #[test]
    fn a_name_counts_as_a_call_only_in_call_position() {
        let calls = |tokens| super::call(tokens, &format_ident!("tree")).is_some();
        assert!(calls(quote!(a { sequence { b, tree(1) } })));
        assert!(calls(quote!(a { tree, b })));
        assert!(!calls(quote!(a { tree { b }, tree(3) { c }, tree < d > })));
        assert!(!calls(quote!(tree! { a.tree, b.tree(), C { tree: 3 }, other::tree() })));
    }
}
