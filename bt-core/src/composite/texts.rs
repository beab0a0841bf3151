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
        let text = self.0;
        let is_number = text.starts_with(|sign: char| sign.is_ascii_digit() || sign == '-')
            && text.ends_with(|sign: char| sign.is_ascii_digit())
            && text.parse::<f64>().is_ok();
        let is_json = is_number || matches!(text, "true" | "false") || text.starts_with('"') && text.ends_with('"');
        if is_json { out.write_str(text) } else { text.fmt(out) }
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
