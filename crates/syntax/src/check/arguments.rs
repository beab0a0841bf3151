//! Checks the arguments of decorators and parallels.

use bt_words::analysis::{Finding, Form};
use bt_words::{Bound, Flags, Lint, Param, ParamType, Word, nearest};
use proc_macro2::{Ident, Span};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, Token};

use crate::ast;
use crate::errors::{Errors, Mistake, did_you_mean};
use crate::parse::expression;
use crate::plan::{Args, Threshold};
use crate::tokens::{self, Input, TokenStream};

/// The words of a threshold.
const THRESHOLDS: [&str; 2] = [Bound::All.name(), Bound::One.name()];

/// Returns the argument of a decorator, which takes one. `flags` are the lints that are allowed for it.
pub(super) fn argument(
    keyword: &Ident,
    word: Word,
    args: Option<ast::Args<'_>>,
    param: &Param,
    flags: &mut Flags,
    errors: &mut Errors,
) -> Option<Args> {
    let help = format!("help: write `{keyword}({}) {{ … }}`", param.example);
    let Some(args) = args else {
        errors.at(keyword.span(), format!("`{keyword}` expects 1 argument, found 0\n{help}"));
        return None;
    };
    if args.are_reported {
        return None;
    }
    let rust = || args.stream.to_macro();
    // If the expression is incomplete, rustc reports it.
    let parsed = Parser::parse2(Punctuated::<Expr, Token![,]>::parse_terminated, rust());
    let count = parsed.as_ref().map_or(1, Punctuated::len);
    if count != 1 || args.stream.is_empty() {
        errors.at(args.span, format!("`{keyword}` expects 1 argument, found {count}\n{help}"));
        return None;
    }
    let parsed = parsed.ok();
    if let Some(Expr::Range(range)) = parsed.as_ref().and_then(Punctuated::first)
        && let (Some(start), Some(end)) = (whole(range.start.as_deref()), whole(range.end.as_deref()))
        && end < start
    {
        let found = args.stream.written();
        errors.at(
            args.stream.span(),
            format!("the end of the range `{found}` is less than its start\nhelp: write `{end}..={start}`"),
        );
        return None;
    }
    let (written, is_negative) = match parsed.as_ref().and_then(Punctuated::first) {
        Some(Expr::Lit(literal)) => (literal.lit.clone(), false),
        // No keyword takes a negative number; what rustc says of one depends on its type.
        Some(Expr::Unary(negative)) => match negative_literal(negative) {
            Some(literal) => (literal, true),
            None => return Some(Args::Rust(rust())),
        },
        _ => return Some(Args::Rust(rust())),
    };
    let expected = match (param.ty, &written) {
        (ParamType::Times | ParamType::Runs, Lit::Int(number)) if !is_negative => match number.base10_parse::<u32>() {
            Ok(value) => {
                if let Some(finding) = word.idle(value) {
                    if !flags.has(Flags::allows(finding.lint())) {
                        let (lint, message) = (finding.lint(), finding.message(Form::Rust).to_string());
                        errors.mistake(Mistake { lint, span: number.span(), message, node: Some(keyword.span()) });
                    }
                    // The types do not show it, so the check of types would report the `#[expect(…)]` as unused.
                    *flags = flags.not_expecting(finding.lint());
                }
                let is_in_type = param.ty == ParamType::Times;
                return Some(if is_in_type { Args::Times(value, number.span()) } else { Args::Rust(rust()) });
            }
            Err(error) => {
                let message = format!("`{keyword}` expects a `u32`, found `{number}`\nnote: {error}");
                errors.at(number.span(), message);
                return None;
            }
        },
        (ParamType::Times | ParamType::Runs, _) if is_negative => "a positive number",
        (ParamType::Times | ParamType::Runs, _) => "a number",
        (ParamType::Time, _) => "a time",
        (ParamType::Probability, Lit::Float(number))
            if !is_negative && number.base10_parse().is_ok_and(|p: f64| p <= 1.0) =>
        {
            return Some(Args::Rust(rust()));
        }
        (ParamType::Probability, _) => "a probability from 0.0 to 1.0",
        // Not written as expressions.
        (
            ParamType::Threshold(_)
            | ParamType::Weights
            | ParamType::Scores
            | ParamType::Bonus
            | ParamType::Value
            | ParamType::Cases
            | ParamType::Leaf(_)
            | ParamType::Transitions
            | ParamType::Name,
            _,
        ) => return Some(Args::Rust(rust())),
    };
    let found = args.stream.written();
    let other = if param.ty == ParamType::Time { ", or use `millis(…)`" } else { "" };
    errors.at(args.stream.span(), format!("`{keyword}` expects {expected}, found `{found}`\n{help}{other}"));
    None
}

