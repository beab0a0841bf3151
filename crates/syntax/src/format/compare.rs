//! Whether what is formatted is the same code, and whether it has errors.

use bt_behavior3::Diagnostic;

use super::expression::comments;
use crate::errors::Errors;
use crate::lex::{offset, ranges};
use crate::{file, parse};

/// Returns the index and the message of the first syntax error in the content of a tree, of a file or of a macro.
pub(crate) fn error(content: &str, is_text: bool) -> Option<(usize, String)> {
    let error = |error: Diagnostic| Some((offset(content, error.place?), error.reason));
    let tokens = match file::flat(content) {
        Ok(tokens) => tokens,
        Err(no_tokens) => return error(no_tokens),
    };
    let first = |mut errors: Errors| {
        parse::tree(&tokens, &mut errors);
        error(errors.into_diagnostics().into_iter().next()?)
    };
    // What only a file can contain, such as `5s`, is formatted everywhere.
    let (at, message) = first(Errors::of_file())?;
    let of_macro = if is_text { None } else { first(Errors::default()).filter(|(of_macro, _)| *of_macro == at) };
    Some(of_macro.unwrap_or((at, message)))
}

/// Returns `true` if two texts have the same tokens and comments.
pub(super) fn has_same_code(one: &str, other: &str) -> bool {
    has_same_tokens(one, other) && comments(one) == comments(other)
}

/// Returns `true` if two texts have the same tokens, except commas at the end of an item.
pub(crate) fn has_same_tokens(one: &str, other: &str) -> bool {
    ranges(other).is_ok_and(|of_other| has_tokens(one, of_other.map(|range| &other[range])))
}

/// Returns `true` if a text has these tokens, except commas at the end of an item.
pub(crate) fn has_tokens<'t>(text: &str, tokens: impl Iterator<Item = &'t str>) -> bool {
    let Ok(found) = ranges(text) else { return false };
    let found = found.map(|range| &text[range]).filter(|word| *word != ",");
    found.eq(tokens.filter(|word| *word != ","))
}
