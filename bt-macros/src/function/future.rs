//! Actions that return a future.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{
    FnArg, GenericArgument, Ident, ItemFn, Pat, PatType, Path, PathArguments, ReturnType, Signature, Token, Type,
    TypeParamBound, TypeReference, TypeTraitObject, parse_quote, parse_quote_spanned, parse2, punctuated::Punctuated,
};

use super::Form;
use crate::errors::Errors;
use crate::text;

/// The future that an action returns.
pub(crate) struct Future {
    pub(crate) access: Access,
    /// The type of the output. Functions of the context are boxed in it.
    pub(crate) output: Type,
    /// What the output means: the function's result in place of a function.
    pub(crate) meaning: Type,
    /// How the output is converted to its type.
    pub(crate) boxing: Boxing,
    /// The context of the function in the output.
    applied_to: Option<Type>,
}

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

/// Where the output has a function of the context that must be boxed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Boxing {
    None,
    Whole,
    /// In an `Option` or `Result`.
    Inner,
}

type Bounds = Punctuated<TypeParamBound, Token![+]>;

/// Returns the future that an action returns, if it does, and makes the bounds of the returned type explicit.
pub(super) fn of(form: Form, body: &mut ItemFn, errors: &mut Errors) -> Option<Future> {
    if form == Form::Condition {
        return None;
    }
    let (access, output) = if body.sig.asyncness.is_some() {
        let output = match &mut body.sig.output {
            ReturnType::Default => return Some(Future::new(access(body, errors), parse_quote!(()))),
            ReturnType::Type(_, ty) => &mut **ty,
        };
        bind_function(output);
        let output = output.clone();
        (access(body, errors), output)
    } else {
        let ReturnType::Type(_, ty) = &mut body.sig.output else { return None };
        (Access::First, returned(ty)?)
    };
    Some(Future::new(access, output))
}

impl Future {
    fn new(access: Access, output: Type) -> Self {
        let applied_to = applied_to(&output);
        let (output, meaning, boxing) = meaning(output);
        Self { access, output, meaning, boxing, applied_to }
    }

    /// Returns the context of an `async` function without access to it, if the output determines it.
    pub(crate) fn applied_to(&self) -> Option<&Type> {
        self.applied_to.as_ref().filter(|_| self.access == Access::None)
    }

    /// Returns the type of the requests to the context, whose type this is.
    pub(crate) fn mail(&self, context: &Type) -> TokenStream {
        match self.access {
            Access::Handle => quote!(__bt_core::task::Mailbox<#context>),
            Access::First | Access::None => quote!(()),
        }
    }
}

/// Returns the output of a returned future.
fn returned(ty: &mut Type) -> Option<Type> {
    if let Type::ImplTrait(ty) = ty {
        let output = output_in(&mut ty.bounds)?;
        ty.bounds.extend(send_and_static(ty.impl_token.span()));
        return Some(output);
    }
    let last = last(ty)?;
    let is_alias = last.ident == "BoxFuture" || last.ident == "LocalBoxFuture";
    let is_pin = last.ident == "Pin";
    let PathArguments::AngleBracketed(arguments) = &mut last.arguments else { return None };
    let inner = arguments.args.iter_mut().rev().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })?;
    match (is_alias, is_pin) {
        (true, _) => Some(inner.clone()),
        (false, true) => match boxed(inner)? {
            Type::TraitObject(object) => output_in(&mut object.bounds.clone()),
            _ => None,
        },
        (false, false) => None,
    }
}

/// Returns the bounds of a value that outlives the tick that has created it.
fn send_and_static(span: Span) -> [TypeParamBound; 2] {
    let span = Span::mixed_site().located_at(span);
    [parse_quote_spanned!(span=> ::core::marker::Send), parse_quote_spanned!(span=> 'static)]
}

/// Returns the last segment of a path.
fn last(ty: &mut Type) -> Option<&mut syn::PathSegment> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last_mut(),
        _ => None,
    }
}

/// Returns the type in a `Box`.
fn boxed(ty: &mut Type) -> Option<&mut Type> {
    argument_of(ty, &["Box"])
}

/// Returns the first argument of one of these types.
fn argument_of<'a>(ty: &'a mut Type, names: &[&str]) -> Option<&'a mut Type> {
    let last = last(ty).filter(|last| names.iter().any(|name| last.ident == name))?;
    let PathArguments::AngleBracketed(arguments) = &mut last.arguments else { return None };
    match arguments.args.first_mut()? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
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

