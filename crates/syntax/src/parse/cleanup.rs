//! Reports cleanups behind bodies, and parses what they mean.

use bt_words::{Arity, Counterpart, Peer, Word, peer};

use super::children::in_braces;
use crate::ast::Child;
use crate::errors::Errors;
use crate::keyword;
use crate::tokens::{Ident, Input};

/// Returns `true` for a word that stands before a cleanup here or elsewhere.
pub(super) fn begins_cleanup(word: Ident<'_>) -> bool {
    let is_meant = |peer: &Peer| matches!(peer.counterpart, Counterpart::Other(text) if text.starts_with("`finally {"));
    word == Word::Finally.name() || peer(word.text()).is_some_and(|peer| is_meant(&peer))
}

/// Parses a cleanup behind the braces of a body, `finally { body } cleanup { … }`, and reports it.
pub(super) fn cleanup<'t>(
    of: Option<Ident<'t>>,
    children: &mut Vec<Child<'t>>,
    input: &Input<'t>,
    errors: &mut Errors,
) {
    let is_body = |word: Ident<'_>| {
        keyword::find(word.text()).is_some_and(|keyword| keyword.word.row().arity() == Arity::BodyAndCleanup)
    };
    let Some(word) = input.peek_name().filter(|_| children.len() == 1 && input.peek2("{")) else { return };
    if !of.is_some_and(is_body) || !begins_cleanup(word) {
        return;
    }
    input.skip(1);
    let help = "help: write `finally { body, cleanup }`";
    errors.at(
        word.span(),
        format!("expected the cleanup in the braces of `finally`, found `{word}` behind them\n{help}"),
    );
    children.extend(in_braces(input, errors));
}
