//! Expands a named subtree to Rust. Cannot fail.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Lifetime, Macro, ReturnType, Stmt, Type, TypeParamBound, parse_quote};

use super::check::Subtree;
use crate::hidden::hidden;
use bt_syntax::parse::SAVED;

/// Returns the function, with its body wrapped in a named node.
pub(crate) fn subtree(subtree: &Subtree) -> TokenStream {
    let mut function = subtree.function.clone();
    for_any_lifetime(&mut function.sig.output);
    let body = if subtree.is_recursive {
        quote!(__bt_core::__private::broken())
    } else {
        hand_context(&mut function.block.stmts, subtree);
        // The user's own braces would be unnecessary here.
        let statements = &function.block.stmts;
        quote!({ #(#statements)* })
    };
    let text = function.sig.ident.unraw().to_string();
    let params = &subtree.params;
    let names = params.iter().map(|param| param.unraw().to_string());
    let kept: Vec<_> =
        params.iter().map(|param| format_ident!("__{}", param.unraw(), span = Span::mixed_site())).collect();
    let show = hidden("show");
    let named = quote! {
        __bt_core::__private::Subtree::new(
            #text,
            move |#show: &mut dyn ::core::ops::FnMut(&[__bt_core::__private::Param<'_>])| #show(&[
                #(__bt_core::__private::Param::new(#names, &#kept)),*
            ]),
            #body,
        )
    };
    let named = if subtree.is_boxed { quote!(__bt_core::BoxNode::new(#named)) } else { named };
    // The body may consume the parameters, so their descriptions are stored first.
    function.block = Box::new(parse_quote!({
        #[allow(unused_imports)]
        use __bt_core::__private::Opaque as _;
        #(let #kept = __bt_core::__private::Probe(&#params).keep();)*
        #named
    }));
    function.into_token_stream()
}

/// Passes the context to the `tree!` at the end of the body, so that its errors can name it.
fn hand_context(body: &mut [Stmt], subtree: &Subtree) {
    let tree = match body.last_mut() {
        Some(Stmt::Macro(tree)) if tree.semi_token.is_none() => &mut tree.mac,
        Some(Stmt::Expr(Expr::Macro(tree), None)) => &mut tree.mac,
        _ => return,
    };
    if !is_tree(tree) || begins_with_for(&tree.tokens) {
        return;
    }
    let (mut context, mut namer) = (subtree.context.clone(), Namer(subtree.lifetimes.clone()));
    if !subtree.is_boxed {
        namer.visit_type_mut(&mut context);
    }
    let (lifetimes, tokens) = (namer.0, &tree.tokens);
    let bound = (!lifetimes.is_empty()).then(|| quote!(<#(#lifetimes),*>));
    let saved = subtree.is_saved.then(|| {
        let word = format_ident!("{SAVED}");
        quote!(, #word)
    });
    tree.tokens = quote!(for #bound #context #saved: #tokens);
}

fn is_tree(call: &Macro) -> bool {
    call.path.segments.last().is_some_and(|segment| segment.ident == "tree")
}

fn begins_with_for(tokens: &TokenStream) -> bool {
    matches!(tokens.clone().into_iter().next(), Some(TokenTree::Ident(ident)) if ident == "for")
}

/// Replaces `impl Node<Ctx<'_>>` with `impl for<'a> Node<Ctx<'a>>`.
fn for_any_lifetime(output: &mut ReturnType) {
    let ReturnType::Type(_, ty) = output else { return };
    let Type::ImplTrait(ty) = &mut **ty else { return };
    for bound in &mut ty.bounds {
        let TypeParamBound::Trait(bound) = bound else { continue };
        let mut namer = Namer::default();
        namer.visit_path_mut(&mut bound.path);
        if !namer.0.is_empty() && bound.lifetimes.is_none() {
            let lifetimes = &namer.0;
            bound.lifetimes = Some(parse_quote!(for<#(#lifetimes),*>));
        }
    }
}

/// A visitor that names the anonymous lifetimes.
#[derive(Default)]
struct Namer(Vec<Lifetime>);

impl VisitMut for Namer {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            let name = format_ident!("__any{}", self.0.len());
            *lifetime = Lifetime::new(&format!("'{name}"), lifetime.span());
            self.0.push(lifetime.clone());
        }
    }

    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        if reference.lifetime.is_none() {
            reference.lifetime = Some(Lifetime::new("'_", Span::mixed_site()));
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }
}
