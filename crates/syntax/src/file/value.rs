//! Values of arguments: constants, names of registered values, and variables.

use proc_macro2::{Delimiter, Group, Span, TokenTree};
use serde_json::{Map, Number, Value};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, Lit, Token, token};

use crate::errors::{Errors, REGISTER_VALUE, did_you_mean};
use crate::keyword::TIMES;
use crate::parse::found;

/// The types of numbers, which may follow one.
const TYPES: [&str; 14] =
    ["", "f32", "f64", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "isize"];

const EXPECTED: &str = "expected a number, a time, text, a list, the name of a registered value or `var(name)`";

/// `value` or `name = value`.
pub(crate) struct Argument {
    pub(crate) name: Option<String>,
    /// Where it begins.
    pub(crate) begin: Span,
    /// Where its value is.
    pub(crate) span: Span,
    pub(crate) value: Value,
    /// The value is a bare name: that of a registered value, or a word such as `all`.
    pub(crate) is_name: bool,
}

/// Parses a list of arguments.
pub(crate) fn arguments(args: &Group, errors: &mut Errors) -> Vec<Argument> {
    parse(args, errors, |input, errors| {
        let begin = input.span();
        let is_named = input.peek2(Token![=]) && !input.peek2(Token![==]);
        let name = if is_named { field(input) } else { None };
        if name.is_some() {
            after_sign(input, errors)?;
        }
        let span = input.span();
        let (value, is_name) = value(input, errors)?;
        Some(Argument { name, begin, span, value, is_name })
    })
}

/// Parses a list with commas. What follows an error up to the next comma is skipped.
fn parse<T>(
    group: &Group,
    errors: &mut Errors,
    mut one: impl FnMut(ParseStream<'_>, &mut Errors) -> Option<T>,
) -> Vec<T> {
    let mut all = Vec::new();
    let parser = |input: ParseStream<'_>| {
        while !input.is_empty() {
            let mut value = one(input, errors);
            if value.is_some() && !(input.is_empty() || input.peek(Token![,])) {
                // Rust goes on with an operator, a call or an index; otherwise a comma is missing.
                let is_other = input.peek(Token![;]) || input.peek(Ident::peek_any) || input.peek(Lit);
                let help = if is_other { "help: separate arguments with `,`" } else { REGISTER_VALUE };
                errors.at(input.span(), format!("expected `,`, found {}\n{help}", found(input)));
                // What it would mean is not known.
                value = None;
            }
            all.extend(value);
            while !(input.is_empty() || input.peek(Token![,])) {
                let _ = input.parse::<TokenTree>();
            }
            let _ = input.parse::<Token![,]>();
        }
        Ok(())
    };
    // All tokens are consumed.
    let _ = Parser::parse2(parser, group.stream());
    all
}

/// Parses the sign before a value, `=` or `:`. Reports that no value follows.
fn after_sign(input: ParseStream<'_>, errors: &mut Errors) -> Option<()> {
    let sign = input.parse::<TokenTree>().ok()?;
    if input.is_empty() || input.peek(Token![,]) {
        errors.at(
            sign.span(),
            format!("expected a value after `{sign}`, found none\nhelp: write a value, or remove the name"),
        );
        return None;
    }
    Some(())
}

/// Parses one value, or a range of numbers or times. Returns whether it is a bare name.
pub(crate) fn value(input: ParseStream<'_>, errors: &mut Errors) -> Option<(Value, bool)> {
    let least = single(input, errors)?;
    if !input.peek(Token![..]) {
        return Some(least);
    }
    let span = input.span();
    if input.parse::<Token![..=]>().is_err() {
        errors.at(span, "expected `..=` in a range, which includes both ends\nhelp: write `1..=3`");
        return None;
    }
    let most = single(input, errors)?;
    let end = |(value, is_name): &(Value, bool)| match value {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) if !is_name => Some(text.clone()),
        _ => None,
    };
    match (end(&least), end(&most)) {
        (Some(least), Some(most)) => Some((format!("{least}..={most}").into(), false)),
        _ => {
            errors.at(span, "expected numbers or times at both ends of a range");
            None
        }
    }
}

