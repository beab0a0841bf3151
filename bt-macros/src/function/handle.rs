//! The first parameter of an `async` action, which is the context, a parameter, or missing.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::{FnArg, Pat, PatType, Signature, Type, TypeReference, parse_quote};

use super::Form;
use super::reference::is_mutable;
use bt_syntax::errors::Errors;
use bt_syntax::generics::argument_of;
use bt_syntax::text;

/// How the function accesses the context.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// It reads or changes the context, and then returns the future.
    First,
    /// It is `async`, and sends functions to the context.
    Handle,
    /// It is `async`, and has no access.
    None,
}

/// The first parameter of an `async` function.
enum First<'a> {
    /// `AsyncContext<C>`.
    Handle { ty: &'a Type, context: &'a Type },
    /// A reference to an `AsyncContext`.
    HandleReference(&'a TypeReference),
    /// `&mut C`.
    Exclusive(&'a TypeReference),
    /// No context.
    Parameter,
}

impl<'a> First<'a> {
    fn of(function: &'a Signature) -> Self {
        match function.inputs.first() {
            Some(FnArg::Typed(input)) if input.attrs.is_empty() => match &*input.ty {
                Type::Reference(reference) if handled(&reference.elem).is_some() => Self::HandleReference(reference),
                Type::Reference(reference) if is_mutable(&input.ty) => Self::Exclusive(reference),
                ty => handled(ty).map_or(Self::Parameter, |context| Self::Handle { ty, context }),
            },
            _ => Self::Parameter,
        }
    }
}

/// Returns the context of an `AsyncContext`.
pub(super) fn handled(ty: &Type) -> Option<&Type> {
    argument_of(ty, &["AsyncContext"])
}

/// Returns `true` unless the function is `async` and takes no context, not even in an invalid form.
pub(super) fn has_context(form: Form, function: &Signature) -> bool {
    form == Form::Condition || function.asyncness.is_none() || !matches!(First::of(function), First::Parameter)
}

/// Returns how an `async` function accesses the context.
pub(super) fn access(function: &Signature, errors: &mut Errors) -> Access {
    match First::of(function) {
        First::Handle { ty, context } => {
            if borrows(context.to_token_stream()) {
                let name = &function.ident;
                let written = text::written(context.to_token_stream());
                errors.on(
                    ty,
                    format!(
                        "the context of an `AsyncContext` cannot borrow\nnote: the future can use it in any later tick\nhelp: use the context before the future exists and after it has ended: `fn {name}(ctx: &mut {written}, …) -> impl Future<Output = impl FnOnce(&mut {written})>`"
                    ),
                );
            }
            Access::Handle
        }
        First::HandleReference(reference) => {
            let elem = text::written(reference.elem.to_token_stream());
            errors.on(
                reference,
                format!("expected `{elem}`, found a reference to it\nnote: each run has an `AsyncContext` of its own"),
            );
            Access::Handle
        }
        First::Exclusive(reference) => {
            let name = first_name(function).unwrap_or_else(|| format_ident!("ctx"));
            let (context, function) = (text::written(reference.elem.to_token_stream()), &function.ident);
            errors.on(
                reference,
                format!(
                    "the future of an `async` action cannot borrow the context\nnote: the context is only borrowed for a tick; the future exists until the action ends\nhelp: take `{name}: AsyncContext<{context}>`, and call `{name}.with(|{name}| …).await`\nhelp: or use the context before the future exists: `fn {function}({name}: &mut {context}, …) -> impl Future<Output = …> {{ … async move {{ … }} }}`"
                ),
            );
            Access::None
        }
        First::Parameter => Access::None,
    }
}

/// Returns the name and type of the context of an `async` function. `applied_to` is the context of its output.
pub(super) fn context(function: &Signature, applied_to: Option<&Type>) -> (Ident, Type) {
    let unnamed = || format_ident!("_ctx");
    match First::of(function) {
        First::Handle { context, .. } => (first_name(function).unwrap_or_else(unnamed), context.clone()),
        First::HandleReference(_) | First::Exclusive(_) | First::Parameter => {
            (unnamed(), applied_to.cloned().unwrap_or_else(any_context_type))
        }
    }
}

fn first_name(function: &Signature) -> Option<Ident> {
    match function.inputs.first() {
        Some(FnArg::Typed(PatType { pat, .. })) => match &**pat {
            Pat::Ident(pat) => Some(pat.ident.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Returns `true` if a type has a lifetime other than `'static`.
fn borrows(ty: TokenStream) -> bool {
    let mut is_lifetime = false;
    ty.into_iter().any(|token| match token {
        TokenTree::Group(group) => borrows(group.stream()),
        TokenTree::Ident(name) => std::mem::take(&mut is_lifetime) && name != "static",
        TokenTree::Punct(punct) => {
            is_lifetime = punct.as_char() == '\'';
            false
        }
        TokenTree::Literal(_) => false,
    })
}

/// The name of the type parameter for the context of a function that has no access to it.
pub(super) fn any_context() -> Ident {
    Ident::new("__Context", proc_macro2::Span::mixed_site())
}

fn any_context_type() -> Type {
    let name = any_context();
    parse_quote!(#name)
}