/// Returns the number of a literal.
fn whole(expression: Option<&Expr>) -> Option<u32> {
    match expression {
        Some(Expr::Lit(ExprLit { lit: Lit::Int(number), .. })) => number.base10_parse().ok(),
        _ => None,
    }
}

/// Returns the thresholds of a parallel, success first. Adds the flags of those that are written to `flags`, the lints that are allowed for it.
/// `children` is the number of children if it is known.
pub(super) fn thresholds(
    keyword: &Ident,
    args: Option<ast::Args<'_>>,
    params: &[Param],
    children: Option<usize>,
    flags: &mut Flags,
    errors: &mut Errors,
) -> Vec<Threshold> {
    let most = children.filter(|children| *children > 0 && !flags.has(Flags::allows(Lint::Threshold)));
    let given = named(keyword, args, params, errors).into_iter();
    let written = [(true, Flags::SUCCESS_WRITTEN), (false, Flags::FAILURE_WRITTEN)];
    let thresholds = given.zip(params).zip(written).map(|((given, param), (success, written))| {
        let bound = if let ParamType::Threshold(bound) = param.ty { bound } else { Bound::One };
        let by_default = || Threshold::Word(Ident::new(bound.name(), Span::mixed_site().located_at(keyword.span())));
        given.map_or_else(by_default, |value| {
            *flags = flags.or(written);
            threshold(keyword, value, success, most, errors)
        })
    });
    thresholds.collect()
}

/// Returns the values of the named options, in the order of the parameters; `None` for those that are not written.
pub(super) fn named<'t>(
    keyword: &Ident,
    args: Option<ast::Args<'t>>,
    params: &[Param],
    errors: &mut Errors,
) -> Vec<Option<TokenStream<'t>>> {
    let example =
        params.iter().map(|param| format!("{} = {}", param.name, param.example)).collect::<Vec<_>>().join(", ");
    let mut given: Vec<Option<TokenStream<'t>>> = params.iter().map(|_| None).collect();
    let mut is_reported = false;
    for option in args.filter(|args| !args.are_reported).map(options).unwrap_or_default() {
        let name = option.name.text();
        if name == "_" {
            if let Some(args) = args.filter(|_| !std::mem::replace(&mut is_reported, true)) {
                errors.at(option.name.span(), unnamed(&keyword.to_string(), args, params));
            }
            continue;
        }
        match params.iter().position(|param| param.name == name) {
            Some(index) if given[index].is_some() => {
                errors.at(option.name.span(), format!("duplicate option `{name}`"));
            }
            Some(index) => {
                if option.value.is_none() {
                    let help = match params[index].ty {
                        ParamType::Threshold(_) => {
                            format!("write `{name} = all`, `{name} = one` or a number of children")
                        }
                        _ => format!("write `{name} = {}`", params[index].example),
                    };
                    errors.at(option.name.span(), format!("option `{name}` has no value\nhelp: {help}"));
                    if let ParamType::Threshold(_) = params[index].ty {
                        errors.leave_unknown(None, THRESHOLDS);
                    }
                }
                given[index] = option.value;
            }
            None => {
                let help = did_you_mean(name, params.iter().map(|param| param.name))
                    .unwrap_or_else(|| format!("\nhelp: the options are `{keyword}({example})`"));
                errors.at(option.name.span(), format!("unknown option `{name}` for `{keyword}`{help}"));
                errors.leave_unknown(Some(option.name), params.iter().map(|param| param.name));
            }
        }
    }
    given
}

