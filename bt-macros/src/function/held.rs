//! The struct of a leaf.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::GenericParam;

use super::ast::{Function, Handed, Input, Param};
use bt_syntax::generics;

/// Returns the generic parameters that no field mentions. The struct needs a `PhantomData` for them.
fn phantoms(function: &Function) -> impl Iterator<Item = &GenericParam> {
    let is_used = |param: &GenericParam| {
        let name = generics::name(param);
        function.params.iter().any(|field| generics::mentions(&field.ty, name))
    };
    function.held.params.iter().filter(move |param| !matches!(param, GenericParam::Const(_)) && !is_used(param))
}

fn phantom(function: &Function, of: impl Fn(&[TokenStream]) -> TokenStream) -> Option<TokenStream> {
    let types: Vec<_> = phantoms(function)
        .map(|param| match param {
            GenericParam::Lifetime(lifetime) => {
                let lifetime = &lifetime.lifetime;
                quote!(&#lifetime ())
            }
            param => generics::name(param).to_token_stream(),
        })
        .collect();
    (!types.is_empty()).then(|| of(&types))
}

/// Returns the `PhantomData` field for a constructor.
pub(super) fn phantom_value(function: &Function) -> Option<TokenStream> {
    phantom(function, |_| quote!(__generics: ::core::marker::PhantomData))
}

/// Returns the type of the field that holds a parameter.
pub(super) fn held_as(param: &Param) -> TokenStream {
    let ty = &param.ty;
    match param.handed {
        Handed::Read(Input { is_optional: true, .. }) => quote!(__bt_core::board::OptionalInput<#ty>),
        Handed::Read(_) => quote!(__bt_core::board::ValueOrKey<#ty>),
        Handed::Written => quote!(__bt_core::board::OutputKey<#ty>),
        Handed::Copied | Handed::Lent => quote!(#ty),
    }
}

/// Returns the `Clone` impl of the struct, which holds if all parameters are `Clone`.
pub(super) fn clone(function: &Function) -> TokenStream {
    let Function { body, params, held, .. } = function;
    let (name, (impls, arguments, clause)) = (&body.sig.ident, held.split_for_impl());
    let fields: Vec<_> = params.iter().map(|param| &param.name).collect();
    let types = params.iter().map(held_as);
    let predicates = clause.iter().flat_map(|clause| &clause.predicates);
    let phantom = phantom_value(function).into_iter();
    quote! {
        // Without `for<…>`, a bound that does not hold for the type of a parameter is an error.
        #[allow(clippy::allow_attributes, clippy::used_underscore_binding)]
        impl #impls ::core::clone::Clone for #name #arguments
        where
            #(for<'__clone> #types: ::core::clone::Clone,)*
            #(#predicates,)*
        {
            fn clone(&self) -> Self {
                Self { #(#fields: ::core::clone::Clone::clone(&self.#fields),)* #(#phantom,)* }
            }
        }
    }
}

/// Returns the struct of a leaf.
pub(super) fn type_of(function: &Function) -> TokenStream {
    let Function { cfgs, docs, body, params, held, .. } = function;
    let (name, vis) = (&body.sig.ident, &body.vis);
    let fields = params.iter().map(|param| {
        let (name, ty) = (&param.name, held_as(param));
        quote!(#vis #name: #ty)
    });
    let phantom = phantom(function, |types| quote!(__generics: ::core::marker::PhantomData<fn() -> (#(#types,)*)>));
    let fields = fields.chain(phantom);
    let clause = &held.where_clause;
    quote! {
        #(#cfgs)*
        #(#docs)*
        #[allow(non_camel_case_types, missing_docs, clippy::allow_attributes)]
        #vis struct #name #held #clause { #(#fields,)* }
    }
}
