//! The call of the user's function: how its arguments are passed.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{GenericParam, Generics};

use super::Form;
use super::ast::{Argument, Function, Handed, Input, Lent, Param};
use super::states::{one_of, tuple};
use bt_syntax::generics;

/// Returns the call of the user's function.
pub(super) fn call(
    function: &Function,
    this: &Ident,
    ctx: Option<&Ident>,
    [open, kept]: [&Ident; 2],
    at: &Ident,
) -> TokenStream {
    let name = &function.body.sig.ident;
    let turbofish = turbofish(&function.body.sig.generics);
    let arguments = function.order.iter().map(|argument| match argument {
        Argument::Param(index) => hand(function, *index, this),
        Argument::Open(index) => one_of(*index, function.open.len(), open),
        Argument::Kept(index) => one_of(*index, function.kept.len(), kept),
        Argument::At => quote!(#at),
    });
    let ctx = ctx.into_iter();
    quote!(#name #turbofish(#(#ctx,)* #(#arguments),*))
}

/// Returns the code that reads `#[input]` parameters. `failed` is the code for a parameter that cannot be read.
pub(super) fn reads(
    function: &Function,
    this: &Ident,
    ctx: &Ident,
    error: &Ident,
    failed: impl Fn(&Param) -> TokenStream,
) -> TokenStream {
    let read = function.params.iter().filter_map(|param| {
        let Handed::Read(input) = param.handed else { return None };
        let (name, read, failed) = (&param.name, read_name(param), failed(param));
        let method = match (input.lent, function.form) {
            (None, _) => quote!(read),
            (Some(_), Form::Condition) => quote!(get),
            // An action takes the context exclusively, so the value of a variable is cloned.
            (Some(_), Form::Action) => quote!(cow),
        };
        Some(quote! {
            let #read = match #this.#name.#method(&*#ctx) {
                ::core::result::Result::Ok(#read) => #read,
                ::core::result::Result::Err(#error) => #failed,
            };
        })
    });
    read.collect()
}

/// Returns the variables for `#[output]` parameters, and the code that stores their values.
pub(super) fn outputs(
    function: &Function,
    this: &Ident,
    ctx: &Ident,
    error: &Ident,
    failed: impl Fn(&Param) -> TokenStream,
) -> (TokenStream, TokenStream) {
    let outputs = function.params.iter().filter(|param| param.handed == Handed::Written).map(|param| {
        let (name, ty, output, failed) = (&param.name, &param.ty, read_name(param), failed(param));
        (
            quote!(let mut #output: __bt_core::__private::Option<#ty> = __bt_core::__private::None;),
            quote! {
                if let __bt_core::__private::Some(#output) = #output {
                    if let ::core::result::Result::Err(#error) = #this.#name.store(&mut *#ctx, #output) #failed
                }
            },
        )
    });
    outputs.unzip()
}

/// Returns the name of the variable for the value read.
pub(super) fn read_name(param: &Param) -> Ident {
    quote::format_ident!("__{}", param.name.unraw(), span = Span::mixed_site())
}

/// Returns a parameter as passed to the function.
pub(super) fn hand(function: &Function, index: usize, this: &Ident) -> TokenStream {
    let param = &function.params[index];
    let name = &param.name;
    match param.handed {
        Handed::Lent => return quote!(&#this.#name),
        Handed::Read(input) => return lend(function.form, input, &read_name(param)),
        Handed::Written => {
            let output = read_name(param);
            return quote!(&mut #output);
        }
        Handed::Copied => {}
    }
    // A type that is not `Copy` is reported at its own tokens.
    let at = Span::mixed_site().located_at(param.ty.span());
    let (mut this, mut name) = (this.clone(), name.clone());
    this.set_span(at);
    name.set_span(at);
    if function.future.is_some() {
        return quote_spanned!(at=> ::core::clone::Clone::clone(&#this.#name));
    }
    quote_spanned!(at=> __bt_core::__private::hand(&#this.#name))
}

/// Returns an `#[input]` that was read as passed to the function.
pub(super) fn lend(form: Form, input: Input, read: &Ident) -> TokenStream {
    let content = quote!(.map(|__value| &**__value));
    match (input.is_optional, input.lent, form) {
        (_, None, _) | (_, Some(Lent::Value), Form::Condition) => quote!(#read),
        (false, Some(Lent::Value), Form::Action) => quote!(&*#read),
        (false, Some(Lent::Content), _) => quote!(&**#read),
        (true, Some(Lent::Value), Form::Action) => quote!(#read.as_deref()),
        (true, Some(Lent::Content), Form::Condition) => quote!(#read #content),
        (true, Some(Lent::Content), Form::Action) => quote!(#read.as_deref() #content),
    }
}

/// Returns the type and const arguments of the function, since some cannot be inferred.
pub(super) fn turbofish(generics: &Generics) -> Option<TokenStream> {
    let names: Vec<_> = generics
        .params
        .iter()
        .filter(|param| !matches!(param, GenericParam::Lifetime(_)))
        .map(generics::name)
        .collect();
    (!names.is_empty()).then(|| quote!(::<#(#names),*>))
}

/// Returns the initial states of a run. Their expressions can use the function's parameters.
pub(super) fn fresh(function: &Function, this: &Ident, ctx: &Ident) -> TokenStream {
    let starts: Vec<_> = function
        .open
        .iter()
        .map(|open| match &open.start {
            Some(start) => start.to_token_stream(),
            None => quote!(::core::default::Default::default()),
        })
        .collect();
    if function.open.iter().all(|open| open.start.is_none()) {
        return tuple(&starts);
    }
    let context = &function.ctx;
    // An output has no value before the call.
    let given = (0..function.params.len()).filter(|index| function.params[*index].handed != Handed::Written);
    let params = given.map(|index| {
        let (name, value) = (&function.params[index].name, hand(function, index, this));
        quote!(#[allow(unused_variables)] let #name = #value;)
    });
    let starts = tuple(&starts);
    quote! {{
        #[allow(unused_variables)]
        let #context = &mut *#ctx;
        #(#params)*
        #starts
    }}
}
