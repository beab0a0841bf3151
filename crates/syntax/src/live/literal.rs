//! A Rust literal as a value: the compiled literal, or its replacement.

use std::fmt::{self, Display};
use std::str::FromStr;

/// A literal. Integers and floats have their sign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal {
    /// An integer, with its suffix, which may be empty.
    Int { negative: bool, digits: u128, suffix: String },
    /// A float, with its suffix, which may be empty. The digits are decimal, possibly with an exponent.
    Float { negative: bool, digits: String, suffix: String },
    /// A string.
    Text(String),
    /// A character.
    Char(char),
    /// A boolean.
    Bool(bool),
}

impl Literal {
    /// Checks that the literal can replace the compiled one: it has the same kind, and the same suffix or none.
    ///
    /// # Errors
    ///
    /// Returns an error that describes the difference.
    pub fn fits(&self, compiled: &Self) -> Result<(), String> {
        let (found, expected) = (self.kind(), compiled.kind());
        if found != expected {
            return Err(format!("`{self}` is {found}, expected {expected}: `{compiled}`"));
        }
        match (self.suffix(), compiled.suffix()) {
            ("", _) => Ok(()),
            (found, expected) if found == expected => Ok(()),
            (found, "") => Err(format!("`{self}` has the suffix `{found}`, expected none: `{compiled}`")),
            (found, expected) => Err(format!("`{self}` has the suffix `{found}`, expected `{expected}`: `{compiled}`")),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Int { .. } => "an integer",
            Self::Float { .. } => "a float",
            Self::Text(_) => "a string",
            Self::Char(_) => "a character",
            Self::Bool(_) => "a boolean",
        }
    }

    fn suffix(&self) -> &str {
        match self {
            Self::Int { suffix, .. } | Self::Float { suffix, .. } => suffix,
            Self::Text(_) | Self::Char(_) | Self::Bool(_) => "",
        }
    }

    /// Returns the value of a Rust literal; `None` if the literal is of another kind, or too large.
    pub(super) fn of(literal: &syn::Lit, negative: bool) -> Option<Self> {
        Some(match literal {
            // `5f32`
            syn::Lit::Int(number) if number.suffix().starts_with('f') => {
                let (digits, suffix) = (number.base10_digits().to_owned(), number.suffix().to_owned());
                Self::Float { negative, digits, suffix }
            }
            syn::Lit::Int(number) => {
                Self::Int { negative, digits: number.base10_parse().ok()?, suffix: number.suffix().to_owned() }
            }
            syn::Lit::Float(number) => {
                Self::Float { negative, digits: number.base10_digits().to_owned(), suffix: number.suffix().to_owned() }
            }
            _ if negative => return None,
            syn::Lit::Str(text) => Self::Text(text.value()),
            syn::Lit::Char(sign) => Self::Char(sign.value()),
            syn::Lit::Bool(is) => Self::Bool(is.value),
            _ => return None,
        })
    }
}

impl Display for Literal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |negative: bool| if negative { "-" } else { "" };
        match self {
            Self::Int { negative, digits, suffix } => write!(out, "{}{digits}{suffix}", sign(*negative)),
            Self::Float { negative, digits, suffix } => {
                // Without a point, it would be an integer.
                let is_whole = suffix.is_empty() && !digits.contains(['.', 'e']);
                write!(out, "{}{digits}{}{suffix}", sign(*negative), if is_whole { ".0" } else { "" })
            }
            Self::Text(text) => write!(out, "{text:?}"),
            Self::Char(sign) => write!(out, "{sign:?}"),
            Self::Bool(is) => is.fmt(out),
        }
    }
}

/// Reads a Rust literal. Uses no Rust parser, which would keep each text until its thread ends.
impl FromStr for Literal {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let text = text.trim();
        if let Ok(is) = text.parse() {
            return Ok(Self::Bool(is));
        }
        match text.strip_prefix('-') {
            Some(number) => number_of(number.trim_start(), true),
            None if text.starts_with('\'') => {
                let inner = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
                let value = unescaped(inner.ok_or(())?)?;
                let mut signs = value.chars();
                signs.next().filter(|_| signs.next().is_none()).map(Self::Char).ok_or(())
            }
            None if text.starts_with('"') => {
                let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                unescaped(inner.ok_or(())?).map(Self::Text)
            }
            None if text.starts_with('r') => {
                let marks = text[1..].len() - text[1..].trim_start_matches('#').len();
                let hashes = "#".repeat(marks);
                let inner = text[1..].strip_prefix(&hashes).and_then(|text| text.strip_suffix(&hashes));
                let inner = inner.and_then(|text| text.strip_prefix('"')).and_then(|text| text.strip_suffix('"'));
                inner.map(|text| Self::Text(text.to_owned())).ok_or(())
            }
            None => number_of(text, false),
        }
    }
}

fn number_of(text: &str, negative: bool) -> Result<Literal, ()> {
    let clean: String = text.chars().filter(|sign| *sign != '_').collect();
    let is_digit = |radix: u32| move |sign: char| sign.is_digit(radix);
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(rest) = clean.strip_prefix(prefix) {
            // `i` and `u` begin a suffix, and are no digits.
            let end = rest.find(|sign: char| !is_digit(radix)(sign)).unwrap_or(rest.len());
            let digits = u128::from_str_radix(&rest[..end], radix).map_err(|_| ())?;
            return Ok(Literal::Int { negative, digits, suffix: suffix(&rest[end..], false)? });
        }
    }
    let mut end = 0;
    let mut is_float = false;
    let signs: Vec<char> = clean.chars().collect();
    while let Some(&sign) = signs.get(end) {
        let after = signs.get(end + 1).copied();
        match sign {
            '0'..='9' => {}
            '.' if !is_float => is_float = true,
            'e' | 'E' if after.is_some_and(|sign| sign.is_ascii_digit() || "+-".contains(sign)) => {
                is_float = true;
                end += 1;
            }
            _ => break,
        }
        end += 1;
    }
    let (digits, rest) = clean.split_at(signs[..end].iter().map(|sign| sign.len_utf8()).sum());
    if !digits.starts_with(is_digit(10)) {
        return Err(());
    }
    let suffix = suffix(rest, true)?;
    if is_float || suffix.starts_with('f') {
        digits.parse::<f64>().map_err(|_| ())?;
        return Ok(Literal::Float { negative, digits: digits.replace('E', "e").replace('+', ""), suffix });
    }
    Ok(Literal::Int { negative, digits: digits.parse().map_err(|_| ())?, suffix })
}

