//! Names the elided lifetimes of a context: rustc does not accept `impl Children<Ctx<'_>>`.

use proc_macro2::Span;
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{GenericArgument, GenericParam, ImplItem, ItemImpl, Lifetime, LifetimeParam, PathArguments, Type};

/// Names each `'_` in the context of an impl block, and in the same type within its functions.
pub(super) fn name(block: &mut ItemImpl) {
    let segment = block.trait_.as_mut().and_then(|of| of.0.segments.last_mut());
    let Some(PathArguments::AngleBracketed(arguments)) = segment.map(|segment| &mut segment.arguments) else { return };
    let Some(GenericArgument::Type(context)) = arguments.args.first_mut() else { return };
    let elided = context.to_token_stream().to_string();
    let mut names = Names(Vec::new());
    names.visit_type_mut(context);
    let named = context.clone();
    if names.0.is_empty() {
        return;
    }
    let params = names.0.into_iter().map(|lifetime| GenericParam::Lifetime(LifetimeParam::new(lifetime)));
    let others = std::mem::take(&mut block.generics.params);
    block.generics.params = params.chain(others).collect();
    for item in &mut block.items {
        if let ImplItem::Fn(function) = item {
            Replace { elided: &elided, named: &named }.visit_signature_mut(&mut function.sig);
        }
    }
}

/// The names of the elided lifetimes so far.
struct Names(Vec<Lifetime>);

impl VisitMut for Names {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = Lifetime::new(&format!("'__context{}", self.0.len()), Span::mixed_site());
            self.0.push(lifetime.clone());
        }
    }
}

/// Replaces a type by another.
struct Replace<'a> {
    /// The tokens of the type.
    elided: &'a str,
    named: &'a Type,
}

impl VisitMut for Replace<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if ty.to_token_stream().to_string() == self.elided {
            ty.clone_from(self.named);
        } else {
            visit_mut::visit_type_mut(self, ty);
        }
    }
}
