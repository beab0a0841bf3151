//! Splits the text of a script into tokens.

use crate::script::error::ScriptError;
use crate::script::expression::{Assignment, Binary, Compare};

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    /// The text of the token. For text and names in braces, the text between the delimiters.
    pub(super) text: &'t str,
    /// The byte offset in the script.
    pub(super) at: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Integer,
    Real,
    Text,
    Boolean,
    Name,
    /// A name in braces.
    Braced,
    Assign(Assignment),
    Compare(Compare),
    /// An operator between two values. `-` is also one before a value.
    Binary(Binary),
    Tilde,
    Bang,
    Question,
    Colon,
    Open,
    Close,
    Semicolon,
    End,
}

impl Token<'_> {
    /// Returns the token for messages.
    pub(super) fn found(&self) -> String {
        match self.kind {
            Kind::End => "the end of the script".to_owned(),
            Kind::Text => "text".to_owned(),
            Kind::Braced => format!("`{{{}}}`", self.text),
            _ => format!("`{}`", self.text),
        }
    }
}

/// Splits a script into tokens. The last token is [`Kind::End`].
pub(super) fn tokens(script: &str) -> Result<Vec<Token<'_>>, ScriptError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = script[at..].chars().next() {
        if matches!(first, ' ' | '\t' | '\n' | '\r') {
            at += 1;
            continue;
        }
        let (token, end) = token(script, at, first)?;
        tokens.push(token);
        at = end;
    }
    tokens.push(Token { kind: Kind::End, text: "", at });
    Ok(tokens)
}

/// Returns the token at a position, and the position behind it.
fn token(script: &str, at: usize, first: char) -> Result<(Token<'_>, usize), ScriptError> {
    let rest = &script[at..];
    let plain = |kind, length: usize| Ok((Token { kind, text: &rest[..length], at }, at + length));
    match first {
        // Version 4.10 knows single quotes only.
        '\'' | '"' => delimited(rest, at, first, Kind::Text),
        '{' => delimited(rest, at, '}', Kind::Braced),
        '0'..='9' => {
            let (kind, length) = number(rest, at)?;
            plain(kind, length)
        }
        'a'..='z' | 'A'..='Z' | '_' | '@' => {
            let length = 1 + count(&rest[1..], is_in_name);
            match &rest[..length] {
                "true" | "false" => plain(Kind::Boolean, length),
                _ => plain(Kind::Name, length),
            }
        }
        _ => {
            let sign = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
            sign.map_or_else(|| Err(unknown(first, at)), |(sign, kind)| plain(*kind, sign.len()))
        }
    }
}

fn delimited(rest: &str, at: usize, end: char, kind: Kind) -> Result<(Token<'_>, usize), ScriptError> {
    match rest[1..].find(end) {
        Some(0) if kind == Kind::Braced => {
            Err(ScriptError::new(at, "found `{}`; expected the name of a variable between the braces"))
        }
        Some(length) => Ok((Token { kind, text: &rest[1..=length], at }, at + length + 2)),
        None => Err(ScriptError::new(at, format!("`{}` without a closing `{end}`", &rest[..1]))),
    }
}

fn unknown(found: char, at: usize) -> ScriptError {
    let help = match found {
        '.' => "; help: `..` joins text, and a number has digits on both sides of `.`",
        '}' => "; help: a name in braces starts with `{`",
        _ => "; help: a variable of any name is written in braces, `{name}`",
    };
    ScriptError::new(at, format!("found `{}`, which no script contains outside of text{help}", found.escape_debug()))
}

fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the number of bytes at the start that satisfy the condition.
fn count(text: &str, is: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|byte| is(*byte)).count()
}

