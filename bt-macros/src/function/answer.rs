//! What a function returns.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{ItemFn, ReturnType, Type, parse_quote};

use super::Form;
use super::reference::is_named;
use bt_syntax::errors::Errors;
use bt_syntax::generics::{argument_of, last_segment};
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

/// Reports a common type that is not the output of an action. The compiler reports other types, in each generated function.
pub(super) fn check_output(function: &ItemFn, answer: &Type, errors: &mut Errors) {
    let Some(wrong) = not_an_output(answer) else { return };
    let found = text::written(wrong.to_token_stream());
    let is_handle = last_segment(wrong).is_some_and(|last| last.ident == "JoinHandle");
    let help = if is_handle {
        "return a future that awaits a task, `impl Future<Output = bool>`; a thread sends its result through a channel, which an action polls"
    } else {
        "store a value in the context, or in an `#[output]`"
    };
    errors.on(
        &tokens(function),
        format!(
            "an action cannot return `{found}`\nnote: an action returns `Status`, `Outcome`, `bool`, `()` or `Step<Wake>`, or an `Option` or `Result` of one of them\nhelp: {help}"
        ),
    );
}

/// Returns the type that is visibly not an output, in `Option`s and `Result`s.
fn not_an_output(ty: &Type) -> Option<&Type> {
    const NAMES: [&str; 20] = [
        "u8",
        "u16",
        "u32",
        "u64",
        "u128",
        "usize",
        "i8",
        "i16",
        "i32",
        "i64",
        "i128",
        "isize",
        "f32",
        "f64",
        "char",
        "String",
        "Vec",
        "Duration",
        "Instant",
        "JoinHandle",
    ];
    if let Some(inner) = argument_of(ty, &["Option", "Result"]) {
        return not_an_output(inner);
    }
    let is_named = last_segment(ty).is_some_and(|last| NAMES.iter().any(|name| last.ident == name));
    let is_other = match ty {
        Type::Tuple(tuple) => !tuple.elems.is_empty(),
        Type::Array(_) | Type::Slice(_) | Type::Reference(_) => true,
        _ => false,
    };
    (is_named || is_other).then_some(ty)
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
