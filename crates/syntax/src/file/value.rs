//! Values of arguments: constants, names of registered values, and variables.

use std::borrow::Cow;

use proc_macro2::Delimiter;
use serde_json::{Map, Value};
use syn::Lit;

use super::number::{EXPECTED, constant, longer, time};
use crate::errors::{Errors, REGISTER_VALUE, did_you_mean};
use crate::keyword::TIMES;
use crate::parse::found;
use crate::tokens::{Group, Ident, Input, Literal, Span, Text, TokenStream};

/// `value` or `name = value`.
pub(crate) struct Argument<'t> {
    pub(crate) name: Option<String>,
    /// Where it begins.
    pub(crate) begin: Span<'t>,
    /// Where its value is.
    pub(crate) span: Span<'t>,
    pub(crate) value: Value,
    /// The value is a bare name: that of a registered value, or a word such as `all`.
    pub(crate) is_name: bool,
}

/// Parses a list of arguments.
pub(crate) fn arguments<'t>(args: TokenStream<'t>, errors: &mut Errors) -> Vec<Argument<'t>> {
    parse(args, errors, |input, errors| {
        let begin = input.span();
        let is_named = input.peek2("=") && !input.peek2("==");
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
fn parse<'t, T>(
    list: TokenStream<'t>,
    errors: &mut Errors,
    mut one: impl FnMut(&Input<'t>, &mut Errors) -> Option<T>,
) -> Vec<T> {
    let (input, mut all) = (list.input(), Vec::new());
    while !input.is_empty() {
        let mut value = one(&input, errors);
        if value.is_some() && !(input.is_empty() || input.peek(",")) {
            // Rust goes on with an operator, a call or an index; otherwise a comma is missing.
            let is_other = input.peek(";") || input.peek_word().is_some() || input.peek_value();
            let help = if is_other { "help: separate arguments with `,`" } else { REGISTER_VALUE };
            errors.at(input.span(), format!("expected `,`, found {}\n{help}", found(&input)));
            // What it would mean is not known.
            value = None;
        }
        all.extend(value);
        input.take_before(|input| input.peek(","));
        input.eat(",");
    }
    all
}

/// Parses the sign before a value, `=` or `:`. Reports that no value follows.
fn after_sign(input: &Input<'_>, errors: &mut Errors) -> Option<()> {
    let (span, sign) = (input.span(), input.tree()?);
    if input.is_empty() || input.peek(",") {
        errors
            .at(span, format!("expected a value after `{sign}`, found none\nhelp: write a value, or remove the name"));
        return None;
    }
    Some(())
}

/// Parses one value, or a range of numbers or times. Returns whether it is a bare name.
pub(crate) fn value(input: &Input<'_>, errors: &mut Errors) -> Option<(Value, bool)> {
    let begin = input.fork();
    let least = single(input, errors)?;
    if !input.peek("..") {
        return Some(least);
    }
    let (span, from) = (input.span(), input.since(&begin));
    let has_both = input.eat("..=").is_some();
    input.skip(if has_both { 0 } else { 2 });
    let begin = input.fork();
    let most = single(input, errors)?;
    let to = input.since(&begin);
    let end = |(value, is_name): &(Value, bool)| match value {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) if !is_name => Some(text.clone()),
        _ => None,
    };
    match (end(&least), end(&most)) {
        (Some(least), Some(most)) if has_both => Some((format!("{least}..={most}").into(), false)),
        (Some(_), Some(_)) => {
            let help = format!("help: write `{}..={}`", from.written(), to.written());
            errors.at(span, format!("expected `..=` in a range, which includes both ends\n{help}"));
            None
        }
        _ => {
            errors.at(span, "expected numbers or times at both ends of a range");
            None
        }
    }
}

/// Parses a value that is not a range.
fn single(input: &Input<'_>, errors: &mut Errors) -> Option<(Value, bool)> {
    let span = input.span();
    if input.peek_value() || input.peek("-") && input.after().peek_value() {
        let signs = std::iter::from_fn(|| input.eat("-")).count();
        let constant = match (input.word(), input.peek_text()) {
            (Some(word), _) if signs == 0 => Ok((word == "true").into()),
            (None, true) if signs == 0 => Ok(input.text()?.value().into()),
            (None, false) => constant(input.literal()?, &"--"[..signs]),
            _ => Err(EXPECTED.to_owned()),
        };
        return constant.map_err(|message| errors.at(span, message)).ok().map(|value| (value, false));
    }
    if let Some(group) = input.peek_group() {
        let value = match group.delimiter() {
            Delimiter::Bracket => Some(Value::Array(parse(group.stream(), errors, constant_only))),
            Delimiter::Brace => Some(Value::Object(object(group, errors))),
            Delimiter::Parenthesis | Delimiter::None => None,
        };
        if let Some(value) = value {
            input.group();
            return Some((value, false));
        }
    }
    if let Some(name) = path(input) {
        let is_time = TIMES.iter().any(|(function, _)| *function == name);
        if name == "var" && input.peek_name().is_some() || is_time && input.peek_literal().is_some() {
            let found = found(input);
            let help = format!("help: write `{name}({})`", found.trim_matches('`'));
            errors.at(input.span(), format!("expected `(` after `{name}`, found {found}\n{help}"));
            return None;
        }
        let Some(args) = input.group_in(Delimiter::Parenthesis) else {
            return Some(if name == "null" { (Value::Null, false) } else { (name.into(), true) });
        };
        let last = name.rsplit("::").next().unwrap_or_default();
        if name == "var" {
            return variable(args, errors).map(|value| (value, false));
        }
        if let Some((function, unit)) = TIMES.iter().find(|(function, _)| *function == last) {
            return time(args, function, unit, errors).map(|value| (value, false));
        }
        let known = TIMES.iter().map(|(function, _)| *function).chain(["var"]);
        let meant = longer(last, args).or_else(|| did_you_mean(last, known));
        let help = meant.unwrap_or_else(|| format!("\n{REGISTER_VALUE}"));
        errors.at(span, format!("{EXPECTED}, found a call of `{name}`{help}"));
        return None;
    }
    let help = match input.after().peek_name() {
        _ if input.peek(".") && is_whole(&input.after()) => "help: write a digit before the point, as in `0.5`".into(),
        _ if input.peek(",") => "help: remove the comma, or write a value before it".into(),
        Some(name) if input.peek("$") => of_variable(name),
        Some(_) | None => Cow::Borrowed(REGISTER_VALUE),
    };
    errors.at(span, format!("{EXPECTED}, found {}\n{help}", found(input)));
    None
}

/// Returns the help for a variable in another notation.
fn of_variable(name: Ident<'_>) -> Cow<'static, str> {
    format!("help: write a variable as `var({name})`").into()
}

/// Returns `true` if a whole number follows.
fn is_whole(input: &Input<'_>) -> bool {
    input.eat("-");
    matches!(input.literal().and_then(Literal::lit), Some(Lit::Int(_)))
}

/// Parses a path, whose words are without `r#` then.
pub(crate) fn path<'t>(input: &Input<'t>) -> Option<Cow<'t, str>> {
    let mut name = Cow::Borrowed(input.word()?.unraw());
    loop {
        let ahead = input.fork();
        let Some(word) = ahead.eat("::").and_then(|_| ahead.word()) else { return Some(name) };
        name.to_mut().extend(["::", word.unraw()]);
        input.take_until(&ahead);
    }
}

