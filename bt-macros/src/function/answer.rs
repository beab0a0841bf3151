//! What a function returns.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{ItemFn, ReturnType, Type, parse_quote};

use super::Form;
use super::reference::is_named;
use bt_syntax::errors::Errors;
use bt_syntax::generics::last_segment;
use bt_syntax::text;

/// Returns the return type of the function.
pub(super) fn of(form: Form, function: &ItemFn, errors: &mut Errors) -> Type {
    let answer = match &function.sig.output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, ty) => (**ty).clone(),
    };
    if form == Form::Condition && !is_named(&answer, "bool") {
        let found = text::written(answer.to_token_stream());
        errors.on(&tokens(function), format!("a condition must return `bool`, found `{found}`\nhelp: use `#[action]`"));
    }
    if let Type::ImplTrait(ty) = &answer {
        errors.on(ty, format!("`#[{}]` cannot return `impl Trait`\nhelp: name the type", form.word()));
    }
    answer
}

/// Reports an output of an `#[action(fails)]` that is no `Result`. The compiler reports types that are not known by name.
pub(super) fn check_result(function: &ItemFn, answer: &Type, errors: &mut Errors) {
    let names = ["bool", "Option", "Outcome", "Status", "Step"];
    let is_known = last_segment(answer).is_some_and(|last| names.iter().any(|name| last.ident == name));
    if is_known || matches!(answer, Type::Tuple(_)) {
        let found = text::written(answer.to_token_stream());
        errors.on(
            &tokens(function),
            format!(
                "an `#[action(fails)]` returns `Result`, found `{found}`\nnote: `Err` is a failure with a reason\nhelp: without a reason, write `#[action]`"
            ),
        );
    }
}

/// Returns the tokens of the return type, or the name of a function without one.
pub(super) fn tokens(function: &ItemFn) -> TokenStream {
    match &function.sig.output {
        ReturnType::Default => function.sig.ident.to_token_stream(),
        ReturnType::Type(_, ty) => ty.to_token_stream(),
    }
}

/// Returns `true` for an output that is never `Running`.
pub(super) fn cannot_run(answer: &Type) -> bool {
    is_named(answer, "bool") || matches!(answer, Type::Tuple(unit) if unit.elems.is_empty())
}
