//! Expands a leaf to Rust. Cannot fail.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{FnArg, ItemFn, Pat, Visibility, parse_quote};

use super::Form;
use super::ast::{Function, Handed, Input, Param};
use super::defaults::{self, argument, default};
use super::held::{self, phantom_value, type_of};
use super::node::node;
use super::stand_in;
use super::states::{open_type, tuple, walk};
use super::task;
use crate::documentation::documentation;
use crate::hidden::hidden;
use bt_syntax::{generics, text};

/// Returns the struct, its constructor, and the impls together with the original function.
pub(crate) fn function(function: &Function) -> TokenStream {
    let (ty, make, defaults) = (type_of(function), constructor(function), defaults::defaults(function));
    let (shape, node, properties) = (shape(function), node(function), properties(function));
    let (cfgs, clone) = (&function.cfgs, held::clone(function));
    let body = body(function);
    let expansion = quote! {
        #ty
        #make
        #defaults
        #(#cfgs)*
        #[allow(clippy::allow_attributes, clippy::type_complexity)]
        const _: () = {
            // This macro decides the form of parameters, not the lints.
            #[allow(
                clippy::allow_attributes,
                clippy::needless_lifetimes,
                clippy::needless_pass_by_ref_mut,
                clippy::needless_pass_by_value,
                clippy::manual_async_fn,
                clippy::ptr_arg,
                clippy::trivially_copy_pass_by_ref,
                clippy::unnecessary_wraps,
                clippy::unused_async
            )]
            #body
            #clone
            #shape
            #node
            #properties
        };
    };
    if function.future.is_none() {
        return expansion;
    }
    // Without the feature `async`, an error and the stand-in.
    let stand_in = stand_in::stand_in(function.form, function.body.to_token_stream());
    quote!(__bt_core::__async_action! { { #expansion } { #stand_in } })
}

/// Returns the function as the user wrote it. A parameter that only an `#[open(…)]` uses does not count as unused.
fn body(function: &Function) -> ItemFn {
    let mut body = function.body.clone();
    body.vis = Visibility::Inherited;
    let starts: TokenStream = function.open.iter().map(|open| open.start.to_token_stream()).collect();
    for input in &mut body.sig.inputs {
        if let FnArg::Typed(input) = input
            && let Pat::Ident(name) = &*input.pat
            && generics::mentions(&starts, &name.ident)
        {
            input.attrs.push(parse_quote!(#[allow(clippy::allow_attributes, unused_variables)]));
        }
    }
    body
}

fn constructor(function: &Function) -> TokenStream {
    let Function { cfgs, docs, body, params, held, .. } = function;
    let (name, vis) = (&body.sig.ident, &body.vis);
    let given = params.iter().map(argument);
    let fields = params.iter().map(|param| {
        let name = &param.name;
        match param.handed {
            Handed::Read(_) | Handed::Written => quote!(#name: ::core::convert::Into::into(#name)),
            Handed::Copied | Handed::Lent => quote!(#name),
        }
    });
    let fields = fields.chain(phantom_value(function));
    let (_, arguments, clause) = held.split_for_impl();
    quote! {
        #(#cfgs)*
        #(#docs)*
        #[allow(
            clippy::allow_attributes,
            clippy::too_many_arguments,
            clippy::must_use_candidate,
            clippy::used_underscore_binding
        )]
        #vis fn #name #held(#(#given),*) -> #name #arguments #clause {
            #name { #(#fields,)* }
        }
    }
}

fn shape(function: &Function) -> TokenStream {
    let Function { form, body, answer, params, open, kept, held, .. } = function;
    let name = &body.sig.ident;
    let text = name.unraw().to_string();
    let kind = match form {
        Form::Action => quote!(Action),
        Form::Condition => quote!(Condition),
    };
    let open_state = match (&function.future, open.as_slice()) {
        (Some(future), _) => task::state(function, future),
        (None, []) => quote!(<#answer as __bt_core::__private::ActionOutput>::Open),
        (None, _) => open_type(function),
    };
    let restarts = open.is_empty() && function.future.is_none();
    let params = params.iter().map(shown);
    let uses_board = function.params.iter().any(|param| param.handed.is_read() || param.handed == Handed::Written);
    let returns = quote!(<#answer as __bt_core::__private::ActionOutput>::RETURNS);
    let returns =
        if function.future.is_some() { quote!(#returns.or(__bt_core::__private::Outcomes::RUNNING)) } else { returns };
    let returns = if uses_board { quote!(#returns.or(__bt_core::__private::Outcomes::ERROR)) } else { returns };
    let visitor = hidden("visitor");
    let (impls, arguments, clause) = held.split_for_impl();
    let walk = walk(function);
    let kept = tuple(kept);
    let doc = documentation(&function.docs);
    let future = function.future.as_ref().map(|_| quote!(#visitor.future();));
    quote! {
        impl #impls __bt_core::__private::NodeShape for #name #arguments #clause {
            type Open = #open_state;
            type Kept = #kept;
            const RETURNS: __bt_core::__private::Outcomes = #returns;
            const RESTARTS: bool = #restarts;
            #doc

            #walk

            fn describe(&self, #visitor: &mut dyn __bt_core::__private::Visitor) {
                #[allow(unused_imports)]
                use __bt_core::__private::Opaque as _;
                #future
                #visitor.leaf_of::<(Self::Open, Self::Kept)>(&__bt_core::__private::Info {
                    kind: __bt_core::__private::Kind::#kind,
                    name: __bt_core::__private::Name::Known(#text),
                    returns: <Self as __bt_core::__private::NodeShape>::RETURNS,
                    params: &[#(#params),*],
                });
            }
        }
    }
}

/// Returns the impl that creates the leaf from the properties of a node in a file; `None` for a type with generics, which a file cannot name.
/// Expands to nothing unless `bt_core` has the feature `json`.
fn properties(function: &Function) -> Option<TokenStream> {
    if !function.held.params.is_empty() {
        return None;
    }
    let name = &function.body.sig.ident;
    let params = function.params.iter().map(|param| {
        let (field, ty, text) = (&param.name, &param.ty, text::written(param.ty.to_token_stream()));
        let property = param.name.unraw().to_string();
        let read = match param.handed {
            Handed::Read(Input { is_optional: true, .. }) => quote!(parameter_optional),
            Handed::Read(_) => quote!(parameter_given),
            Handed::Written => quote!(parameter_output),
            Handed::Copied | Handed::Lent => quote!(parameter),
        };
        // A borrowed value would have no owner; and for `&str` the compiler would select a reader that does not compile.
        let how = if text.contains('&') {
            quote!(__bt_core::__private::None)
        } else {
            quote!((&__bt_core::file::Reader::<#ty>::new()).how())
        };
        let default = match &param.default {
            Some(_) => {
                let default = default(param);
                quote!(__bt_core::__private::Some(#default))
            }
            None => quote!(__bt_core::__private::None),
        };
        quote!((#field #read, #property, #text, #default, #how))
    });
    Some(quote!(__bt_core::__from_properties! { #name #(#params)* }))
}

/// Returns a parameter as shown in descriptions.
fn shown(param: &Param) -> TokenStream {
    let (field, name) = (&param.name, param.name.unraw().to_string());
    let type_name = text::written(param.ty.to_token_stream());
    let probe = quote!(__bt_core::__private::Probe);
    let default = param.default.as_ref().map(|_| {
        let default = default(param);
        quote!(default: __bt_core::__private::Some(#probe(&#default).show()),)
    });
    let unit = param.unit.as_ref().map(|unit| quote!(unit: __bt_core::__private::Some(#unit),));
    let typed = quote! {
        __bt_core::__private::Param::typed(#name, #probe(&self.#field).show(), #type_name, #probe(&self.#field).property())
    };
    if default.is_none() && unit.is_none() {
        return typed;
    }
    quote!(__bt_core::__private::Param { #default #unit ..#typed })
}