/// Parses a value that is not a name.
fn constant_only(input: &Input<'_>, errors: &mut Errors) -> Option<Value> {
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

/// Returns the name of a variable in braces, as in files of the editor.
fn variable(args: Group<'_>, errors: &mut Errors) -> Option<Value> {
    let input = args.stream().input();
    let name = match input.word() {
        Some(name) => Some(name.unraw().to_owned()),
        None => input.text().map(Text::value),
    };
    let name = name.filter(|name| input.is_empty() && !name.trim().is_empty());
    if name.is_none() {
        errors.at(args.span(), "`var` expects the name of a variable\nhelp: write `var(name)` or `var(\"a name\")`");
    }
    name.map(|name| format!("{{{name}}}").into())
}

/// Parses the fields of an object: `{ x: 1, "a name": 2 }`.
fn object(group: Group<'_>, errors: &mut Errors) -> Map<String, Value> {
    let fields = parse(group.stream(), errors, |input, errors| {
        let begin = input.fork();
        let name = field(input);
        let Some(name) = name.filter(|_| input.peek(":")) else {
            let word = begin.peek_name().filter(|_| begin.after().is_empty());
            let help = word.map(|name| format!("\n{}", of_variable(name))).unwrap_or_default();
            errors.at(begin.span(), format!("expected a field, `name: value`, found {}{help}", found(&begin)));
            return None;
        };
        after_sign(input, errors)?;
        Some((name, constant_only(input, errors)?))
    });
    fields.into_iter().collect()
}

/// Parses the name of an argument or a field, which may be a text.
fn field(input: &Input<'_>) -> Option<String> {
    match input.text() {
        Some(name) => Some(name.value()),
        None => input.word().map(|name| name.unraw().to_owned()),
    }
}
