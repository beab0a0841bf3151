//! Splits an impl block in two. Cannot fail.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{ImplItem, ItemImpl, Type, parse_quote};

use super::check::Count;
use super::split::{LEAF, Split};
use crate::documentation::documentation;
use bt_syntax::generics::{mentions, only_type, restricted};

/// Returns an impl block of the shape trait, and the rest of the block.
pub(crate) fn block(split: &Split, count: Option<Count>, mut block: ItemImpl) -> TokenStream {
    let (mut moved, stays): (Vec<_>, Vec<_>) =
        block.items.drain(..).partition(|item| name(item).is_some_and(|name| belongs_to_shape(split, name)));
    block.items = stays;
    for item in &mut block.items {
        if let ImplItem::Fn(function) = item
            && split.inlined.is_some_and(|name| function.sig.ident == name)
            && !function.attrs.iter().any(|attr| attr.path().is_ident("inline"))
        {
            function.attrs.push(parse_quote!(#[cfg_attr(debug_assertions, inline)]));
            function.attrs.push(parse_quote!(#[cfg_attr(not(debug_assertions), inline(always))]));
        }
    }
    for ty in split.types {
        if !moved.iter().filter_map(name).any(|name| name == ty.name) {
            let (ty, default) = (Ident::new(ty.name, Span::mixed_site()), (ty.default)());
            moved.push(ImplItem::Verbatim(quote!(type #ty = #default;)));
        }
    }
    if split.over == LEAF.over && !block.items.iter().filter_map(name).any(|name| name == "open") {
        let context = block.trait_.as_ref().and_then(|of| only_type(of.0.segments.last()?));
        block.items.extend(context.map(open));
    }
    if let Some(count) = count {
        let count = match count {
            Count::Exactly(count) => quote!(exactly(#count)),
            Count::AtLeast(least) => quote!(at_least(#least)),
            Count::Between(least, most) => quote!(between(#least, #most)),
        };
        let ty = quote!(__bt_core::composite::ChildCount);
        moved.push(ImplItem::Verbatim(quote!(const CHILDREN: #ty = #ty::#count;)));
    }
    if !moved.iter().filter_map(name).any(|name| name == "DOC") {
        moved.extend(documentation(&block.attrs).map(ImplItem::Verbatim));
    }
    let generics = restricted(&block.generics, |name| mentions(&block.self_ty, name));
    let (impls, _, clause) = generics.split_for_impl();
    let (shape, self_ty) = ((split.shape)(), &block.self_ty);
    let cfgs = block.attrs.iter().filter(|attr| attr.path().is_ident("cfg"));
    quote! {
        #(#cfgs)*
        impl #impls #shape for #self_ty #clause {
            #(#moved)*
        }
        #block
    }
}

/// Returns the function that starts a run with the default state.
fn open(context: Type) -> ImplItem {
    ImplItem::Verbatim(quote! {
        fn open(&self, _: &mut #context) -> <Self as __bt_core::leaf::LeafShape>::Open {
            ::core::default::Default::default()
        }
    })
}

fn belongs_to_shape(split: &Split, name: &Ident) -> bool {
    split.types.iter().any(|ty| name == ty.name) || split.rest.iter().any(|word| name == word)
}

fn name(item: &ImplItem) -> Option<&Ident> {
    match item {
        ImplItem::Const(item) => Some(&item.ident),
        ImplItem::Fn(item) => Some(&item.sig.ident),
        ImplItem::Type(item) => Some(&item.ident),
        _ => None,
    }
}
