//! What is wrong with a literal: an escape, or the digits of a number.

/// Returns the reason why a literal is invalid, and where it is in it.
pub(super) fn check(literal: &str) -> Result<(), (usize, String)> {
    let is_plain = |text: &str| text.bytes().all(|sign| sign.is_ascii_digit());
    let is_simple = match literal.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(text) => !text.contains(['\\', '\r']),
        None => literal.split_once('.').map_or(is_plain(literal), |(whole, part)| is_plain(whole) && is_plain(part)),
    };
    if is_simple || literal.parse::<proc_macro2::Literal>().is_ok() {
        return Ok(());
    }
    if literal.starts_with(|first: char| first.is_ascii_digit()) {
        let end = literal.find(|sign: char| !(sign.is_alphanumeric() || sign == '_')).unwrap_or(literal.len());
        return Err((0, format!("`{}` is not a number of Rust", &literal[..end])));
    }
    let mut begin = 0;
    while let Some(found) = literal[begin..].find('\\').map(|found| begin + found) {
        let escape = &literal[found..];
        let end = match escape.chars().nth(1) {
            Some('u') => {
                let end = escape.find(|sign: char| !(sign.is_alphanumeric() || r"\{_".contains(sign)));
                end.map_or(2, |end| end + usize::from(escape[end..].starts_with('}')))
            }
            Some('x') => 2 + escape[2..].chars().take(2).take_while(char::is_ascii_hexdigit).count(),
            next => 1 + next.map_or(0, char::len_utf8),
        };
        let escape = &escape[..end];
        if format!("\"{escape}\"").parse::<proc_macro2::Literal>().is_err() {
            let reason = match escape.strip_prefix("\\u{").and_then(|digits| digits.strip_suffix('}')) {
                Some(digits) if u32::from_str_radix(&digits.replace('_', ""), 16).is_ok() => {
                    "is not a character of Unicode; help: write the character itself"
                }
                Some(_) | None => "is not an escape of Rust; help: write `\\\\` for a backslash",
            };
            return Err((found, format!("`{escape}` {reason}")));
        }
        begin = found + end;
    }
    Err((0, "expected a text, a character or a number of Rust".to_owned()))
}
