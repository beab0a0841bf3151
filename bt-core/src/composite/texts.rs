//! Source texts of expressions, for descriptions.

use core::fmt;

/// Source texts, formatted as a list of JSON: numbers, text literals and booleans as they are, others in quotes.
#[derive(Clone, Copy)]
pub struct Texts<'a>(pub &'a [&'a str]);

impl fmt::Debug for Texts<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.0.iter().map(|text| Entry(text))).finish()
    }
}

/// A source text, formatted as it is if it is JSON, otherwise in quotes.
struct Entry<'a>(&'a str);

impl fmt::Debug for Entry<'_> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_text_literals_and_booleans_are_json() {
        for text in ["0", "12", "-1", "1.5", "-0.25", "1e3", "true", "false", r#""""#, r#""a""#, r#""a b""#] {
            assert!(is_json(text), "{text}");
        }
        for text in [
            "", "-", "_", "+1", "1.", ".5", "1_000", "1u8", "inf", "-inf", "NaN", "null", "a", "1..2", "1 | 2",
            "[1, 2]",
        ] {
            assert!(!is_json(text), "{text}");
        }
        for text in ["\"", "\"a", "a\"", r#""a" | "b""#, r#"r"a""#, r#"b"a""#, r#"'"'"#] {
            assert!(!is_json(text), "{text}");
        }
    }

    #[test]
    #[cfg(feature = "alloc")]
    fn other_texts_are_in_quotes() {
        let texts = Texts(&["1", r#""a""#, "true", "1 | 2", "_"]);
        assert_eq!(alloc::format!("{texts:?}"), r#"[1, "a", true, "1 | 2", "_"]"#);
    }

    #[test]
    #[cfg(feature = "json")]
    fn a_file_contains_values_and_patterns() {
        let texts = ["1", r#""a""#, "true", "_", "1 | 2", "null", "[1, 2]", "kind"];
        let json = serde_json::to_string(&Texts(&texts)).expect("it is data");
        let patterns = r#"{"pattern":"1 | 2"},{"pattern":"null"},{"pattern":"[1, 2]"},{"pattern":"kind"}"#;
        assert_eq!(json, alloc::format!(r#"[1,"a",true,"_",{patterns}]"#));
    }
}
