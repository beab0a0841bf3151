//! Helpers for single tokens.

use bt_words::Word;
use proc_macro2::Delimiter;

use crate::tokens::{Input, Span, Tree};

/// Returns the next token, for a message.
pub(crate) fn found(input: &Input<'_>) -> String {
    let Some(tree) = input.peek_tree() else { return "nothing".to_owned() };
    let Tree::Group(group) = tree else { return format!("`{tree}`") };
    match group.delimiter() {
        Delimiter::Parenthesis => "`(…)`".to_owned(),
        Delimiter::Brace => "`{…}`".to_owned(),
        Delimiter::Bracket => "`[…]`".to_owned(),
        Delimiter::None => tree.to_string(),
    }
}

/// Parses braces, possibly inside a group without delimiters, and their content with a function. Returns their span, too.
pub(super) fn braced<'t, T>(input: &Input<'t>, read: impl FnOnce(&Input<'t>) -> T) -> Option<(Span<'t>, T)> {
    let braces = input.group_in(Delimiter::Brace)?;
    Some((braces.span(), read(&braces.stream().input())))
}

/// Returns the word that begins here, if it is one of these.
pub(super) fn word<const N: usize>(input: &Input<'_>, words: [Word; N]) -> Option<Word> {
    let found = input.peek_word()?;
    words.into_iter().find(|word| found == word.name())
}

/// Returns `true` if a `:` follows that does not begin a `::`.
pub(super) fn is_colon(input: &Input<'_>) -> bool {
    input.peek(":") && !input.peek("::")
}

/// Returns `true` if one of these signs may follow before the next comma or brace. To find that out is much cheaper than to parse an expression.
pub(super) fn may_precede(signs: &str, input: &Input<'_>) -> bool {
    for token in input.rest().trees() {
        match token {
            Tree::Punct(sign) if signs.contains(sign.as_char()) => return true,
            Tree::Punct(sign) if sign.as_char() == ',' => return false,
            Tree::Group(group) if group.delimiter() == Delimiter::Brace => return false,
            // What a macro has inserted can contain anything.
            Tree::Group(group) if group.delimiter() == Delimiter::None => return true,
            Tree::Punct(_) | Tree::Group(_) | Tree::Ident(_) | Tree::Literal(_) => {}
        }
    }
    false
}
