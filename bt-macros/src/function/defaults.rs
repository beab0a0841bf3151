//! Expands the constructor that omits the parameters with defaults.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Expr;

use super::ast::{Function, Handed, Param};
use super::held::{held_as, phantom_value};
use crate::hidden::hidden;

/// Returns `with_defaults(…)`, the impl of `Defaults` or `SomeDefaults` if all or some parameters have one, and a method for each parameter with a default. Returns nothing if no parameter has a default.
pub(crate) fn defaults(function: &Function) -> TokenStream {
    let Function { cfgs, body, params, held: generics, .. } = function;
    if params.iter().all(|param| param.default.is_none()) {
        return TokenStream::new();
    }
    let (name, vis) = (&body.sig.ident, &body.vis);
    let required: Vec<_> = params.iter().filter(|param| param.default.is_none()).collect();
    let arguments = required.iter().map(|param| argument(param));
    let fields = params.iter().map(|param| {
        let name = &param.name;
        match &param.default {
            Some(_) => {
                let value = default(param);
                quote!(#name: #value)
            }
            None => quote!(#name: ::core::convert::Into::into(#name)),
        }
    });
    let fields = fields.chain(phantom_value(function));
    let setters = params.iter().filter(|param| param.default.is_some()).map(|param| {
        let (name, argument) = (&param.name, argument(param));
        let doc = format!("Returns the leaf with this `{name}`.");
        quote! {
            #[doc = #doc]
            #[allow(clippy::allow_attributes, clippy::return_self_not_must_use, clippy::must_use_candidate)]
            #vis fn #name(mut self, #argument) -> Self {
                self.#name = ::core::convert::Into::into(#name);
                self
            }
        }
    });
    let (impls, arguments_of, clause) = generics.split_for_impl();
    let types = params.iter().map(held_as);
    let types = quote!(type Arguments = (#(#types,)*););
    let of_trait = if required.is_empty() {
        quote! {
            #(#cfgs)*
            impl #impls __bt_core::__private::Defaults for #name #arguments_of #clause {
                #types

                fn defaults() -> Self {
                    Self::with_defaults()
                }
            }
        }
    } else {
        quote! {
            #(#cfgs)*
            impl #impls __bt_core::__private::SomeDefaults for #name #arguments_of #clause {
                #types
            }
        }
    };
    quote! {
        #of_trait
        #(#cfgs)*
        #[allow(clippy::allow_attributes, dead_code)]
        impl #impls #name #arguments_of #clause {
            /// Returns a leaf with the defaults. The arguments are the parameters without a default.
            #[allow(clippy::allow_attributes, clippy::must_use_candidate)]
            #vis fn with_defaults(#(#arguments),*) -> Self {
                Self { #(#fields,)* }
            }
            #(#setters)*
        }
    }
}

/// Returns the default of a parameter as a value of the field that holds it.
pub(crate) fn default(param: &Param) -> TokenStream {
    let (ty, default, held) = (&param.ty, &param.default, held_as(param));
    let value = hidden("default");
    let typed = quote!({ let #value: #ty = #default; #value });
    match (param.handed, default) {
        (Handed::Copied | Handed::Lent, _) => typed,
        // The default may be a key.
        (Handed::Read(_) | Handed::Written, Some(Expr::Path(_) | Expr::Call(_) | Expr::MethodCall(_))) => {
            quote!(<#held as ::core::convert::From<_>>::from(#default))
        }
        (Handed::Read(_) | Handed::Written, _) => quote!(<#held as ::core::convert::From<_>>::from(#typed)),
    }
}

/// Returns a parameter of a constructor. A parameter that is read from a board accepts a value or a key.
pub(crate) fn argument(param: &Param) -> TokenStream {
    let (name, held) = (&param.name, held_as(param));
    match param.handed {
        Handed::Read(_) | Handed::Written => quote!(#name: impl ::core::convert::Into<#held>),
        Handed::Copied | Handed::Lent => quote!(#name: #held),
    }
}
