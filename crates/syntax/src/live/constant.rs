//! Arguments of words that are constants: data of a loaded tree.

use proc_macro2::{TokenStream, TokenTree};
use serde_json::Value;

use crate::errors::Errors;
use crate::file;
use crate::tokens::Tokens;

/// Returns a number, a time or a range of them as the value of a property; `None` for an expression that the program computes.
pub(super) fn constant(tokens: &TokenStream) -> Option<Value> {
    if !is_plain(tokens.clone()) {
        return None;
    }
    let (tokens, mut errors) = (Tokens::from(tokens.clone()), Errors::default());
    let input = tokens.all().input();
    let (value, is_name) = file::value(&input, &mut errors)?;
    let is_constant = input.is_empty() && errors.is_empty() && !is_name;
    Some(value).filter(|value| is_constant && matches!(value, Value::Number(_) | Value::String(_)))
}

/// Returns a number.
pub(super) fn number(tokens: &TokenStream) -> Option<Value> {
    constant(tokens).filter(Value::is_number)
}

/// Returns `false` for what is a value in files only: text, a variable and units after numbers.
fn is_plain(tokens: TokenStream) -> bool {
    tokens.into_iter().all(|token| match token {
        TokenTree::Ident(word) => word != "var",
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            text.starts_with(|first: char| first.is_ascii_digit()) && !text.ends_with('s') || text.ends_with("usize")
        }
        TokenTree::Group(group) => is_plain(group.stream()),
        TokenTree::Punct(_) => true,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_times_and_ranges_are_constants() {
        let value = |text: &str| constant(&text.parse().expect(text));
        for (text, expected) in [
            ("3", json!(3)),
            ("-0.5", json!(-0.5)),
            ("3u32", json!(3)),
            ("3usize", json!(3)),
            ("secs(5)", json!("5s")),
            ("millis(500)", json!("500ms")),
            ("Duration::from_secs_f64(0.5)", json!("0.5s")),
            ("secs(1)..=secs(3)", json!("1s..=3s")),
            ("1..=3", json!("1..=3")),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
        for text in [
            "PATIENCE", "count", "secs(x)", "1 + 2", "var(x)", "\"5s\"", "5s", "[1]", "f(1)", "1..3", "1..=x", "null",
            "true", "'a'", "", "3 4",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
    }
}
