//! Limits the depth of a text before it is parsed, which takes a stack in proportion, and the length of numbers, which take time by its square.

use bt_words::{MAX_LEVELS, TOO_DEEP};

use crate::lex::NoTokens;

/// The maximum number of tokens around and before a token that can contain it: those of its list after the last comma or list in braces, and those of the
/// lists around it. A level has a name, arguments, a label and delimiters, and may have a weight and attributes.
const MAX_TOKENS: usize = 15 * MAX_LEVELS;
/// The maximum length of a number.
const MAX_DIGITS: usize = 500;

/// A list of tokens.
#[derive(Clone, Copy, Default)]
struct List {
    /// The number of tokens before it that can contain it.
    around: usize,
    /// The number of its tokens that can contain the next.
    own: usize,
    /// The number of `<`, after which a comma ends nothing.
    angles: usize,
}

/// Returns an error if the parser could need more stack than it has, or too much time. `tokens` are all tokens and delimiters, each with its index.
pub(super) fn check<'t>(tokens: impl Iterator<Item = (usize, &'t str)>) -> Result<(), NoTokens> {
    let (mut lists, mut list) = (Vec::new(), List::default());
    // A lifetime counts as one token.
    let mut is_quote = false;
    let mut tokens = tokens.filter(|(_, token)| !std::mem::replace(&mut is_quote, *token == "'")).peekable();
    while let Some((at, token)) = tokens.next() {
        if let [b')' | b']' | b'}'] = token.as_bytes() {
            list = lists.pop().unwrap_or_default();
            // `else` continues an `if`; a label, a weight or a transition continues nothing.
            if token == "}" && tokens.peek().is_none_or(|(_, next)| *next != "else") {
                list.own = 0;
            }
            continue;
        }
        list.own += 1;
        let around = list.around + list.own + list.angles;
        if around > MAX_TOKENS {
            return Err(NoTokens { at, reason: format!("{TOO_DEEP}, and a part without a comma is short") });
        }
        match token.as_bytes() {
            [b'(' | b'[' | b'{'] => lists.push(std::mem::replace(&mut list, List { around, ..List::default() })),
            b"," => list.own = 0,
            b"<" => list.angles += 1,
            [b'0'..=b'9', ..] if token.len() > MAX_DIGITS => {
                return Err(NoTokens { at, reason: "the number is too long".to_owned() });
            }
            _ => {}
        }
    }
    Ok(())
}
