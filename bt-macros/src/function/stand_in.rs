//! The function that replaces an invalid one.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, FnArg, ItemFn, PatType, Type, Visibility};

use super::Form;
use super::ast::{Handed, Input};
use super::attributes::ATTRIBUTES;
use super::check::input_of;
use super::handle;
use bt_syntax::generics::argument_of;

/// Returns a function that replaces an invalid one: it takes any arguments and returns a node over any context. The
/// function itself is inside it, for the errors in its body.
pub(crate) fn stand_in(form: Form, item: TokenStream) -> TokenStream {
    let Ok(mut function) = syn::parse2::<ItemFn>(item.clone()) else { return item };
    let is = |attr: &Attribute, words: &[&str]| words.iter().any(|word| attr.path().is_ident(word));
    let has_context = handle::has_context(form, &function.sig);
    let is_generic = !function.sig.generics.params.is_empty();
    let params = function.sig.inputs.iter_mut().skip(usize::from(has_context)).filter_map(|input| {
        let FnArg::Typed(param) = input else { return None };
        let ty = stand_in_type(param, is_generic);
        let is_param = !param.attrs.iter().any(|attr| is(attr, &["at", "kept", "open"]));
        param.attrs.retain(|attr| !is(attr, &ATTRIBUTES));
        is_param.then(|| quote!(_: #ty))
    });
    let params: Vec<_> = params.collect();
    if let Some(FnArg::Receiver(_)) = function.sig.inputs.first() {
        // An inner function cannot take `self`.
        return item;
    }
    let is_condition = form == Form::Condition;
    let (vis, name) = (std::mem::replace(&mut function.vis, Visibility::Inherited), &function.sig.ident);
    quote! {
        #[allow(clippy::allow_attributes, dead_code, unused)]
        #vis fn #name(#(#params),*) -> __bt_core::__private::StandIn<#is_condition> {
            #function
            __bt_core::__private::StandIn
        }
    }
}

/// Returns the type of a parameter of a [`stand_in`]: any type. A parameter that is a key has its type, from which `Key::new` is inferred.
fn stand_in_type(param: &PatType, is_generic: bool) -> TokenStream {
    let is = |word: &str| param.attrs.iter().any(|attr| attr.path().is_ident(word));
    let any = quote!(impl ::core::marker::Sized);
    let key = match &*param.ty {
        ty if is("output") => {
            let value = if let Type::Reference(reference) = ty { &*reference.elem } else { ty };
            let value = argument_of(value, &["Option"]).unwrap_or(value);
            quote!(__bt_core::board::OutputKey<#value>)
        }
        ty if is("input") => match input_of(ty) {
            (ty, Handed::Read(Input { is_optional: true, .. })) => quote!(__bt_core::board::OptionalInput<#ty>),
            (ty, _) => quote!(__bt_core::board::ValueOrKey<#ty>),
        },
        _ => return any,
    };
    // A borrowed or generic type is not known outside of the function.
    if is_generic || key.to_string().contains(['&', '\'']) { any } else { quote!(impl ::core::convert::Into<#key>) }
}
