//! Arguments: of decorators, of parallels.

use bt_words::{Bound, Flags, Param, ParamType, nearest};
use proc_macro2::{Group, Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, Token};

use super::super::plan::{Args, Threshold};
use crate::errors::Errors;
use crate::tree::parse::expression;

/// The one argument of a decorator.
pub(super) fn argument(keyword: &Ident, args: Option<&Group>, param: &Param, errors: &mut Errors) -> Option<Args> {
    let form = format!("as in `{keyword}({}) {{ … }}`", param.example);
    let Some(args) = args else {
        errors.at(keyword.span(), format!("`{keyword}` takes one argument, {form}"));
        return None;
    };
    // Half typed: rustc says what is wrong with the expression.
    let parsed = Parser::parse2(Punctuated::<Expr, Token![,]>::parse_terminated, args.stream());
    let count = parsed.as_ref().map_or(1, Punctuated::len);
    if count != 1 || args.stream().is_empty() {
        errors.at(args.span(), format!("`{keyword}` takes one argument, {form}; found {count}"));
        return None;
    }
    let written = match parsed.ok().as_ref().and_then(Punctuated::first) {
        Some(Expr::Lit(literal)) => Some(literal.lit.clone()),
        _ => None,
    };
    let Some(written) = written else { return Some(Args::Rust(args.stream())) };
    let mut wrong = |what: &str| {
        errors.at(written.span(), format!("`{keyword}` takes {what}, {form}"));
        None
    };
    match (param.ty, &written) {
        (ParamType::Times | ParamType::Runs, Lit::Int(number)) => match number.base10_parse::<u32>() {
            Ok(0) => {
                errors.at(number.span(), format!("`{keyword}(0)` never starts its child: the least is 1"));
                None
            }
            Ok(times) if param.ty == ParamType::Times => Some(Args::Times(times, number.span())),
            Ok(_) => Some(Args::Rust(args.stream())),
            Err(error) => {
                errors.at(number.span(), format!("`{keyword}` takes a number, {form}: {error}"));
                None
            }
        },
        (ParamType::Times | ParamType::Runs, _) => wrong("a number"),
        (ParamType::Time, _) => {
            errors.at(written.span(), format!("`{keyword}` takes a time, {form}; there is `millis(…)` too"));
            None
        }
        (ParamType::Probability, Lit::Float(number)) if !number.base10_parse().is_ok_and(|p: f64| p <= 1.0) => {
            wrong("a probability from 0.0 to 1.0")
        }
        (ParamType::Probability, Lit::Float(_)) => Some(Args::Rust(args.stream())),
        (ParamType::Probability, _) => wrong("a probability from 0.0 to 1.0"),
        // These are not written as expressions.
        (
            ParamType::Threshold(_)
            | ParamType::Weights
            | ParamType::Leaf(_)
            | ParamType::Transitions
            | ParamType::Name,
            _,
        ) => Some(Args::Rust(args.stream())),
    }
}

/// The thresholds of a parallel, success first, and which of them are written.
pub(super) fn thresholds(
    keyword: &Ident,
    args: Option<&Group>,
    params: &[Param],
    children: usize,
    errors: &mut Errors,
) -> (Vec<Threshold>, Flags) {
    let example =
        params.iter().map(|param| format!("{} = {}", param.name, param.example)).collect::<Vec<_>>().join(", ");
    let mut given: Vec<Option<Threshold>> = params.iter().map(|_| None).collect();
    for option in args.map(options).unwrap_or_default() {
        let name = option.name.to_string();
        if name == "_" {
            errors.at(option.name.span(), format!("`{keyword}` takes options with names: `{keyword}({example})`"));
            continue;
        }
        match params.iter().position(|param| param.name == name) {
            Some(index) if given[index].is_some() => {
                errors.at(option.name.span(), format!("`{name}` is given twice"));
            }
            Some(index) => match option.value {
                Some(value) => given[index] = Some(threshold(value, children, errors)),
                None => {
                    let message =
                        format!("`{name}` has no value: `{name} = all`, `{name} = one` or a number of children");
                    errors.at(option.name.span(), message);
                }
            },
            None => {
                let meant = nearest(&name, params.iter().map(|param| param.name)).map_or_else(
                    || format!("its options are `{keyword}({example})`"),
                    |meant| format!("did you mean `{meant}`?"),
                );
                errors.at(option.name.span(), format!("`{keyword}` has no option `{name}`; {meant}"));
            }
        }
    }
    let written = |(given, flag): (&Option<_>, _)| if given.is_some() { flag } else { Flags::NONE };
    let flags = given.iter().zip([Flags::SUCCESS_WRITTEN, Flags::FAILURE_WRITTEN]).map(written);
    let flags = flags.fold(Flags::NONE, Flags::or);
    let thresholds = given.into_iter().zip(params).map(|(given, param)| {
        let by_default = match param.ty {
            ParamType::Threshold(Bound::All) => "all",
            _ => "one",
        };
        given.unwrap_or_else(|| Threshold::Word(Ident::new(by_default, Span::mixed_site().located_at(keyword.span()))))
    });
    (thresholds.collect(), flags)
}

fn threshold(value: TokenStream, children: usize, errors: &mut Errors) -> Threshold {
    if let Ok(word) = syn::parse2::<Ident>(value.clone()) {
        if word == "all" || word == "one" {
            return Threshold::Word(word);
        }
        if let Some(meant) = nearest(&word.to_string(), ["all", "one"]) {
            errors.at(word.span(), format!("a threshold is `all`, `one` or a number; did you mean `{meant}`?"));
            return Threshold::Word(Ident::new(meant, Span::mixed_site()));
        }
    }
    let Ok(literal) = syn::parse2::<syn::LitInt>(value.clone()) else {
        return Threshold::Computed(value);
    };
    match literal.base10_parse() {
        Ok(0) => {
            errors.at(literal.span(), "a threshold of 0 would be reached before any child is ticked: the least is 1");
        }
        Ok(number) if number > children && children > 0 => {
            let there = if children == 1 { "is 1 child".to_owned() } else { format!("are {children} children") };
            let message = format!("a threshold of {number} can never be reached: there {there} here");
            errors.at(literal.span(), message);
        }
        Ok(number) => return Threshold::Number(number),
        Err(error) => errors.add(error),
    }
    Threshold::Word(Ident::new("one", Span::mixed_site()))
}

/// `name = value` in an argument list.
struct Opt {
    name: Ident,
    value: Option<TokenStream>,
}

/// The options in an argument list; what is no option at all comes as a name that no option has.
fn options(args: &Group) -> Vec<Opt> {
    let parser = |input: ParseStream<'_>| {
        let mut options = Vec::new();
        while !input.is_empty() {
            options.push(option(input));
            let _ = input.parse::<Token![,]>();
        }
        Ok(options)
    };
    Parser::parse2(parser, args.stream()).unwrap_or_default()
}

fn option(input: ParseStream<'_>) -> Opt {
    let unnamed = Ident::new("_", input.span());
    let name = input.call(Ident::parse_any).unwrap_or(unnamed);
    let given = input.parse::<Token![=]>().is_ok();
    let value = expression(input);
    Opt { name, value: Some(value).filter(|value| given && !value.is_empty()) }
}
