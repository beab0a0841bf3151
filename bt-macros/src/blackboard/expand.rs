//! Expands a board to Rust. Cannot fail.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;

use super::check::{Board, Variable};
use crate::hidden::hidden;
use bt_syntax::text;

/// Returns a key for each field, and the impls behind the keys.
pub(crate) fn board(board: &Board) -> TokenStream {
    let Board { name, generics, variables, .. } = board;
    let (impls, arguments, clause) = generics.split_for_impl();
    let keys = variables.iter().enumerate().map(|(index, variable)| key(index, variable));
    let fields = variables.iter().enumerate().map(|(index, variable)| {
        let field = field(variable);
        quote! {
            impl #impls __bt_core::board::FieldOf<#index> for #name #arguments #clause {
                #field
            }
        }
    });
    let resets = variables.iter().map(|variable| {
        let (field, start) = (&variable.name, start(variable));
        quote!(self.#field = #start;)
    });
    let see = hidden("see");
    let shows = variables.iter().map(show);
    quote! {
        #[allow(clippy::allow_attributes, dead_code)]
        impl #impls #name #arguments #clause {
            #(#keys)*
        }
        #(#fields)*
        impl #impls __bt_core::board::Blackboard for #name #arguments #clause {
            fn reset(&mut self) {
                #(#resets)*
            }

            fn show(&self, #see: &mut dyn ::core::ops::FnMut(__bt_core::board::VariableView<'_>)) {
                #[allow(unused_imports)]
                use __bt_core::__private::Opaque as _;
                #(#shows)*
            }
        }
    }
}

fn key(index: usize, variable: &Variable) -> TokenStream {
    let Variable { name, vis, docs, .. } = variable;
    let key = format_ident!("{}", name.unraw().to_string().to_uppercase(), span = name.span());
    let doc = format!("The key of the field `{}`.", name.unraw());
    let docs = if docs.is_empty() { quote!(#[doc = #doc]) } else { quote!(#(#docs)*) };
    quote! {
        #docs
        #vis const #key: __bt_core::board::Field<Self, #index> = __bt_core::board::Field::new();
    }
}

/// Returns the body of the `FieldOf` impl of one field.
fn field(variable: &Variable) -> TokenStream {
    let Variable { name, ty, optional, .. } = variable;
    let text = name.unraw().to_string();
    let (start, given) = (start(variable), hidden("value"));
    let (value, get, set) = match optional {
        Some(inner) => (
            inner.to_token_stream(),
            quote!(self.#name.as_ref()),
            quote!(self.#name = __bt_core::__private::Some(#given)),
        ),
        None => (ty.to_token_stream(), quote!(__bt_core::__private::Some(&self.#name)), quote!(self.#name = #given)),
    };
    let unset = match optional {
        Some(_) => quote!(__bt_core::__private::None),
        None => start,
    };
    quote! {
        type Value = #value;
        const NAME: &'static str = #text;

        #[inline(always)]
        fn get(&self) -> __bt_core::__private::Option<&Self::Value> {
            #get
        }

        #[inline(always)]
        fn set(&mut self, #given: Self::Value) {
            #set;
        }

        #[inline(always)]
        fn unset(&mut self) {
            self.#name = #unset;
        }
    }
}

/// Returns the initial value of a field.
fn start(variable: &Variable) -> TokenStream {
    match (&variable.default, &variable.optional) {
        (Some(default), Some(_)) => quote!(__bt_core::__private::Some(#default)),
        (Some(default), None) => default.to_token_stream(),
        (None, _) => quote!(::core::default::Default::default()),
    }
}

fn show(variable: &Variable) -> TokenStream {
    let Variable { name, ty, optional, .. } = variable;
    let text = name.unraw().to_string();
    let type_name = text::written(optional.as_ref().unwrap_or(ty).to_token_stream());
    let (see, seen) = (hidden("see"), hidden("value"));
    let value = match optional {
        Some(_) => quote!(self.#name.as_ref().map(|#seen| __bt_core::__private::Probe(#seen).show())),
        None => quote!(__bt_core::__private::Some(__bt_core::__private::Probe(&self.#name).show())),
    };
    quote! {
        #see(__bt_core::board::VariableView {
            name: #text,
            of: __bt_core::__private::None,
            type_name: #type_name,
            value: #value,
            changes: __bt_core::__private::None,
        });
    }
}
