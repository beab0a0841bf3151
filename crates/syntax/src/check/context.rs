//! The type after `for`, and the family of all its lifetimes.

use proc_macro2::Span;
use quote::{ToTokens, quote};
use syn::Lifetime;

use crate::ast;
use crate::generics;
use crate::plan::Context;

/// The number of lifetimes of a family.
const LIFETIMES: usize = 2;

/// Returns the type of one lifetime, and the family. More lifetimes than a family has are not checked here.
pub(super) fn context(context: ast::Context<'_>) -> Context {
    let ast::Context { lifetimes, mut ty, .. } = context;
    let family = (1..=LIFETIMES).contains(&lifetimes.len()).then(|| {
        let others = lifetimes.len()..LIFETIMES;
        let others = others.map(|number| Lifetime::new(&format!("'__other{number}"), Span::mixed_site()));
        let all: Vec<_> = lifetimes.iter().cloned().chain(others).collect();
        quote!(dyn for<#(#all),*> __bt_core::ContextFamily<#(#all),*, Context = #ty>)
    });
    generics::elide(&mut ty, &lifetimes);
    Context { ty: ty.into_token_stream(), family }
}
