//! Checks a function that builds a named subtree.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{FnArg, ItemFn, Lifetime, Pat, ReturnType, Stmt, StmtMacro, TraitBound, Type, TypeParamBound, parse_quote};

use bt_syntax::errors::Errors;
use bt_syntax::generics::{argument_of, lifetime, only_type, types};
use bt_syntax::text;

use crate::editor::is_in_editor;

/// A checked function.
pub(crate) enum Named {
    Subtree(Box<Subtree>),
    /// A function whose return type does not name a context. It stays as it is.
    Other(Box<ItemFn>),
}

/// A named subtree. It is valid, or its errors have been reported.
pub(crate) struct Subtree {
    pub(crate) function: ItemFn,
    /// The context in `impl Node<Context>` or `BoxNode<Context>`.
    pub(crate) context: Type,
    /// The lifetimes in `impl for<'w> Node<Context<'w>>`.
    pub(crate) lifetimes: Vec<Lifetime>,
    /// Whether the return type requires that the tree can be saved: `+ Save`.
    pub(crate) is_saved: bool,
    /// Whether the function returns a `BoxNode`.
    pub(crate) is_boxed: bool,
    /// The parameters that have a name.
    pub(crate) params: Vec<Ident>,
    /// Whether the subtree contains itself, so that its body must not be compiled.
    pub(crate) is_recursive: bool,
}

/// Checks a function.
pub(crate) fn subtree(arguments: &TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Named> {
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
    let ty = match &function.sig.output {
        ReturnType::Type(_, ty) => ty,
        ReturnType::Default => {
            let message = "a `#[subtree]` must return `impl Node<Context>` or `BoxNode<Context>`, found `()`\n\
                           note: `Context` is your context type";
            errors.on(&function.sig.ident, message);
            return Some(Named::Other(Box::new(stand_in(function))));
        }
    };
    if let Some(context) = erased(ty) {
        let (found, context) = (text::written(ty.to_token_stream()), text::written(context.to_token_stream()));
        let message = format!(
            "expected `impl Node<{context}>` or `BoxNode<{context}>`, found `{found}`\nnote: `Node` cannot be used as a trait object; `BoxNode` can hold any \
             node\nhelp: write `-> BoxNode<{context}> {{ boxed(tree! {{ … }}) }}`"
        );
        errors.on(ty, message);
        return Some(Named::Other(Box::new(stand_in(function))));
    }
    let Some((context, lifetimes, is_boxed)) = context(ty) else {
        // Another type may be a node, too.
        return Some(Named::Other(Box::new(function)));
    };
    if let Some(Stmt::Macro(StmtMacro { mac, semi_token: Some(semicolon), .. })) = function.block.stmts.last()
        && mac.path.segments.last().is_some_and(|last| last.ident == "tree")
    {
        errors.on(semicolon, "unexpected `;` after the tree, which the function returns\nhelp: remove it");
        return Some(Named::Other(Box::new(stand_in(function))));
    }
    let name = &function.sig.ident;
    let itself = if is_boxed { None } else { call(function.block.to_token_stream(), name) };
    if let Some(itself) = &itself {
        let context = text::written(context.to_token_stream());
        errors.on(
            itself,
            format!(
                "`{name}` contains itself\nnote: its type would be infinite\nhelp: box it: \
                 `fn {name}(…) -> BoxNode<{context}> {{ boxed(tree! {{ … }}) }}`"
            ),
        );
    }
    let params = function.sig.inputs.iter().filter_map(named).collect();
    let is_saved = traits(ty).any(|bound| bound.path.segments.last().is_some_and(|last| last.ident == "Save"));
    Some(Named::Subtree(Box::new(Subtree {
        params,
        context,
        lifetimes,
        is_saved,
        is_boxed,
        is_recursive: itself.is_some(),
        function,
    })))
}

/// Returns a function that returns a node over any context, in place of one with an invalid return type.
fn stand_in(function: ItemFn) -> ItemFn {
    let ItemFn { vis, mut sig, block, .. } = function;
    sig.output = parse_quote!(-> __bt_core::__private::StandIn<false>);
    let written = is_in_editor().then(|| quote!(let _ = #block;));
    parse_quote! {
        #[allow(clippy::allow_attributes, dead_code, unused)]
        #vis #sig {
            #written
            __bt_core::__private::StandIn
        }
    }
}

/// Returns the context of a trait object: of `Box<dyn Node<Context>>`.
fn erased(ty: &Type) -> Option<Type> {
    let Type::TraitObject(object) = argument_of(ty, &["Box", "Rc", "Arc"])? else { return None };
    object.bounds.iter().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) => only_type(bound.path.segments.last().filter(|last| last.ident == "Node")?),
        _ => None,
    })
}

