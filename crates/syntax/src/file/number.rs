//! Numbers and times.

use std::borrow::Cow;

use serde_json::{Number, Value};
use syn::Lit;

use crate::errors::{Errors, REGISTER_VALUE};
use crate::keyword::{TIMES, spoken};
use crate::tokens::{Group, Literal};

pub(super) const EXPECTED: &str =
    "expected a number, a time, text, a list, the name of a registered value or `var(name)`";

/// The types of numbers, which may follow one.
const TYPES: [&str; 14] =
    ["", "f32", "f64", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "isize"];

/// Returns the value of a literal that is not a text, after a sign.
pub(super) fn constant(literal: Literal<'_>, sign: &str) -> Result<Value, String> {
    let Some((digits, suffix, is_whole)) = number(literal) else {
        return match literal.lit() {
            Some(Lit::Char(value)) if sign.is_empty() => Ok(value.value().to_string().into()),
            _ if sign.is_empty() => Err(format!("{EXPECTED}, found `{}`", literal.text())),
            _ => Err(EXPECTED.to_owned()),
        };
    };
    let text = if sign.is_empty() { digits } else { format!("{sign}{digits}").into() };
    if TIMES.iter().any(|(_, unit)| *unit == suffix) {
        return time_of(format!("{text}{suffix}"));
    }
    if !TYPES.contains(&&*suffix) {
        return Err(unknown_unit(&text, &suffix));
    }
    let whole = || text.parse::<u64>().map(Number::from).or_else(|_| text.parse::<i64>().map(Number::from)).ok();
    let whole = if is_whole && !suffix.starts_with('f') { whole() } else { None };
    let number = whole.or_else(|| text.parse().ok().and_then(Number::from_f64));
    number.map(Value::Number).ok_or_else(|| format!("the number `{text}` is too large"))
}

/// Returns the digits of a number, its type or unit, and whether it has no point and no exponent.
fn number(literal: Literal<'_>) -> Option<(Cow<'_, str>, Cow<'_, str>, bool)> {
    let text = literal.text();
    let end = text.find(|sign: char| !(sign.is_ascii_digit() || sign == '.')).unwrap_or(text.len());
    let (digits, suffix) = text.split_at(end);
    let is_whole = !digits.contains('.');
    // `007` is 7.
    let is_plain = digits.ends_with(|last: char| last.is_ascii_digit())
        && (!is_whole || digits == "0" || !digits.starts_with('0'));
    if is_plain && (suffix.is_empty() || TIMES.iter().any(|(_, unit)| *unit == suffix)) {
        return Some((digits.into(), suffix.into(), is_whole));
    }
    literal.number().map(|(digits, suffix, is_whole)| (digits.into(), suffix.into(), is_whole))
}

/// Returns a time with its unit.
pub(super) fn time(args: Group<'_>, function: &str, unit: &str, errors: &mut Errors) -> Option<Value> {
    let input = args.stream().input();
    let sign = if input.eat("-").is_some() { "-" } else { "" };
    let time = match input.literal().and_then(number).filter(|_| input.is_empty()) {
        None => Err(format!("`{function}` expects a number\n{REGISTER_VALUE}")),
        Some((digits, suffix, _)) if TIMES.iter().any(|(_, unit)| *unit == suffix) => {
            let found = format!("{sign}{digits}{suffix}");
            Err(format!("`{function}` expects a number without a unit, found `{found}`\nhelp: write `{found}` alone"))
        }
        Some((digits, suffix, _)) if !TYPES.contains(&&*suffix) => Err(unknown_unit(&digits, &suffix)),
        Some((digits, ..)) => time_of(format!("{sign}{digits}{unit}")),
    };
    time.map_err(|reason| errors.at(args.span(), reason)).ok()
}

/// Returns the help for a call that is meant as a time in a longer unit, `mins(3)`.
pub(super) fn longer(function: &str, args: Group<'_>) -> Option<String> {
    let (digits, ..) = args.stream().input().literal().and_then(number)?;
    in_other_unit(&digits, function.trim_start_matches("from_"))
}

fn unknown_unit(digits: &str, unit: &str) -> String {
    let help = in_other_unit(digits, unit).unwrap_or_default();
    format!("unknown unit `{unit}`\nnote: the units of times are `s`, `ms`, `us` and `ns`{help}")
}

/// Returns the help for a time in a unit that is written in another way, or is longer than those that there are.
fn in_other_unit(digits: &str, unit: &str) -> Option<String> {
    let (unit, count) = spoken(unit)?;
    Some(format!("\nhelp: write `{}{unit}`", digits.parse::<f64>().ok()? * count))
}

fn time_of(text: String) -> Result<Value, String> {
    let positive = text.trim_start_matches('-');
    if positive.len() < text.len() {
        return Err(format!("a time cannot be negative, found `{text}`\nhelp: write `{positive}`"));
    }
    if text.contains(['e', 'E']) {
        return Err(format!("expected a time, found `{text}`\nhelp: write its number without an exponent"));
    }
    if bt_behavior3::millis(&text).is_none() {
        return Err(format!("the time `{text}` is too large"));
    }
    Ok(text.into())
}
