//! Limits the depth of a text before it is parsed, which takes a stack in proportion, and the length of numbers, which take time by its square.

use bt_behavior3::Diagnostic;
use bt_words::{MAX_LEVELS, TOO_DEEP};
use proc_macro2::Delimiter;

use crate::lex::{Token, place};

/// The maximum number of tokens around and before a token that can contain it: those of its list after the last comma or list in braces, and those of the
/// lists around it. A level has a name, arguments, a label and delimiters, and may have a weight and attributes.
const MAX_TOKENS: usize = 15 * MAX_LEVELS;
/// The maximum length of a number.
const MAX_DIGITS: usize = 500;

/// Returns an error if the parser could need more stack than it has, or too much time.
pub(super) fn check(text: &str, tokens: &[Token]) -> Result<(), Diagnostic> {
    list(text, tokens, 0)
}

/// Checks a list that `around` tokens are before.
fn list(text: &str, tokens: &[Token], around: usize) -> Result<(), Diagnostic> {
    // The number of tokens that can contain the next, and that of `<`, after which a comma ends nothing.
    let (mut own, mut angles) = (0, 0);
    for (index, token) in tokens.iter().enumerate() {
        own += 1;
        let (count, range) = (around + own + angles, token.range());
        let error = |reason: String| Err(Diagnostic::at(place(text, range.start), reason));
        if count > MAX_TOKENS {
            return error(format!("{TOO_DEEP}, and a part without a comma is short"));
        }
        match (token, &text[range.clone()]) {
            (Token::Group { delimiter, inner, .. }, _) => {
                // `else` continues an `if`; a label, a weight or a transition continues nothing.
                let goes_on = tokens.get(index + 1).is_some_and(|next| next.is(text, "else"));
                if *delimiter == Delimiter::Brace && !goes_on {
                    own = 0;
                }
                list(text, inner, count)?;
            }
            (Token::Leaf { .. }, ",") => own = 0,
            (Token::Leaf { .. }, "<") => angles += 1,
            (Token::Leaf { .. }, number)
                if number.len() > MAX_DIGITS && number.starts_with(|sign: char| sign.is_ascii_digit()) =>
            {
                return error("the number is too long".to_owned());
            }
            (Token::Leaf { .. }, _) => {}
        }
    }
    Ok(())
}