/// Finds where a function of this name is called or used as a leaf. Ignores macros, fields, methods, keywords, items of other paths, and functions in
/// the body: where a brace is missing, an editor reads the next functions of the file as part of it.
fn call(tokens: TokenStream, name: &Ident) -> Option<Ident> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_sign = |index: Option<usize>, signs: &[char]| {
        let token = index.and_then(|index| tokens.get(index));
        matches!(token, Some(TokenTree::Punct(punct)) if signs.contains(&punct.as_char()))
    };
    let is_group = |index: usize, delimiter| matches!(tokens.get(index), Some(TokenTree::Group(group)) if group.delimiter() == delimiter);
    let is_word = |index: usize| matches!(tokens.get(index), Some(TokenTree::Ident(_)));
    let begins_function =
        |index: usize| matches!(&tokens[index], TokenTree::Ident(word) if word == "fn") && is_word(index + 1);
    if let Some(function) = (0..tokens.len()).find(|index| begins_function(*index)) {
        let end = (function..tokens.len())
            .find(|index| is_group(*index, Delimiter::Brace))
            .map_or(tokens.len(), |end| end + 1);
        let [before, after] = [&tokens[..function], &tokens[end..]].map(|part| part.iter().cloned().collect());
        return call(before, name).or_else(|| call(after, name));
    }
    // Parameters of closures hide the function up to the end of the closure.
    let hidden = hidden(&tokens, name);
    tokens.iter().enumerate().filter(|(index, _)| !hidden[*index]).find_map(|(index, token)| match token {
        TokenTree::Group(group) => call(group.stream(), name),
        TokenTree::Ident(ident) if ident == name => {
            let elsewhere = is_sign(index.checked_sub(1), &['.', ':']) || is_sign(Some(index + 1), &['!', ':', '.']);
            let after = if is_group(index + 1, Delimiter::Parenthesis) { index + 2 } else { index + 1 };
            let has_children = is_group(after, Delimiter::Brace) || is_sign(Some(after), &['<']);
            (!elsewhere && !has_children).then(|| ident.clone())
        }
        _ => None,
    })
}

/// Returns for each token whether it is in a closure that has a parameter of this name.
fn hidden(tokens: &[TokenTree], name: &Ident) -> Vec<bool> {
    let is_sign = |index: usize, sign: char| matches!(tokens.get(index), Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
    let mut hidden = vec![false; tokens.len()];
    let mut index = 0;
    while index < tokens.len() {
        let end = (index + 1..tokens.len()).find(|end| is_sign(*end, '|')).filter(|_| is_sign(index, '|'));
        let Some(end) = end else {
            index += 1;
            continue;
        };
        let has_name = tokens[index..end].iter().any(|token| matches!(token, TokenTree::Ident(ident) if ident == name));
        let is_last = |at: &usize| is_sign(*at, ',') || is_sign(*at, '=') && is_sign(*at + 1, '>');
        let last = if has_name { (end..tokens.len()).find(is_last).unwrap_or(tokens.len()) } else { end };
        hidden[index..last].fill(has_name);
        index = last + 1;
    }
    hidden
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

/// Returns the traits of an `impl Trait`.
fn traits(ty: &Type) -> impl Iterator<Item = &TraitBound> {
    let bounds = if let Type::ImplTrait(ty) = ty { Some(&ty.bounds) } else { None };
    bounds.into_iter().flatten().filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => Some(bound),
        _ => None,
    })
}

/// Returns the context in a return type, its bound lifetimes, and whether the type is a `BoxNode`. In `impl Node<Context>`, the trait can have any
/// name, since an import can rename it.
fn context(ty: &Type) -> Option<(Type, Vec<Lifetime>, bool)> {
    match ty {
        Type::ImplTrait(_) => {
            let traits = || traits(ty).filter_map(|bound| Some((bound, bound.path.segments.last()?)));
            let known = traits().find(|(_, last)| last.ident == "Node" || last.ident == "StateMachine");
            let (bound, context) = match known {
                Some((bound, known)) => (bound, only_type(known)?),
                None => traits().find_map(|(bound, last)| Some((bound, only_type(last)?)))?,
            };
            let lifetimes = bound.lifetimes.iter().flat_map(|bound| &bound.lifetimes).filter_map(lifetime);
            Some((context, lifetimes.collect(), false))
        }
        Type::Path(ty) => {
            let last = ty.path.segments.last().filter(|segment| segment.ident == "BoxNode")?;
            match types(last)[..] {
                [context] | [context, _] => Some((context.clone(), Vec::new(), true)),
                _ => None,
            }
        }
        _ => None,
    }
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
        assert!(!calls(quote!(a { |tree: &T| f(tree) && tree.near, |b, tree| { tree } => c, |b: &T| b.x })));
        assert!(calls(quote!(a { |tree: &T| f(tree), |b: &T| b.x, tree })));
        assert!(calls(quote!(a { |tree: &T| f(tree) => tree })));
        assert!(
            !calls(quote!(tree! { a } fn other() -> T { tree() })) && calls(quote!(fn other() { tree() } a { tree() }))
        );
        assert!(!calls(quote!(tree! { a.tree, b.tree(), C { tree: 3 }, other::tree() })));
    }
}
