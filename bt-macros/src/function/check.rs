//! From a function's syntax to a leaf: everything that is wrong with it, at once.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, FnArg, ItemFn, Meta, Pat, PatType, ReturnType, Type, TypeReference, parse_quote};

use super::Form;
use super::ast::{ATTRIBUTES, Argument, Function, Handed, Open, Param};
use super::property::{self, Property};
use crate::errors::Errors;
use crate::generics::{mentions, restricted};
use crate::text;

/// Checks a whole function.
pub(crate) fn function(form: Form, arguments: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Function> {
    let word = form.word();
    if !arguments.is_empty() {
        errors.on(&arguments, format!("`#[{word}]` takes no arguments: they belong to the function's parameters"));
    }
    let mut body: ItemFn = match syn::parse2(item) {
        Ok(function) => function,
        Err(error) => {
            errors.add(syn::Error::new(error.span(), format!("`#[{word}]` stands on a function: {error}")));
            return None;
        }
    };
    qualifiers(form, &body, errors);
    let answer = answer(form, &body, errors);
    let (ctx, context) = context(form, &body, errors)?;
    let mut params = Vec::new();
    let mut open = Vec::new();
    let mut order = Vec::new();
    for input in body.sig.inputs.iter_mut().skip(1) {
        let FnArg::Typed(input) = input else { continue };
        let known = Attributes::take(input, errors);
        match known.open {
            None if known.at.is_some() => order.push(Argument::At),
            Some(attr) => {
                order.push(Argument::Open(open.len()));
                open.extend(state(form, &attr.meta, input, errors));
            }
            None => {
                order.push(Argument::Param(params.len()));
                params.extend(param(form, input, &known, errors));
            }
        }
    }
    if !open.is_empty() && cannot_run(&answer) {
        errors.on(
            &body.sig.output,
            "a leaf with `#[open]` state has to be able to run on: return `Status` (or a Result or Option of it)",
        );
    }
    let (cfgs, rest): (Vec<_>, Vec<_>) =
        body.attrs.drain(..).partition(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr"));
    let (docs, rest) = rest.into_iter().partition(|attr| attr.path().is_ident("doc"));
    body.attrs = rest;
    let types: TokenStream = params.iter().map(|param| &param.ty).map(ToTokens::to_token_stream).collect();
    let held = restricted(&body.sig.generics, |name| {
        mentions(&types, name) || mentions(&answer, name) || !mentions(&body.sig.inputs.first(), name)
    });
    errors.is_empty().then_some(Function { form, body, cfgs, docs, ctx, context, answer, params, open, order, held })
}

impl Form {
    /// The attribute.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Form::Action => "action",
            Form::Condition => "condition",
        }
    }
}

fn qualifiers(form: Form, function: &ItemFn, errors: &mut Errors) {
    let word = form.word();
    let signature = &function.sig;
    if let Some(token) = &signature.asyncness {
        errors.on(
            token,
            format!(
                "`#[{word}]` cannot be async: an action that takes time returns `Status::Running` and is ticked again"
            ),
        );
    }
    if let Some(token) = &signature.abi {
        errors.on(token, format!("`#[{word}]` stands on a plain Rust function"));
    }
    if let Some(token) = &signature.variadic {
        errors.on(token, format!("`#[{word}]` stands on a plain Rust function"));
    }
}

/// What the function returns.
fn answer(form: Form, function: &ItemFn, errors: &mut Errors) -> Type {
    let answer = match &function.sig.output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, ty) => (**ty).clone(),
    };
    if form == Form::Condition && answer != parse_quote!(bool) {
        let token = match &function.sig.output {
            ReturnType::Default => function.sig.ident.to_token_stream(),
            ReturnType::Type(_, ty) => ty.to_token_stream(),
        };
        errors.on(&token, "a condition answers `bool`; what answers anything else is an `#[action]`");
    }
    if let Type::ImplTrait(ty) = &answer {
        errors.on(ty, format!("`#[{}]` has to name the type it returns", form.word()));
    }
    answer
}

fn cannot_run(answer: &Type) -> bool {
    *answer == parse_quote!(bool) || *answer == parse_quote!(())
}

/// The name and type of the context, the first parameter.
fn context(form: Form, function: &ItemFn, errors: &mut Errors) -> Option<(Ident, Type)> {
    let word = form.word();
    let wanted = match form {
        Form::Action => "`&mut Context`",
        Form::Condition => "`&Context`",
    };
    let Some(first) = function.sig.inputs.first() else {
        errors.on(&function.sig.ident, format!("the first parameter of `#[{word}]` is the context: {wanted}"));
        return None;
    };
    let FnArg::Typed(PatType { pat, ty, .. }) = first else {
        errors.on(first, format!("`#[{word}]` cannot take `self`: its first parameter is the context, {wanted}"));
        return None;
    };
    let Type::Reference(TypeReference { mutability, elem, .. }) = &**ty else {
        errors.on(ty, format!("the first parameter of `#[{word}]` is the context, by reference: {wanted}"));
        return None;
    };
    if let (Form::Condition, Some(mutable)) = (form, mutability) {
        errors.on(
            mutable,
            format!(
                "a condition looks and does not touch: take `&{}`, or make it an `#[action]`",
                text::written(elem.to_token_stream())
            ),
        );
    }
    let name = match &**pat {
        Pat::Ident(pat) => pat.ident.clone(),
        _ => format_ident!("_ctx"),
    };
    Some((name, (**elem).clone()))
}