/// Returns a suffix if it is one of Rust.
fn suffix(text: &str, decimal: bool) -> Result<String, ()> {
    const WHOLE: [&str; 13] =
        ["", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
    let is_known = WHOLE.contains(&text) || decimal && ["f32", "f64"].contains(&text);
    if is_known { Ok(text.to_owned()) } else { Err(()) }
}

/// Returns the text between quotes with its escapes replaced.
fn unescaped(text: &str) -> Result<String, ()> {
    let mut value = String::with_capacity(text.len());
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        if sign != '\\' {
            value.push(sign);
            continue;
        }
        match signs.next().ok_or(())? {
            'n' => value.push('\n'),
            't' => value.push('\t'),
            'r' => value.push('\r'),
            '0' => value.push('\0'),
            sign @ ('\\' | '\'' | '"') => value.push(sign),
            'x' => {
                let digits: String = signs.by_ref().take(2).collect();
                let code = u8::from_str_radix(&digits, 16).map_err(|_| ())?;
                value.push(if code.is_ascii() { char::from(code) } else { return Err(()) });
            }
            'u' => {
                let digits: String = signs.by_ref().skip(1).take_while(|sign| *sign != '}').collect();
                let code = u32::from_str_radix(&digits.replace('_', ""), 16).map_err(|_| ())?;
                value.push(char::from_u32(code).ok_or(())?);
            }
            '\n' => while signs.next_if(char::is_ascii_whitespace).is_some() {},
            _ => return Err(()),
        }
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn literal(text: &str) -> Literal {
        text.parse().unwrap_or_else(|()| panic!("{text}"))
    }

    #[test]
    fn literals_are_read_as_the_parser_of_rust_reads_them() {
        for text in [
            "5",
            "0",
            "1_000",
            "0xff",
            "0xFFu8",
            "0o17",
            "0b1010_1010",
            "5u8",
            "340282366920938463463374607431768211455",
            "5.0",
            "5.",
            "5e3",
            "5E-3",
            "1.5e+3",
            "5f32",
            "5.5f64",
            "1_0.0_1",
            "\"\"",
            "\"a\\nb\"",
            "\"\\u{1F600}\\x41\"",
            "\"a\\\n    b\"",
            "r\"a\\n\"",
            "r#\"a\"b\"#",
            "'a'",
            "'\\''",
            "'\\u{e9}'",
            "true",
            "false",
            "0b11i8",
            "0xf32",
        ] {
            let lit = syn::parse_str::<syn::Lit>(text).expect(text);
            assert_eq!(text.parse().ok(), Literal::of(&lit, false), "{text}");
            if let syn::Lit::Int(_) | syn::Lit::Float(_) = lit {
                assert_eq!(format!("- {text}").parse().ok(), Literal::of(&lit, true), "{text}");
            }
            let back: Literal = literal(text).to_string().parse().expect(text);
            assert_eq!(back, literal(text), "{text}");
        }
        for text in [
            "", "-", "x", "5q", "'ab'", "\"a", "b\"a\"", "b'a'", "--5", "-true", "\"\\q\"", "\"\\", "5.5.5", "é", "5é",
            "'",
        ] {
            assert_eq!(text.parse::<Literal>(), Err(()), "{text}");
        }
    }

    #[test]
    fn a_literal_fits_one_of_its_kind() {
        let fits = |text: &str, compiled: &str| literal(text).fits(&literal(compiled)).err();
        for (text, compiled) in
            [("5", "7"), ("-5", "7u8"), ("5u8", "7u8"), ("1.5", "2.0f32"), ("'a'", "'b'"), ("true", "false")]
        {
            assert_eq!(fits(text, compiled), None);
        }
        for (text, compiled, message) in [
            ("5", "5.0", "`5` is an integer, expected a float: `5.0`"),
            ("\"a\"", "5", "`\"a\"` is a string, expected an integer: `5`"),
            ("5u8", "5", "`5u8` has the suffix `u8`, expected none: `5`"),
            ("5u8", "5u16", "`5u8` has the suffix `u8`, expected `u16`: `5u16`"),
            ("true", "'a'", "`true` is a boolean, expected a character: `'a'`"),
        ] {
            assert_eq!(fits(text, compiled).as_deref(), Some(message));
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_as_it_is_written(text: String, sign: char, number: u128, float: f64) {
            prop_assert_eq!(Literal::Text(text.clone()).to_string().parse(), Ok(Literal::Text(text)));
            prop_assert_eq!(Literal::Char(sign).to_string().parse(), Ok(Literal::Char(sign)));
            prop_assert_eq!(
                number.to_string().parse(),
                Ok(Literal::Int { negative: false, digits: number, suffix: String::new() })
            );
            let is_float = matches!(format!("{float:?}").parse(), Ok(Literal::Float { .. }));
            prop_assert!(is_float || !float.is_finite());
        }

        #[test]
        fn no_text_makes_it_panic(text: String) {
            let _ = text.parse::<Literal>();
        }
    }
}