/// Makes the bounds of a returned function explicit: it is called after the tick that has created it.
fn bind_function(ty: &mut Type) {
    match ty {
        Type::ImplTrait(ty) if function_in(&ty.bounds).is_some() => {
            ty.bounds.extend(send_and_static(ty.impl_token.span()));
        }
        ty => {
            if let Some(inner @ Type::ImplTrait(_)) = argument_of(ty, &["Option", "Result"]) {
                bind_function(inner);
            }
        }
    }
}

/// Returns the function among these bounds, as the path of its trait, and its result.
fn function_in(bounds: &Bounds) -> Option<(Path, Type)> {
    bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let last = bound.path.segments.last()?;
        let is_function = ["FnOnce", "FnMut", "Fn"].iter().any(|name| last.ident == name);
        let PathArguments::Parenthesized(signature) = &last.arguments else { return None };
        let result = match &signature.output {
            ReturnType::Default => parse_quote!(()),
            ReturnType::Type(_, ty) => (**ty).clone(),
        };
        is_function.then(|| (bound.path.clone(), result))
    })
}

/// Returns the type of the output, its meaning, and how it becomes that type.
fn meaning(mut output: Type) -> (Type, Type, Boxing) {
    if let Type::ImplTrait(ty) = &output {
        if let Some((path, result)) = function_in(&ty.bounds) {
            return (boxed_function(&path), result, Boxing::Whole);
        }
        return (output.clone(), output, Boxing::None);
    }
    if let Some(result) = boxed_result(&mut output) {
        return (output, result, Boxing::None);
    }
    let mut meaning = output.clone();
    let (Some(inner), Some(inner_meaning)) =
        (argument_of(&mut output, &["Option", "Result"]), argument_of(&mut meaning, &["Option", "Result"]))
    else {
        return (output, meaning, Boxing::None);
    };
    let boxing = match inner {
        Type::ImplTrait(ty) => match function_in(&ty.bounds) {
            Some((path, result)) => {
                *inner = boxed_function(&path);
                *inner_meaning = result;
                Boxing::Inner
            }
            None => Boxing::None,
        },
        inner => {
            if let Some(result) = boxed_result(inner) {
                *inner_meaning = result;
            }
            Boxing::None
        }
    };
    (output, meaning, boxing)
}

/// Returns the result of a boxed function.
fn boxed_result(ty: &mut Type) -> Option<Type> {
    match boxed(ty)? {
        Type::TraitObject(TypeTraitObject { bounds, .. }) => function_in(bounds).map(|(_, result)| result),
        _ => None,
    }
}

/// Returns the context of the function in an output.
fn applied_to(output: &Type) -> Option<Type> {
    let bounds = match output {
        Type::ImplTrait(ty) => &ty.bounds,
        Type::TraitObject(ty) => &ty.bounds,
        ty => return argument_of(&mut ty.clone(), &["Option", "Result", "Box"]).and_then(|inner| applied_to(inner)),
    };
    let (path, _) = function_in(bounds)?;
    let PathArguments::Parenthesized(signature) = &path.segments.last()?.arguments else { return None };
    match &signature.inputs.first()?.ty {
        Type::Reference(reference) => Some((*reference.elem).clone()),
        _ => None,
    }
}

