//! Checks a function and collects the parts of a leaf. Reports all errors at once.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident};
use syn::spanned::Spanned;
use syn::{Expr, FnArg, ItemFn, Meta, Pat, PatType, Type, TypeReference, parse_quote};

use super::Form;
use super::answer;
use super::ast::{Argument, Function, Handed, Input, Lent, Open, Param};
use super::attributes::Attributes;
use super::future;
use super::handle::{self, Access};
use super::property::{self, Property};
use super::reference::{is_elided, is_mutable, is_named, is_unsized};
use bt_syntax::errors::Errors;
use bt_syntax::generics::{argument_of, mentions, restricted};
use bt_syntax::text;

/// Checks a function.
pub(crate) fn function(form: Form, arguments: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Function> {
    let word = form.word();
    let is_taken = takes(form, &arguments, errors);
    let (is_event, fails) = match form {
        Form::Action => (false, is_taken),
        Form::Condition => (is_taken, false),
    };
    let mut body: ItemFn = match syn::parse2(item) {
        Ok(function) => function,
        Err(error) => {
            errors.add(syn::Error::new(
                error.span(),
                format!("`#[{word}]` is only allowed on a function\nnote: {error}"),
            ));
            return None;
        }
    };
    qualifiers(form, &body, errors);
    let future = future::of(form, &mut body, errors);
    let answer = match &future {
        Some(future) => future.output.meaning.clone(),
        None => answer::of(form, &body, errors),
    };
    if fails {
        answer::check_result(&body, &answer, errors);
    }
    if form == Form::Action && (!fails || argument_of(&answer, &["Result"]).is_some()) {
        answer::check_output(&body, &answer, errors);
    }
    let (ctx, context) = match &future {
        Some(future) if future.access != Access::First => handle::context(&body.sig, future.applied_to()),
        Some(_) | None => context(form, &body, errors)?,
    };
    let mut params = Vec::new();
    let (mut open, mut kept) = (Vec::new(), Vec::new());
    let mut order = Vec::new();
    let has_context = handle::has_context(form, &body.sig);
    for input in body.sig.inputs.iter_mut().skip(usize::from(has_context)) {
        let FnArg::Typed(input) = input else { continue };
        let known = Attributes::take(input, errors);
        if let Some(future) = &future {
            future.check_param(input, &known, !has_context && order.is_empty(), errors);
        }
        match known.open {
            None if known.at.is_some() => order.push(Argument::At),
            Some(attr) => {
                order.push(Argument::Open(open.len()));
                open.extend(state(form, &attr.meta, input, errors));
            }
            None if known.kept.is_some() => {
                order.push(Argument::Kept(kept.len()));
                kept.extend(known.kept.and_then(|attr| kept_state(&attr.meta, input, errors)));
            }
            None => {
                order.push(Argument::Param(params.len()));
                params.extend(param(form, input, &known, errors));
            }
        }
    }
    if !open.is_empty() && future.is_none() && answer::cannot_run(&answer) {
        errors.on(
            &body.sig.output,
            "a leaf with `#[open]` state must be able to return `Running`\nhelp: return `Status`, or a `Result` or `Option` of it",
        );
    }
    let (cfgs, rest): (Vec<_>, Vec<_>) =
        body.attrs.drain(..).partition(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr"));
    let (docs, rest) = rest.into_iter().partition(|attr| attr.path().is_ident("doc"));
    body.attrs = rest;
    let types: TokenStream = params.iter().map(|param| &param.ty).map(ToTokens::to_token_stream).collect();
    let held = restricted(&body.sig.generics, |name| {
        let is_of_context = has_context && mentions(&body.sig.inputs.first(), name);
        let is_stored =
            future.as_ref().is_some_and(|future| future.access == Access::Handle || mentions(&future.output.ty, name));
        is_stored || mentions(&types, name) || mentions(&answer, name) || !is_of_context
    });
    errors.is_empty().then_some(Function {
        form,
        is_event,
        body,
        cfgs,
        docs,
        ctx,
        context,
        answer: if fails { parse_quote!(<#answer as __bt_core::__private::Fallible>::Fails) } else { answer },
        fails,
        future,
        params,
        open,
        kept,
        order,
        held,
    })
}

/// Returns `true` if the attribute has the argument that it takes.
fn takes(form: Form, arguments: &TokenStream, errors: &mut Errors) -> bool {
    let word = form.word();
    let takes = form.argument();
    let is_taken = arguments.to_string() == takes;
    if !arguments.is_empty() && !is_taken {
        let found = arguments.to_string().to_lowercase();
        let help = match form {
            Form::Action if found.contains("event") => {
                "return `bt_core::Step<bt_core::Wake>` to say that the action continues after an event".to_owned()
            }
            Form::Condition if found.contains("fails") => {
                "a condition that does not hold has no reason; for a failure with a reason, write `#[action(fails)]`"
                    .to_owned()
            }
            Form::Action | Form::Condition if found.contains(takes) || takes.contains(&found) => {
                format!("write `#[{word}({takes})]`")
            }
            Form::Action | Form::Condition => "add parameters to the function instead".to_owned(),
        };
        errors.on(arguments, format!("`#[{word}]` takes no arguments except `{takes}`\nhelp: {help}"));
    }
    is_taken
}

impl Form {
    /// Returns the argument that the attribute takes.
    fn argument(self) -> &'static str {
        match self {
            Self::Action => "fails",
            Self::Condition => "event",
        }
    }

    /// Returns the name of the attribute.
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
    if let (Form::Condition, Some(token)) = (form, &signature.asyncness) {
        errors.on(
            token,
            "a condition cannot be `async`\nnote: a condition never returns `Running`\nhelp: use `#[action]`",
        );
    }
    if let Some(token) = &signature.abi {
        errors.on(token, format!("`#[{word}]` is only allowed on a plain Rust function"));
    }
    if let Some(token) = &signature.variadic {
        errors.on(token, format!("`#[{word}]` is only allowed on a plain Rust function"));
    }
}

/// Returns the name and type of the context, which is the first parameter.
fn context(form: Form, function: &ItemFn, errors: &mut Errors) -> Option<(Ident, Type)> {
    let word = form.word();
    let reference = match form {
        Form::Action => "&mut ",
        Form::Condition => "&",
    };
    let Some(first) = function.sig.inputs.first() else {
        errors.on(
            &function.sig.ident,
            format!("`#[{word}]` needs a context\nhelp: take `{reference}Context` as the first parameter"),
        );
        return None;
    };
    let FnArg::Typed(PatType { pat, ty, .. }) = first else {
        errors.on(
            first,
            format!("`#[{word}]` cannot take `self`\nhelp: take `{reference}Context` as the first parameter"),
        );
        return None;
    };
    let Type::Reference(TypeReference { mutability, elem, .. }) = &**ty else {
        let found = text::written(ty.to_token_stream());
        let message = format!(
            "expected `{reference}{found}`, found `{found}`\nnote: the first parameter of `#[{word}]` is the context"
        );
        errors.on(ty, message);
        return None;
    };
    if let (Form::Condition, Some(mutable)) = (form, mutability) {
        errors.on(
            mutable,
            format!(
                "a condition cannot take `&mut`\nhelp: take `&{}`, or use `#[action]`",
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
                "a parameter of `#[{}]` cannot be `impl Trait`\nnote: the generated struct stores the parameter\nhelp: use a type parameter `T: …`",
                form.word()
            );
            errors.on(ty, message);
            return None;
        }
        ty if known.output.is_some() => (output(form, known, ty, errors)?, Handed::Written),
        ty if known.input.is_some() && !is_mutable(ty) => input_of(ty),
        Type::Reference(reference) if reference.mutability.is_some() => {
            errors.on(
                reference,
                "a parameter cannot be `&mut`\nnote: a node is shared and immutable\nhelp: for state that exists during a run, mark the parameter `#[open]`; for state that is kept across runs, `#[kept]`",
            );
            return None;
        }
        Type::Reference(reference) if is_elided(reference) => {
            let elem = &*reference.elem;
            if is_unsized(elem) { (parse_quote!(&'static #elem), Handed::Copied) } else { (elem.clone(), Handed::Lent) }
        }
        ty => (ty.clone(), Handed::Copied),
    };
    Some(Param { name, ty, handed, default, unit })
}

/// Returns the type of an `#[input]` on the board, and how it is passed.
pub(super) fn input_of(ty: &Type) -> (Type, Handed) {
    let (is_optional, ty) = match argument_of(ty, &["Option"]) {
        Some(ty) => (true, ty),
        None => (false, ty),
    };
    let (ty, lent) = match ty {
        Type::Reference(reference) if is_elided(reference) => match &*reference.elem {
            Type::Slice(slice) => {
                let elem = &slice.elem;
                (parse_quote!(__bt_core::__private::Vec<#elem>), Some(Lent::Content))
            }
            elem if is_named(elem, "str") => (parse_quote!(__bt_core::__private::String), Some(Lent::Content)),
            elem => (elem.clone(), Some(Lent::Value)),
        },
        ty => (ty.clone(), None),
    };
    (ty, Handed::Read(Input { is_optional, lent }))
}

/// Returns the type of the variable of an `#[output]`.
fn output(form: Form, known: &Attributes, ty: &Type, errors: &mut Errors) -> Option<Type> {
    if form == Form::Condition {
        let help =
            "a condition cannot have an `#[output]`\nnote: a condition only reads the context\nhelp: use `#[action]`";
        errors.on(known.output.as_ref()?, help);
    }
    if let Type::Reference(reference) = ty
        && reference.mutability.is_some()
        && let Some(value) = argument_of(&reference.elem, &["Option"])
    {
        return Some(value.clone());
    }
    let found = text::written(ty.to_token_stream());
    let value = if let Type::Reference(TypeReference { elem, .. }) = ty { &**elem } else { ty };
    let value = text::written(argument_of(value, &["Option"]).unwrap_or(value).to_token_stream());
    let message = format!(
        "expected `&mut Option<{value}>`, found `{found}`\nnote: a value that the leaf puts into the `#[output]` is stored under its key"
    );
    errors.on(ty, message);
    None
}

/// Returns a state that is marked `#[open]`.
fn state(form: Form, meta: &Meta, input: &PatType, errors: &mut Errors) -> Option<Open> {
    if form == Form::Condition {
        errors.on(
            meta,
            "a condition cannot have `#[open]` state\nnote: a condition never returns `Running`\nhelp: use `#[action]`",
        );
    }
    let start = match meta {
        Meta::Path(_) => None,
        Meta::List(list) => match list.parse_args::<Expr>() {
            Ok(start) => Some(start),
            Err(error) => {
                errors.add(syn::Error::new(
                    error.span(),
                    format!("expected an expression for the initial state in `#[open(…)]`\nnote: {error}"),
                ));
                None
            }
        },
        Meta::NameValue(pair) => Some(pair.value.clone()),
    };
    Some(Open { ty: referenced("open", input, errors)?, start })
}

/// Returns the type of a state that is marked `#[kept]`.
fn kept_state(meta: &Meta, input: &PatType, errors: &mut Errors) -> Option<Type> {
    if !matches!(meta, Meta::Path(_)) {
        errors.on(
            meta,
            "`#[kept]` takes no value\nnote: the state starts with the default of its type\nhelp: for another value, use an `Option` and set it in the first tick",
        );
    }
    referenced("kept", input, errors)
}

/// Returns the type of a state, which is passed by reference.
fn referenced(word: &str, input: &PatType, errors: &mut Errors) -> Option<Type> {
    match &*input.ty {
        Type::Reference(reference) if reference.mutability.is_some() => Some((*reference.elem).clone()),
        ty => {
            let found = text::written(ty.to_token_stream());
            let message =
                format!("expected `&mut {found}`, found `{found}`\nnote: `#[{word}]` state is passed by reference");
            errors.at(ty.span(), message);
            None
        }
    }
}

fn name(input: &PatType, errors: &mut Errors) -> Option<Ident> {
    if let Pat::Ident(pat) = &*input.pat {
        return Some(pat.ident.clone());
    }
    errors.on(&input.pat, "expected a parameter name, found a pattern\nnote: descriptions show the name");
    None
}