/// Parses a value that is not a range.
fn single(input: ParseStream<'_>, errors: &mut Errors) -> Option<(Value, bool)> {
    let span = input.span();
    if input.peek(Lit) || input.peek(Token![-]) && input.peek2(Lit) {
        let negative = input.parse::<Token![-]>().is_ok();
        let literal = input.parse::<Lit>().ok()?;
        return match constant(&literal, negative) {
            Ok(value) => Some((value, false)),
            Err(message) => {
                errors.at(span, message);
                None
            }
        };
    }
    if let Ok(TokenTree::Group(group)) = input.fork().parse() {
        let value = match group.delimiter() {
            Delimiter::Bracket => Some(Value::Array(parse(&group, errors, constant_only))),
            Delimiter::Brace => Some(Value::Object(object(&group, errors))),
            Delimiter::Parenthesis | Delimiter::None => None,
        };
        if let Some(value) = value {
            let _ = input.parse::<TokenTree>();
            return Some((value, false));
        }
    }
    if input.peek(Ident::peek_any) {
        let name = path(input)?;
        if name == "var" && input.peek(Ident) {
            let (at, variable) = (input.span(), input.parse::<Ident>().ok()?);
            errors.at(at, format!("expected `(` after `var`, found `{variable}`\nhelp: write `var({variable})`"));
            return None;
        }
        if !input.peek(token::Paren) {
            return Some(if name == "null" { (Value::Null, false) } else { (name.into(), true) });
        }
        let TokenTree::Group(args) = input.parse().ok()? else { return None };
        let last = name.rsplit("::").next().unwrap_or_default();
        if name == "var" {
            return variable(&args, errors).map(|value| (value, false));
        }
        if let Some((function, unit)) = TIMES.iter().find(|(function, _)| *function == last) {
            return time(&args, function, unit, errors).map(|value| (value, false));
        }
        let known = TIMES.iter().map(|(function, _)| *function).chain(["var"]);
        let help = did_you_mean(last, known).unwrap_or_else(|| format!("\n{REGISTER_VALUE}"));
        errors.at(span, format!("{EXPECTED}, found a call of `{name}`{help}"));
        return None;
    }
    let help = match input.peek(Token![.]) && input.peek2(syn::LitInt) {
        true => "help: write a digit before the point, as in `0.5`",
        false if input.peek(Token![,]) => "help: remove the comma, or write a value before it",
        false => REGISTER_VALUE,
    };
    errors.at(span, format!("{EXPECTED}, found {}\n{help}", found(input)));
    None
}

/// Parses a path.
pub(crate) fn path(input: ParseStream<'_>) -> Option<String> {
    let mut name = input.call(Ident::parse_any).ok()?.unraw().to_string();
    while input.peek(Token![::]) && input.peek3(Ident::peek_any) {
        input.parse::<Token![::]>().ok()?;
        name = format!("{name}::{}", input.call(Ident::parse_any).ok()?.unraw());
    }
    Some(name)
}

/// Parses a value that is not a name.
fn constant_only(input: ParseStream<'_>, errors: &mut Errors) -> Option<Value> {
    let span = input.span();
    match value(input, errors)? {
        (value, false) => Some(value),
        (name, true) => {
            errors.at(span, not_constant(&name));
            None
        }
    }
}

/// Returns the error for a bare name in place of a constant.
pub(crate) fn not_constant(name: &Value) -> String {
    let name = name.as_str().unwrap_or_default();
    format!(
        "expected a constant or a variable, found the name `{name}`\nhelp: write text in quotes, `\"{name}\"`, and a variable as `var({name})`"
    )
}

