//! Source texts of expressions, for descriptions.

use core::fmt;

/// Source texts, formatted as a list of JSON: numbers, text literals and booleans as they are, others in quotes.
#[derive(Clone, Copy)]
pub struct Texts<'a>(pub &'a [&'a str]);

impl fmt::Debug for Texts<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.0.iter().map(|text| Text(text))).finish()
    }
}

/// A source text, formatted as it is if it is JSON, otherwise in quotes.
struct Text<'a>(&'a str);

impl fmt::Debug for Text<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_json(self.0) { out.write_str(self.0) } else { self.0.fmt(out) }
    }
}

/// Returns `true` for a number, a text literal or a boolean.
fn is_json(text: &str) -> bool {
    let is_number = text.starts_with(|sign: char| sign.is_ascii_digit() || sign == '-')
        && text.ends_with(|sign: char| sign.is_ascii_digit())
        && text.parse::<f64>().is_ok();
    let is_text =
        text.len() > 1 && text.starts_with('"') && text.ends_with('"') && !text[1..text.len() - 1].contains('"');
    is_number || is_text || matches!(text, "true" | "false")
}

/// Serializes patterns for a file, which has only values: others are objects, which a file cannot load.
#[cfg(feature = "json")]
impl serde::Serialize for Texts<'_> {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(self.0.iter().map(|text| match serde_json::from_str(text) {
            Ok(value) if is_json(text) => value,
            _ if *text == "_" => serde_json::Value::from("_"),
            _ => serde_json::json!({ "pattern": text }),
        }))
    }
}

/// A source text, formatted without quotes.
#[derive(Clone, Copy)]
pub struct Code<'a>(pub &'a str);

impl fmt::Debug for Code<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0)
    }
}