/// Returns the kind and the length of the number that the text starts with.
fn number(text: &str, at: usize) -> Result<(Kind, usize), ScriptError> {
    let byte = |index: usize| text.as_bytes().get(index).copied().unwrap_or(0);
    let digits = |from: usize| count(&text[from..], |byte| byte.is_ascii_digit());
    let fault = |expected: &str| {
        let end = count(text, |byte| is_in_name(byte) || byte == b'.');
        Err(ScriptError::new(at, format!("found `{}`; expected {expected}", &text[..end])))
    };
    if byte(0) == b'0' && matches!(byte(1), b'x' | b'X') {
        let digits = count(&text[2..], |byte| byte.is_ascii_hexdigit());
        let end = 2 + digits;
        if digits == 0 || byte(end) == b'.' || is_in_name(byte(end)) {
            return fault("hexadecimal digits behind `0x`, and then a space or an operator");
        }
        return Ok((Kind::Integer, end));
    }
    let mut kind = Kind::Integer;
    let mut end = digits(0);
    if byte(end) == b'.' && byte(end + 1) != b'.' {
        let fraction = digits(end + 1);
        if fraction == 0 {
            return fault("digits behind `.`");
        }
        kind = Kind::Real;
        end += 1 + fraction;
    }
    if matches!(byte(end), b'e' | b'E') {
        let signed = end + 1 + usize::from(matches!(byte(end + 1), b'+' | b'-'));
        let exponent = if signed <= text.len() { digits(signed) } else { 0 };
        if exponent == 0 {
            return fault("a number; the exponent has no digits");
        }
        kind = Kind::Real;
        end = signed + exponent;
    }
    if byte(end).is_ascii_alphabetic() || matches!(byte(end), b'_' | b'@') {
        return fault("a number, and then a space or an operator");
    }
    Ok((kind, end))
}

/// The operators and the other signs. Of two that begin in the same way, the longer one is first.
const SIGNS: [(&str, Kind); 29] = [
    ("..", Kind::Binary(Binary::Join)),
    ("&&", Kind::Binary(Binary::And)),
    ("||", Kind::Binary(Binary::Or)),
    ("==", Kind::Compare(Compare::Equal)),
    ("!=", Kind::Compare(Compare::NotEqual)),
    ("<=", Kind::Compare(Compare::LessEqual)),
    (">=", Kind::Compare(Compare::GreaterEqual)),
    (":=", Kind::Assign(Assignment::Create)),
    ("+=", Kind::Assign(Assignment::Combine(Binary::Plus))),
    ("-=", Kind::Assign(Assignment::Combine(Binary::Minus))),
    ("*=", Kind::Assign(Assignment::Combine(Binary::Times))),
    ("/=", Kind::Assign(Assignment::Combine(Binary::Divide))),
    ("+", Kind::Binary(Binary::Plus)),
    ("-", Kind::Binary(Binary::Minus)),
    ("*", Kind::Binary(Binary::Times)),
    ("/", Kind::Binary(Binary::Divide)),
    ("&", Kind::Binary(Binary::BitAnd)),
    ("|", Kind::Binary(Binary::BitOr)),
    ("^", Kind::Binary(Binary::BitXor)),
    ("~", Kind::Tilde),
    ("!", Kind::Bang),
    ("<", Kind::Compare(Compare::Less)),
    (">", Kind::Compare(Compare::Greater)),
    ("=", Kind::Assign(Assignment::Set)),
    ("?", Kind::Question),
    (":", Kind::Colon),
    ("(", Kind::Open),
    (")", Kind::Close),
    (";", Kind::Semicolon),
];

fn sign(of: Kind) -> &'static str {
    SIGNS.iter().find(|(_, kind)| *kind == of).map_or("", |(sign, _)| sign)
}

impl Binary {
    pub(super) fn symbol(self) -> &'static str {
        sign(Kind::Binary(self))
    }
}

impl Compare {
    pub(super) fn symbol(self) -> &'static str {
        sign(Kind::Compare(self))
    }
}

impl Assignment {
    pub(super) fn symbol(self) -> &'static str {
        sign(Kind::Assign(self))
    }
}