/// Returns a threshold. `most` is the greatest number that it can be, if that is known.
fn threshold(
    keyword: &Ident,
    value: TokenStream<'_>,
    success: bool,
    most: Option<usize>,
    errors: &mut Errors,
) -> Threshold {
    let input = value.input();
    if let Some(word) = input.name().filter(|_| input.is_empty()) {
        if THRESHOLDS.contains(&word.text()) {
            return Threshold::Word(word.to_macro());
        }
        errors.leave_unknown(Some(word), THRESHOLDS);
        let meant = if word == "any" { Some("one") } else { nearest(word.text(), THRESHOLDS) };
        if let Some(meant) = meant {
            let message = format!("expected `all`, `one` or a number, found `{word}`\nhelp: did you mean `{meant}`?");
            errors.at(word.span(), message);
            return Threshold::Word(Ident::new(meant, Span::mixed_site()));
        }
    }
    let Ok(literal) = syn::parse2::<syn::LitInt>(value.to_macro()) else {
        return Threshold::Computed(value.to_macro());
    };
    match literal.base10_parse() {
        Ok(0) => {
            let message =
                "a threshold cannot be 0\nnote: it would be reached before any child is ticked\nhelp: the minimum is 1";
            errors.at(literal.span(), message);
        }
        Ok(asked) => match most.filter(|most| asked > *most) {
            // The check of types would report it only when code is generated.
            Some(children) => {
                let finding = Finding::Threshold { success, able: children, children, asked };
                let (lint, message) = (finding.lint(), finding.message(Form::Rust).to_string());
                if errors.mistake(Mistake { lint, span: literal.span(), message, node: Some(keyword.span()) }) {
                    return Threshold::Number(asked);
                }
            }
            None => return Threshold::Number(asked),
        },
        Err(error) => errors.add(error),
    }
    Threshold::Word(Ident::new("one", Span::mixed_site()))
}

/// Returns the error for options without names: with those that are not written, in order.
pub(crate) fn unnamed(keyword: &str, args: ast::Args<'_>, params: &[Param]) -> String {
    let options = options(args);
    let mut left = params.iter().filter(|param| options.iter().all(|option| *option.name.text() != *param.name));
    let named = options.iter().filter_map(|option| {
        let name = if option.name == *"_" { left.next()?.name } else { option.name.text() };
        Some(format!("{name} = {}", option.value?.written()))
    });
    let named = named.collect::<Vec<_>>().join(", ");
    format!("`{keyword}` expects named options\nhelp: write `{keyword}({named})`")
}

/// `name = value` in an argument list.
struct Opt<'t> {
    name: tokens::Ident<'t>,
    value: Option<TokenStream<'t>>,
}

/// Returns the options in an argument list. An argument without a name has the name `_`.
fn options(args: ast::Args<'_>) -> Vec<Opt<'_>> {
    let (input, mut options) = (args.stream.input(), Vec::new());
    while !input.is_empty() {
        options.push(option(&input));
        input.eat(",");
    }
    options
}

fn option<'t>(input: &Input<'t>) -> Opt<'t> {
    let unnamed = tokens::Ident::new("_", input.span());
    let is_name = |word: &tokens::Ident<'_>| input.peek2("=") || !THRESHOLDS.contains(&word.text());
    let name = input.peek_word().filter(is_name).and_then(|_| input.word());
    let is_given = name.is_none() || input.eat("=").is_some();
    let value = expression(input);
    Opt { name: name.unwrap_or(unnamed), value: Some(value).filter(|value| is_given && !value.is_empty()) }
}

/// Returns the literal after a minus sign.
fn negative_literal(expression: &syn::ExprUnary) -> Option<Lit> {
    match (&expression.op, &*expression.expr) {
        (syn::UnOp::Neg(_), Expr::Lit(literal)) => Some(literal.lit.clone()),
        _ => None,
    }
}
