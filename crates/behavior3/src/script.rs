//! The names in a script, which a nested tree replaces. The language itself is that of the crate `bt-btcpp`.

use std::convert::Infallible;
use std::iter;
use std::ops::Range;

use serde_json::Value;

use crate::source::variable;

/// Returns the names in a script with their places: identifiers, and text in braces, which may be a name with any characters.
pub(crate) fn names(script: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut at = 0;
    iter::from_fn(move || {
        loop {
            let rest = script.get(at..)?;
            let first = rest.chars().next()?;
            let is_word = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
            let word = |from: usize| rest[from..].find(|sign| !is_word(sign)).map_or(rest.len(), |end| from + end);
            let (len, name) = match first {
                '\'' | '"' => (rest[1..].find(first).map_or(rest.len(), |end| end + 2), None),
                '{' => {
                    let len = rest.find('}').map_or(rest.len(), |end| end + 1);
                    (len, variable(&rest[..len]))
                }
                '@' => (word(1), Some(&rest[..word(1)])),
                // `e` and `x` in a number are no names.
                sign if sign.is_ascii_digit() => (word(0), None),
                sign if is_word(sign) => (word(0), Some(&rest[..word(0)])),
                sign => (sign.len_utf8(), None),
            };
            let place = at..at + len;
            at += len;
            if let Some(name) = name.filter(|name| !matches!(*name, "true" | "false")) {
                return Some((place, name));
            }
        }
    })
}

/// Returns a script in which these texts are in the places of names; `None` leaves a name. `new` receives a name as it is written, and the name.
pub fn with_names(script: &str, mut new: impl FnMut(&str, &str) -> Option<String>) -> String {
    let Ok(script) = try_with_names(script, |written, name| Ok::<_, Infallible>(new(written, name)));
    script
}

/// The same with a function that may fail.
pub(crate) fn try_with_names<E>(
    script: &str,
    mut new: impl FnMut(&str, &str) -> Result<Option<String>, E>,
) -> Result<String, E> {
    let (mut out, mut end) = (String::new(), 0);
    for (place, name) in names(script) {
        if let Some(new) = new(&script[place.clone()], name)? {
            out += &script[end..place.start];
            out += &new;
            end = place.end;
        }
    }
    Ok(out + &script[end..])
}

/// Returns a value as it is written in a script: a variable in braces, a number, or text in quotes. `None` for text with a quote, because text in a
/// script has no escapes.
pub(crate) fn literal(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if variable(text).is_some() || is_number(text) => Some(text.clone()),
        Value::String(text) => (!text.contains('\'')).then(|| format!("'{text}'")),
        value => Some(value.to_string()),
    }
}

/// Returns `true` for text that is a number in a script.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_digit = |sign: char| sign.is_ascii_digit();
    digits.starts_with(is_digit)
        && digits.ends_with(is_digit)
        && digits.chars().all(|sign| is_digit(sign) || matches!(sign, '.' | 'e' | 'E' | '-' | '+'))
        && digits.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_outside_of_text_and_numbers() {
        let found = |script| names(script).map(|(place, name)| (&script[place], name)).collect::<Vec<_>>();
        let script = "a := 0x1F + 1.5e3 .. 'b c' ? {d/_e} : @f && true; _g2 = 3..h";
        let expected = [("a", "a"), ("{d/_e}", "d/_e"), ("@f", "@f"), ("_g2", "_g2"), ("h", "h")];
        assert_eq!(found(script), expected);
        assert_eq!(found("'open a"), []);
        assert_eq!(found("\"a 'b\" .. c"), [("c", "c")]);
        assert_eq!(found("{open a"), []);
        assert_eq!(found("é + ß"), []);
    }

    #[test]
    fn values_are_literals() {
        let literal = |text: &str| literal(&text.into());
        for number in ["3", "-3", "1.5", "1e5", "007"] {
            assert_eq!(literal(number).as_deref(), Some(number));
        }
        for text in ["+3", "3.", "-inf", "1.2.3", "0x1F", "true", "", "1;2"] {
            assert_eq!(literal(text), Some(format!("'{text}'")));
        }
        assert_eq!(literal("{a/_b}").as_deref(), Some("{a/_b}"));
        assert_eq!(literal("it's"), None);
    }
}