/// A parameter that the node holds.
fn param(form: Form, input: &PatType, known: &Attributes, errors: &mut Errors) -> Option<Param> {
    let name = name(input, errors)?;
    let Property { default, unit } = known.param.as_ref().map(|attr| property::read(attr, errors)).unwrap_or_default();
    let (ty, handed) = match &*input.ty {
        Type::ImplTrait(ty) => {
            let message = format!(
                "the type that `#[{}]` makes holds this parameter, so it needs a type: use a generic `T: …`",
                form.word()
            );
            errors.on(ty, message);
            return None;
        }
        Type::Reference(reference) if reference.mutability.is_some() => {
            errors.on(
                reference,
                "a node is shared and never changes; for state that lives while it is open, mark this `#[open]`",
            );
            return None;
        }
        Type::Reference(reference) if is_elided(reference) => {
            let elem = &*reference.elem;
            if matches!(elem, Type::Slice(_) | Type::TraitObject(_)) || *elem == parse_quote!(str) {
                (parse_quote!(&'static #elem), Handed::Copied)
            } else {
                (elem.clone(), Handed::Lent)
            }
        }
        ty => (ty.clone(), Handed::Copied),
    };
    let handed = match (&known.input, handed) {
        (Some(attr), Handed::Lent) => {
            errors.on(attr, "an `#[input]` is copied from the board: take it by value");
            handed
        }
        (Some(_), _) => Handed::Read,
        (None, handed) => handed,
    };
    Some(Param { name, ty, handed, default, unit })
}

/// The attributes of one parameter that only we know.
#[derive(Default)]
struct Attributes {
    at: Option<Attribute>,
    input: Option<Attribute>,
    open: Option<Attribute>,
    param: Option<Attribute>,
}

impl Attributes {
    /// Arity them off a parameter.
    fn take(input: &mut PatType, errors: &mut Errors) -> Self {
        let mut known = Self::default();
        let (ours, theirs) =
            input.attrs.drain(..).partition(|attr| ATTRIBUTES.iter().any(|word| attr.path().is_ident(word)));
        input.attrs = theirs;
        let ours: Vec<Attribute> = ours;
        for attr in ours {
            let slot = match () {
                () if attr.path().is_ident("at") => &mut known.at,
                () if attr.path().is_ident("input") => &mut known.input,
                () if attr.path().is_ident("open") => &mut known.open,
                () => &mut known.param,
            };
            if slot.is_some() {
                errors.on(&attr, "this attribute is given twice");
            }
            *slot = Some(attr);
        }
        if let (Some(_), Some(attr)) = (&known.open, known.input.as_ref().or(known.param.as_ref())) {
            errors.on(attr, "`#[open]` state is no parameter: it has neither properties nor a place on a board");
        }
        if let (Some(_), Some(attr)) =
            (&known.at, known.input.as_ref().or(known.open.as_ref()).or(known.param.as_ref()))
        {
            errors.on(attr, "`#[at]` is the node's own id: it is no parameter and no state");
        }
        known
    }
}

fn is_elided(reference: &TypeReference) -> bool {
    reference.lifetime.as_ref().is_none_or(|lifetime| lifetime.ident == "_")
}

/// State marked `#[open]`.
fn state(form: Form, meta: &Meta, input: &PatType, errors: &mut Errors) -> Option<Open> {
    if form == Form::Condition {
        errors
            .on(meta, "a condition is asked anew each time and is never open: only an `#[action]` has `#[open]` state");
    }
    let start = match meta {
        Meta::Path(_) => None,
        Meta::List(list) => match list.parse_args::<Expr>() {
            Ok(start) => Some(start),
            Err(error) => {
                errors.add(syn::Error::new(
                    error.span(),
                    format!("`#[open(…)]` takes the expression to start from: {error}"),
                ));
                None
            }
        },
        Meta::NameValue(pair) => Some(pair.value.clone()),
    };
    match &*input.ty {
        Type::Reference(reference) if reference.mutability.is_some() => {
            Some(Open { ty: (*reference.elem).clone(), start })
        }
        ty => {
            errors.at(
                ty.span(),
                format!("`#[open]` state is lent to the function: take `&mut {}`", ty.to_token_stream()),
            );
            None
        }
    }
}

fn name(input: &PatType, errors: &mut Errors) -> Option<Ident> {
    if let Pat::Ident(pat) = &*input.pat {
        return Some(pat.ident.clone());
    }
    errors.on(&input.pat, "a leaf's parameter needs a name: it is shown in descriptions");
    None
}