/// Returns the value of a literal.
fn constant(literal: &Lit, negative: bool) -> Result<Value, String> {
    let sign = if negative { "-" } else { "" };
    let (digits, suffix) = match literal {
        Lit::Int(number) => (number.base10_digits(), number.suffix()),
        Lit::Float(number) => (number.base10_digits(), number.suffix()),
        _ if negative => return Err(EXPECTED.to_owned()),
        Lit::Str(text) => return Ok(text.value().into()),
        Lit::Char(sign) => return Ok(sign.value().to_string().into()),
        Lit::Bool(is) => return Ok(is.value.into()),
        other => return Err(format!("{EXPECTED}, found `{}`", quote::quote!(#other))),
    };
    if TIMES.iter().any(|(_, unit)| *unit == suffix) {
        return time_of(&format!("{sign}{digits}"), suffix);
    }
    if !TYPES.contains(&suffix) {
        return Err(format!("unknown unit `{suffix}`\nnote: the units of times are `s`, `ms`, `us` and `ns`"));
    }
    let text = format!("{sign}{digits}");
    let whole = text.parse::<u64>().map(Number::from).or_else(|_| text.parse::<i64>().map(Number::from)).ok();
    let is_whole = matches!(literal, Lit::Int(_)) && !suffix.starts_with('f');
    let number = whole.filter(|_| is_whole).or_else(|| text.parse().ok().and_then(Number::from_f64));
    number.map(Value::Number).ok_or_else(|| format!("the number `{text}` is too large"))
}

/// Returns the name of a variable in braces, as in files of the editor.
fn variable(args: &Group, errors: &mut Errors) -> Option<Value> {
    let name = match args.stream().into_iter().collect::<Vec<_>>().as_slice() {
        [TokenTree::Ident(name)] => Some(name.unraw().to_string()),
        [TokenTree::Literal(_)] => syn::parse2::<syn::LitStr>(args.stream()).ok().map(|name| name.value()),
        _ => None,
    };
    let name = name.filter(|name| !name.trim().is_empty());
    if name.is_none() {
        errors.at(args.span(), "`var` expects the name of a variable\nhelp: write `var(name)` or `var(\"a name\")`");
    }
    name.map(|name| format!("{{{name}}}").into())
}

/// Returns a time with its unit.
fn time(args: &Group, function: &str, unit: &str, errors: &mut Errors) -> Option<Value> {
    let digits = match syn::parse2::<Lit>(args.stream()) {
        Ok(Lit::Int(number)) => Some(number.base10_digits().to_owned()),
        Ok(Lit::Float(number)) => Some(number.base10_digits().to_owned()),
        _ => None,
    };
    if digits.is_none() {
        errors.at(args.span(), format!("`{function}` expects a number\n{REGISTER_VALUE}"));
    }
    time_of(&digits?, unit).map_err(|reason| errors.at(args.span(), reason)).ok()
}

fn time_of(digits: &str, unit: &str) -> Result<Value, String> {
    let text = format!("{digits}{unit}");
    if let Some(positive) = digits.strip_prefix('-') {
        return Err(format!("a time cannot be negative, found `{text}`\nhelp: write `{positive}{unit}`"));
    }
    if digits.contains(['e', 'E']) {
        return Err(format!("expected a time, found `{text}`\nhelp: write its number without an exponent"));
    }
    if bt_behavior3::millis(&text).is_none() {
        return Err(format!("the time `{text}` is too large"));
    }
    Ok(text.into())
}

/// Parses the fields of an object: `{ x: 1, "a name": 2 }`.
fn object(group: &Group, errors: &mut Errors) -> Map<String, Value> {
    let fields = parse(group, errors, |input, errors| {
        let (span, found) = (input.span(), found(input));
        let name = field(input);
        let Some(name) = name.filter(|_| input.peek(Token![:])) else {
            errors.at(span, format!("expected a field, `name: value`, found {found}"));
            return None;
        };
        after_sign(input, errors)?;
        Some((name, constant_only(input, errors)?))
    });
    fields.into_iter().collect()
}

/// Parses the name of an argument or a field, which may be a text.
fn field(input: ParseStream<'_>) -> Option<String> {
    if input.peek(syn::LitStr) {
        return input.parse::<syn::LitStr>().ok().map(|name| name.value());
    }
    input.call(Ident::parse_any).ok().map(|name| name.unraw().to_string())
}