fn boxed_function(path: &Path) -> Type {
    parse_quote!(__bt_core::__private::Box<dyn #path + ::core::marker::Send>)
}

/// Returns how an `async` function accesses the context.
fn access(body: &ItemFn, errors: &mut Errors) -> Access {
    let Some(FnArg::Typed(PatType { pat, ty, .. })) = body.sig.inputs.first() else { return Access::None };
    if let Some(context) = handled(ty) {
        if borrows(context.to_token_stream()) {
            let context = text::written(context.to_token_stream());
            errors.on(
                ty,
                format!(
                    "the context of an `AsyncContext` cannot borrow\nnote: the future can use it in any later tick\nhelp: use the context before the future exists and after it has ended: `fn {}(ctx: &mut {context}, …) -> impl Future<Output = impl FnOnce(&mut {context})>`",
                    body.sig.ident
                ),
            );
        }
        return Access::Handle;
    }
    if let Type::Reference(TypeReference { elem, .. }) = &**ty
        && handled(elem).is_some()
    {
        let elem = text::written(elem.to_token_stream());
        errors.on(
            ty,
            format!("expected `{elem}`, found a reference to it\nnote: each run has an `AsyncContext` of its own"),
        );
        return Access::Handle;
    }
    if let Type::Reference(TypeReference { mutability: Some(_), elem, .. }) = &**ty {
        let name = match &**pat {
            Pat::Ident(pat) => pat.ident.to_string(),
            _ => "ctx".to_owned(),
        };
        let (context, function) = (text::written(elem.to_token_stream()), &body.sig.ident);
        errors.on(
            ty,
            format!(
                "the future of an `async` action cannot borrow the context\nnote: the context is only borrowed for a tick; the future exists until the action ends\nhelp: take `{name}: AsyncContext<{context}>`, and call `{name}.with(|{name}| …).await`\nhelp: or use the context before the future exists: `fn {function}({name}: &mut {context}, …) -> impl Future<Output = …> {{ … async move {{ … }} }}`"
            ),
        );
    }
    Access::None
}

/// Returns `true` unless the function is `async` and takes no context, be it in the wrong form.
pub(super) fn has_context(form: Form, function: &Signature) -> bool {
    let is_context = |ty: &Type| {
        let is_exclusive = matches!(ty, Type::Reference(reference) if reference.mutability.is_some());
        is_exclusive || handled(ty).is_some() || matches!(ty, Type::Reference(ty) if handled(&ty.elem).is_some())
    };
    form == Form::Condition
        || function.asyncness.is_none()
        || matches!(function.inputs.first(), Some(FnArg::Typed(input)) if input.attrs.is_empty() && is_context(&input.ty))
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

/// Returns the context of an `AsyncContext`.
pub(super) fn handled(ty: &Type) -> Option<Type> {
    argument_of(&mut ty.clone(), &["AsyncContext"]).cloned()
}

/// Reports what a future cannot have: borrowed parameters, states and outputs.
pub(super) fn check_param(
    future: &Future,
    input: &PatType,
    marks: [(&str, bool); 3],
    is_first: bool,
    errors: &mut Errors,
) {
    for (word, is_marked) in marks {
        if is_marked && (word != "kept" || future.access != Access::First) {
            let help = match word {
                "open" => {
                    "note: the future itself is the state of the run; a local variable of an `async` block is part of it"
                }
                "output" => {
                    "note: the output is stored after the tick, but the future ends later\nhelp: write to the board in a function of the context: `ctx.with(|ctx| …).await`, or an output `impl FnOnce(&mut Context)`"
                }
                _ => "note: the state is only borrowed for a tick",
            };
            errors.on(&input.ty, format!("an action with a future cannot have `#[{word}]` parameters\n{help}"));
            return;
        }
    }
    if handled(&input.ty).is_some() {
        errors.on(&input.ty, "an `AsyncContext` must be the first parameter");
        return;
    }
    if let (Type::Reference(reference), true) = (&*input.ty, future.access != Access::First)
        && reference.mutability.is_none()
        && reference.lifetime.as_ref().is_none_or(|lifetime| lifetime.ident == "_")
    {
        let elem = &*reference.elem;
        let is_static = matches!(elem, Type::Slice(_) | Type::TraitObject(_)) || *elem == parse_quote!(str);
        let elem = text::written(elem.to_token_stream());
        let mut help = if is_static {
            format!("write `&'static {elem}`")
        } else {
            format!("take `{elem}`; each run gets a clone")
        };
        if is_first && !is_static {
            help = format!("{help}\nhelp: if it is the context, take `AsyncContext<{elem}>`");
        }
        errors.on(
            reference,
            format!(
                "a parameter of an `async` action cannot be borrowed\nnote: the future can exist longer than the reference\nhelp: {help}"
            ),
        );
    }
}

/// The name of the type parameter for the context of a function that has no access to it.
pub(super) fn any_context() -> Ident {
    Ident::new("__Context", proc_macro2::Span::mixed_site())
}

/// Parses the type of a context that any context is.
pub(super) fn any_context_type() -> Type {
    let name = any_context();
    parse2(quote!(#name)).unwrap_or_else(|_| parse_quote!(()))
}
