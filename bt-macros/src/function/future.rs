//! Actions that return a future.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{GenericArgument, ItemFn, PatType, PathArguments, ReturnType, Type, TypeParamBound, parse_quote};

use super::Form;
use super::attributes::Attributes;
use super::handle::{self, Access};
use super::output::{Bounds, Output, bind_function, send_and_static};
use super::reference::{is_elided, is_unsized};
use bt_syntax::errors::Errors;
use bt_syntax::generics::{argument_of, last_segment};
use bt_syntax::text;

/// The future that an action returns.
pub(crate) struct Future {
    pub(crate) access: Access,
    pub(crate) output: Output,
}

/// Returns the future that an action returns, if it does, and makes the bounds of the returned type explicit.
pub(super) fn of(form: Form, body: &mut ItemFn, errors: &mut Errors) -> Option<Future> {
    if form == Form::Condition {
        return None;
    }
    let (access, output) = if body.sig.asyncness.is_some() {
        let output = match &mut body.sig.output {
            ReturnType::Default => parse_quote!(()),
            ReturnType::Type(_, ty) => {
                bind_function(ty);
                (**ty).clone()
            }
        };
        (handle::access(&body.sig, errors), output)
    } else {
        let ReturnType::Type(_, ty) = &mut body.sig.output else { return None };
        (Access::First, returned(ty)?)
    };
    Some(Future { access, output: Output::of(output) })
}

impl Future {
    /// Returns the context of an `async` function without access to it, if the output determines it.
    pub(crate) fn applied_to(&self) -> Option<&Type> {
        self.output.applied_to.as_ref().filter(|_| self.access == Access::None)
    }

    /// Returns the type of the requests to the context, whose type this is.
    pub(crate) fn mail(&self, context: &Type) -> TokenStream {
        match self.access {
            Access::Handle => quote!(__bt_core::task::Mailbox<#context>),
            Access::First | Access::None => quote!(()),
        }
    }

    /// Reports what a future cannot have: borrowed parameters, states and outputs.
    pub(super) fn check_param(&self, input: &PatType, known: &Attributes, is_first: bool, errors: &mut Errors) {
        let open = known.open.as_ref().map(|_| {
            (
                "open",
                "note: the future itself is the state of the run; a local variable of an `async` block is part of it",
            )
        });
        let output = known.output.as_ref().map(|_| {
            ("output", "note: the output is stored after the tick, but the future ends later\nhelp: write to the board in a function of the context: `ctx.with(|ctx| …).await`, or return an `impl FnOnce(&mut Context)`")
        });
        let kept = known.kept.as_ref().filter(|_| self.access != Access::First);
        let kept = kept.map(|_| ("kept", "note: the state is only borrowed for a tick"));
        if let Some((word, help)) = open.or(output).or(kept) {
            errors.on(&input.ty, format!("an action with a future cannot have `#[{word}]` parameters\n{help}"));
        } else if handle::handled(&input.ty).is_some() {
            errors.on(&input.ty, "an `AsyncContext` must be the first parameter");
        } else if self.access != Access::First {
            check_borrow(&input.ty, is_first, errors);
        }
    }
}

/// Reports a parameter of an `async` function that is borrowed.
fn check_borrow(ty: &Type, is_first: bool, errors: &mut Errors) {
    let Type::Reference(reference) = ty else { return };
    if reference.mutability.is_some() || !is_elided(reference) {
        return;
    }
    let elem = text::written(reference.elem.to_token_stream());
    let help = match (is_unsized(&reference.elem), is_first) {
        (true, _) => format!("write `&'static {elem}`"),
        (false, false) => format!("take `{elem}`; each run gets a clone"),
        (false, true) => {
            format!("take `{elem}`; each run gets a clone\nhelp: if it is the context, take `AsyncContext<{elem}>`")
        }
    };
    errors.on(
        reference,
        format!(
            "a parameter of an `async` action cannot be borrowed\nnote: the future can exist longer than the reference\nhelp: {help}"
        ),
    );
}

/// Returns the output of a returned future.
fn returned(ty: &mut Type) -> Option<Type> {
    if let Type::ImplTrait(ty) = ty {
        let output = output_in(&mut ty.bounds)?;
        ty.bounds.extend(send_and_static(ty.impl_token.span()));
        return Some(output);
    }
    if let Some(Type::TraitObject(object)) = argument_of(ty, &["Pin"]).and_then(|ty| argument_of(ty, &["Box"])) {
        return output_in(&mut object.bounds.clone());
    }
    let last = last_segment(ty).filter(|last| last.ident == "BoxFuture" || last.ident == "LocalBoxFuture")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().rev().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    })
}

/// Returns the output of the `Future` among these bounds.
fn output_in(bounds: &mut Bounds) -> Option<Type> {
    let last = bounds.iter_mut().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last_mut().filter(|last| last.ident == "Future"),
        _ => None,
    })?;
    let PathArguments::AngleBracketed(arguments) = &mut last.arguments else { return Some(parse_quote!(())) };
    arguments.args.iter_mut().find_map(|argument| match argument {
        GenericArgument::AssocType(output) if output.ident == "Output" => {
            bind_function(&mut output.ty);
            Some(output.ty.clone())
        }
        _ => None,
    })
}
